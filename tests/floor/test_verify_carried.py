"""What a correction left open with a seat ends as the auditor's own books have it, and is told everywhere."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.floor.audit.auditor import Auditor
from croupier.floor.codec import entry_of
from croupier.floor.loading import load_table
from croupier.floor.reports.figures import Figures
from croupier.floor.significant.events import event_rows
from croupier.journal import Record
from croupier.journal.sqlite import SqliteStore
from croupier.rulebook.load import read_book
from croupier.table import commands as c
from croupier.table import recall_round
from croupier.table.state import Meters
from floor.audit_journal import MemoryEvidence, edit, first_misfit, records_of, relink, write_journal
from floor.test_export_bundle import bundle
from floor.test_verify_auditor import Change, both, by, posting, put
from rulebook.edited_books import shipped_text
from table.rig import MANAGER, SHIFT_MANAGER, SUPERVISOR, Play, player

WIN, LOSE, SMALL = "17", "20", "18"
BETS = {"straight:17": 1_000, "split:17/18": 1_000}


def settle(seat: str, how: str, cents: int) -> c.SettleCarried:
    return c.SettleCarried(round=1, seat=seat, how=how, cents=cents, reason="as agreed")


def correct(play: Play, result: str) -> None:
    play.do(MANAGER, c.CorrectResult(round=1, result=result, reason="on camera"), second=SUPERVISOR)


def carried() -> Play:
    """Two seats have left when round 1 is corrected: one is paid by hand, one brings what it had won."""
    play = Play().open(("1", "2"), 10_000)
    play.round({"1": {"straight:17": 1_000}, "2": {"straight:20": 1_000}}, "17")
    for seat in ("1", "2"):
        play.do(player(seat), c.CashOut(seat=seat, voucher=f"V-{seat}"))
    correct(play, "20")
    play.do(MANAGER, settle("1", "collected", 36_000), second=SUPERVISOR)
    play.do(MANAGER, settle("2", "paid", 36_000), second=SUPERVISOR)
    correct(play, "17")
    play.do(MANAGER, settle("1", "paid", 36_000), second=SUPERVISOR)
    play.do(MANAGER, settle("2", "written-off", 36_000), second=SUPERVISOR)
    correct(play, "20")
    return play


def test_what_is_open_may_end_once_its_round_is_not_kept_any_more() -> None:
    play = Play(rounds_kept=1).open(("1",), 10_000)
    play.round({"1": {"straight:17": 1_000}}, "20")
    play.do(player("1"), c.CashOut(seat="1", voucher="V-1"))
    correct(play, "17")
    for _ in range(4):
        play.round({}, "20")
    play.do(MANAGER, settle("1", "paid", 36_000), second=SUPERVISOR)
    evidence = MemoryEvidence(play)
    assert first_misfit(evidence) is None

    at = ends(play)[0].sequence
    other = [edit(one, put(round=2)) if one.sequence == at else one for one in records_of(play)]
    evidence.put(relink(other))
    misfit = first_misfit(evidence)
    assert misfit is not None
    assert misfit.reason == "no correction has left anything open with seat 1 in round 2"


def ends(play: Play) -> list[Record]:
    return [record for record in records_of(play) if record.kind == "carried-settled"]


def forged(which: int, change: Change) -> tuple[bool, str]:
    """Whether the forged end is where the auditor stops, and why it does."""
    play = carried()
    at = ends(play)[which].sequence
    evidence = MemoryEvidence(play)
    rows = [edit(record, change) if record.sequence == at else record for record in records_of(play)]
    evidence.put(relink(rows))
    misfit = first_misfit(evidence)
    assert misfit is not None
    return misfit.sequence == at, misfit.reason


COLLECTED, PAID, PAID_BACK, WRITTEN_OFF = range(4)

DEALERS = {"id": "dealer-2", "position": "dealer", "seat": None}

FORGED: dict[str, tuple[int, Change, str]] = {
    "less": (PAID, both(put(cents=35_900), posting(0, cents=35_900)), "what ends is 359.00"),
    "more in the posting": (PAID, posting(0, cents=36_100), "its postings are"),
    "from the house": (PAID, posting(0, source="house"), "its postings are"),
    "written off into cash": (WRITTEN_OFF, posting(0, source="cash"), "its postings are"),
    "unclaimed money written off": (PAID, put(how="written-off"), "unclaimed money is written-off"),
    "a shortfall paid": (COLLECTED, put(how="paid"), "a shortfall is paid"),
    "no such way": (COLLECTED, put(how="forgotten"), "a shortfall is forgotten"),
    "another round": (PAID, put(round=2), "no correction has left anything open with seat 2 in round 2"),
    "another seat": (PAID, put(seat="1"), "no correction has left anything open with seat 1 in round 1"),
    "another clause": (PAID, put(clause="mbs-roulette:6.1"), "it rests on mbs-roulette:6.3"),
    "one person": (PAID, by("manager-1", "pit-manager"), "takes two people"),
    "people who may not": (PAID, by("dealer-1", "dealer", None, DEALERS), "takes a pit-manager"),
}


def test_what_ends_as_it_may_fits_there_and_back() -> None:
    assert first_misfit(MemoryEvidence(carried())) is None


@pytest.mark.parametrize("name", FORGED)
def test_an_end_that_is_not_what_was_left_open_is_found(name: str) -> None:
    which, change, why = FORGED[name]

    is_there, reason = forged(which, change)

    assert is_there
    assert why in reason


def test_an_end_that_comes_twice_is_found() -> None:
    play = carried()
    first = ends(play)[PAID]
    again = edit(first, lambda event, cause: cause.update(number=900))
    evidence = MemoryEvidence(play)
    rows = records_of(play)
    evidence.put(relink([*rows[: first.sequence], again, *rows[first.sequence :]]))

    misfit = first_misfit(evidence)

    assert misfit is not None
    assert (misfit.sequence, "has left anything open" in misfit.reason) == (first.sequence + 1, True)


STEPS = st.sampled_from((WIN, LOSE, SMALL, "spend", "leave", "again", "paid", "collected", "written-off"))


@given(st.lists(STEPS, max_size=10))
def test_whatever_ends_between_corrections_the_auditor_books_the_same(steps: list[str]) -> None:
    play = Play().open(("1",), 20_000)
    play.round({"1": BETS}, WIN)
    for step in steps:
        if step in (WIN, LOSE, SMALL):
            play.ask(MANAGER, c.CorrectResult(round=1, result=step, reason="why"), SUPERVISOR)
        elif step == "spend":
            if play.credits("1") > 500:
                play.round({"1": {"even": play.credits("1") - 500}}, "1")
        elif step == "leave":
            play.ask(player("1"), c.CashOut(seat="1", voucher=f"V{len(play.entries)}"))
        elif step == "again":
            play.do(player("1"), c.BuyCredits(seat="1", cents=5_000))
        else:
            part = play.state.kept[1].seats["1"]
            play.ask(MANAGER, settle("1", step, abs(part.carried_cents)), SUPERVISOR)

    assert first_misfit(MemoryEvidence(play)) is None
    check_figures(play)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("moved_cents", "what the credits move by is 0.01, and it has to be 0.00"),
        ("given_up_cents", "what stays written off beside it is -359.99, and it has to be -360.00"),
    ],
)
def test_a_correction_that_says_of_other_money_than_it_moves_is_found(name: str, why: str) -> None:
    play = carried()
    evidence, records = MemoryEvidence(play), records_of(play)
    place = max(
        row.sequence for row in records if row.kind == "seat-corrected" and b'"seat":"2"' in row.payload
    )

    def one_more(event: dict[str, Any], cause: dict[str, Any]) -> None:
        event[name] += 1

    records[place - 1] = edit(records[place - 1], one_more)
    evidence.put(relink(records))

    misfit = first_misfit(evidence)

    assert misfit is not None
    assert (misfit.sequence, misfit.reason) == (place, why)


def test_it_is_a_significant_event_and_stands_in_its_rounds_recall(tmp_path: Path) -> None:
    play = carried()
    rows = [row for record in ends(play) for row in event_rows(record.sequence, entry_of(record))]

    assert [row.what for row in rows] == [
        "360.00 missing from seat 1 in round 1 is collected in cash: as agreed.",
        "360.00 that was owed to seat 2 in round 1 is paid by hand: as agreed.",
        "360.00 that was owed to seat 1 in round 1 is paid by hand: as agreed.",
        "360.00 missing from seat 2 in round 1 is written off: as agreed.",
    ]
    assert {(row.event, row.round, row.second) for row in rows} == {("carried-settled", 1, SUPERVISOR.id)}
    recall = recall_round(play.entries, 1)
    assert recall is not None
    assert sum(row in recall.entries for row in map(entry_of, ends(play))) == 4
    assert not any(entry in recall.seen_by("1").entries for entry in map(entry_of, ends(play)))


def test_a_dispute_bundle_tells_how_it_ended(tmp_path: Path) -> None:
    folder = bundle(write_journal(tmp_path / "floor.db", carried()), 1, tmp_path / "round-1")

    told = (folder / "round.txt").read_text()

    assert "360.00 that was owed to seat 2 in round 1 is paid by hand: as agreed." in told
    assert "360.00 missing from seat 2 in round 1 is written off: as agreed." in told


def test_reports_count_what_ended_by_hand_as_the_meters_do_and_their_sums_hold() -> None:
    check_figures(carried())


def check_figures(play: Play) -> None:
    """Compares what is reported with the meters, and what follows from either with the accounts."""
    figures = Figures()
    for entry in play.entries:
        figures.count(entry)
    meters, balances = play.state.meters, play.state.balances
    for name in (name for name in Meters.__struct_fields__ if name.endswith("_cents")):
        assert getattr(figures, name) == getattr(meters, name), name
    assert figures.win_cents == figures.settled_cents - figures.wins_cents - figures.written_off_cents
    assert figures.win_cents == balances.get("house", 0)
    came = figures.drop_cents - figures.vouchers_out_cents - figures.attendant_pays_cents
    held = sum(cents for account, cents in balances.items() if account.startswith(("credits/", "stakes/")))
    assert came == figures.win_cents - figures.shortfall_in_cents + figures.unclaimed_out_cents + held


def test_a_table_that_is_opened_again_has_nothing_open_any_more(tmp_path: Path) -> None:
    play = carried()
    write_journal(tmp_path / "floor.db", play)
    store = SqliteStore(tmp_path / "floor.db")

    loaded = load_table(store, "T1")
    store.close()

    assert loaded is not None
    assert loaded.state == play.state


def test_where_a_book_voids_by_decision_alone_whoever_decides_ends_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = shipped_text("mbs-roulette").splitlines()
    settled = ("correct-settled-result = ", "void-settled-rounds = ")
    text = "\n".join(line for line in lines if not line.startswith(settled))
    text = text.replace('settled = { value = "void"', 'settled = { value = "stand"')
    monkeypatch.setattr("table.rig.load_book", lambda name: read_book(text.encode(), f"{name}.toml"))
    play = Play().open(("1",), 10_000)
    play.round({"1": {"straight:17": 1_000}}, LOSE)
    play.do(player("1"), c.CashOut(seat="1", voucher="V-1"))
    play.do(SHIFT_MANAGER, c.Decide(ruling="void", reason="on camera", round=1))

    assert play.refused(MANAGER, settle("1", "paid", 1_000), SUPERVISOR).code == "not-allowed"
    (event,) = play.do(SHIFT_MANAGER, settle("1", "paid", 1_000))

    assert event.clause == "mbs-roulette:6.1"
    auditor, before, part = Auditor(play.rules.book, play.settings), ("", 0), 0
    for entry in play.entries[1:]:
        command = entry.cause.sender, entry.cause.number
        part = part + 1 if command == before else 0
        auditor.take(entry, part)
        before = command
    assert auditor.books.accounts["unclaimed"] == 0

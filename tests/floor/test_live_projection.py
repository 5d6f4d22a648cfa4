"""The live projection: any round recalled from where it stands, results as screens show them."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.floor import DamagedJournal, Published
from croupier.floor.cage.numbers import new_voucher_number
from croupier.floor.exports.projections import MetersFold, RoundsFold
from croupier.floor.live import projection as live_projection
from croupier.floor.live import rows as live_rows
from croupier.floor.live.file import open_file
from croupier.floor.live.projection import LiveProjection, RoundResult
from croupier.floor.live.results import LiveResults, meters_now
from croupier.journal import Record, StoreError
from croupier.journal.sqlite import SqliteStore
from croupier.rulebook import load_book
from croupier.table import History, Meters, Rules, postings, recall_round
from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.ledger import credits_of, post
from croupier.table.recall import SEAT_ROUNDS
from floor.audit_journal import at_table, change_file, claims_of, records_of, write
from floor.audit_play import GAMES, RandomTable
from floor.audit_scenes import interrupted, roulette, shortfall
from table.rig import DEALER, MANAGER, SUPERVISOR, Play, player


class CountingStore(SqliteStore):
    """A store that counts the records it hands out."""

    handed_out = 0

    def read(self, table: str, after: int = 0) -> Iterator[Record]:
        for record in super().read(table, after):
            self.handed_out += 1
            yield record


@pytest.fixture
def store(tmp_path: Path) -> Iterator[CountingStore]:
    with closing(CountingStore(tmp_path / "journal.db")) as given:
        yield given


@pytest.fixture
def live(store: CountingStore, tmp_path: Path) -> Iterator[LiveProjection]:
    with closing(LiveProjection(tmp_path / "live.db", store)) as projection:
        yield projection


def rows(path: Path) -> list[str]:
    with closing(sqlite3.connect(path)) as connection:
        return [*connection.iterdump()]


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 10_000), every=st.sampled_from([1, 7, 50, 2_000]))
@settings(max_examples=6)
def test_any_round_is_recalled_as_a_replay_recalls_it(
    tmp_path_factory: pytest.TempPathFactory, game: tuple[str, str], seed: int, every: int
) -> None:
    play = RandomTable(seed, *game).rounds(12)
    folder = tmp_path_factory.mktemp("recall")
    with pytest.MonkeyPatch.context() as patch, closing(SqliteStore(folder / "journal.db")) as store:
        patch.setattr(live_rows, "CHECKPOINT_EVERY", every)
        write(store, play)
        with closing(LiveProjection(folder / "live.db", store)) as live:
            for number in range(play.state.round_number + 2):
                assert live.recall("T1", number) == recall_round(play.entries, number), number


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 10_000), every=st.sampled_from([1, 7, 50, 2_000]))
@settings(max_examples=6)
def test_the_rounds_of_a_visit_are_those_that_a_replay_gives(
    tmp_path_factory: pytest.TempPathFactory, game: tuple[str, str], seed: int, every: int
) -> None:
    play = RandomTable(seed, *game).rounds(25)
    folder = tmp_path_factory.mktemp("visits")
    history = History()
    for entry in play.entries:
        history.record(entry)
    with pytest.MonkeyPatch.context() as patch, closing(SqliteStore(folder / "journal.db")) as store:
        patch.setattr(live_rows, "CHECKPOINT_EVERY", every)
        write(store, play)
        with closing(LiveProjection(folder / "live.db", store)) as live:
            for seat in (*play.state.seats, "nobody's"):
                assert live.rounds_of_visit("T1", seat) == history.rounds_of_visit(seat), seat


def test_whoever_reads_years_of_records_can_be_told_to_stop(
    store: CountingStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was taken by then is kept, and the rest is read when it is asked for again."""
    monkeypatch.setattr(live_projection, "_AT_ONCE", 10)
    play = RandomTable(5, *GAMES[0]).rounds(12)
    write(store, play)

    def go_on() -> None:
        if is_stopping and store.handed_out >= 20:
            raise StoreError("It stops.")

    is_stopping = True
    with closing(LiveProjection(tmp_path / "stopped.db", store, go_on)) as live:
        with pytest.raises(StoreError, match="stops"):
            live.catch_up()
        assert store.handed_out == 20
        is_stopping = False
        assert live.catch_up() == len(play.entries) - 20
        assert live.recall("T1", 1) == recall_round(play.entries, 1)


def test_a_visit_is_read_from_where_its_rounds_stand(
    store: CountingStore, live: LiveProjection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_rows, "CHECKPOINT_EVERY", 60)
    play = Play().open(("1", "2"), 1_000_000)
    for number in range(120):
        play.round({"1": {"red": 500}, "2": {"red": 500}} if number in (3, 60) else {"1": {"red": 500}}, "1")
    write(store, play)
    live.catch_up()
    store.handed_out = 0

    assert [round_.number for round_ in live.rounds_of_visit("T1", "2")] == [61, 4]

    assert store.handed_out < 300 < len(play.entries) / 3


def test_rounds_that_many_seats_look_back_at_are_read_once(
    store: CountingStore, live: LiveProjection
) -> None:
    play = Play().open(("1", "2", "3"), 1_000_000)
    for _ in range(30):
        play.round({seat: {"red": 500} for seat in ("1", "2", "3")}, "1")
    play.do(DEALER, c.OpenRound())
    write(store, play)
    seen = live.rounds_of_visit("T1", "1")
    store.handed_out = 0

    for _ in range(3):
        assert live.rounds_of_visit("T1", "1") == seen
        assert [round_.number for round_ in live.rounds_of_visit("T1", "2")] == [*range(30, 20, -1)]
    assert live.recall("T1", 25) == recall_round(play.entries, 25)

    assert store.handed_out == 0


def test_only_so_many_rounds_are_kept_of_a_table(store: CountingStore, live: LiveProjection) -> None:
    play = Play().open(("1",), 1_000_000)
    for _ in range(40):
        play.round({"1": {"red": 500}}, "1")
    write(store, play)

    def is_read(number: int) -> bool:
        store.handed_out = 0
        assert live.recall("T1", number) == recall_round(play.entries, number)
        return store.handed_out > 0

    assert all(is_read(number) for number in range(1, SEAT_ROUNDS + 1))
    assert not any(is_read(number) for number in range(1, SEAT_ROUNDS + 1))
    assert is_read(SEAT_ROUNDS + 1)
    assert is_read(1), "it was asked for longest ago"
    assert not is_read(SEAT_ROUNDS + 1)


def test_a_round_that_was_recalled_is_read_again_when_more_has_happened_to_it(
    store: CountingStore, live: LiveProjection
) -> None:
    play = Play().open(("1", "2"), 1_000_000)
    written = 0

    def check() -> None:
        nonlocal written
        store.append(records_of(play)[written:], [])
        written = len(play.entries)
        for number in range(play.state.round_number + 1):
            assert live.recall("T1", number) == recall_round(play.entries, number), number
        history = History()
        for entry in play.entries:
            history.record(entry)
        for seat in ("1", "2"):
            assert live.rounds_of_visit("T1", seat) == history.rounds_of_visit(seat), seat

    play.round({"1": {"red": 500}, "2": {"black": 500}}, "1")
    check()
    play.do(player("1"), c.BuyCredits(seat="1", cents=5_000))
    check()
    play.round({"1": {"red": 500}}, "2")
    check()
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 500})
    check()
    play.bet("1", {"red": 500})
    check()
    play.do(MANAGER, c.CorrectResult(round=1, result="2", reason="misread"), second=SUPERVISOR)
    check()


def test_nobody_looks_back_at_a_round_in_which_the_visit_before_had_bets(
    store: CountingStore, live: LiveProjection
) -> None:
    play = Play().open(("1",), 10_000)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 1_000})
    play.do(player("1"), c.ClearBets(seat="1"))
    play.do(player("1"), c.CashOut(seat="1", voucher=new_voucher_number()))
    play.do(player("1"), c.BuyCredits(seat="1", cents=5_000))
    play.bet("1", {"red": 1_000})
    write(store, play)

    assert live.rounds_of_visit("T1", "1") == []


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 10_000))
@settings(max_examples=6)
def test_credits_after_a_round_are_those_of_its_end_in_any_play(game: tuple[str, str], seed: int) -> None:
    play = RandomTable(seed, *game).rounds(12)
    balances: dict[str, int] = {}
    for entry in play.entries:
        post(balances, postings(entry.event))
        if isinstance(entry.event, e.RoundSettled | e.RoundVoided):
            found = recall_round(play.entries, entry.event.round)
            assert found is not None
            then = {seat: balances[credits_of(seat)] for seat in found.credits_before_cents}
            assert found.credits_before_cents | found.credits_after_cents == then


@pytest.mark.parametrize("scene", [roulette, shortfall, interrupted])
def test_a_round_that_runs_is_recalled_as_far_as_it_is(
    store: CountingStore, live: LiveProjection, scene: object
) -> None:
    assert callable(scene)
    play = scene()
    play.do(DEALER, c.OpenRound())
    play.bet("1" if play.credits("1") else "2", {"red": 100})
    write(store, play)
    number = play.state.round_number
    recalled = live.recall("T1", number)
    assert recalled is not None
    assert recalled == recall_round(play.entries, number)


def test_what_happens_behind_the_newest_round_is_recalled_with_it_at_once(
    store: CountingStore, live: LiveProjection
) -> None:
    play = Play().open(("1", "2"), 10_000)
    play.round({"1": {"red": 500}}, "1")
    write(store, play)
    recalled = live.recall("T1", 1)
    assert recalled is not None
    assert recalled.after == []
    written = len(play.entries)
    play.do(player("1"), c.CashOut(seat="1", voucher=new_voucher_number()))
    store.append(records_of(play)[written:], [claim for claim in claims_of(play) if claim[1] > written])

    recalled = live.recall("T1", 1)

    assert recalled is not None
    assert recalled.after == play.entries[written:]
    assert recalled == recall_round(play.entries, 1)


def test_a_recall_reads_no_more_than_lies_between_two_notes(
    store: CountingStore, live: LiveProjection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_rows, "CHECKPOINT_EVERY", 60)
    play = RandomTable(8).rounds(120)
    write(store, play)
    live.catch_up()
    longest = max(recall_length(play, number) for number in (3, 60, 118))
    for number in (3, 60, 118):
        store.handed_out = 0
        recalled = live.recall("T1", number)
        assert recalled is not None
        corrections = sum(entry.event.__class__.__name__ == "ResultCorrected" for entry in recalled.entries)
        assert store.handed_out <= (60 + longest) * (2 + corrections)
    assert len(play.entries) > 1_500


def recall_length(play: Play, number: int) -> int:
    found = recall_round(play.entries, number)
    assert found is not None
    return len(found.entries)


def test_a_projection_that_goes_on_has_the_rows_of_one_that_read_all_at_once(tmp_path: Path) -> None:
    play = RandomTable(11).rounds(20)
    records, claims = records_of(play), claims_of(play)
    with closing(SqliteStore(tmp_path / "journal.db")) as store:
        for start in range(0, len(records), 37):
            part = records[start : start + 37]
            at = {record.sequence for record in part}
            store.append(part, [claim for claim in claims if claim[1] in at])
            with closing(LiveProjection(tmp_path / "live.db", store)) as live:
                assert live.catch_up() == len(part)
                assert live.catch_up() == 0
        with closing(LiveProjection(tmp_path / "other.db", store)) as live:
            live.catch_up("T1")
    assert rows(tmp_path / "live.db") == rows(tmp_path / "other.db")


def test_notes_of_credits_do_not_depend_on_when_one_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live_rows, "CHECKPOINT_EVERY", 10)
    test_a_projection_that_goes_on_has_the_rows_of_one_that_read_all_at_once(tmp_path)


def test_results_follow_corrections_and_voids(store: CountingStore, live: LiveProjection) -> None:
    play = roulette()
    write(store, play)
    live.catch_up()
    found = live.results("T1", 10)
    assert [(of.round, of.state, of.result) for of in found] == [
        (3, "settled", "8"),
        (2, "voided", None),
        (1, "settled", "16"),
    ]
    fold = RoundsFold()
    for entry in play.entries:
        fold.take(entry)
    expected = {of.row.round: (of.row.opened_ms, of.row.ended_ms) for of in fold.rest()}
    assert {of.round: (of.opened_ms, of.ended_ms) for of in found} == expected
    assert [of.round for of in live.results("T1", 1)] == [3]
    assert live.results("T9", 5) == []


def test_a_journal_that_was_put_back_is_read_again(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "one.db")) as store:
        write(store, RandomTable(2).rounds(9))
        with closing(LiveProjection(tmp_path / "live.db", store)) as live:
            live.catch_up()
    with closing(SqliteStore(tmp_path / "two.db")) as store:
        other = RandomTable(3).rounds(4)
        write(store, other)
        with closing(LiveProjection(tmp_path / "live.db", store)) as live:
            assert live.catch_up() == len(other.entries)
            assert [of.round for of in live.results("T1", 100)] == [*range(other.state.round_number, 0, -1)]
        with closing(LiveProjection(tmp_path / "new.db", store)) as live:
            live.catch_up()
    assert rows(tmp_path / "live.db") == rows(tmp_path / "new.db")


def test_a_journal_whose_chain_does_not_hold_is_not_projected(
    store: CountingStore, live: LiveProjection, tmp_path: Path
) -> None:
    write(store, roulette())
    change_file(str(tmp_path / "journal.db"), "UPDATE records SET actor = 'mallory' WHERE sequence = 20")
    for _ in range(2):
        with pytest.raises(DamagedJournal, match="Record 20 of T1 does not fit"):
            live.catch_up()
    assert live.results("T1", 10) == []


def test_a_file_that_is_damaged_or_of_another_shape_is_built_again(
    store: CountingStore, tmp_path: Path
) -> None:
    write(store, roulette())
    path = tmp_path / "live.db"
    path.write_bytes(b"SQLite format 3\0" + bytes(200))
    with closing(LiveProjection(path, store)) as live:
        assert live.catch_up() > 0
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 999")
    with closing(LiveProjection(path, store)) as live:
        assert live.catch_up() > 0
        assert len(live.results("T1", 10)) == 3


def test_a_file_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "journal.db")):
        pass
    with pytest.raises(StoreError, match="is no projection"):
        open_file(tmp_path / "journal.db")
    (tmp_path / "folder").mkdir()
    for place in ("folder", "absent/live.db"):
        with pytest.raises(StoreError, match="cannot be opened"):
            open_file(tmp_path / place)


# What screens show


def shown(rules: Rules, *results: str | None) -> LiveResults:
    before = [
        RoundResult(
            round=number, opened_ms=0, ended_ms=1, state="settled" if result else "voided", result=result
        )
        for number, result in enumerate(results, start=1)
    ]
    return LiveResults(rules, before)


def test_last_results_frequency_hot_cold_and_trend() -> None:
    rules = Rules(load_book("mbs-roulette"))
    found = shown(rules, "17", None, "17", "0", "32", "17", "32").statistics()
    assert [(of.round, of.result, of.colour) for of in found.last][:3] == [
        (7, "32", "red"),
        (6, "17", "black"),
        (5, "32", "red"),
    ]
    assert len(found.last) == 6
    often = {of.what: of.count for of in found.frequency}
    assert len(often) == 37
    assert (often["17"], often["32"], often["0"], often["1"]) == (3, 2, 1, 0)
    assert [(of.what, of.count) for of in found.hot] == [("17", 3), ("32", 2), ("0", 1)]
    assert [of.count for of in found.cold] == [0] * 5
    trend = {of.what: of.count for of in found.trend}
    assert (trend["red"], trend["black"], trend["odd"], trend["even"], trend["dozen:3"]) == (2, 3, 3, 2, 2)
    assert len(trend) == 12


@pytest.mark.parametrize("game", GAMES)
def test_published_results_are_those_of_the_journal(
    game: tuple[str, str], store: CountingStore, live: LiveProjection
) -> None:
    play = at_table("T1", RandomTable(21, *game).rounds(25))
    following = LiveResults(play.rules)
    changes = following.take(Published(n, entry) for n, entry in enumerate(play.entries, start=1))
    assert changes
    assert not following.take([Published(1, play.entries[0])])
    write(store, play)
    live.catch_up()
    assert following.statistics() == LiveResults(play.rules, live.results("T1", 200)).statistics()


def test_only_so_many_results_are_kept() -> None:
    play = Play().open(("1",), 1_000)
    for result in ("1", "2", "3"):
        play.round({}, result)
    play.do(MANAGER, c.CorrectResult(round=3, result="9", reason="seen"), second=SUPERVISOR)
    results = LiveResults(play.rules, kept=2)
    results.take(Published(n, entry) for n, entry in enumerate(play.entries, start=1))
    assert [(of.round, of.result) for of in results.statistics().last] == [(3, "9"), (2, "2")]
    assert [of.result for of in results.statistics(last=1).last] == ["9"]


def test_meters_now_are_what_a_replay_reads() -> None:
    play = RandomTable(5).rounds(10)
    fold = MetersFold(play.rules)
    for entry in play.entries:
        fold.take(entry)
    expected = [
        (row["seat"], row["credits_cents"], {name: row[name] for name in Meters.__struct_fields__})
        for row in fold.rows()
    ]
    assert [(of.seat, of.credits_cents, of.meters) for of in meters_now(play.state)] == expected


def test_whole_numbers_of_vouchers_are_for_nobody_elses_eyes(
    store: CountingStore, live: LiveProjection, tmp_path: Path
) -> None:
    files = [path for path in tmp_path.iterdir() if path.name.startswith("live")]
    assert files
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}


def test_rows_of_another_journal_of_the_same_length_are_not_believed(tmp_path: Path) -> None:
    for name, result in (("one", "2"), ("other", "17")):
        play = Play().open(("1",), 100_000)
        play.round({"1": {"red": 1_000}}, result)
        with closing(SqliteStore(tmp_path / f"{name}.db")) as store:
            write(store, play)
            with closing(LiveProjection(tmp_path / "live.db", store)) as live:
                live.catch_up()
                assert [row.result for row in live.results("T1", 1)] == [result]

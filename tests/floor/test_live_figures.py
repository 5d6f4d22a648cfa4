"""Figures that were kept go on to the very report that all of the journal gives, and are else not used."""

import random
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.floor import ManualClock
from croupier.floor.cage.cage import Cage
from croupier.floor.cage.report import CageReport, cage_report_of, make_cage_report
from croupier.floor.live import figures as live_figures
from croupier.floor.live.figures import LiveFigures
from croupier.floor.reports import keeping
from croupier.floor.reports.calendar import Calendar
from croupier.floor.reports.keeping import FIGURES_FORMAT, Keeping
from croupier.floor.reports.report import DIMENSIONS, Report, make_report, report_of
from croupier.floor.verify.evidence import open_evidence
from croupier.journal import Record, Snapshot, Store, StoreError
from croupier.journal.sqlite import SqliteStore
from croupier.rulebook import Book, load_book
from croupier.table import commands as c
from floor.audit_journal import at_table, change_file, claims_of, records_of, write
from floor.audit_play import GAMES, RandomTable
from floor.voucher_rig import Vouchers
from table.rig import SHIFT_MANAGER, START_MS, SUPERVISOR, TIMER, Play, player

ZONE = "Asia/Singapore"
CAGE_BY = ("day", "shift", "cashier")
HOUR_MS = 3_600_000
KEY, ANOTHER_KEY = bytes(32), bytes(range(32))


class CountingStore(SqliteStore):
    """Counts the records that are handed out."""

    handed_out = 0

    def read(self, table: str, after: int = 0) -> Iterator[Record]:
        for record in super().read(table, after):
            self.handed_out += 1
            yield record


@pytest.fixture(autouse=True)
def _kept_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_figures, "KEEP_EVERY", 1)


def followed(store: Store, calendar: Calendar | None = None) -> tuple[Report, CageReport]:
    """Everything that a server which starts now would report."""
    live = LiveFigures(store, calendar or Calendar(ZONE), KEY)
    live.follow_cage()
    return (
        report_of(live.reports, DIMENSIONS, seen_ms=dict.fromkeys(live.tables(), 0)),
        cage_report_of(live.cage, CAGE_BY),
    )


def read_whole(address: str, zone: str = ZONE) -> tuple[Report, CageReport]:
    """The same from all of the journal, without anything that was kept."""
    with closing(open_evidence(address)) as evidence:
        return make_report(evidence, DIMENSIONS, Calendar(zone)), make_cage_report(
            evidence, CAGE_BY, Calendar(zone)
        )


def long_play(seed: int, game: tuple[str, str]) -> Play:
    """Some days at a table, with a clock that is set back, and what is decided about old rounds."""
    table = RandomTable(seed, *game)
    for _ in range(4):
        play = table.rounds(4)
        play.wait(table.dice.choice((100, 4_000, 40_000, 90_000)))
        if table.chance(0.4):
            play.at_ms -= 5 * HOUR_MS
            play.ask(TIMER, c.Interrupt(began_ms=play.at_ms, length_known=False))
        play.ask(SHIFT_MANAGER, c.Decide(ruling="none", reason="a complaint", round=1))
    return play


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 10_000))
@settings(max_examples=3)
def test_wherever_a_server_stopped_the_next_one_reports_what_all_of_the_journal_gives(
    tmp_path_factory: pytest.TempPathFactory, game: tuple[str, str], seed: int
) -> None:
    plays = [long_play(seed, game), at_table("T2", long_play(seed + 1, game))]
    dice, path = random.Random(seed), tmp_path_factory.mktemp("figures") / "journal.db"
    waiting = [(records_of(play), claims_of(play)) for play in plays]
    with pytest.MonkeyPatch.context() as patch, closing(SqliteStore(path)) as store:
        patch.setattr(live_figures, "KEEP_EVERY", dice.choice((1, 50)))
        patch.setattr(live_figures, "_AT_LEAST_EVERY", dice.choice((1, 60, 500_000)))
        patch.setattr(keeping, "AT_ONCE", dice.choice((1, 4, 2_000)))
        while any(records for records, _ in waiting):
            for records, claims in waiting:
                some = records[: dice.choice((3, 80, 200, 400))]
                del records[: len(some)]
                numbers = {record.sequence for record in some}
                if some:
                    store.append(some, [claim for claim in claims if claim[1] in numbers])
            followed(store)
        assert followed(store) == read_whole(str(path))


def test_what_was_kept_is_not_read_again(tmp_path: Path) -> None:
    play = Play().open(("1",), 1_000_000)
    for _ in range(40):
        play.round({"1": {"red": 500}}, "1")
        play.wait(3_600)
    with closing(CountingStore(tmp_path / "journal.db")) as store:
        write(store, play)
        first = followed(store)
        store.handed_out = 0
        assert followed(store) == first
        assert store.handed_out < 10 < len(play.entries) / 10


def test_what_is_kept_of_many_years_is_packed_and_read_a_little_at_a_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever reads it holds up the tables that run, until the next piece."""
    monkeypatch.setattr(keeping, "AT_ONCE", 3)
    play = Play().open(("1",), 1_000_000)
    for _ in range(8):
        play.round({"1": {"red": 500}}, "1")
        play.wait(3_600)
    with closing(SqliteStore(tmp_path / "journal.db")) as store:
        write(store, play)
        first = followed(store)
        snapshot = store.snapshot("figures\ntable T1")
        assert snapshot is not None
        pieces = msgspec.msgpack.decode(zlib.decompress(snapshot.content))["part"]["cells"]
        assert [len(msgspec.msgpack.decode(piece)) for piece in pieces] == [3, 3, 3]
        assert followed(store) == first == read_whole(str(tmp_path / "journal.db"))


def test_what_a_ruling_still_moves_behind_what_was_kept_is_in_the_report(tmp_path: Path) -> None:
    """A command's records may be kept in the middle; all that it moved is told with its ruling."""
    play = Play().open(("1", "2"), 100_000)
    play.round({"1": {"red": 500}, "2": {"red": 500}}, "1")
    play.do(SUPERVISOR, c.CorrectResult(round=1, result="2", reason="misread"), SHIFT_MANAGER)
    records, path = records_of(play), tmp_path / "journal.db"
    with closing(SqliteStore(path)) as store:
        for record in records:
            store.append([record], [])
            followed(store)
        report, _ = followed(store)
    assert [ruling.win_change_cents for ruling in report.rulings] == [2_000]
    assert report == read_whole(str(path))[0]


def test_a_voucher_that_is_paid_on_another_day_is_paid_with_its_money(tmp_path: Path) -> None:
    rig = Vouchers(tmp_path)
    with closing(rig.store) as store:
        path = str(tmp_path / "journal.db")
        assert followed(store)[1].outstanding_cents == {"SGD": 12_345}
        rig.cage = Cage(store, ManualClock(START_MS + 30 * HOUR_MS))
        rig.cage.pay(rig.number, 12_345, SHIFT_MANAGER)
        _, paid = followed(store)
        assert (paid.outstanding_cents, paid.acts[0].currency) == ({}, "SGD")
        assert followed(store) == read_whole(path)


class Doctored:
    """A journal with figures that were kept and then made wrong, so that whoever uses them is found out."""

    def __init__(self, path: Path) -> None:
        self.path = str(path / "journal.db")
        self.play = Play().open(("1",), 1_000_000)
        for _ in range(10):
            self.play.round({"1": {"red": 500}}, "1")
            self.play.wait(3_600)
        self.store = SqliteStore(self.path)
        write(self.store, self.play)
        followed(self.store)
        self.right = read_whole(self.path)

    def spoil(self, name: str = "table T1", key: bytes = KEY) -> None:
        """Puts figures in the place of others that only a look at where they came from finds to be wrong."""
        snapshot = self.store.snapshot(f"figures\n{name}")
        assert snapshot is not None
        whole = msgspec.msgpack.decode(zlib.decompress(snapshot.content))
        (cells,) = map(msgspec.msgpack.decode, whole["part"]["cells"])
        for _, counted in cells:
            counted["turnover_cents"] += 1
        whole["part"]["cells"] = [msgspec.msgpack.encode(cells)]
        spoilt = snapshot._replace(content=zlib.compress(msgspec.msgpack.encode(whole)))
        sealed = Keeping(self.store, Calendar(ZONE), key)._sealed(name, spoilt)
        self.store.save_snapshot(f"figures\n{name}", sealed)


@pytest.fixture
def doctored(tmp_path: Path) -> Iterator[Doctored]:
    made = Doctored(tmp_path)
    yield made
    made.store.close()


def test_figures_that_were_kept_are_used(doctored: Doctored) -> None:
    doctored.spoil()
    assert followed(doctored.store) != doctored.right


def test_figures_that_are_not_as_they_were_left_are_not_used(doctored: Doctored) -> None:
    doctored.spoil()
    snapshot = doctored.store.snapshot("figures\ntable T1")
    assert snapshot is not None
    for changed in (
        snapshot._replace(content=snapshot.content[:-1]),
        snapshot._replace(sequence=snapshot.sequence - 1),
        snapshot._replace(format=snapshot.format.replace(FIGURES_FORMAT, "figures/0")),
        snapshot._replace(format=""),
    ):
        doctored.store.save_snapshot("figures\ntable T1", changed)
        assert followed(doctored.store) == doctored.right


def test_figures_that_somebody_without_the_key_has_made_are_not_used(doctored: Doctored) -> None:
    """Whoever administers a database can put anything in it, and reads in the code how it is done."""
    doctored.spoil(key=ANOTHER_KEY)
    assert followed(doctored.store) == doctored.right


def test_figures_of_another_table_are_not_used(doctored: Doctored) -> None:
    doctored.spoil()
    snapshot = doctored.store.snapshot("figures\ntable T1")
    assert snapshot is not None
    other = at_table("T2", Play().open(("1",)))
    write(doctored.store, other)
    doctored.store.save_snapshot("figures\ntable T2", snapshot)
    doctored.store.save_snapshot("figures\ntable T1", snapshot._replace(content=b""))
    assert followed(doctored.store) == read_whole(doctored.path)


def test_figures_of_records_that_the_journal_does_not_hold_are_not_used(
    doctored: Doctored, tmp_path: Path
) -> None:
    doctored.spoil()
    snapshot = doctored.store.snapshot("figures\ntable T1")
    assert snapshot is not None
    doctored.play.entries.pop()  # a backup was put back, and other things happened since
    doctored.play.do(player("1"), c.BuyCredits(seat="1", cents=500))
    path = tmp_path / "another.db"
    with closing(SqliteStore(path)) as store:
        write(store, doctored.play)
        store.save_snapshot("figures\ntable T1", snapshot)
        assert followed(store) == read_whole(str(path))


@pytest.mark.parametrize("rounds", [1, 2, 6])
def test_a_journal_that_has_lost_records_under_a_server_is_added_up_as_it_is(
    tmp_path: Path, rounds: int
) -> None:
    """The newest never came to the database that took over, and play went on there."""
    path = str(tmp_path / "journal.db")
    lost, played_on = Play().open(("1",), 1_000_000), Play().open(("1",), 1_000_000)
    for _ in range(2):
        lost.round({"1": {"red": 500}}, "1")
    for _ in range(rounds):
        played_on.round({"1": {"black": 700}}, "2")
    with closing(SqliteStore(path)) as store:
        write(store, lost)
        live = LiveFigures(store, Calendar(ZONE), KEY)
        live.follow_cage()
        for rows in ("segments", "heads", "sent", "claims"):
            change_file(path, f"DELETE FROM {rows}")
        write(store, played_on)
        live.follow_cage()
        told = report_of(live.reports, DIMENSIONS), cage_report_of(live.cage, CAGE_BY)
        assert told == followed(store) == read_whole(path)


@pytest.mark.parametrize("calendar", [Calendar("UTC"), Calendar(ZONE, ("05:00", "17:00"))])
def test_figures_of_other_clocks_or_shifts_are_not_used(doctored: Doctored, calendar: Calendar) -> None:
    doctored.spoil()
    with closing(open_evidence(doctored.path)) as evidence:
        right = make_report(evidence, DIMENSIONS, calendar)
    assert followed(doctored.store, calendar)[0] == right


def test_figures_of_days_that_clocks_had_otherwise_are_not_used(doctored: Doctored) -> None:
    """A zone was changed afterwards: it has its name and other hours."""
    doctored.spoil()
    late, right = Calendar(ZONE), Calendar("Asia/Tokyo")
    late._clock = right._clock
    with closing(open_evidence(doctored.path)) as evidence:
        rows = make_report(evidence, DIMENSIONS, right).rows
    assert followed(doctored.store, late)[0].rows == rows


def test_figures_in_a_currency_that_nobody_can_tell_any_more_are_not_used(doctored: Doctored) -> None:
    doctored.spoil()

    def find_book(book_id: str) -> Book:
        return msgspec.structs.replace(load_book(book_id), sha256="00")

    live = LiveFigures(doctored.store, Calendar(ZONE), KEY, find_book)
    live.follow()
    (total,) = report_of(live.reports, ["day"]).totals
    assert (total.currency, total.turnover_cents) == ("", doctored.right[0].totals[0].turnover_cents)


def test_a_journal_that_keeps_nothing_gives_reports_all_the_same(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:

    class Full(SqliteStore):
        def save_snapshot(self, table: str, snapshot: Snapshot) -> None:
            raise StoreError("the disk is full")

    play = Play().open(("1",), 1_000_000)
    play.round({"1": {"red": 500}}, "1")
    with closing(Full(tmp_path / "journal.db")) as store:
        write(store, play)
        assert followed(store) == read_whole(str(tmp_path / "journal.db"))
    assert "the figures of table T1 are not kept: the disk is full" in caplog.text

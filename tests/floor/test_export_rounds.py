"""A round is found without reading all that has nothing to do with it, and is what the whole journal says."""

import json
import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.floor.exports.bearing import select_round
from croupier.floor.exports.bundle import bundle_of, make_bundle
from croupier.floor.exports.export import BETS, EVENTS, KINDS, METERS, RECORDS, ROUNDS, export_rows
from croupier.floor.exports.selection import Selection
from croupier.floor.loading import DamagedJournal
from croupier.floor.simulation import simulate
from croupier.floor.streams import is_table
from croupier.floor.verify.evidence import Evidence, SqliteEvidence, open_evidence
from croupier.journal import EMPTY, Draft, Record, link
from croupier.journal.postgres import PostgresStore
from croupier.table import Entry
from croupier.table import commands as c
from croupier.table import events as e
from floor.audit_journal import (
    MemoryEvidence,
    change_file,
    put_rows,
    records_of,
    relink,
    write,
    write_journal,
    write_old_journal,
)
from floor.audit_play import GAMES, RandomTable
from floor.audit_scenes import REASON
from floor.whole_journal import bearing_in_all, gathered_from_all
from table.rig import DEALER, MANAGER, SHIFT_MANAGER, SUPERVISOR, Play


def rows(evidence: Evidence, table: str, kind: str, selection: Selection) -> list[dict[str, object]]:
    return [*map(dict, export_rows(evidence, table, kind, selection, refusals=True))]


def agrees(evidence: Evidence, table: str, numbers: Iterable[int]) -> None:
    """A round that is looked for is the one that reading everything gives, in every file of it."""
    everything = {kind: rows(evidence, table, kind, Selection()) for kind in KINDS}
    for number in numbers:
        bearing = {record.sequence for record, _ in bearing_in_all(evidence, table, number)}
        found = select_round(evidence, table, number)
        assert found.sequences == bearing
        assert (found.first, found.last) == (min(bearing), max(bearing))
        for kind in KINDS:
            if kind == METERS:
                continue
            key, wanted = ("round", {number}) if kind in (ROUNDS, BETS) else ("sequence", bearing)
            expected = [row for row in everything[kind] if row[key] in wanted]
            assert rows(evidence, table, kind, found) == expected, (number, kind)
        assert make_bundle(evidence, table, number) == bundle_of(
            evidence, gathered_from_all(evidence, table, number)
        ), number


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 10_000))
@settings(max_examples=3)
def test_every_store_gives_of_a_round_what_all_records_give(
    tmp_path_factory: pytest.TempPathFactory, game: tuple[str, str], seed: int
) -> None:
    play, folder = RandomTable(seed, *game).rounds(14), tmp_path_factory.mktemp("rounds")
    last = play.state.round_number
    numbers = {1, last, *random.Random(seed).sample(range(1, last + 1), k=4)}
    agrees(MemoryEvidence(play), "T1", numbers)
    for path in (write_journal(folder / "journal.db", play), write_old_journal(folder / "old.db", play)):
        with closing(open_evidence(path)) as evidence:
            agrees(evidence, "T1", numbers)


def test_a_journal_in_postgresql_gives_the_same(postgres_address: str) -> None:
    play = RandomTable(5).rounds(14)
    with closing(PostgresStore(postgres_address)) as store:
        write(store, play)
    with closing(open_evidence(postgres_address)) as evidence:
        agrees(evidence, "T1", range(1, play.state.round_number + 1))


@pytest.mark.parametrize("seed", [3, 18])
def test_rounds_of_floors_on_which_everything_goes_wrong(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "journal.db"
    simulate(seed, path)
    with closing(open_evidence(str(path))) as evidence:
        for table in filter(is_table, evidence.tables()):
            opened = [row["round"] for row in rows(evidence, table, ROUNDS, Selection())]
            agrees(evidence, table, [number for number in opened if isinstance(number, int)])


def settled_late() -> Play:
    """Round 1 is corrected; far behind it its shortfall is collected, and much later it is decided on."""
    play = Play(rounds_kept=3).open(("1",), 10_000)
    play.round({"1": {"straight:17": 1_000}}, "17")
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 40_000})
    play.do(MANAGER, c.CorrectResult(round=1, result="18", reason=REASON), second=SUPERVISOR)
    play.to_spinning()
    for do in (c.EnterResult(result="2"), c.ConfirmResult(result="2")):
        play.do(DEALER, do)
    for number in range(3, 24):
        if number == 12:
            (short,) = (-part.carried_cents for part in play.state.owing[1].seats.values())
            collected = c.SettleCarried(seat="1", round=1, how="collected", cents=short, reason=REASON)
            play.do(MANAGER, collected, second=SHIFT_MANAGER)
        play.round({}, "1")
    play.do(SHIFT_MANAGER, c.Decide(ruling="none", reason=REASON, round=1), second=SUPERVISOR)
    play.round({}, "1")
    return play


def test_what_is_done_to_a_round_long_afterwards_is_found(tmp_path: Path) -> None:
    play = settled_late()
    with closing(open_evidence(write_journal(tmp_path / "journal.db", play))) as evidence:
        agrees(evidence, "T1", range(1, 6))
        acts = json.loads(make_bundle(evidence, "T1", 1)["round.json"])["acts"]
    assert [act["event"] for act in acts][-2:] == ["carried-settled", "decision-recorded"]


def spaced(payload: bytes) -> bytes:
    return json.dumps(json.loads(payload), indent=1).encode()


def escaped(payload: bytes) -> bytes:
    return payload.replace(b'"round"', b'"r\\u006fund"')


@pytest.mark.parametrize("otherwise", [spaced, escaped])
def test_a_record_names_its_round_however_its_json_is_written(
    tmp_path: Path, otherwise: Callable[[bytes], bytes]
) -> None:
    play = settled_late()
    path = write_journal(tmp_path / "journal.db", play)
    expected = {record.sequence: record.payload for record in records_of(play)}
    rewritten = relink(
        record._replace(payload=otherwise(expected[record.sequence])) for record in records_of(play)
    )
    assert [record.payload for record in rewritten] != [*expected.values()]
    put_rows(path, rewritten)
    change_file(path, f"UPDATE heads SET hash = x'{rewritten[-1].hash.hex()}'")
    with closing(open_evidence(path)) as evidence:
        agrees(evidence, "T1", range(1, 6))


def long_play() -> Play:
    play = Play(rounds_kept=3).open(("1",), 1_000_000)
    for number in range(60):
        play.round({"1": {"red": 500}}, "2" if number % 2 else "1")
        play.wait(3_600)
    return play


class CountingEvidence(SqliteEvidence):
    """Counts the records that are read one after the other."""

    read = 0

    def records(self, table: str, after: int = 0) -> Iterator[Record]:
        for record in super().records(table, after):
            self.read += 1
            yield record


def test_a_round_long_ago_is_read_without_the_years_around_it(tmp_path: Path) -> None:
    play = long_play()
    with closing(CountingEvidence(write_journal(tmp_path / "journal.db", play))) as evidence:
        selection = select_round(evidence, "T1", 31)
        make_bundle(evidence, "T1", 31)
        for kind in KINDS:
            if kind != METERS:
                assert rows(evidence, "T1", kind, selection) or kind == EVENTS
        assert 0 < evidence.read < len(play.entries) / 4


def test_what_lies_between_a_round_and_a_late_act_on_it_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.floor.exports.selection._FAR", 10)
    play = settled_late()
    with closing(CountingEvidence(write_journal(tmp_path / "journal.db", play))) as evidence:
        selection = select_round(evidence, "T1", 1)
        evidence.read = 0
        given = [row["sequence"] for row in rows(evidence, "T1", RECORDS, selection)]
        assert given == sorted(selection.sequences or ())
        assert evidence.read < len(given) + 10 < len(play.entries) / 3


def test_a_command_is_taken_whole_whichever_of_its_records_names_the_round() -> None:
    play = settled_late()
    (decided,) = (entry for entry in play.entries if isinstance(entry.event, e.DecisionRecorded))
    play.entries.insert(play.entries.index(decided), Entry(decided.cause, e.SeatUnlocked(seat="1")))
    evidence = MemoryEvidence(play)
    agrees(evidence, "T1", [1])
    *_, unlocked, decision = sorted(select_round(evidence, "T1", 1).sequences or ())
    assert [evidence.rows["T1"][place - 1].part for place in (unlocked, decision)] == [0, 1]


def with_newer(play: Play, place: int, told: object) -> MemoryEvidence:
    """A journal in which a newer version has written a record of a kind that nobody knows here."""
    records = records_of(play)
    payload = {"event": {"type": "table-blessed", "told": told}}
    newer = Draft(
        records[place].at_ms, "system", "newer", 1, 0, "table-blessed", 1, json.dumps(payload).encode()
    )
    drafts = [Draft(*record[2:10]) for record in records]
    evidence = MemoryEvidence(play)
    evidence.put([*link("T1", EMPTY, [*drafts[:place], newer, *drafts[place:]])])
    return evidence


def test_what_a_newer_version_has_written_since_keeps_no_earlier_round_from_being_given() -> None:
    play = long_play()
    evidence = with_newer(play, len(play.entries) - 1, "something new")
    made, expected = (make_bundle(given, "T1", 31) for given in (evidence, MemoryEvidence(play)))
    assert made["round.json"] == expected["round.json"]
    assert made["proof.json"] != expected["proof.json"], "the chain goes on to its end"
    assert select_round(evidence, "T1", 31) == select_round(MemoryEvidence(play), "T1", 31)


def test_what_a_newer_version_may_have_done_to_a_round_is_not_left_out() -> None:
    play = long_play()
    about_it = with_newer(play, len(play.entries) - 1, {"rounds": [30, 31]})
    before_it = with_newer(play, 20, "something about money")
    for act in (select_round, make_bundle):
        with pytest.raises(DamagedJournal, match="a newer croupier may have written it"):
            act(about_it, "T1", 31)
    with pytest.raises(DamagedJournal, match="a newer croupier may have written it"):
        make_bundle(before_it, "T1", 31)


def test_a_bundle_is_of_a_chain_that_holds_to_its_end() -> None:
    play = long_play()
    evidence = MemoryEvidence(play)
    for place, record in ((-1, evidence.rows["T1"][-1]), (5, evidence.rows["T1"][5])):
        changed = MemoryEvidence(play)
        changed.rows["T1"][place] = record._replace(actor="nobody")
        with pytest.raises(DamagedJournal, match=f"Record {record.sequence} of table T1 does not fit"):
            make_bundle(changed, "T1", 31)
    evidence.rows["T1"].pop()
    with pytest.raises(DamagedJournal, match="do not end where its head says"):
        make_bundle(evidence, "T1", 31)

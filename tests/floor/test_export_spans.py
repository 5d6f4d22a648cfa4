"""An export of a day reads where it stands, and gives what reading the whole journal gives."""

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.floor.exports.export import KINDS, METERS, export_rows
from croupier.floor.exports.selection import Selection, select_time
from croupier.floor.verify.evidence import SqliteEvidence
from croupier.journal import Record
from floor.audit_journal import write_journal, write_old_journal
from floor.audit_play import GAMES, RandomTable
from table.rig import Play

EXPORTS = [kind for kind in KINDS if kind != METERS]


class CountingEvidence(SqliteEvidence):
    """Counts the records that are read with all that they say."""

    read = 0

    def records(self, table: str, after: int = 0) -> Iterator[Record]:
        for record in super().records(table, after):
            self.read += 1
            yield record


def exported(evidence: SqliteEvidence, kind: str, selection: Selection) -> list[object]:
    return [*export_rows(evidence, "T1", kind, selection, refusals=True)]


def without_bounds(selection: Selection) -> Selection:
    """The same, looked for in all that there is."""
    return msgspec.structs.replace(selection, first=1, last=None)


@pytest.mark.parametrize("game", GAMES)
@given(seed=st.integers(0, 10_000))
@settings(max_examples=4)
def test_a_part_of_the_journal_gives_what_all_of_it_gives(
    tmp_path_factory: pytest.TempPathFactory, game: tuple[str, str], seed: int
) -> None:
    play, dice = RandomTable(seed, *game).rounds(25), random.Random(seed)
    times = [entry.cause.at_ms for entry in play.entries]
    folder = tmp_path_factory.mktemp("spans")
    for path in (
        write_journal(folder / "journal.db", play),
        write_old_journal(folder / "old.db", play),
    ):
        with closing(SqliteEvidence(path)) as evidence:
            spans = [sorted(dice.choices(times, k=2)) for _ in range(4)]
            selections = [
                select_time(evidence, "T1", *span) for span in [*spans, [times[-1], times[-1] + 1], [0, 1]]
            ]
            for selection in selections:
                for kind in EXPORTS:
                    found = exported(evidence, kind, selection)
                    assert found == exported(evidence, kind, without_bounds(selection)), (kind, selection)


def test_a_day_long_ago_is_read_without_the_years_around_it(tmp_path: Path) -> None:
    play = Play(rounds_kept=3).open(("1",), 1_000_000)
    began = []
    for number in range(60):
        began.append(play.at_ms)
        play.round({"1": {"red": 500}}, "2" if number % 2 else "1")
        play.wait(3600)
    path = write_journal(tmp_path / "journal.db", play)
    with closing(CountingEvidence(path)) as evidence, closing(SqliteEvidence(path)) as everything:
        selection = select_time(evidence, "T1", began[30], began[32])
        assert evidence.read == 0
        for kind in EXPORTS:
            evidence.read = 0
            found = exported(evidence, kind, selection)
            assert found == exported(everything, kind, without_bounds(selection))
            assert 0 < evidence.read < len(play.entries) / 5, kind

"""A table whose wheel has another order than the book: neighbours are those of that wheel."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from croupier.floor import load_table
from croupier.journal import open_store
from croupier.rulebook import load_book
from croupier.table import Rules, create, replay, table_rules
from croupier.table import commands as c
from croupier.table.events import BetsChanged
from croupier.wheel.fair_check import FAIR
from floor.audit_journal import MemoryEvidence, edit, first_misfit, relink, write_journal
from table.american import AMERICAN
from table.rig import DEALER, START_MS, SUPERVISOR, Play
from wheel.fair_rig import sealed, verdict

BOOK = load_book("rws-roulette-00")


def betting(**settings: Any) -> Play:
    play = Play(BOOK.id, "A", **settings).open()
    play.do(DEALER, c.OpenRound())
    return play


def pieces(play: Play) -> list[str]:
    (event,) = play.bet("1", {"neighbours:21+1": 100})
    assert isinstance(event, BetsChanged)
    return [change.bet for change in event.changes]


def test_neighbours_are_made_of_the_straights_beside_each_other_on_the_tables_wheel() -> None:
    assert pieces(betting(pocket_order=AMERICAN)) == ["straight:6", "straight:21", "straight:33"]
    assert pieces(betting()) == ["straight:4", "straight:21", "straight:2"]


def test_the_rules_of_a_table_are_those_of_its_wheel() -> None:
    settings = betting(pocket_order=AMERICAN).settings
    rules = table_rules(BOOK, settings)

    assert (rules.book.wheel.order, rules.layout.id) == (AMERICAN, "A")
    assert table_rules(BOOK, msgspec.structs.replace(settings, pocket_order=())).book is BOOK
    with pytest.raises(ValueError, match="another order of the pockets than the rules"):
        create(Rules(BOOK, "A"), settings, START_MS, SUPERVISOR)


def test_a_table_is_opened_from_its_journal_with_the_order_of_its_wheel(tmp_path: Path) -> None:
    play = betting(pocket_order=AMERICAN)
    pieces(play)
    store = open_store(write_journal(tmp_path / "journal.db", play))
    loaded = load_table(store, "T1")
    store.close()

    assert loaded is not None
    assert loaded.rules.book == play.rules.book
    assert loaded.state == replay(play.rules, play.entries)


def test_a_journal_with_an_order_of_its_own_is_verified_with_it() -> None:
    play = betting(pocket_order=AMERICAN)
    pieces(play)
    evidence = MemoryEvidence(play)

    assert first_misfit(evidence) is None

    def twice(event: dict[str, Any], _: dict[str, Any]) -> None:
        event["settings"]["pocket_order"][0] = "28"

    created, *others = evidence.rows["T1"]
    evidence.put(relink([edit(created, twice), *others]))
    misfit = first_misfit(evidence)
    assert misfit is not None
    assert "its settings are not sound: pocket_order: '28' stands in it 2 times." in misfit.reason


def test_what_is_drawn_is_the_pocket_at_that_place_of_the_tables_wheel() -> None:
    play = sealed(BOOK.id, pocket_order=AMERICAN)
    found = verdict(play, play.sealed_round())

    assert found.verdict == FAIR
    assert found.drawn is not None
    assert found.drawn_result == AMERICAN[found.drawn]

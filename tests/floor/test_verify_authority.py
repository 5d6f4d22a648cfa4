"""A command that does several things takes the position for each of them, and one cause for all."""

import re
from collections.abc import Callable
from importlib import resources
from itertools import chain
from pathlib import Path

import pytest

from croupier.journal import Record
from croupier.rulebook import Book, load_book_file
from croupier.table import commands as c
from floor.audit_journal import Event, MemoryEvidence, edit, first_misfit, of_kind, records_of, relink
from floor.test_verify_facts import commands
from table import rig
from table.rig import DEALER, SHIFT_MANAGER, SUPERVISOR, Play

BALL_BROKEN, NO_OUTCOME = "ball-broken", "interruption-no-outcome"


def book_where(path: Path, book: str, **positions: str) -> Book:
    """A book that gives actions to other positions than the rule text does."""
    text = resources.files("croupier.rulebook.books").joinpath(f"{book}.toml").read_text(encoding="utf-8")
    for action, position in positions.items():
        name = action.replace("_", "-")
        text, count = re.subn(rf'^({name} = {{ position = )"[^"]+"', rf'\1"{position}"', text, flags=re.M)
        assert count == 1
    file = path / f"{book}.toml"
    file.write_text(text, encoding="utf-8")
    return load_book_file(file)


def reason(play: Play, records: list[Record], book: Book | None = None) -> str | None:
    evidence = MemoryEvidence(play)
    evidence.put(relink(records))
    found = first_misfit(evidence) if book is None else first_misfit(evidence, find_book=lambda name: book)
    return None if found is None else found.reason


def by(actor: str, position: str) -> Callable[[Event, Event], None]:
    def change(event: Event, cause: Event) -> None:
        cause.update(actor={"id": actor, "position": position, "seat": None}, sender=actor, number=99)

    return change


def affected(stakes: dict[str, int]) -> Play:
    """The ball is found to be broken: the round that runs is void, and the one before it."""
    play = Play("rws-roulette-000").open(("1",), 10_000)
    play.round({"1": {"red": 1_000}}, "1")
    play.do(DEALER, c.OpenRound())
    if stakes:
        play.bet("1", stakes)
    play.to_spinning()
    play.do(SHIFT_MANAGER, c.DeclareIrregularity(cause=BALL_BROKEN, rounds=(1, 2)), SUPERVISOR)
    return play


@pytest.mark.parametrize("stakes", [{"black": 2_000}, {}])
@pytest.mark.parametrize("order", ["as it is", "correction first"])
@pytest.mark.parametrize("cause", [NO_OUTCOME, "ball-out"])
def test_a_round_is_void_for_what_the_rounds_before_it_are(
    stakes: dict[str, int], order: str, cause: str
) -> None:
    play = affected(stakes)
    records = records_of(play)
    assert reason(play, records) is None

    def other_cause(event: Event, told: Event) -> None:
        event.update(cause=cause, clause=play.rules.book.irregularities[cause].clause)

    place = of_kind(records, "round-voided") - 1
    records[place] = edit(records[place], other_cause)
    *before, command = commands(records)
    if order == "correction first" and stakes:
        returned, *corrected, voided = command
        command = [*corrected, returned, voided]
    command = [record._replace(part=part) for part, record in enumerate(command)]
    found = reason(play, [*chain.from_iterable(before), *command])
    assert found == f"earlier rounds are void by {BALL_BROKEN} with it, and it names {cause}"


@pytest.mark.parametrize("stakes", [{"black": 2_000}, {}])
def test_whoever_voids_a_round_with_earlier_ones_may_void_it_by_itself(
    stakes: dict[str, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = book_where(tmp_path, "rws-roulette-000", declare_irregularity="shift-manager")
    monkeypatch.setattr(rig, "load_book", lambda name: book)
    play = affected(stakes)
    records = records_of(play)
    assert reason(play, records, book) is None
    *before, command = commands(records)
    forged = [edit(record, by("manager-1", "pit-manager")) for record in command]
    found = reason(play, [*chain.from_iterable(before), *forged], book)
    assert found == "declare-irregularity takes a shift-manager, and manager-1 is a pit-manager"


def test_a_decision_to_void_is_not_for_another_cause() -> None:
    play = Play("rws-roulette-000").open(("1",), 10_000)
    play.do(DEALER, c.OpenRound())
    play.to_spinning()
    play.do(SHIFT_MANAGER, c.Decide(ruling="void", reason="power dip", round=1))
    *before, voided = records_of(play)

    def other_cause(event: Event, told: Event) -> None:
        event.update(cause="ball-out", clause=play.rules.book.irregularities["ball-out"].clause)

    found = reason(play, [*before, edit(voided, other_cause)])
    assert found == "the round is void by not-covered, and it names ball-out"


def test_whoever_pays_a_locked_seat_by_hand_may_release_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = book_where(tmp_path, "mbs-roulette", clear_lock_up="shift-manager")
    monkeypatch.setattr(rig, "load_book", lambda name: book)
    play = Play(lock_up_cents=1_000).open(("1",), 10_000)
    play.round({"1": {"straight:17": 1_000}}, "17")
    play.do(SHIFT_MANAGER, c.PayByAttendant(seat="1"), DEALER)
    *before, paid, unlocked = records_of(play)
    assert (paid.kind, unlocked.kind) == ("credits-paid-out", "seat-unlocked")
    forged = [edit(record, by("supervisor-1", "pit-supervisor")) for record in (paid, unlocked)]
    records = [*before, *forged]
    found = reason(play, records, book)
    assert found == "clear-lock-up takes a shift-manager, and supervisor-1 is a pit-supervisor"

"""A rejection is an answer: a code, a sentence to act on, facts, and the clause where the book has one."""

import re
from pathlib import Path

import msgspec
import pytest

from croupier.table import CODES, Rejection, decide, may, submit
from croupier.table import commands as c
from croupier.table import events as e
from table.allowed import ALLOWED
from table.refusals import REFUSALS
from table.rig import DEALER, SHIFT_MANAGER, SUPERVISOR
from table.scenes import ONE_A_BOOK, Game, at, title

NUMBERS = ("number-reused", "number-too-old")
"""Refusals of a sender's number; `test_senders.py` shows them."""
ROUNDS = ("another-round", "round-not-recalled")
"""Refusals of rounds: `test_another_round.py` and `test_kept_rounds.py` show them."""

DOCUMENT = Path(__file__).parents[2] / "docs" / "rejections.md"

every_refusal = pytest.mark.parametrize("code", REFUSALS)


def test_every_code_there_is_is_given_by_a_test() -> None:
    assert {*REFUSALS, *NUMBERS, *ROUNDS} == {*CODES}


@every_refusal
def test_a_refusal_has_its_code_its_facts_and_its_clause(code: str) -> None:
    case = REFUSALS[code]

    found = case.table().refused(case.actor, case.do, case.second)

    assert (found.code, found.clause, found.facts) == (code, case.clause, case.facts)


@every_refusal
def test_a_refusal_is_a_sentence_that_a_person_can_act_on(code: str) -> None:
    case = REFUSALS[code]

    sentence = case.table().refused(case.actor, case.do, case.second).sentence

    assert re.fullmatch(r"[A-Za-z0-9'].{8,}\.", sentence), sentence
    assert "_" not in sentence, "a person reads it"


@every_refusal
def test_what_may_says_is_what_decide_gives_and_what_is_recorded(code: str) -> None:
    case = REFUSALS[code]
    play = case.table()
    command = play.command(case.actor, case.do, case.second)

    asked = may(play.rules, play.state, command)
    reply = submit(play.rules, play.state, command)

    assert asked is not None
    assert asked == decide(play.rules, play.state, command) == reply.rejection
    tag = type(case.do).__struct_config__.tag
    assert [entry.event for entry in reply.entries] == [e.CommandRefused(command=str(tag), rejection=asked)]


@every_refusal
def test_asking_changes_nothing(code: str) -> None:
    case = REFUSALS[code]
    play = case.table()
    before = msgspec.json.encode(play.state)

    command = play.command(case.actor, case.do, case.second)
    may(play.rules, play.state, command)
    decide(play.rules, play.state, command)
    submit(play.rules, play.state, command)

    assert msgspec.json.encode(play.state) == before


@pytest.mark.parametrize("game", ONE_A_BOOK, ids=title)
@pytest.mark.parametrize("name", ALLOWED)
def test_what_may_allows_decide_does(game: Game, name: str) -> None:
    play, do = ALLOWED[name](game)
    system = {"halt-table", "lose-seat", "restore-seat", "warn-closing", "interrupt"}
    actor = DEALER if name == "close-bets" else SHIFT_MANAGER
    if name in system:
        actor = msgspec.structs.replace(actor, position="system")
    command = play.command(actor, do, SUPERVISOR)
    before = msgspec.json.encode(play.state)

    asked, decided = may(play.rules, play.state, command), decide(play.rules, play.state, command)

    assert (asked is None) == (not isinstance(decided, Rejection))
    assert asked is None or asked == decided
    assert msgspec.json.encode(play.state) == before


def test_codes_are_malformed_or_illegal_or_not_now() -> None:
    assert {meaning.kind for meaning in CODES.values()} == {"malformed", "illegal", "not-now"}


def test_malformed_commands_are_named_before_anything_else_is_looked_at() -> None:
    kinds = [meaning.kind for meaning in CODES.values()]

    assert "malformed" not in kinds[kinds.index("illegal") :]


def test_a_clause_of_a_refusal_is_a_clause_of_the_book() -> None:
    for case in REFUSALS.values():
        if case.clause is not None:
            assert case.clause in case.table().rules.book.clauses


def test_the_document_lists_every_code_in_order_of_precedence() -> None:
    of_table, _, _ = DOCUMENT.read_text(encoding="utf-8").partition("## Of the floor")
    listed = [line for line in of_table.splitlines() if line.startswith("| `")]

    assert listed == [f"| `{code}` | {kind} | {meaning} |" for code, (kind, meaning) in CODES.items()]


def test_a_refused_command_leaves_the_table_as_it_was_for_the_next_one() -> None:
    play = at("idle")
    play.refused(DEALER, c.CloseBets())

    assert play.do(DEALER, c.OpenRound())

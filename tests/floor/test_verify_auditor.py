"""Whoever makes the chain anew after a change is found by replay and auditor where it breaks the rules."""

import ast
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

import croupier.floor.audit
from clauses import clause
from croupier.floor.audit.payouts import Payouts, counted_in_box
from croupier.floor.verify.journal import Misfit
from croupier.journal import Record
from croupier.rulebook import load_book, settle
from croupier.table.settling import apportion
from floor.audit_journal import Event, MemoryEvidence, edit, first_misfit, records_of, relink
from floor.audit_scenes import interrupted, money_wheel, roulette, shortfall
from table.rig import DEALER, Play

Change = Callable[[Event, Event], None]


def forged(
    scene: Callable[[], Play], changes: dict[int, Change], drop: Collection[int] = ()
) -> Misfit | None:
    """What is found after an attacker changed or dropped records of a scene and rehashed them all."""
    play = scene()
    records = [
        edit(record, changes[record.sequence]) if record.sequence in changes else record
        for record in records_of(play)
        if record.sequence not in drop
    ]
    evidence = MemoryEvidence(play)
    evidence.put(relink(records))
    evidence.claimed = [
        row._replace(sequence=row.sequence - sum(number < row.sequence for number in drop))
        for row in evidence.claimed
    ]
    return first_misfit(evidence)


def pay_more(cents: int) -> Change:
    """Pays more on the first line of a settlement, with sums and postings to match."""

    def change(event: Event, cause: Event) -> None:
        event["lines"][0]["returned_cents"] += cents
        event["returned_cents"] += cents
        event["postings"][-1]["cents"] += cents

    return change


def put(**facts: Any) -> Change:
    """Puts other facts into an event."""
    return lambda event, cause: event.update(facts)


def by(actor: str, position: str, seat: str | None = None, second: Any = None) -> Change:
    """Has somebody else be the one who did it."""

    def change(event: Event, cause: Event) -> None:
        cause.update(actor={"id": actor, "position": position, "seat": seat}, second=second)

    return change


def both(*changes: Change) -> Change:
    def change(event: Event, cause: Event) -> None:
        for one in changes:
            one(event, cause)

    return change


def posting(index: int, **facts: Any) -> Change:
    return lambda event, cause: event["postings"][index].update(facts)


def bet(index: int, **facts: Any) -> Change:
    return lambda event, cause: event["changes"][index].update(facts)


def line(index: int, **facts: Any) -> Change:
    return lambda event, cause: event["lines"][index].update(facts)


class Attack(NamedTuple):
    """What is changed in a scene, and what is found: where, and a part of why."""

    scene: Callable[[], Play]
    changes: dict[int, Change]
    found: int
    why: str
    drop: tuple[int, ...] = ()


ATTACKS = {
    "a payout": Attack(roulette, {14: pay_more(100)}, 14, "has to be"),
    "a payout of a correction": Attack(roulette, {18: pay_more(100)}, 18, "has to be"),
    "a losing bet wins": Attack(roulette, {14: line(0, won=True)}, 14, "has to be"),
    "the sum of a settlement": Attack(
        roulette, {14: put(staked_cents=1_600)}, 14, "the sum of the stakes is 16.00"
    ),
    "a stake": Attack(roulette, {8: both(bet(0, cents=2_000), posting(0, cents=2_500))}, 14, "has to be"),
    "a stake beyond the credits": Attack(
        roulette, {8: both(bet(0, cents=90_000), posting(0, cents=90_500))}, 8, "the credits are 500.00"
    ),
    "a stake without its posting": Attack(roulette, {8: bet(0, cents=2_000)}, 8, "its postings are 15.00"),
    "a bet that is none": Attack(roulette, {8: bet(0, bet="straight:99")}, 8, "is not a bet on layout main"),
    "more taken off than lies there": Attack(roulette, {22: bet(0, cents=-900)}, 22, "only 1.00 lies on it"),
    "the confirmed result": Attack(roulette, {13: put(result="18")}, 13, "17 was entered"),
    "the result all along": Attack(
        roulette,
        {
            12: put(result="18"),
            13: put(result="18", notice="18 wins"),
            16: put(result="18"),
            17: put(old="18"),
        },
        14,
        "has to be",
    ),
    "a result that is not on the wheel": Attack(
        roulette, {12: put(result="00"), 13: put(result="00")}, 12, "is not on the wheel"
    ),
    "a posting to another seat": Attack(
        roulette, {14: posting(1, destination="credits/2")}, 14, "its postings"
    ),
    "a posting to nobody": Attack(roulette, {4: posting(0, source="house")}, 4, "its postings"),
    "a confirmation by a player": Attack(
        roulette, {13: by("terminal-1", "player", "1")}, 13, "confirm-result takes a dealer"
    ),
    "a confirmation by the wheel": Attack(roulette, {13: by("wheel-1", "wheel")}, 13, "takes a person"),
    "a correction by one person": Attack(
        roulette,
        {number: by("manager-1", "pit-manager") for number in (17, 18, 19)},
        17,
        "correct-settled-result takes two people",
    ),
    "a correction by people who may not": Attack(
        roulette,
        {
            number: by("dealer-1", "dealer", None, {"id": "dealer-2", "position": "dealer", "seat": None})
            for number in (17, 18, 19)
        },
        17,
        "correct-settled-result takes a pit-manager",
    ),
    "no spin called by a player": Attack(
        roulette,
        {number: by("terminal-1", "player", "1") for number in (25, 26)},
        26,
        "call-no-spin takes a dealer",
    ),
    "a bet for another seat": Attack(roulette, {8: by("terminal-2", "player", "2")}, 8, "acts for seat 1"),
    "who placed a bet": Attack(
        roulette, {8: put(placed_by="dealer")}, 8, "says that a dealer placed the bets"
    ),
    "who reported an interruption": Attack(
        interrupted, {number: by("dealer-1", "dealer") for number in (7, 8, 9)}, 7, "only the system itself"
    ),
    "a settled seat left out": Attack(roulette, {16: put()}, 15, "part 3", drop=(15,)),
    "the opening left out": Attack(roulette, {}, 7, "no round is running", drop=(7,)),
    "the close left out": Attack(roulette, {}, 10, "are still open", drop=(10,)),
    "the spin left out": Attack(roulette, {}, 11, "has a result and no spin", drop=(11,)),
    "the entry left out": Attack(roulette, {}, 12, "was entered", drop=(12,)),
    "a bet left out": Attack(roulette, {}, 14, "has nothing in play", drop=(9,)),
    "a bet after the betting time": Attack(
        roulette, {8: lambda event, cause: cause.update(at_ms=cause["at_ms"] + 60_000)}, 8, "betting time"
    ),
    "the betting time": Attack(roulette, {7: put(closes_ms=None)}, 7, "betting time"),
    "a round's number": Attack(roulette, {20: put(round=3)}, 20, "and 2 has to follow"),
    "less of a void goes back": Attack(
        roulette,
        {25: both(lambda event, cause: event["bets"].pop(), put(cents=400), posting(0, cents=400))},
        25,
        "does not go back",
    ),
    "a void with another amount": Attack(roulette, {25: put(cents=400)}, 25, "the stakes are 5.00"),
    "the cause of a void": Attack(roulette, {26: put(cause="ball-broken")}, 26, "falls under"),
    "a cause that is none": Attack(roulette, {26: put(cause="bad luck")}, 26, "knows no irregularity"),
    "a lock-up": Attack(roulette, {34: put(cents=1)}, 34, "has not won 0.01"),
    "a threshold": Attack(
        roulette,
        {1: lambda event, cause: event["settings"].update(lock_up_cents=10**9)},
        34,
        "has not won 360.00",
    ),
    "a payout of less than all": Attack(
        roulette, {37: both(put(cents=100), posting(0, cents=100))}, 37, "what is paid out is 1.00"
    ),
    "what a correction reverses": Attack(
        roulette, {18: lambda event, cause: event["reversed"][0].update(bet="odd")}, 18, "is not how seat 1"
    ),
    "what was corrected": Attack(roulette, {17: put(old="16", new="17")}, 17, "it corrects 16"),
    "a correction to the same": Attack(roulette, {17: put(new="17")}, 17, "corrected to itself"),
    "the clause of a settlement": Attack(
        roulette, {14: put(clause="mbs-roulette:5.1")}, 14, "it rests on mbs-roulette:4.1"
    ),
    "the book": Attack(roulette, {1: put(book_sha256=64 * "0")}, 1, "SHA-256"),
    "the settings": Attack(
        roulette, {1: lambda event, cause: event["settings"].update(lock_up_cents=0)}, 1, "not sound"
    ),
    "the book's name": Attack(
        roulette,
        {1: lambda event, cause: event["settings"].update(book="blackjack")},
        1,
        "is that of mbs-roulette",
    ),
    "the creation left out": Attack(roulette, {}, 1, "begins with the creation", drop=(1,)),
    "a shortfall": Attack(shortfall, {29: put(carried_cents=0)}, 29, "what is carried is 0.00"),
    "a shortfall that is not raised": Attack(shortfall, {28: put(seat="2")}, 28, "has no such shortfall"),
    "who has left": Attack(shortfall, {27: put(has_left=False)}, 27, "has left"),
    "a decision": Attack(shortfall, {31: put(ruling="none")}, 32, "does not follow from the decision"),
    "a decision that is not carried out": Attack(shortfall, {}, 31, "is not carried out", drop=(32, 33)),
    "what a decision returns": Attack(shortfall, {32: pay_more(5)}, 32, "has to be"),
    "the consequence of an interruption": Attack(
        interrupted, {7: put(consequence="continue")}, 7, "from which follows void"
    ),
    "the length of an interruption": Attack(
        interrupted, {7: lambda event, cause: event.update(began_ms=event["ended_ms"])}, 7, "follows continue"
    ),
    "a void that is not declared": Attack(interrupted, {}, 8, "another command begins", drop=(8, 9)),
    "a stated outcome": Attack(interrupted, {15: put(result="4")}, 16, "and 4 was stated"),
    "an outcome nobody asked for": Attack(interrupted, {}, 14, "nobody has asked", drop=(14,)),
    "an apportionment": Attack(
        money_wheel,
        {22: both(line(0, counted_cents=80_000), pay_more(500_000))},
        22,
        "counted) won",
    ),
    "a rejection of the earlier bet": Attack(
        money_wheel,
        {13: both(put(seat="1"), posting(0, source="stakes/1", destination="credits/1"))},
        13,
        "is not the latest excess",
    ),
    "a rejection of less": Attack(
        money_wheel, {13: both(put(cents=100), posting(0, cents=100))}, 13, "is not the latest excess"
    ),
    "a mark left out": Attack(money_wheel, {}, 12, "over its maximum and is not marked", drop=(12,)),
    "a mark": Attack(money_wheel, {12: put(total_cents=1)}, 12, "holds 1400.00"),
}
"""By what is attacked."""


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_with_a_new_chain_is_found_where_it_breaks_the_rules(name: str) -> None:
    attack = ATTACKS[name]
    assert forged(attack.scene, {}) is None

    misfit = forged(attack.scene, attack.changes, attack.drop)

    assert misfit is not None
    assert (misfit.sequence, attack.why in misfit.reason) == (attack.found, True), misfit


def reordered(scene: Callable[[], Play], order: Callable[[list[Record]], list[Record]]) -> Misfit | None:
    """What is found where an attacker put records into another order, or some in twice, and rehashed all."""
    play = scene()
    evidence = MemoryEvidence(play)
    evidence.claimed = []
    evidence.put(relink(order([record for record in records_of(play) if record.kind != "credits-paid-out"])))
    return first_misfit(evidence)


@clause("mbs-roulette:5.12")
def test_a_bet_behind_the_close_is_found() -> None:
    misfit = reordered(roulette, lambda rows: [*rows[:8], rows[9], rows[8], *rows[10:]])
    assert misfit == Misfit(sequence=10, reason="bets of round 1 are closed")


def test_a_command_that_counts_twice_is_found() -> None:
    misfit = reordered(roulette, lambda rows: [*rows[:4], rows[3], *rows[4:]])
    assert misfit == Misfit(sequence=5, reason="number 1 of terminal-1 was used before")


def test_a_part_without_the_part_before_is_found() -> None:
    misfit = reordered(roulette, lambda rows: [*rows[:13], rows[13]._replace(part=2), *rows[14:]])
    assert misfit is not None
    assert misfit.sequence == 14
    assert "the part before it is missing" in misfit.reason


def test_columns_that_say_something_else_than_the_payload_are_found() -> None:
    for facts in ({"actor": "dealer-9"}, {"at_ms": 1}, {"sender": "console-9"}, {"number": 77}):
        misfit = reordered(
            roulette, lambda rows, facts=facts: [*rows[:7], rows[7]._replace(**facts), *rows[8:]]
        )
        assert misfit is not None, facts
        assert misfit.sequence == 8
        assert "is not what its payload says" in misfit.reason


@pytest.mark.parametrize(
    "facts",
    [
        {"kind": "bets-closed"},
        {"version": 0},
        {"version": 2},
        {"payload": b"{}"},
        {"payload": b"\xff"},
        {"payload": b""},
        {"payload": b"[" * 100_000},
    ],
)
def test_a_payload_that_is_not_what_it_should_be_is_found(facts: dict[str, Any]) -> None:
    misfit = reordered(roulette, lambda rows: [*rows[:7], rows[7]._replace(**facts), *rows[8:]])
    assert misfit is not None
    assert misfit.sequence == 8


def test_a_rewrite_that_contradicts_nothing_takes_an_anchor() -> None:
    play, noted = roulette(), records_of(roulette())[-1]
    other_dealer = by("dealer-9", "dealer")
    rows = [
        edit(record, other_dealer) if record.actor == DEALER.id and record.sender == DEALER.id else record
        for record in records_of(play)
    ]
    evidence = MemoryEvidence(play)
    evidence.put(relink(rows))

    assert first_misfit(evidence) is None
    assert first_misfit(evidence, anchors={"T1": {noted.sequence: noted.hash}}) == Misfit(
        sequence=noted.sequence, reason="its hash is not the one that was noted down"
    )


FORBIDDEN = {
    "croupier.table.settling",
    "croupier.table.correcting",
    "croupier.table.exposure",
    "croupier.table.evolve",
    "croupier.table.decide",
    "croupier.table.ruling",
    "croupier.rulebook.settlement",
}


def test_the_auditor_shares_no_arithmetic_with_what_it_audits() -> None:
    from_packages = {
        "croupier.table": {"evolve", "replay", "decide", "submit"},
        "croupier.rulebook": {"settle"},
    }
    for path in Path(*croupier.floor.audit.__path__).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = (
                {name.name for name in node.names} if isinstance(node, ast.Import | ast.ImportFrom) else set()
            )
            if isinstance(node, ast.ImportFrom):
                assert node.module not in FORBIDDEN, path.name
                assert not names & from_packages.get(str(node.module), set()), path.name
            assert not names & FORBIDDEN, path.name


@pytest.mark.parametrize(
    "book_id", ["mbs-roulette", "rws-roulette-00", "rws-roulette-000", "rws-money-wheel"]
)
def test_both_payouts_agree_on_every_bet_and_result(book_id: str) -> None:
    book = load_book(book_id)
    for layout in book.layouts.values():
        payouts = Payouts(layout)
        for result in book.wheel.outcomes:
            settled = settle(book, layout, dict.fromkeys(layout.bets, 100), result)
            expected = {
                outcome.bet.id: outcome.returned_cents // 100 for outcome in settled.bets if outcome.won
            }
            assert payouts.on(result) == expected


@clause("rws-money-wheel:5.1.1", "rws-money-wheel:5.1.2")
@given(
    stakes=st.dictionaries(st.sampled_from("123456"), st.integers(1, 10**7)),
    least=st.integers(1, 10**5),
    more=st.integers(0, 10**6),
)
def test_both_apportionments_agree(stakes: dict[str, int], least: int, more: int) -> None:
    counted = counted_in_box(stakes, least, least + more)
    assert counted == apportion(stakes, least, least + more)
    assert all(0 < counted[seat] <= stake for seat, stake in stakes.items())

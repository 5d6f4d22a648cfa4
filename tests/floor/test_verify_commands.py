"""A command leads to what it owes and to nothing else, and all of it is about what it began with."""

import json
from collections.abc import Callable, Iterable
from itertools import chain, pairwise

import msgspec
import pytest

from croupier.journal import Record
from croupier.table import commands as c
from floor.audit_journal import edit, of_kind, records_of
from floor.audit_scenes import interrupted, money_wheel, roulette, shortfall
from floor.test_verify_authority import affected
from floor.test_verify_calls import put
from floor.test_verify_facts import Scene, commands, judged
from table.rig import (
    DEALER,
    MANAGER,
    SENSOR,
    SHIFT_MANAGER,
    SUPERVISOR,
    TIMER,
    Play,
    player,
    wide_limits,
)

REASON = "seen on camera"
Command = list[Record]


def as_one(first: Command, *others: Command, cause: Record | None = None) -> Command:
    """Commands as if they had been one, the first or that of a record."""
    told = json.loads((first[0] if cause is None else cause).payload)["cause"]
    return numbered(edit(record, lambda event, own: own.update(told)) for record in chain(first, *others))


def numbered(records: Iterable[Record]) -> Command:
    return [record._replace(part=part) for part, record in enumerate(records)]


def told(play: Play, found: Iterable[Command]) -> str | None:
    """Why commands whose chain was made anew do not fit; None where they do."""
    misfit = judged(play, [*chain.from_iterable(found)])
    return None if misfit is None else misfit.reason


def last_as_one(play: Play, count: int) -> str | None:
    """The same where the last commands of a history are written as one."""
    found = commands(records_of(play))
    assert told(play, found) is None
    return told(play, [*found[:-count], as_one(*found[-count:])])


def played() -> Play:
    """Two rounds, both lost by seat 1."""
    play = Play().open(("1", "2"), 100_000)
    play.round({"1": {"red": 10_000}}, "2")
    play.round({"1": {"red": 1_000}}, "2")
    return play


def calls(play: Play) -> None:
    play.do(player("1"), c.CallAttendant(seat="1"))


RIDERS: dict[str, tuple[Callable[[Play], object], str]] = {
    "a correction": (
        lambda play: play.do(MANAGER, c.CorrectResult(round=1, result="1", reason=REASON), SUPERVISOR),
        "result-corrected",
    ),
    "other limits": (
        lambda play: play.do(
            MANAGER, c.ChangeLimits(limits=wide_limits(play.rules, 100, 500_000), reason=REASON), SUPERVISOR
        ),
        "limits-changed",
    ),
    "another seat's credits": (
        lambda play: play.do(player("2"), c.CashOut(seat="2", voucher="V-9")),
        "credits-paid-out",
    ),
    "a round": (lambda play: play.do(DEALER, c.OpenRound()), "round-opened"),
    "the end of the day": (lambda play: play.do(DEALER, c.AnnounceLastRound()), "last-round-announced"),
    "a halt": (lambda play: play.do(TIMER, c.HaltTable(reason=REASON)), "table-halted"),
    "a lost seat": (lambda play: play.do(TIMER, c.LoseSeat(seat="2")), "seat-lost"),
}


@pytest.mark.parametrize("what", RIDERS)
def test_nothing_rides_along_with_what_anybody_may_do(what: str) -> None:
    play = played()
    calls(play)
    ride, kind = RIDERS[what]
    ride(play)
    assert last_as_one(play, 2) == (
        f"{kind} does not follow from the attendant-called that its command began with"
    )


def test_nothing_rides_along_with_a_refusal_or_with_the_creation_of_a_table() -> None:
    play = Play()
    play.do(SUPERVISOR, c.OpenTable())
    assert last_as_one(play, 2) == "nothing else comes with the creation of a table"
    play.refused(player("1"), c.OpenRound())
    play.do(DEALER, c.OpenRound())
    assert "round-opened does not follow from the command-refused" in str(last_as_one(play, 2))


def test_no_bet_rides_along_at_a_halted_table() -> None:
    play, betting = (Play().open(("1",), 10_000) for _ in range(2))
    for each in (play, betting):
        each.do(DEALER, c.OpenRound())
    play.do(TIMER, c.HaltTable(reason=REASON))
    calls(play)
    betting.bet("1", {"red": 1_000})
    found, bet = commands(records_of(play)), commands(records_of(betting))[-1]
    reason = told(play, [*found[:-1], as_one(found[-1], bet)])
    assert reason == "bets-changed does not follow from the attendant-called that its command began with"


def declared() -> Play:
    return affected({"black": 2_000})


def declared_without_stakes() -> Play:
    return affected({})


def attended() -> Play:
    """Seats that are paid by hand, released and closed, with attendants who were called to them."""
    play = Play(lock_up_cents=20_000).open(("1", "2"), 10_000)
    play.round({seat: {"straight:17": 1_000} for seat in ("1", "2")}, "17")
    for seat in ("1", "2"):
        play.do(player(seat), c.CallAttendant(seat=seat, reason="payout"))
        play.do(SUPERVISOR, c.PayByAttendant(seat=seat))
    play.do(player("1"), c.CallAttendant(seat="1"))
    play.do(DEALER, c.CloseSeat(seat="1"))
    play.do(DEALER, c.OpenSeat(seat="1", kind=play.rules.seat_kinds[0]))
    return play


def told_by_dealer() -> Play:
    """A dealer tells of the end of a spin under open bets, and of one that does not count."""
    play = Play("rws-money-wheel").open(("1",), 10_000)
    for revolutions in (3, 1):
        play.do(DEALER, c.OpenRound())
        play.bet("1", {"symbol:20": 1_000})
        play.do(DEALER, c.StartSpin())
        play.do(DEALER, c.FinishSpin(revolutions=revolutions))
        if play.state.round is not None:
            play.do(DEALER, c.EnterResult(result="1"))
            play.do(DEALER, c.ConfirmResult(result="1"))
    return play


SCENES = (
    roulette,
    shortfall,
    interrupted,
    money_wheel,
    declared,
    declared_without_stakes,
    attended,
    told_by_dealer,
)


@pytest.mark.parametrize("scene", SCENES)
def test_two_commands_are_not_one_whoever_is_said_to_have_given_it(scene: Scene) -> None:
    play = scene()
    found = commands(records_of(play))
    for place, (first, second) in enumerate(pairwise(found)):
        for cause in (first[0], second[0]):
            forged = [*found[:place], as_one(first, second, cause=cause), *found[place + 2 :]]
            assert told(play, forged) is not None, (first[0].kind, second[0].kind)


@pytest.mark.parametrize("scene", SCENES)
def test_no_part_of_a_command_can_be_left_out_or_told_twice(scene: Scene) -> None:
    play = scene()
    found = commands(records_of(play))
    unseen = []
    for place, command in enumerate(found):
        for part in range(len(command) if len(command) > 1 else 0):
            for times in (0, 2):
                forged = numbered([*command[:part], *[command[part]] * times, *command[part + 1 :]])
                if told(play, [*found[:place], forged, *found[place + 1 :]]) is None:
                    unseen.append((command[part].kind, times))
    assert unseen == []


@pytest.mark.parametrize("scene", SCENES)
def test_one_command_is_not_two(scene: Scene) -> None:
    play = scene()
    found = commands(records_of(play))
    for place, command in enumerate(found):
        for part in range(1, len(command)):
            rest = numbered(
                edit(record, lambda event, cause: cause.update(number=99)) for record in command[part:]
            )
            forged = [*found[:place], command[:part], rest, *found[place + 1 :]]
            assert told(play, forged) is not None, (command[0].kind, command[part].kind)


def test_the_wheel_closes_bets_by_itself_or_with_the_end_of_the_spin() -> None:
    play = Play("rws-money-wheel").open(("1",), 10_000)
    play.do(DEALER, c.OpenRound())
    play.do(DEALER, c.StartSpin())
    play.do(SENSOR, c.CloseBets())
    play.do(SENSOR, c.FinishSpin(revolutions=3))
    assert last_as_one(play, 2) is None


def test_who_pays_one_seat_by_hand_neither_releases_another_nor_answers_its_call() -> None:
    play = Play(lock_up_cents=20_000).open(("1", "2"), 10_000)
    play.round({seat: {"straight:17": 1_000} for seat in ("1", "2")}, "17")
    for seat in ("1", "2"):
        play.do(player(seat), c.CallAttendant(seat=seat))
    play.do(SUPERVISOR, c.PayByAttendant(seat="1"))
    records = records_of(play)
    for kind, why in (("seat-unlocked", "is released"), ("call-ended", "ends")):
        place = of_kind(records, kind, -1) - 1
        forged = [*records[:place], edit(records[place], put(seat="2")), *records[place + 1 :]]
        misfit = judged(play, forged)
        assert misfit is not None
        assert why in misfit.reason
        assert misfit.reason.endswith("with something that was done at another seat")


def test_a_seat_is_paid_by_hand_only_where_no_voucher_would_do() -> None:
    play = Play().open(("1",), 10_000)
    play.do(TIMER, c.LoseSeat(seat="1"))
    play.do(SUPERVISOR, c.PayByAttendant(seat="1"), DEALER)
    found = commands(records_of(play))
    assert told(play, found) is None
    assert told(play, [*found[:-2], found[-1]]) == "seat 1 is paid by hand where it gets a voucher"


DECISIONS = {
    "void, running": c.Decide(ruling="void", reason=REASON, round=3),
    "return-bets, running": c.Decide(
        ruling="return-bets", reason=REASON, round=3, bets=(c.NamedBet("1", "red"),)
    ),
    "none, running": c.Decide(ruling="none", reason=REASON, round=3),
    "void, settled": c.Decide(ruling="void", reason=REASON, round=1),
    "return-bets, settled": c.Decide(
        ruling="return-bets", reason=REASON, round=1, bets=(c.NamedBet("1", "red"),)
    ),
    "none, settled": c.Decide(ruling="none", reason=REASON, round=1),
}


def decided(decision: c.Decide) -> Play:
    """A decision, with a result registered in round 3 and rounds 1 and 2 settled."""
    play = Play("rws-roulette-000").open(("1",), 100_000)
    for _ in range(2):
        play.round({"1": {"red": 1_000, "odd": 500}}, "2")
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 1_000, "odd": 500})
    play.to_spinning()
    play.do(DEALER, c.EnterResult(result="2"))
    play.do(SHIFT_MANAGER, decision)
    return play


@pytest.mark.parametrize("what", DECISIONS)
def test_a_decision_is_carried_out_as_it_says_and_on_its_own_round(what: str) -> None:
    play = decided(DECISIONS[what])
    *before, (decision, *rest) = commands(records_of(play))
    assert told(play, [*before, [decision, *rest]]) is None
    said = DECISIONS[what]
    for ruling in {"void", "correct", "return-bets", "none"} - {said.ruling}:
        assert told(play, [*before, [edit(decision, put(ruling=ruling)), *rest]]) is not None, ruling
    for number in {1, 2, 3} - {said.round} if said.ruling != "none" else ():
        assert told(play, [*before, [edit(decision, put(round=number)), *rest]]) is not None, number


def test_what_is_decided_is_what_no_clause_covers() -> None:
    play = decided(DECISIONS["void, settled"])
    *before, (decision, corrected, *seats) = commands(records_of(play))
    clause = play.rules.clause_of("wrong-result")
    forged = [edit(record, put(clause=clause)) for record in (corrected, *seats)]
    forged[0] = edit(forged[0], put(cause="wrong-result"))
    found = told(play, [*before, [decision, *forged]])
    assert found == "a decision is about what no clause covers, and it names wrong-result"


def test_a_decision_gives_no_round_another_result() -> None:
    play = decided(DECISIONS["void, settled"])
    *before, (decision, corrected, *seats) = commands(records_of(play))
    forged = [edit(record, put(new="1", notice="another")) for record in (corrected,)]
    found = told(play, [*before, [decision, *forged, *seats]])
    assert found == "the decision is to void in round 1, and it corrects round 1"


def test_a_decision_voids_no_second_round_and_none_that_it_is_not_about() -> None:
    decision = DECISIONS["void, settled"]
    one, other = (decided(msgspec.structs.replace(decision, round=number)) for number in (1, 2))
    *before, first = commands(records_of(one))
    second = commands(records_of(other))[-1]
    why = "the decision is to void in round 1, and it voids round 2"
    assert told(one, [*before, as_one(first, second[1:])]) == why
    assert told(one, [*before, as_one(first[:1], second[1:])]) == why


def test_a_decision_to_return_bets_returns_some() -> None:
    play = decided(DECISIONS["return-bets, running"])
    *before, (decision, returned) = commands(records_of(play))
    forged = edit(returned, put(bets=[], cents=0, postings=[]))
    assert told(play, [*before, [decision, forged]]) == "the decision returns no bet of seat 1"


@pytest.mark.parametrize("cause", ["ball-out", "not-covered", "wrong-result"])
def test_only_what_affects_several_rounds_voids_settled_ones(cause: str) -> None:
    play = Play("rws-roulette-000").open(("1",), 10_000)
    play.round({"1": {"red": 1_000}}, "1")
    play.do(SHIFT_MANAGER, c.DeclareIrregularity(cause="ball-broken", rounds=(1,)), SUPERVISOR)
    *before, (corrected, seat) = commands(records_of(play))
    clause = play.rules.clause_of(cause)
    forged = [edit(corrected, put(cause=cause, clause=clause)), edit(seat, put(clause=clause))]
    stands = ", which stands by rws-roulette-000:5.3" if cause == "ball-out" else ""
    assert told(play, [*before, forged]) == f"{cause} does not void a settled round{stands}"


@pytest.mark.parametrize("cause", ["ball-broken", "not-covered"])
def test_a_result_is_corrected_because_it_was_wrong_or_by_a_decision(cause: str) -> None:
    play = Play("rws-roulette-000").open(("1",), 10_000)
    play.round({"1": {"red": 1_000}}, "1")
    play.do(MANAGER, c.CorrectResult(round=1, result="2", reason=REASON), SUPERVISOR)
    *before, (corrected, seat) = commands(records_of(play))
    clause = play.rules.clause_of(cause)
    forged = [edit(corrected, put(cause=cause, clause=clause)), edit(seat, put(clause=clause))]
    assert told(play, [*before, forged]) == f"{cause} gives no round another result"


@pytest.mark.parametrize("order", ["as it is", "void first", "corrections first"])
def test_the_order_in_which_rounds_are_void_together_is_not_fixed(order: str) -> None:
    """Earlier versions wrote the end of the round that runs before the rounds that were settled."""
    play = declared()
    *before, (returned, corrected, seat, voided) = commands(records_of(play))
    command = {
        "as it is": [returned, corrected, seat, voided],
        "void first": [returned, voided, corrected, seat],
        "corrections first": [corrected, seat, returned, voided],
    }[order]
    assert told(play, [*before, numbered(command)]) is None
    ball_out = put(cause="ball-out", clause=play.rules.clause_of("ball-out"))
    forged = [edit(record, ball_out) if record is voided else record for record in command]
    assert told(play, [*before, numbered(forged)]) is not None


def test_no_result_is_corrected_with_rounds_that_are_void() -> None:
    play = declared()
    *before, command = commands(records_of(play))
    other = Play("rws-roulette-000").open(("1",), 10_000)
    other.round({"1": {"red": 1_000}}, "1")
    other.do(MANAGER, c.CorrectResult(round=1, result="2", reason=REASON), SUPERVISOR)
    wrong = commands(records_of(other))[-1]
    found = told(play, [*before, as_one(command[:1], wrong)])
    assert found == "round 1 is given another result in a command that voids rounds"

"""Commands with several faults at once: the first of them in the order of the codes is named."""

import pytest

from croupier.table import CODES, Actor, Do, Limits, NamedBet, Stake, may
from croupier.table import commands as c
from table.rig import DEALER, MANAGER, SENSOR, SHIFT_MANAGER, SUPERVISOR, player
from table.scenes import BETTING, FINISHED, IDLE, MBS, MONEY_WHEEL, RWS_A, SETTLED, SPINNING, Game, at

ORDER = [*CODES]


def first_of(*codes: str) -> str:
    return min(codes, key=ORDER.index)


def stakes(*bets: tuple[str, int], seat: str = "1") -> c.PlaceBets:
    return c.PlaceBets(seat=seat, stakes=tuple(Stake(bet, cents) for bet, cents in bets))


def decision(**changes: object) -> c.Decide:
    chosen = {
        "ruling": "return-bets",
        "reason": "why",
        "round": 1,
        "bets": (NamedBet("1", "red"),),
        **changes,
    }
    return c.Decide(**chosen)  # type: ignore[arg-type]  # the tests below name fields and values by hand


PAIRS: list[tuple[str, Game, Actor, Do, tuple[str, ...]]] = [
    # point, game, who asks, what, and all that is wrong with it
    (BETTING, MBS, SENSOR, stakes(("red", 0), ("purple", 5)), ("unknown-bet", "bad-amount", "not-allowed")),
    (BETTING, MBS, SENSOR, stakes(("purple", 0), seat="9"), ("unknown-seat", "unknown-bet", "bad-amount")),
    (
        BETTING,
        MBS,
        SENSOR,
        c.MoveBet(seat="9", source="tiers", destination="red", cents=0),
        ("unknown-seat", "unknown-bet", "bad-amount"),
    ),
    (
        BETTING,
        MBS,
        SENSOR,
        c.MoveBet(seat="1", source="red", destination="purple", cents=0),
        ("unknown-bet", "bad-amount"),
    ),
    (IDLE, MBS, SENSOR, c.BuyCredits(seat="9", cents=0, voucher=" "), ("unknown-seat", "bad-amount")),
    (IDLE, MBS, SENSOR, c.OpenSeat(seat="1", kind="sofa"), ("seat-exists", "unknown-seat-kind")),
    (
        SPINNING,
        MBS,
        DEALER,
        c.FinishSpin(revolutions=-1, pocket="99"),
        ("unknown-result", "bad-spin"),
    ),
    (
        SPINNING,
        MBS,
        DEALER,
        c.FinishSpin(pocket="99", at_rest=False),
        ("unknown-result", "bad-spin"),
    ),
    (
        SETTLED,
        MBS,
        DEALER,
        c.CorrectResult(round=9, result="99", reason=""),
        ("unknown-result", "unknown-round", "no-reason"),
    ),
    (SETTLED, MBS, DEALER, c.CorrectResult(round=9, result="20", reason=""), ("unknown-round", "no-reason")),
    (
        SPINNING,
        MBS,
        player("1"),
        c.DeclareIrregularity(cause="rain", rounds=(9,)),
        ("unknown-cause", "unknown-round", "not-allowed"),
    ),
    (
        SETTLED,
        MBS,
        DEALER,
        decision(ruling="draw", round=9, reason=""),
        ("unknown-round", "unknown-ruling", "no-reason", "not-allowed"),
    ),
    (SETTLED, MBS, DEALER, decision(ruling="draw", reason=""), ("unknown-ruling", "no-reason")),
    (
        SETTLED,
        MBS,
        DEALER,
        decision(ruling="correct", round=9, reason=""),
        ("unknown-round", "unknown-ruling", "no-reason"),
    ),
    (
        SETTLED,
        MBS,
        DEALER,
        decision(bets=(NamedBet("1", "purple"), NamedBet("9", "red")), round=9, reason=""),
        ("unknown-seat", "unknown-bet", "unknown-round", "no-reason"),
    ),
    (
        SETTLED,
        MBS,
        DEALER,
        decision(bets=(NamedBet("1", "purple"),), round=9, reason=""),
        ("unknown-bet", "unknown-round", "no-reason"),
    ),
    (SETTLED, MBS, DEALER, decision(bets=(), round=9), ("unknown-round", "nothing-to-do")),
    (SETTLED, MBS, DEALER, decision(bets=(), reason=""), ("no-reason", "nothing-to-do")),
    (IDLE, MBS, DEALER, c.ChangeLimits(limits=Limits(bets={}), reason=""), ("bad-limits", "no-reason")),
    (BETTING, MONEY_WHEEL, SENSOR, c.AdviseMinimum(seat="9", bet="red"), ("unknown-seat", "unknown-bet")),
    (BETTING, MBS, SENSOR, c.AdviseMinimum(seat="9", bet="purple"), ("not-in-this-game", "unknown-seat")),
    (FINISHED, MBS, SENSOR, c.FinishSpin(pocket="99"), ("unknown-result", "spin-finished")),
    (BETTING, MBS, DEALER, c.EnterResult(result="17"), ("bets-open", "no-spin-yet")),
]


@pytest.mark.parametrize(
    ("point", "game", "actor", "do", "faults"), PAIRS, ids=[" ".join(case[4]) for case in PAIRS]
)
def test_of_several_faults_the_first_is_named(
    point: str, game: Game, actor: Actor, do: Do, faults: tuple[str, ...]
) -> None:
    assert at(point, game).refused(actor, do).code == first_of(*faults)


def test_a_void_round_of_the_money_wheel_that_also_stands() -> None:
    play = at(SPINNING, MONEY_WHEEL)
    play.do(DEALER, c.DeclareIrregularity(cause="interference"))
    play.do(DEALER, c.OpenRound())

    found = play.refused(SHIFT_MANAGER, c.Decide(ruling="void", reason="why", round=1))

    assert found.code == first_of("round-void", "round-stands")


def test_a_round_that_stands_with_the_result_it_has() -> None:
    play = at(SETTLED, MONEY_WHEEL)
    play.do(DEALER, c.OpenRound())

    found = play.refused(MANAGER, c.CorrectResult(round=1, result="20", reason="why"), SUPERVISOR)

    assert found.code == first_of("same-result", "round-stands")


def test_a_void_round_that_an_irregularity_does_not_reach() -> None:
    play = at(SPINNING)
    play.do(DEALER, c.CallNoSpin(reason="a suspicion"))

    found = play.refused(MANAGER, c.DeclareIrregularity(cause="ball-out", rounds=(1,)), SUPERVISOR)

    assert found.code == first_of("round-void", "not-affected")


@pytest.mark.parametrize("rounds", [(1, 3), (3, 1)])
def test_affected_rounds_with_different_faults(rounds: tuple[int, ...]) -> None:
    play = at(SETTLED, RWS_A, rounds_kept=2)
    play.round({}, "0")
    play.do(DEALER, c.OpenRound())
    play.to_spinning()
    play.do(DEALER, c.DeclareIrregularity(cause="ball-out"))

    broken = c.DeclareIrregularity(cause="ball-broken", rounds=rounds)

    found = may(play.rules, play.state, play.command(MANAGER, broken, SUPERVISOR))
    assert found is not None
    assert found.code == first_of("round-not-recalled", "round-void")


def test_a_correction_to_what_is_registered_against_the_sensor() -> None:
    play = at(FINISHED)
    play.do(SUPERVISOR, c.EnterResult(result="20"), DEALER)

    found = play.refused(DEALER, c.CorrectResult(round=1, result="20", reason="why"))

    assert found.code == first_of("same-result", "result-disagrees")

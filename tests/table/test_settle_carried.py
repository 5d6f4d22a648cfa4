"""What a correction left open with a seat is paid, collected or written off, once and whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.table import Actor, Posting, Rejection, audience
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, MANAGER, SUPERVISOR, Play, only, player
from table.scenes import MONEY_WHEEL, RWS_000, at, correct
from table.test_carried import BACK, LOSE, SMALL, WIN, balance, carried, leave, settled, spend

WAYS = {"paid": 54_000, "collected": -54_000, "written-off": -54_000}


def settle(how: str, cents: int, round_: int = 1, reason: str = "as agreed") -> c.SettleCarried:
    return c.SettleCarried(round=round_, seat="1", how=how, cents=cents, reason=reason)


def left_open(how: str) -> Play:
    """The player of round 1 has left, and its correction leaves open what ends in a way."""
    old, new = (LOSE, WIN) if WAYS[how] > 0 else (WIN, LOSE)
    play = settled(old)
    leave(play)
    assert carried(play, new) == WAYS[how]
    return play


def refused(play: Play, do: c.Do, actor: Actor = MANAGER, second: Actor | None = SUPERVISOR) -> Rejection:
    return play.refused(actor, do, second)


@pytest.mark.parametrize(
    ("how", "source", "destination"),
    [
        ("paid", "unclaimed", "cash"),
        ("collected", "cash", "shortfall"),
        ("written-off", "house", "shortfall"),
    ],
)
def test_the_whole_amount_moves_once_and_nothing_is_carried_any_more(
    how: str, source: str, destination: str
) -> None:
    play = left_open(how)
    before = {account: balance(play, account) for account in (source, destination, "credits/1")}

    (event,) = play.do(MANAGER, settle(how, 54_000), SUPERVISOR)

    assert event == e.CarriedSettled(
        seat="1",
        round=1,
        how=how,
        cents=54_000,
        reason="as agreed",
        clause="mbs-roulette:6.3",
        postings=(Posting(source, destination, 54_000),),
    )
    assert audience(event) == "staff"
    assert balance(play, source) == before[source] - 54_000
    assert balance(play, destination) == before[destination] + 54_000
    assert balance(play, "credits/1") == before["credits/1"]
    assert (balance(play, "unclaimed"), balance(play, "shortfall")) == (0, 0)
    assert play.state.kept[1].seats["1"].carried_cents == 0
    assert refused(play, settle(how, 54_000)).code == "nothing-carried"


def test_meters_follow_the_cash_and_not_whoever_plays_at_the_seat_now() -> None:
    paid, collected, given_up = (left_open(how) for how in WAYS)
    for play, how in zip((paid, collected, given_up), WAYS, strict=True):
        play.do(MANAGER, settle(how, 54_000), SUPERVISOR)

    meters = paid.state.seats["1"].meters
    assert (meters.attendant_pays_cents, meters.unclaimed_out_cents) == (54_000, 0)
    seat = collected.state.seats["1"]
    assert (seat.meters.cash_in_cents, seat.meters.shortfall_in_cents) == (100_000 + 5_000 + 54_000, 0)
    assert seat.meters.cash_in_cents - seat.before_visit.cash_in_cents == 5_000
    seat = given_up.state.seats["1"]
    assert (seat.meters.written_off_cents, seat.meters.shortfall_in_cents) == (54_000, 0)
    assert seat.before_visit.written_off_cents == 54_000
    for play in (paid, collected, given_up):
        table = play.state.meters
        assert balance(play, "cash") == table.attendant_pays_cents - table.cash_in_cents


def test_whoever_is_still_there_and_brings_the_money_has_brought_it_in_this_visit() -> None:
    play = settled(WIN)
    spend(play, 1_000)
    assert carried(play, LOSE) == -53_000

    play.do(MANAGER, settle("collected", 53_000), SUPERVISOR)

    seat = play.state.seats["1"]
    assert seat.meters.cash_in_cents - seat.before_visit.cash_in_cents == 100_000 + 53_000
    assert carried(play, WIN) == 0
    assert play.credits("1") == 54_000, "nothing is owed any more: all of it is the player's"


def test_a_payment_by_hand_that_a_correction_takes_back_is_a_shortfall() -> None:
    play = left_open("paid")
    play.do(MANAGER, settle("paid", 54_000), SUPERVISOR)

    assert carried(play, LOSE) == -54_000
    assert carried(play, SMALL) == -36_000
    assert carried(play, WIN) == 0


def test_what_was_collected_from_somebody_who_left_is_owed_where_the_correction_is_taken_back() -> None:
    play = left_open("collected")
    play.do(MANAGER, settle("collected", 54_000), SUPERVISOR)

    assert carried(play, WIN) == 54_000
    assert carried(play, LOSE) == 0


def test_what_was_written_off_is_not_won_a_second_time() -> None:
    play = settled(WIN)
    spend(play, 1_000)
    assert carried(play, LOSE) == -53_000
    play.do(MANAGER, settle("written-off", 53_000), SUPERVISOR)
    house = balance(play, "house")

    seat = only(e.SeatCorrected, correct(play, 1, WIN))

    assert seat.postings == (Posting("house", "credits/1", 54_000), Posting("credits/1", "house", 53_000))
    assert (play.credits("1"), seat.carried_cents) == (1_000, 0)
    assert (seat.moved_cents, seat.given_up_cents) == (1_000, -53_000)

    again = only(e.SeatCorrected, correct(play, 1, LOSE))

    assert (again.carried_cents, again.moved_cents, again.given_up_cents) == (0, -1_000, 53_000)
    assert (play.credits("1"), balance(play, "house")) == (0, house)


def test_what_was_written_off_of_a_smaller_win_is_given_back_first_where_the_win_comes_back() -> None:
    play = settled(WIN)
    spend(play, 0)
    assert carried(play, SMALL) == -36_000
    play.do(MANAGER, settle("written-off", 36_000), SUPERVISOR)
    assert carried(play, LOSE) == -18_000

    seat = only(e.SeatCorrected, correct(play, 1, WIN))

    # 540.00 had come to the credits at first, and 540.00 is what the player has had in the end.
    assert (seat.carried_cents, seat.moved_cents, seat.given_up_cents) == (0, 0, -36_000)
    assert (play.credits("1"), play.state.meters.written_off_cents) == (0, 0)


def test_money_that_passed_by_hand_did_not_come_to_the_credits() -> None:
    def credited() -> int:
        return play.state.kept[1].seats["1"].credited_cents

    play = left_open("paid")
    assert credited() == 0
    play.do(MANAGER, settle("paid", 54_000), SUPERVISOR)
    assert credited() == 0
    assert (carried(play, LOSE), credited()) == (-54_000, 0)

    play = left_open("collected")
    play.do(MANAGER, settle("collected", 54_000), SUPERVISOR)
    assert credited() == 0
    # What had come to the credits was brought back, and is owed again.
    assert (carried(play, WIN), credited()) == (54_000, 54_000)
    play.do(MANAGER, settle("paid", 54_000), SUPERVISOR)
    assert credited() == 54_000


@pytest.mark.parametrize("position", [*range(4)])
def test_it_takes_the_two_people_who_correct_a_settled_round(position: int) -> None:
    play = left_open("paid")
    do = settle("paid", 54_000)
    who, second, code = (
        (MANAGER, None, "second-person"),
        (SUPERVISOR, DEALER, "not-allowed"),
        (player("1"), MANAGER, "not-allowed"),
        (MANAGER, player("1"), "not-allowed"),
    )[position]

    assert refused(play, do, who, second).code == code


def test_anything_but_all_of_what_is_carried_is_refused() -> None:
    play = left_open("paid")

    less = refused(play, settle("paid", 53_999))
    given_up, collected = (refused(play, settle(how, 54_000)) for how in ("written-off", "collected"))

    assert less.code == "carried-differs"
    assert less.sentence == "Seat 1 has 540.00 unclaimed in round 1; settle all of it at once."
    assert less.facts == {"round": 1, "seat": "1", "open_cents": 54_000}
    assert given_up.code == collected.code == "carried-otherwise"
    assert given_up.sentence == "Seat 1 has 540.00 unclaimed in round 1, which is paid."
    short = refused(left_open("collected"), settle("paid", 54_000))
    assert short.sentence == "Seat 1 has 540.00 of shortfall in round 1, which is collected or written off."


def test_what_never_was_is_refused_before_who_asks() -> None:
    play = left_open("paid")

    def code(**other: object) -> str:
        what = {"round": 1, "seat": "1", "how": "paid", "cents": 54_000, "reason": "why", **other}
        return refused(play, c.SettleCarried(**what), DEALER, None).code  # type: ignore[arg-type]  # of any kind

    assert code(seat="9") == "unknown-seat"
    assert code(round=2) == "unknown-round"
    assert code(how="forgotten") == "unknown-way"
    assert code(cents=0) == "bad-amount"
    assert code(reason=" ") == "no-reason"


def test_a_round_that_runs_or_had_no_part_of_the_seat_has_left_nothing_open() -> None:
    play = left_open("paid")
    play.do(DEALER, c.OpenRound())

    assert refused(play, settle("paid", 1, round_=2)).code == "nothing-carried"
    other = c.SettleCarried(round=1, seat="2", how="paid", cents=1, reason="why")
    assert refused(play, other).code == "nothing-carried"


def test_what_is_open_ends_however_many_rounds_were_played_since() -> None:
    play = Play("mbs-roulette", rounds_kept=1).open(("1",), 100_000)
    play.round({"1": {"straight:17": 1_000}}, LOSE)
    leave(play)
    assert carried(play, WIN) == 36_000
    play.round({}, "0")
    play.round({}, "0")

    assert play.state.kept.keys() == {3}
    assert refused(play, settle("paid", 36_000, round_=2)).code == "nothing-carried"
    play.do(MANAGER, settle("paid", 36_000), SUPERVISOR)
    assert balance(play, "unclaimed") == 0
    assert refused(play, settle("paid", 36_000)).code == "nothing-carried"
    assert play.state.owing == {}, "nothing is remembered of it"


def test_a_round_is_remembered_until_the_last_seat_of_it_has_nothing_open() -> None:
    play = Play("mbs-roulette", rounds_kept=1).open(("1", "2"), 100_000)
    play.round({"1": {"straight:17": 1_000}, "2": {"straight:17": 2_000}}, LOSE)
    leave(play)
    play.do(player("2"), c.CashOut(seat="2", voucher="2" * 18))
    correct(play, 1, WIN)
    play.round({}, "0")

    other = c.SettleCarried(round=1, seat="2", how="paid", cents=72_000, reason="why")
    play.do(MANAGER, settle("paid", 36_000), SUPERVISOR)
    assert play.state.owing.keys() == {1}
    play.do(MANAGER, other, SUPERVISOR)
    assert play.state.owing == {}
    assert balance(play, "unclaimed") == 0


def test_it_is_settled_after_the_next_round_began_where_results_stand_by_then() -> None:
    play = at("idle", MONEY_WHEEL)
    play.round({"1": {MONEY_WHEEL.bet: 1_000}}, MONEY_WHEEL.loses)
    leave(play)
    owed = carried(play, MONEY_WHEEL.wins)
    play.do(DEALER, c.OpenRound())

    (event,) = play.do(MANAGER, settle("paid", owed), SUPERVISOR)

    assert isinstance(event, e.CarriedSettled)


def test_a_void_round_leaves_something_open_too_under_its_own_clause() -> None:
    play = at("idle", RWS_000)
    play.round({"1": {RWS_000.bet: 1_000}}, RWS_000.loses)
    leave(play)
    play.do(MANAGER, c.DeclareIrregularity(cause="ball-broken", rounds=(1,)), SUPERVISOR)

    (event,) = play.do(MANAGER, settle("paid", 1_000), SUPERVISOR)

    assert isinstance(event, e.CarriedSettled)
    assert event.clause == "rws-roulette-000:5.4"


STEPS = st.sampled_from([*BACK, "spend", "leave", "again", "paid", "collected", "written-off"])


@given(st.sampled_from([*BACK]), st.lists(STEPS, max_size=14))
def test_what_a_seat_has_of_a_round_is_always_what_its_registered_result_gives(
    first: str, steps: list[str]
) -> None:
    """Credits, what is carried and what moved by hand are together what the result gives.

    What was written off is beside it: the player has it although the result does not give it.
    """
    play = settled(first)
    result, moved = first, BACK[first]
    """What the round moved to the credits and by hand, up to now."""
    for step in steps:
        part, before = play.state.kept[1].seats["1"], play.credits("1")
        if step in BACK:
            if step != result:
                correct(play, 1, step)
                moved += play.credits("1") - before
                result = step
        elif step == "spend":
            if before > 500:
                spend(play, 500)
        elif step == "leave":
            play.ask(player("1"), c.CashOut(seat="1", voucher=f"V{len(play.entries)}"))
        elif step == "again":
            play.do(player("1"), c.BuyCredits(seat="1", cents=5_000))
        elif play.ask(MANAGER, settle(step, abs(part.carried_cents)), SUPERVISOR).rejection is None:
            (posting,) = play.entries[-1].event.postings  # type: ignore[union-attr]  # it has moved money
            moved += {"paid": posting.cents, "collected": -posting.cents}.get(step, 0)
        part = play.state.kept[1].seats["1"]
        given_up = part.given_up_cents(part.returned_cents)
        assert moved + part.carried_cents == BACK[result] + given_up
        assert 0 <= given_up <= max(0, moved - BACK[result])
        assert part.carried_cents == balance(play, "unclaimed") + balance(play, "shortfall")

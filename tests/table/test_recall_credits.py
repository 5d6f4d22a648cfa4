"""What moved credits before a round and after it is recalled with it."""

from croupier.table import commands as c
from croupier.table import events as e
from croupier.table.ledger import credits_of, post
from table.recalling import a_full_round, between, followed, kinds, moved, recall
from table.rig import DEALER, player
from table.scenes import STAKE, at, correct
from table.stories import TOLD, told


def test_what_was_bought_and_paid_out_between_two_rounds_is_shown_with_the_second() -> None:
    play = a_full_round()
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))
    play.do(player("2"), c.BuyCredits(seat="2", cents=700))
    play.refused(player("2"), c.BuyCredits(seat="2", cents=-1))
    play.do(player("1"), c.BuyCredits(seat="1", cents=5_000))
    play.round({"1": {"red": STAKE}, "2": {"red": STAKE}}, "1")

    found = recall(play, 3)

    assert between(found) == [
        ("CreditsPaidOut", "1", 136_000),
        ("CreditsBought", "2", 700),
        ("CreditsBought", "1", 5_000),
    ]
    assert [type(entry.event).__name__ for entry in found.between].count("CommandRefused") == 0
    assert kinds(found)[0] == "RoundOpened"
    assert found.credits_before_cents == {"1": 5_000, "2": 102_700}
    assert between(recall(play, 2)) == []


def test_the_first_round_shows_what_was_bought_since_the_table_was_made() -> None:
    found = recall(at("betting"), 1)

    assert between(found) == [("CreditsBought", seat, 100_000) for seat in ("1", "2")]


def test_a_correction_that_moved_credits_between_two_rounds_bears_on_the_second() -> None:
    play = a_full_round()
    correct(play, 2, "20")
    play.round({"1": {"red": STAKE}}, "1")

    found = recall(play, 3)

    corrected = {entry.event.seat for entry in found.between if isinstance(entry.event, e.SeatCorrected)}
    assert corrected == {"1", "2"}
    first, _ = recall(play, 2).credits_corrected_cents.values()
    assert found.credits_before_cents["1"] == first


def test_credits_at_the_beginning_of_a_round_follow_from_the_round_before_and_what_was_between() -> None:
    for game in TOLD:
        play = told(game)
        balances: dict[str, int] = {}
        starts: dict[int, dict[str, int]] = {}
        ends: dict[int, dict[str, int]] = {0: {}}
        for entry in play.entries:
            post(balances, e.postings(entry.event))
            if isinstance(entry.event, e.RoundOpened):
                starts[entry.event.round] = dict(balances)
            if isinstance(entry.event, e.RoundSettled | e.RoundVoided):
                ends[entry.event.round] = dict(balances)
        for number, start in starts.items():
            then = dict(ends[number - 1])
            for entry in recall(play, number).between:
                post(then, e.postings(entry.event))
            for seat in play.state.seats:
                account = credits_of(seat)
                assert then.get(account, 0) == start.get(account, 0), (game, number, seat)


def test_what_moved_credits_since_the_newest_round_is_shown_with_it_at_once() -> None:
    play = a_full_round()
    assert recall(play, 2).after == []
    correct(play, 1, "2")  # so that red has lost in the round before
    assert moved(recall(play, 2).after) == [("SeatCorrected", "1", -2_000)]
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))
    play.do(player("2"), c.BuyCredits(seat="2", cents=700))
    play.refused(player("2"), c.BuyCredits(seat="2", cents=-1))

    found = recall(play, 2)

    assert moved(found.after) == [
        ("SeatCorrected", "1", -2_000),
        ("CreditsPaidOut", "1", -134_000),
        ("CreditsBought", "2", 700),
    ]
    assert kinds(found)[-1] == "RoundSettled"
    assert recall(play, 1).after == []


def test_it_stays_there_when_the_next_round_has_it_as_well() -> None:
    play = a_full_round()
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))
    before = recall(play, 2)
    play.round({"2": {"red": STAKE}}, "1")
    play.do(player("2"), c.CashOut(seat="2", voucher="V2"))

    assert recall(play, 2) == before
    assert before.after == recall(play, 3).between
    assert [seat for _, seat, _ in moved(recall(play, 3).after)] == ["2"]


def test_a_correction_of_the_round_itself_is_one_of_its_acts_and_not_shown_twice() -> None:
    play = a_full_round()
    play.do(player("2"), c.BuyCredits(seat="2", cents=700))
    correct(play, 2, "20")
    play.do(player("2"), c.BuyCredits(seat="2", cents=800))

    found = recall(play, 2)

    assert moved(found.after) == [("CreditsBought", "2", 700), ("CreditsBought", "2", 800)]
    assert kinds(found).count("SeatCorrected") == 2
    assert recall(play, 1).after == []


def test_while_a_round_runs_nothing_is_after_it() -> None:
    play = at("betting")
    play.do(player("1"), c.BuyCredits(seat="1", cents=700))
    assert recall(play, 1).after == []


def test_what_is_after_a_round_is_between_for_the_next_without_its_own_corrections() -> None:
    for game in TOLD:
        play = told(game)
        for number in range(1, play.state.round_number):
            found = recall(play, number)
            own = [entry for entry in found.entries if entry in recall(play, number + 1).between]
            both = [entry for entry in recall(play, number + 1).between if entry not in own]
            assert found.after == both, (game, number)


def test_who_left_a_seat_does_not_see_what_whoever_came_next_has_bought() -> None:
    play = at("settled")
    play.do(player("2"), c.BuyCredits(seat="2", cents=300))
    play.do(player("1"), c.CashOut(seat="1", voucher="V1"))
    play.do(player("1"), c.BuyCredits(seat="1", cents=5_000))
    history = followed(play)

    assert history.rounds_of_visit("1") == []
    assert moved(history.last_rounds_of("1")[0].after) == [("CreditsPaidOut", "1", -135_000)]
    assert moved(history.rounds_of_visit("2")[0].after) == [("CreditsBought", "2", 300)]


def test_what_stands_behind_a_gap_is_not_taken_for_what_came_right_after_the_round() -> None:
    play = at("settled")
    history = followed(play)
    history.go_on_from(play.state.balances)
    play.do(player("2"), c.BuyCredits(seat="2", cents=300))
    history.record(play.entries[-1])

    found = history.round(1)
    assert found is not None
    assert found.after == []


def test_whether_a_round_runs_behind_a_gap_is_not_known_from_before_it() -> None:
    play = at("betting")
    history = followed(play)
    for do in (c.CloseBets(), c.StartSpin(), c.EnterResult(result="1"), c.ConfirmResult(result="1")):
        play.do(DEALER, do)
    history.go_on_from(play.state.balances)
    play.do(player("2"), c.BuyCredits(seat="2", cents=300))
    history.record(play.entries[-1])
    play.do(DEALER, c.OpenRound())
    history.record(play.entries[-1])

    found = history.round(2)
    assert found is not None
    assert moved(found.between) == [("CreditsBought", "2", 300)]

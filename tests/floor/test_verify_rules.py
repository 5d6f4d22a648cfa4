"""What the records alone contradict: clauses, limits, the last round, and times that cannot be."""

import json
from collections.abc import Callable

import pytest

from croupier.journal import Record
from croupier.table import commands as c
from floor.audit_journal import Event, MemoryEvidence, edit, first_misfit, of_kind, records_of, relink
from floor.audit_play import GAMES, RandomTable
from floor.audit_scenes import interrupted, money_wheel, roulette, shortfall
from floor.test_verify_facts import commands, judged
from table.rig import DEALER, SHIFT_MANAGER, SUPERVISOR, TIMER, Play, player

Change = Callable[[Event, Event], None]


def changed(play: Play, kind: str, change: Change, index: int = 0) -> str | None:
    """Why a record of a kind does not fit once it is changed and the chain made anew; None where it does."""
    records = records_of(play)
    sequence = of_kind(records, kind, index)
    forged = [*records[: sequence - 1], edit(records[sequence - 1], change), *records[sequence:]]
    misfit = judged(play, forged)
    assert misfit is None or misfit.sequence == sequence
    return None if misfit is None else misfit.reason


def another_clause(play: Play, clause: str) -> Change:
    def change(event: Event, cause: Event) -> None:
        assert event["clause"] != clause
        event["clause"] = clause

    return change


def lost_seat() -> Play:
    play = Play().open(("1", "2"), 10_000)
    play.do(TIMER, c.LoseSeat(seat="2"))
    play.do(TIMER, c.RestoreSeat(seat="2"))
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 1_000})
    play.do(TIMER, c.LoseSeat(seat="1"))
    play.do(TIMER, c.RestoreSeat(seat="1"))
    return play


def other_limits() -> Play:
    play = Play("rws-roulette-00", "A").open(("1",), 10_000)
    limits = play.state.limits
    play.do(SUPERVISOR, c.ChangeLimits(limits=limits, reason="asked"), second=SHIFT_MANAGER)
    return play


CITED = [
    (roulette, "table-opened", "mbs-roulette:3.1"),
    (roulette, "credits-bought", "mbs-roulette:3.1"),
    (roulette, "credits-paid-out", "mbs-roulette:3.1"),
    (roulette, "round-opened", "mbs-roulette:3.2"),
    (roulette, "bets-changed", "mbs-roulette:3.2"),
    (roulette, "bets-closed", "mbs-roulette:3.3"),
    (roulette, "spin-started", "mbs-roulette:3.8"),
    (roulette, "result-entered", "mbs-roulette:3.6"),
    (roulette, "result-confirmed", "mbs-roulette:3.6"),
    (roulette, "seat-settled", "mbs-roulette:3.6"),
    (roulette, "round-settled", "mbs-roulette:3.6"),
    (roulette, "seat-corrected", "mbs-roulette:6.1"),
    (shortfall, "shortfall-raised", "mbs-roulette:6.1"),
    (interrupted, "table-interrupted", "mbs-roulette:5.13.2"),
    (interrupted, "outcome-stated", "mbs-roulette:5.13.1"),
    (lost_seat, "seat-lost", "mbs-roulette:5.14.1"),
    (lost_seat, "seat-restored", "mbs-roulette:5.14.1"),
    (money_wheel, "box-marked", "rws-money-wheel:5.2"),
    (money_wheel, "bets-rejected", "rws-money-wheel:5.2"),
    (money_wheel, "bets-changed", "rws-money-wheel:5.10"),
    (other_limits, "limits-changed", "rws-roulette-00:3.4"),
]


@pytest.mark.parametrize(("scene", "kind", "clause"), CITED)
def test_an_event_cites_the_clause_that_it_rests_on(
    scene: Callable[[], Play], kind: str, clause: str
) -> None:
    reason = changed(scene(), kind, another_clause(scene(), clause))
    assert reason is not None
    assert f"cites {clause}" in reason


def test_a_seat_that_was_lost_with_bets_rests_on_another_clause() -> None:
    clause = "mbs-roulette:5.14.2"
    assert changed(lost_seat(), "seat-lost", another_clause(lost_seat(), clause), 1) is not None


def test_stakes_of_a_void_round_go_back_by_the_clause_that_voids_it() -> None:
    play, clause = roulette(), "mbs-roulette:5.13.1"
    records = records_of(play)
    returned, voided = of_kind(records, "seat-returned"), of_kind(records, "round-voided")
    forged = [*records]
    forged[returned - 1] = edit(forged[returned - 1], another_clause(play, clause))
    misfit = judged(play, forged)
    assert misfit is not None
    assert (misfit.sequence, misfit.reason) == (
        voided,
        f"it cites {clause}, and it rests on mbs-roulette:5.15",
    )


def test_where_the_text_has_a_clause_for_returns_that_one_is_cited() -> None:
    play = Play("rws-roulette-00", "A").open(("1",), 10_000)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 1_000})
    play.to_spinning()
    play.do(DEALER, c.DeclareIrregularity(cause="ball-out"))
    assert first_misfit(MemoryEvidence(play)) is None
    reason = changed(play, "seat-returned", another_clause(play, "rws-roulette-00:5.3.4"))
    assert reason == "it cites rws-roulette-00:5.3.4, and it rests on rws-roulette-00:5.9"


def test_a_line_cites_why_not_the_whole_stake_counts() -> None:
    def change(event: Event, cause: Event) -> None:
        (line,) = event["lines"]
        assert line["clause"] == "rws-money-wheel:5.1.1"
        line["clause"] = "rws-money-wheel:5.1.2"

    reason = changed(money_wheel(), "seat-settled", change)
    assert reason == "it cites rws-money-wheel:5.1.2, and it rests on rws-money-wheel:5.1.1"


def set_limits(event: Event, cause: Event) -> None:
    for limit in event["new"]["bets"].values():
        limit["minimum_cents"], limit["maximum_cents"] = -200, -100


def test_limits_that_a_table_would_refuse_are_found() -> None:
    play = other_limits()
    assert first_misfit(MemoryEvidence(play)) is None
    reason = changed(play, "limits-changed", set_limits)
    assert reason is not None
    assert reason.startswith("its limits are not sound: The limits of ")


def test_limits_that_were_taken_once_and_never_applied_are_none() -> None:
    """The Money Wheel refuses no bet for its amount; the first versions took limits that would have to."""
    play = Play("rws-money-wheel").open(("1",), 10_000)
    play.do(SUPERVISOR, c.ChangeLimits(limits=play.state.limits, reason="asked"), second=SHIFT_MANAGER)

    def change(event: Event, cause: Event) -> None:
        event["new"] |= {"seat_cents": 100_000, "exposure_cents": 100_000, "spots": {"symbol:20": 100_000}}

    assert changed(play, "limits-changed", change) is None


def closing(*, plays: bool = True) -> Play:
    """A table that closes after its last round, as players were told."""
    play = Play().open(("1",), 10_000)
    play.round({"1": {"red": 1_000}}, "3")
    play.do(DEALER, c.AnnounceLastRound())
    if plays:
        play.round({"1": {"red": 1_000}}, "3")
    else:
        play.do(player("1"), c.CashOut(seat="1", voucher="V-1"))
    play.do(SUPERVISOR, c.CloseTable())
    return play


def without(play: Play, kind: str, index: int = 0) -> list[Record]:
    """The records without a command that begins with a kind."""
    found = [command for command in commands(records_of(play)) if command[0].kind == kind]
    return [record for command in commands(records_of(play)) if command != found[index] for record in command]


def test_a_table_closes_once_players_had_their_last_round() -> None:
    assert first_misfit(MemoryEvidence(closing())) is None
    assert first_misfit(MemoryEvidence(closing(plays=False))) is None
    misfit = judged(closing(), without(closing(), "last-round-announced"))
    assert misfit is not None
    assert misfit.reason == "the table closes, and players were not told of its last round"
    misfit = judged(closing(plays=False), without(closing(plays=False), "credits-paid-out"))
    assert misfit is not None
    assert misfit.reason == "the table closes, and the last round that players were told of was not played"


def test_no_round_follows_the_last_one() -> None:
    play = closing()
    play.do(SUPERVISOR, c.OpenTable())
    play.round({"1": {"red": 1_000}}, "3")
    assert first_misfit(MemoryEvidence(play)) is None
    rest = [record for record in records_of(play) if record.kind != "table-closed"]
    misfit = judged(play, without_reopening(rest))
    assert misfit is not None
    assert misfit.reason == "the last round that players were told of was played"


def without_reopening(records: list[Record]) -> list[Record]:
    again = [record for record in records if record.kind == "table-opened"][1]
    return [record for record in records if record is not again]


def test_after_a_void_last_round_there_is_another_one() -> None:
    play = Play().open(("1",), 10_000)
    play.do(DEALER, c.OpenRound())
    play.do(DEALER, c.AnnounceLastRound())
    play.to_spinning()
    play.do(DEALER, c.CallNoSpin(reason="seen on camera"))
    play.round({"1": {"red": 1_000}}, "3")
    play.do(SUPERVISOR, c.CloseTable())
    assert first_misfit(MemoryEvidence(play)) is None


def test_what_was_announced_is_right() -> None:
    def change(event: Event, cause: Event) -> None:
        event["rounds_left"] = 0

    assert changed(closing(), "last-round-announced", change) is not None


def test_the_last_round_is_announced_once() -> None:
    def again(event: Event, cause: Event) -> None:
        cause["number"] += 1_000

    records = records_of(closing())
    sequence = of_kind(records, "last-round-announced")
    twice = [*records[:sequence], edit(records[sequence - 1], again), *records[sequence:]]
    misfit = judged(closing(), twice)
    assert misfit is not None
    assert misfit.reason == "no last round can be announced here"


def earlier(by_ms: int) -> Change:
    def change(event: Event, cause: Event) -> None:
        cause["at_ms"] -= by_ms

    return change


def test_no_bet_is_placed_before_its_round_is_opened() -> None:
    reason = changed(roulette(), "bets-changed", earlier(500))
    assert reason == "round 1 was opened only later"


def timed() -> Play:
    play = Play(betting_seconds=40).open(("1",), 10_000)
    play.do(DEALER, c.OpenRound())
    play.wait(40)
    play.do(TIMER, c.CloseBets())
    return play


def test_the_timer_closes_bets_when_their_time_is_over() -> None:
    assert first_misfit(MemoryEvidence(timed())) is None
    reason = changed(timed(), "bets-closed", earlier(1))
    assert reason == "the timer closes the bets of round 1 before their time"


def two_rounds() -> Play:
    play = Play().open(("1", "2"), 10_000)
    for seat, result in (("1", "17"), ("2", "3")):
        play.wait(60)
        play.round({seat: {"straight:17": 500}}, result)
    return play


def test_two_rounds_cannot_change_places() -> None:
    def numbered(number: int) -> Change:
        def change(event: Event, cause: Event) -> None:
            if "round" in event:
                event["round"] = number

        return change

    records = records_of(two_rounds())
    first, second = (of_kind(records, "round-opened", index) - 1 for index in (0, 1))
    one, two = records[first:second], records[second:]
    swapped = [edit(record, numbered(1)) for record in two] + [edit(record, numbered(2)) for record in one]
    misfit = judged(two_rounds(), [*records[:first], *swapped])
    assert misfit is not None
    assert "seconds earlier than the record before it, and no interruption is between" in misfit.reason


def test_a_clock_may_be_set_back_where_the_table_was_interrupted() -> None:
    play = Play(grace_seconds=10).open(("1",), 10_000)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 1_000})
    play.at_ms -= 3_600_000
    play.do(TIMER, c.Interrupt(began_ms=play.at_ms))
    play.bet("1", {"red": 1_000})
    play.to_spinning()
    assert first_misfit(MemoryEvidence(play)) is None


def test_a_halt_may_overtake_what_waits() -> None:
    play = Play().open(("1",), 10_000)
    play.do(TIMER, c.HaltTable(reason="stuck"))
    play.at_ms -= 5_000
    play.refused(player("1"), c.CashOut(seat="1", voucher="V-1"))
    play.at_ms += 5_000
    assert first_misfit(MemoryEvidence(play)) is None


def interrupted_since(seconds: int) -> Play:
    """A table that is back five seconds after a bet, and says since when it was gone."""
    play = Play(grace_seconds=10).open(("1",), 10_000)
    play.wait(60)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 1_000})
    play.wait(5)
    play.do(TIMER, c.Interrupt(began_ms=play.at_ms - 1_000 * seconds))
    return play


def test_an_interruption_does_not_begin_before_the_record_before_it() -> None:
    assert first_misfit(MemoryEvidence(interrupted_since(5))) is None
    misfit = first_misfit(MemoryEvidence(interrupted_since(30)))  # which would void the round
    assert misfit is not None
    assert misfit.reason == "the interruption began before the record before it, when the table was there"


def test_a_correction_that_leaves_a_win_as_it_was_locks_nothing() -> None:
    play = Play(lock_up_cents=30_000).open(("1",), 50_000)
    play.round({"1": {"straight:8": 1_000, "red": 1_000}}, "8")
    play.do(SUPERVISOR, c.ClearLockUp(seat="1"))
    bets = (c.NamedBet("1", "red"),)
    decision = c.Decide(ruling="return-bets", reason="dropped", round=1, bets=bets)
    play.do(SHIFT_MANAGER, decision, second=SUPERVISOR)
    assert first_misfit(MemoryEvidence(play)) is None


@pytest.mark.parametrize(("book", "layout"), GAMES)
def test_no_clause_of_an_evening_can_be_another_one(book: str, layout: str) -> None:
    """Each kind of event once, with a clause that the book has for something else."""
    play = RandomTable(11, book, layout).rounds(12)
    records = records_of(play)
    kinds = {record.kind for record in records if json.loads(record.payload)["event"].get("clause")}
    assert len(kinds) > 12
    for kind in sorted(kinds):
        sequence = of_kind(records, kind)

        def change(event: Event, cause: Event) -> None:
            event["clause"] = f"{book}:1.1"

        forged = relink([*records[: sequence - 1], edit(records[sequence - 1], change), *records[sequence:]])
        evidence = MemoryEvidence(play)
        evidence.put(forged)
        misfit = first_misfit(evidence)
        assert misfit is not None, kind
        assert sequence <= misfit.sequence <= sequence + 4, kind

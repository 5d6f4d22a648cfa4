"""What holds for any stakes and any results, one property at a time; random play mixes them."""

from fractions import Fraction
from math import floor

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.rulebook import load_book, settle
from croupier.table import Command, Entry, Rules, State, evolve, replay
from croupier.table import commands as c
from croupier.table.settling import apportion
from table.rig import DEALER, MANAGER, SHIFT_MANAGER, START_MS, SUPERVISOR, TIMER, Play, player
from table.strategies import ACTORS, SECONDS, TABLES, anything, results

BOUGHT_CENTS = 100_000
SEATS = ("1", "2", "3")
KNOWN = settings(max_examples=25, deadline=None, database=None, derandomize=True)
EVERY_TABLE = pytest.mark.parametrize(("book", "layout"), TABLES)

Stakes = dict[str, dict[str, int]]


def drawn_stakes(data: st.DataObject, rules: Rules) -> Stakes:
    """Stakes of some seats that their credits and the limits allow."""
    bets = st.dictionaries(st.sampled_from([*rules.layout.bets]), st.integers(100, 20_000), max_size=4)
    return data.draw(st.dictionaries(st.sampled_from(SEATS), bets.filter(bool)))


def drawn_result(data: st.DataObject, rules: Rules) -> str:
    return data.draw(st.sampled_from(results(rules)))


def opened(book: str, layout: str | None) -> Play:
    return Play(book, layout).open(SEATS, BOUGHT_CENTS)


def bet_and_close(play: Play, stakes: Stakes) -> None:
    play.do(DEALER, c.OpenRound())
    for seat, bets in stakes.items():
        play.bet(seat, bets)
    play.to_spinning()


def all_credits(play: Play) -> dict[str, int]:
    return {seat: play.credits(seat) for seat in SEATS}


@EVERY_TABLE
@KNOWN
@given(data=st.data())
def test_settlement_gives_each_seat_what_the_rulebook_says(
    book: str, layout: str | None, data: st.DataObject
) -> None:
    play = opened(book, layout)
    stakes, result = drawn_stakes(data, play.rules), drawn_result(data, play.rules)

    play.round(stakes, result)

    for seat in SEATS:
        settlement = settle(play.rules.book, play.rules.layout, stakes.get(seat, {}), result)
        assert play.credits(seat) == BOUGHT_CENTS + settlement.net_cents
    assert play.state.balances.get("house", 0) == 3 * BOUGHT_CENTS - sum(all_credits(play).values())


@EVERY_TABLE
@KNOWN
@given(data=st.data())
def test_a_void_by_whatever_cause_restores_every_seat(
    book: str, layout: str | None, data: st.DataObject
) -> None:
    play = opened(book, layout)
    bet_and_close(play, drawn_stakes(data, play.rules))
    ways = (
        (DEALER, c.FinishSpin(revolutions=2)),
        (DEALER, c.FinishSpin(at_rest=False)),
        (DEALER, c.DeclareIrregularity(cause="interference")),
        (SHIFT_MANAGER, c.Decide(ruling="void", reason="on camera", round=1)),
    )

    play.do(*data.draw(st.sampled_from(ways)))

    assert all_credits(play) == dict.fromkeys(SEATS, BOUGHT_CENTS)
    assert {account: cents for account, cents in play.state.balances.items() if cents} == {
        "cash": -3 * BOUGHT_CENTS,
        **{f"credits/{seat}": BOUGHT_CENTS for seat in SEATS},
    }


@EVERY_TABLE
@KNOWN
@given(data=st.data())
def test_corrections_end_where_the_last_result_leads_at_once(
    book: str, layout: str | None, data: st.DataObject
) -> None:
    corrected, at_once = opened(book, layout), opened(book, layout)
    stakes = drawn_stakes(data, corrected.rules)
    path = data.draw(st.lists(st.sampled_from(results(corrected.rules)), min_size=2, max_size=5))
    path = [result for result, before in zip(path, [None, *path], strict=False) if result != before]

    corrected.round(stakes, path[0])
    for result in path[1:]:
        corrected.do(MANAGER, c.CorrectResult(round=1, result=result, reason="read again"), DEALER)
    at_once.round(stakes, path[-1])

    assert all_credits(corrected) == all_credits(at_once)
    assert corrected.state.balances == at_once.state.balances
    for seat in SEATS:
        was, is_ = at_once.state.seats[seat].meters, corrected.state.seats[seat].meters
        assert msgspec.structs.replace(is_, corrections=0) == was


@EVERY_TABLE
@KNOWN
@given(data=st.data())
def test_a_correction_after_spending_and_back_again_restores_every_account(
    book: str, layout: str | None, data: st.DataObject
) -> None:
    play = opened(book, layout)
    was, instead = (drawn_result(data, play.rules) for _ in range(2))
    play.round(drawn_stakes(data, play.rules), was)
    for seat in data.draw(st.sets(st.sampled_from(SEATS))):
        play.ask(player(seat), c.CashOut(seat=seat, voucher=f"V-{seat}"))
        play.ask(SUPERVISOR, c.PayByAttendant(seat=seat), DEALER)
    before = dict(play.state.balances)

    if was != instead:
        play.do(MANAGER, c.CorrectResult(round=1, result=instead, reason="read again"), DEALER)
        assert min(all_credits(play).values()) >= 0
        play.do(MANAGER, c.CorrectResult(round=1, result=was, reason="it was right"), DEALER)

    assert {k: v for k, v in play.state.balances.items() if v} == {k: v for k, v in before.items() if v}


@KNOWN
@given(
    stakes=st.lists(st.integers(1, 10**6), min_size=1, max_size=6),
    minimum=st.integers(1, 5_000),
    more=st.integers(0, 10**6),
)
def test_a_share_of_a_full_box_is_at_most_the_stake_and_at_least_the_minimum(
    stakes: list[int], minimum: int, more: int
) -> None:
    counted = apportion({str(seat): cents for seat, cents in enumerate(stakes)}, minimum, minimum + more)

    total = sum(stakes)
    for stake, counts in zip(stakes, counted.values(), strict=True):
        assert min(stake, minimum) <= counts <= stake
        if total <= minimum + more or stake < minimum:
            assert counts == stake
        else:
            assert counts == max(minimum, floor(Fraction(stake * (minimum + more), total)))


@EVERY_TABLE
@KNOWN
@given(data=st.data())
def test_a_history_read_in_two_parts_leads_to_the_same_table(
    book: str, layout: str | None, data: st.DataObject
) -> None:
    play = opened(book, layout)
    for _ in range(2):
        play.round(drawn_stakes(data, play.rules), drawn_result(data, play.rules))
    bet_and_close(play, {"1": {next(iter(play.rules.layout.bets)): 100}})
    written = msgspec.json.encode(play.entries)
    entries = msgspec.json.decode(written, type=list[Entry])
    cut = data.draw(st.integers(1, len(entries)))

    restored = replay(play.rules, entries[:cut])
    kept = msgspec.msgpack.decode(msgspec.msgpack.encode(restored), type=State)
    for entry in entries[cut:]:
        evolve(play.rules, kept, entry)

    assert kept == play.state
    assert msgspec.json.encode(entries) == written


@EVERY_TABLE
@settings(KNOWN, max_examples=60)
@given(data=st.data())
def test_every_command_is_read_back_as_it_was_written(
    book: str, layout: str | None, data: st.DataObject
) -> None:
    rules = Rules(load_book(book), layout)
    command = Command(
        at_ms=START_MS,
        actor=data.draw(ACTORS),
        sender="terminal-1",
        number=data.draw(st.integers(0, 2**40)),
        do=data.draw(anything(rules)),
        second=data.draw(SECONDS),
    )

    assert msgspec.json.decode(msgspec.json.encode(command), type=Command) == command


@EVERY_TABLE
@KNOWN
@given(data=st.data())
def test_a_short_interruption_changes_nothing_for_open_bets(
    book: str, layout: str | None, data: st.DataObject
) -> None:
    play = opened(book, layout)
    play.do(DEALER, c.OpenRound())
    for seat, bets in drawn_stakes(data, play.rules).items():
        play.bet(seat, bets)
    before = msgspec.msgpack.encode((play.state.round, play.state.seats, play.state.balances))
    seconds = data.draw(st.integers(0, 2 * play.settings.grace_seconds))

    play.do(TIMER, c.Interrupt(began_ms=play.at_ms - 1000 * seconds))

    after = msgspec.msgpack.encode((play.state.round, play.state.seats, play.state.balances))
    assert (after == before) == (seconds < play.settings.grace_seconds)

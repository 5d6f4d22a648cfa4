"""Who may do what, over the wire: every action of every book, by every position, with every second person."""

import asyncio
import itertools
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import get_args

import pytest

from clauses import clause
from croupier.client import Connection
from croupier.floor import Ask
from croupier.floor.cage.numbers import voucher_number_of
from croupier.protocol.asking import Do, Second
from croupier.rulebook import load_book
from croupier.rulebook.vocabulary import ACTIONS, POSITIONS
from croupier.server.access.hashing import Hasher
from croupier.server.input_limits import InputLimits
from croupier.table import SYSTEM, Actor
from croupier.table import commands as c
from floor.sim_live import played
from server.authority_cells import (
    ALLOWED,
    AUTHORITY_CODES,
    BOOKS,
    DOCUMENT,
    LOCKED,
    LOST,
    OTHER,
    OWN,
    RANKS,
    ROWS,
    SEAT,
    VOUCHER,
    WHEEL,
    Cell,
    Row,
    Scene,
    actions_without_row,
    cells,
    document,
)
from server.floor_rig import PASSWORD, PEOPLE, QUICK, FloorRig, a_floor, add_person, done
from table.rig import wide_limits

MANY = InputLimits(rate=1_000_000, burst=1_000_000)
NO_SUCH_ROUND = 999_999
"""Whoever may do something is told that it is meant for another round. A table finds that after it has judged
who may, and before anything happens: so each cell is asked of the same table."""

ACTING = {"dealer": "dee", "pit-supervisor": "sue", "pit-manager": "max", "shift-manager": "shi"}
SIGNING = {"dealer": "dan", "pit-supervisor": "sam", "pit-manager": "may", "shift-manager": "sid"}
AT_ONCE = 15

CLAUSES = [
    pytest.param("mbs-roulette", marks=clause("mbs-roulette:3.3", "mbs-roulette:6.2")),
    pytest.param("rws-roulette-00", marks=clause("rws-roulette-00:1.5", "rws-roulette-00:3.4")),
    pytest.param("rws-roulette-000", marks=clause("rws-roulette-000:1.5", "rws-roulette-000:3.4")),
    pytest.param("rws-money-wheel", marks=clause("rws-money-wheel:1.5", "rws-money-wheel:5.10")),
]


async def a_table(rig: FloorRig, book: str) -> Scene:
    """A table in its second round: a seat with a bet, one whose terminal is lost, one that is locked."""
    live = await rig.open_table("R1", book, seats=4, voucher_limit_cents=1_000, answers_kept=1_000)
    runner, numbers = live.runner, itertools.count(1)
    rules = runner.rules

    async def do(position: str, command: c.Do, seat: str | None = None) -> None:
        actor = Actor(id=f"{position}/{seat}", position=position, seat=seat)
        reply = await runner.submit(Ask(actor, command, "made-ready", next(numbers)))
        assert reply.rejection is None, reply.rejection

    bet, other = [*rules.layout.bets][:2]
    for seat in (SEAT, LOST, LOCKED):
        await do("player", c.BuyCredits(seat=seat, cents=10_000), seat)
    result, stakes = rules.book.wheel.order[0], (c.Stake(bet, 500),)
    for number in (1, 2):
        await do("dealer", c.OpenRound())
        await do("player", c.PlaceBets(seat=SEAT, stakes=stakes), SEAT)
        if number == 1:
            for command in (c.CloseBets(), c.StartSpin(), c.EnterResult(result=result)):
                await do("dealer", command)
            await do("dealer", c.ConfirmResult(result=result))
    await do(SYSTEM, c.LoseSeat(seat=LOST))
    await do("player", c.CashOut(seat=LOCKED, voucher=voucher_number_of(4)), LOCKED)
    await do("player", c.BuyCredits(seat="2", cents=100), "2")
    await do("player", c.CashOut(seat="2", voucher=VOUCHER), "2")
    state = runner.state
    assert (state.round_number, state.kept[1].phase) == (2, "settled")
    assert (state.seats[LOST].lost, state.seats[LOCKED].lock) == (True, "attendant-pay")
    instead = rules.book.wheel.order[1]
    return Scene(rules.seat_kinds[0], bet, other, instead, "interference", wide_limits(rules))


async def come_in(rig: FloorRig, stack: AsyncExitStack) -> dict[str, Connection]:
    """A connection for each actor, at a screen or a device of its own."""
    hasher = Hasher(QUICK.hash_cost, 1, 10)
    for position, name in SIGNING.items():
        if name not in PEOPLE:
            await add_person(rig.floor, hasher, name, position)
    hasher.close()
    await rig.floor.access.refresh()
    made = {
        OWN: await rig.seat(SEAT),
        OTHER: await rig.seat("2"),
        WHEEL: Connection(rig.socket_url, await rig.token("wheel", "R1", None), "wheel"),
        **{position: await rig.console(name) for position, name in ACTING.items()},
    }
    return {actor: await stack.enter_async_context(each) for actor, each in made.items()}


def chunks(every: list[Cell]) -> Iterator[list[Cell]]:
    """So many at once that none is forgotten before it is answered."""
    for start in range(0, len(every), AT_ONCE):
        yield every[start : start + AT_ONCE]


@pytest.mark.parametrize("book", CLAUSES)
@played
async def test_every_cell_is_answered_as_the_book_says(tmp_path: Path, book: str) -> None:
    wrong = []
    async with a_floor(tmp_path, input_limits=MANY) as rig, AsyncExitStack() as stack:
        scene = await a_table(rig, book)
        lines = await come_in(rig, stack)
        runner, numbers = rig.floor.tables["R1"].runner, itertools.count(1)
        before = await runner.consistent_state()
        was = (before.seats, before.balances, before.round, before.kept, before.limits, before.open)
        asked = [*cells(load_book(book))]

        async def code(row: Row, actor: str, second: str | None) -> str:
            signed = None if second is None else Second(name=SIGNING[second], password=PASSWORD)
            answer = await lines[actor].repeat(next(numbers), row.do(scene), signed, NO_SUCH_ROUND)
            found = "carried out" if answer.refused is None else answer.refused.code
            return ALLOWED if found == "another-round" else found

        for some in chunks(asked):
            found = await asyncio.gather(*(code(row, actor, second) for row, actor, second, _ in some))
            for (row, actor, second, answer), is_now in zip(some, found, strict=True):
                if is_now != answer:
                    wrong.append(f"{row.name} by {actor} with {second}: {is_now}, and it has to be {answer}")
        after = await runner.consistent_state()
        assert (after.seats, after.balances, after.round, after.kept, after.limits, after.open) == was
    assert wrong == [], "\n".join(wrong)
    assert {answer for *_, answer in asked} == {ALLOWED, *AUTHORITY_CODES}


@pytest.mark.parametrize("book", BOOKS)
def test_every_action_of_a_book_and_every_command_of_the_protocol_has_its_cells(book: str) -> None:
    scene = Scene("place", "red", "black", "7", "ball-out", None)  # type: ignore[arg-type]  # no limits are read

    assert actions_without_row(load_book(book)) == set()
    assert {type(row.do(scene)) for row in ROWS} == {*get_args(Do)}
    assert {row.action for row in ROWS if ":" not in row.action} <= {*ACTIONS}
    assert RANKS == POSITIONS


def test_the_document_is_what_the_books_say() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), "write it: python -m server.authority_cells"


@clause("mbs-roulette:1.1.1", "mbs-roulette:3.3")
@played
async def test_a_players_own_acts_are_carried_out_at_the_terminal_and_nowhere_else(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        stakes = (c.Stake("red", 500),)
        async with await rig.seat("1") as seat, await rig.console("shi") as console:
            await done(console, c.BuyCredits(seat="1", cents=2_000))
            await done(console, c.OpenRound())
            beside = Second(name="sue", password=PASSWORD)
            for do in (
                c.PlaceBets(seat="1", stakes=stakes),
                c.TakeBets(seat="1", stakes=stakes),
                c.PlaceBets(seat="1", stakes=stakes),
                c.MoveBet(seat="1", source="red", destination="black", cents=500),
                c.ClearBets(seat="1"),
            ):
                assert (await console.send(do, beside)).refused.code == "players-own-act"
                await done(seat, do)
            await done(console, c.CloseBets())


@played
async def test_nobody_but_the_player_of_the_seat_is_told_what_a_voucher_is(tmp_path: Path) -> None:
    async with a_floor(tmp_path) as rig:
        await rig.open_table()
        redeem = c.BuyCredits(seat="1", cents=100, voucher=voucher_number_of(99))
        async with await rig.seat("1") as seat, await rig.seat("2") as other, await rig.console() as console:
            assert (await console.send(redeem)).refused.code == "players-own-act"
            assert (await other.send(redeem)).refused.code == "not-your-seat"
            assert (await seat.send(redeem)).refused.code == "voucher-unknown"

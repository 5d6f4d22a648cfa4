"""What screens are told to show players: the words of the book as they are, and the clause behind them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from clauses import clause
from croupier.client import Connection
from croupier.floor import Ask
from croupier.protocol.book_view import book_view
from croupier.protocol.views import ShownNotice
from croupier.rulebook import load_book
from croupier.table import SYSTEM, Actor
from croupier.table import commands as c
from floor.sim_live import played
from server.floor_rig import FloorRig, a_floor

ROULETTES = ("mbs-roulette", "rws-roulette-00", "rws-roulette-000")
SELF = Actor(id="system", position=SYSTEM)
BOOKS = (*ROULETTES, "rws-money-wheel")
RESULTS = dict(zip(BOOKS, ("17", "00", "000", "20"), strict=True))

APPROVED = {
    "mbs-roulette": {
        "open": ("Place your bets, please", "3.1"),
        "closed": ("No more bets", "3.2"),
        "result": ("17 wins", "3.8"),
        "no-spin": ("No spin: a coin. All bets are returned", "5.15"),
    },
    "rws-roulette-00": {
        "open": ("Place your bets", "3.2"),
        "closed": ("No More Bets", "3.5"),
        "result": ("00 wins", "3.7"),
        "void": ("Round 2 is void: Ball left the wheel: a coin. All bets are returned", "5.9"),
    },
    "rws-roulette-000": {
        "open": ("Place your bets", "3.2"),
        "closed": ("No More Bets", "3.5"),
        "result": ("000 wins", "3.7"),
        "void": ("Round 2 is void: Ball left the wheel: a coin. All bets are returned", "5.9"),
    },
    "rws-money-wheel": {
        "open": ("Place your Bets, please", "3.2"),
        "closed": ("No more Bets", "3.6"),
        "result": ("SGD 20 wins", "3.8"),
        "void": (
            "Round 2 is void: Somebody interfered while the wheel was turning: a coin. All bets are returned",
            "5.9",
        ),
    },
}
"""By book and step, the words that rest on a clause, and the clause."""

OURS = {
    "warning": "Last bets: 5 seconds",
    "spinning": "The ball is rolling",
    "settled": "Bets are settled",
    "interrupted": "Play is interrupted: please wait",
    "last-round": "Last round: the table closes after it",
    "table-closed": "This table is closed",
}
"""Words that no text gives, the same in every book but for the Money Wheel, which has no ball."""


class Shown:
    """A display that notes which notices stood there, one batch after the other."""

    def __init__(self, rig: FloorRig, display: Connection) -> None:
        self._rig = rig
        self._display = display
        self._number = 0
        self.all: list[tuple[ShownNotice, ...]] = []

    async def after(self, *commands: Any) -> Sequence[tuple[str, str]]:
        """What stands there once the last of these has been told: each step with its words."""
        for do in commands:
            await self._rig.do("R1", do)
            await self._look()
        return [(each.step, each.text) for each in self.all[-1]]

    async def after_the_system(self, do: Any) -> Sequence[tuple[str, str]]:
        """The same once the table has done something by itself."""
        self._number += 1
        runner = self._rig.floor.tables["R1"].runner
        reply = await runner.submit(Ask(SELF, do, SELF.id, self._number))
        assert reply.rejection is None, reply.rejection
        await self._look()
        return [(each.step, each.text) for each in self.all[-1]]

    async def _look(self) -> None:
        last = self._rig.floor.tables["R1"].hub.sequence
        await self._display.until(lambda seen: seen.sequence >= last)
        self.all.append(self._display.table.notices)


def words(name: str, step: str) -> tuple[str, str]:
    """A step of a book with the words that players read."""
    if step in APPROVED[name]:
        return step, APPROVED[name][step][0]
    is_wheel = name == "rws-money-wheel" and step == "spinning"
    return step, "The wheel is turning" if is_wheel else OURS[step]


@played
@pytest.mark.parametrize("name", BOOKS)
@clause("mbs-roulette:3.1", "mbs-roulette:3.2", "mbs-roulette:3.7", "mbs-roulette:3.8", "mbs-roulette:5.15")
@clause("rws-roulette-00:3.2", "rws-roulette-00:3.5", "rws-roulette-000:3.2", "rws-roulette-000:3.5")
@clause("rws-money-wheel:3.2", "rws-money-wheel:3.6", "rws-money-wheel:3.8", "rws-money-wheel:5.6")
async def test_the_notices_sent_are_the_words_of_the_book(tmp_path: Path, name: str) -> None:
    result = RESULTS[name]

    def now(*steps: str) -> list[tuple[str, str]]:
        return [words(name, step) for step in steps]

    async with a_floor(tmp_path) as rig:
        await rig.open_table(book=name)
        async with await rig.display() as display:
            shown = Shown(rig, display)
            assert await shown.after(c.OpenRound()) == now("open")
            assert await shown.after_the_system(c.WarnClosing()) == now("open", "warning")
            assert await shown.after(c.CloseBets()) == now("closed")
            # Bets stay closed while the ball rolls, and that is what stands first.
            assert await shown.after(c.StartSpin()) == now("closed", "spinning")
            assert await shown.after(c.EnterResult(result=result)) == now("closed", "spinning")
            # The words of the result stay for as long as it is the last thing that happened.
            assert await shown.after(c.ConfirmResult(result=result)) == now("result", "settled")
            await shown.after(c.OpenRound(), c.CloseBets(), c.StartSpin())
            if name == "mbs-roulette":
                assert await shown.after(c.CallNoSpin(reason="a coin")) == now("no-spin")
            else:
                cause = "interference" if name == "rws-money-wheel" else "ball-out"
                declared = c.DeclareIrregularity(cause=cause, note="a coin")
                assert await shown.after(declared) == now("void")
            assert await shown.after(c.OpenRound()) == now("open")
            assert await shown.after_the_system(c.HaltTable(reason="x")) == now("interrupted")
            assert await shown.after(c.ResumeTable(reason="x")) == now("open")
            assert await shown.after(c.CloseBets(), c.AnnounceLastRound()) == now("closed", "last-round")

            seen = {(each.step, each.text, each.clause) for notices in shown.all for each in notices}
            assert {notice for notice in seen if notice[2] is not None} == {
                (step, text, f"{name}:{cited}") for step, (text, cited) in APPROVED[name].items()
            }


@pytest.mark.parametrize("name", BOOKS)
def test_the_book_says_which_of_its_notices_rest_on_a_clause(name: str) -> None:
    notices = book_view(load_book(name)).notices
    cited = {step: notice.clause for step, notice in notices.items() if notice.clause is not None}
    assert cited == {step: f"{name}:{number}" for step, (_, number) in APPROVED[name].items()}
    for step, text in OURS.items():
        is_wheel = name == "rws-money-wheel" and step == "spinning"
        shown = "The wheel is turning" if is_wheel else text
        assert notices[step].text.format(seconds=5) == shown

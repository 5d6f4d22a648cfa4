"""Who may do what, cell by cell: derived from the [authority] table of each book and a few special cases.

Nothing here asks the table's own rules. `test_authority_matrix.py` asks a live table every cell, and holds
`docs/authority.md` to it.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from croupier.floor.cage.numbers import voucher_number_of
from croupier.protocol.asking import CashOut
from croupier.rulebook import Book, load_book
from croupier.table import commands as c
from croupier.table.settings import Limits

DOCUMENT: Final = Path(__file__).parents[2] / "docs" / "authority.md"
BOOKS: Final = ("mbs-roulette", "rws-roulette-00", "rws-roulette-000", "rws-money-wheel")
RANKS: Final = ("dealer", "pit-supervisor", "pit-manager", "shift-manager")
"""The positions of the house, from the lowest."""
OWN, OTHER, WHEEL = "player", "player at another seat", "wheel"
ACTORS: Final = (OWN, OTHER, *RANKS, WHEEL)
SECONDS: Final = (None, *RANKS)

SEAT, LOST, LOCKED = "1", "3", "4"
"""A seat with credits and a bet, one whose terminal is lost, and one that is locked."""

VOUCHER: Final = voucher_number_of(8)
"""The number of a voucher of 1.00 that is outstanding."""

ALLOWED: Final = "allowed"
AUTHORITY_CODES: Final = (
    "not-in-this-game",
    "not-allowed",
    "not-your-seat",
    "players-own-act",
    "second-person",
)
"""What a cell that is not allowed may answer."""


class Scene(NamedTuple):
    """What a command needs to know of the table it is given to."""

    kind: str
    """A kind of seat."""
    bet: str
    other: str
    result: str
    cause: str
    limits: Limits


class Row(NamedTuple):
    """One thing that can be done, and the action of the book that it is."""

    name: str
    do: Callable[[Scene], Any]
    """The command, by a table's own words."""
    action: str
    """The action of the book; for the staff there may be another."""
    for_staff: str | None = None
    """The action that it is where staff do it, if the book has that one."""
    also: tuple[str, ...] = ()
    """What it is as well: the same people have to be allowed that too."""
    seat: str | None = None
    """The seat that it is about."""
    witness: Callable[[Book], bool] = lambda book: False
    """Whether a second employee has to be there, whatever the book says."""


def _has_places(book: Book) -> bool:
    """Whether players sit at places without a terminal."""
    return not book.terminals


def _stake(scene: Scene) -> tuple[c.Stake, ...]:
    return (c.Stake(scene.bet, 100),)


def _bet(name: str, do: Callable[[Scene], Any]) -> Row:
    return Row(name, do, "place-bets", for_staff="place-for-player", seat=SEAT)


ROWS: Final = (
    Row("open the table", lambda scene: c.OpenTable(), "open-table"),
    Row("announce the last round", lambda scene: c.AnnounceLastRound(), "announce-last-round"),
    Row("close the table", lambda scene: c.CloseTable(), "close-table"),
    Row("resume a halted table", lambda scene: c.ResumeTable(reason="Looked at."), "resume-table"),
    Row(
        "change limits",
        lambda scene: c.ChangeLimits(limits=scene.limits, reason="A new day."),
        "change-limits",
    ),
    Row("open a seat", lambda scene: c.OpenSeat(seat="9", kind=scene.kind), "manage-seats", seat="9"),
    Row("close a seat", lambda scene: c.CloseSeat(seat=SEAT), "manage-seats", seat=SEAT),
    Row(
        "buy credits with cash",
        lambda scene: c.BuyCredits(seat=SEAT, cents=100),
        "buy-credits",
        for_staff="sell-credits",
        seat=SEAT,
    ),
    Row(
        "redeem a voucher",
        lambda scene: c.BuyCredits(seat=SEAT, cents=100, voucher=VOUCHER),
        "buy-credits",
        seat=SEAT,
    ),
    Row("cash out", lambda scene: CashOut(seat=SEAT), "cash-out", seat=SEAT),
    Row(
        "pay a seat by hand",
        lambda scene: c.PayByAttendant(seat=SEAT),
        "pay-by-attendant",
        seat=SEAT,
        witness=_has_places,
    ),
    Row(
        "pay a locked seat by hand",
        lambda scene: c.PayByAttendant(seat=LOCKED),
        "pay-by-attendant",
        also=("clear-lock-up",),
        seat=LOCKED,
        witness=_has_places,
    ),
    Row(
        "pay a lost terminal by hand",
        lambda scene: c.PayByAttendant(seat=LOST),
        "pay-by-attendant",
        seat=LOST,
        witness=lambda book: True,
    ),
    Row("release a locked seat", lambda scene: c.ClearLockUp(seat=LOCKED), "clear-lock-up", seat=LOCKED),
    _bet("place bets", lambda scene: c.PlaceBets(seat=SEAT, stakes=_stake(scene))),
    _bet("take bets off", lambda scene: c.TakeBets(seat=SEAT, stakes=_stake(scene))),
    _bet(
        "move a bet",
        lambda scene: c.MoveBet(seat=SEAT, source=scene.bet, destination=scene.other, cents=100),
    ),
    _bet("clear all bets", lambda scene: c.ClearBets(seat=SEAT)),
    Row("reject what is over a maximum", lambda scene: c.RejectExcess(bet=scene.bet), "reject-bets"),
    Row(
        "advise a player of a minimum",
        lambda scene: c.AdviseMinimum(seat=SEAT, bet=scene.bet),
        "reject-bets",
        seat=SEAT,
    ),
    Row("open a round", lambda scene: c.OpenRound(), "open-round"),
    Row("close bets", lambda scene: c.CloseBets(), "close-bets"),
    Row("start the spin", lambda scene: c.StartSpin(), "spin"),
    Row("finish the spin", lambda scene: c.FinishSpin(), "spin"),
    Row("enter a result", lambda scene: c.EnterResult(result=scene.result), "enter-result"),
    Row("confirm a result", lambda scene: c.ConfirmResult(result=scene.result), "confirm-result"),
    Row("call no spin", lambda scene: c.CallNoSpin(reason="A glass fell."), "call-no-spin"),
    Row(
        "declare an irregularity",
        lambda scene: c.DeclareIrregularity(cause=scene.cause),
        "declare-irregularity",
    ),
    Row(
        "declare one of settled rounds and the running one",
        lambda scene: c.DeclareIrregularity(cause=scene.cause, rounds=(1,)),
        "void-settled-rounds",
        also=("declare-irregularity",),
    ),
    Row(
        "correct a result before its settlement",
        lambda scene: c.CorrectResult(round=2, result=scene.result, reason="Misread."),
        "correct-result",
    ),
    Row(
        "correct a settled result",
        lambda scene: c.CorrectResult(round=1, result=scene.result, reason="Misread."),
        "correct-settled-result",
    ),
    Row(
        "settle what a correction left open",
        lambda scene: c.SettleCarried(round=1, seat=SEAT, how="paid", cents=100, reason="Receipt 8."),
        "correct-settled-result",
        seat=SEAT,
    ),
    Row("state an outcome", lambda scene: c.StateOutcome(result=None), "state-outcome"),
    Row(
        "decide what no rule covers",
        lambda scene: c.Decide(ruling="none", reason="Nothing follows.", round=1),
        "decide",
    ),
    Row("call an attendant", lambda scene: c.CallAttendant(seat=SEAT), "floor:call-attendant", seat=SEAT),
    Row("answer a call", lambda scene: c.AnswerCall(seat=SEAT), "floor:answer-call", seat=SEAT),
    Row("report a wheel's fault", lambda scene: c.ReportWheel(fault="line-lost"), "wheel:report"),
    Row("commit a spin", lambda scene: c.CommitSpin(commitment="ab" * 32), "wheel:commit"),
    Row("open a commitment", lambda scene: c.OpenCommitment(round=1, opening="7"), "wheel:open"),
)
"""Everything that the protocol lets a client ask for; a command that is several things has several rows."""

BY_WHEEL: Final = frozenset({"close-bets", "spin", "enter-result", "declare-irregularity"})
"""What a wheel with sensors does of what people do as well."""


def expected(book: Book, row: Row, actor: str, second: str | None) -> str:
    """What a table of that book has to answer: `allowed`, or the code of the refusal."""
    staff = actor in RANKS
    action = row.for_staff if staff and row.for_staff in book.authority else row.action
    if action.startswith("floor:"):
        return _call(row, actor)
    if action.startswith("wheel:"):
        return ALLOWED if actor == WHEEL else "not-allowed"
    if action not in book.authority:
        return "not-in-this-game"
    if actor == WHEEL:
        return ALLOWED if action in BY_WHEEL else "not-allowed"
    if book.authority[action].position == "player":
        return _own_act(row, actor, second)
    if not staff:
        return "not-allowed"
    return _of_the_house(book, row, (action, *row.also), actor, second)


def _call(row: Row, actor: str) -> str:
    """No book speaks of calls: a player makes and ends the own one, and any employee does both."""
    if actor == WHEEL:
        return "not-allowed"
    return "not-your-seat" if actor == OTHER else ALLOWED


def _own_act(row: Row, actor: str, second: str | None) -> str:
    """The player of the seat does it, with nobody beside."""
    if actor == OTHER:
        return "not-your-seat"
    return ALLOWED if actor == OWN and second is None else "players-own-act"


def _of_the_house(book: Book, row: Row, actions: tuple[str, ...], actor: str, second: str | None) -> str:
    """One of the people holds the position of each action, and there are two where an action takes two."""
    highest = max(RANKS.index(who) for who in (actor, second) if who is not None)
    if any(highest < RANKS.index(book.authority[action].position) for action in actions):
        return "not-allowed"
    takes_two = row.witness(book) or any(book.authority[action].people == 2 for action in actions)
    return "second-person" if takes_two and second is None else ALLOWED


Cell = tuple[Row, str, str | None, str]
"""A row, who acts, the position of the second person, and the answer."""


def cells(book: Book) -> Iterator[Cell]:
    """Every cell of a book with what it has to answer; a wheel has nobody to sign beside it."""
    for row in ROWS:
        for actor in ACTORS:
            for second in SECONDS if actor != WHEEL else (None,):
                yield row, actor, second, expected(book, row, actor, second)


def actions_without_row(book: Book) -> set[str]:
    """Actions of a book that no row asks for."""
    asked = {action for row in ROWS for action in (row.action, row.for_staff, *row.also)}
    return {*book.authority} - asked


_MARKS: Final[Mapping[str, str]] = {
    ALLOWED: "yes",
    "not-allowed": "-",
    "not-your-seat": "-",
    "players-own-act": "player's own",
    "not-in-this-game": "not in this game",
}


def mark(book: Book, row: Row, actor: str) -> str:
    """A cell for people: what the actor may alone, or with whom."""
    alone = expected(book, row, actor, None)
    if alone == ALLOWED or actor not in RANKS:
        return _MARKS[alone]
    with_whom = next((second for second in RANKS if expected(book, row, actor, second) == ALLOWED), None)
    return _MARKS[alone] if with_whom is None else f"with a {with_whom.replace('-', ' ')}"


_HEAD: Final = """\
# Who may do what

Each book says who may do what. This page is made from the books. A test asks a running table every cell of
it, with no second person and with one of each position.

The positions of the house rank among themselves: a higher one may do what a lower one may. The player is none
of them. What is the player's own is done by the player of that seat alone, at the terminal.

| cell | means |
|---|---|
| yes | may do it alone |
| with a pit manager | may do it if a pit manager, or a higher position, signs beside |
| player's own | only the player of the seat does this |
| - | may not do it, whoever signs beside |

A table may ask for two people where its book does not ([configuration](configuration.md), `two_people`).
These special cases stand in no book:

- Credits of a lost terminal, and of a place that has no terminal, are paid by hand by two employees.
- Paying a locked seat by hand takes the position that releases it.
- Declaring an irregularity of settled rounds and the running one takes the positions of both.
- What a correction left open is settled by those who may correct a settled result.
- A player calls an attendant and withdraws the own call; any employee calls and answers."""


def document() -> str:
    """The document `docs/authority.md`."""
    lines = [*_HEAD.splitlines()]
    for name in BOOKS:
        book = load_book(name)
        lines += ["", f"## {book.title} (`{name}`)", ""]
        lines.append("| | " + " | ".join(_heading(actor) for actor in ACTORS) + " |")
        lines.append("|---|" + "---|" * len(ACTORS))
        for row in ROWS:
            marks = [mark(book, row, actor) for actor in ACTORS]
            if {*marks} == {"not in this game"}:
                continue
            lines.append(f"| {row.name} | " + " | ".join(marks) + " |")
    return "\n".join(lines) + "\n"


def _heading(actor: str) -> str:
    return actor.replace("-", " ")


if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")

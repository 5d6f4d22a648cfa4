"""The terms of a session on the command line: bets, money, limits, and the system that is played."""

import argparse
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from croupier.cli.command import add_book, add_layout
from croupier.cli.lab_own import MARK, load_system
from croupier.cli.lab_parameters import build
from croupier.cli.tables import counted
from croupier.rulebook import BadInput, Book, Layout, get_layout, load_book, parse_cents, show_amount

if TYPE_CHECKING:
    from croupier.lab import Session, Slip, System

BEYOND: Final = ("stop", "cap", "restart")
ROUNDS: Final = 1000
TERMS_USAGE: Final = (
    "--bankroll AMOUNT [--goal AMOUNT] [--stop AMOUNT] [--rounds N] [--unit AMOUNT] [--bet ID[=AMOUNT] ...] "
    "[--minimum AMOUNT] [--maximum AMOUNT] [--beyond stop|cap|restart]"
)


def read_slip(book: Book, felt: Layout, texts: Iterable[str], unit_cents: int | None = None) -> "Slip":
    """The slip that ID=AMOUNT words describe; a bet without an amount has one unit on it."""
    from croupier.lab import place_slip

    stakes: dict[str, int] = {}
    for text in texts:
        name, equals, amount = text.partition("=")
        if not equals and unit_cents is None:
            raise BadInput(
                "bet-without-amount",
                f"{text!r} names no amount.",
                "Write ID=AMOUNT, for example red=5 or split:17/20=2.50.",
            )
        cents = parse_cents(amount) if equals or unit_cents is None else unit_cents
        if cents == 0:
            raise BadInput("amount-zero", f"{text!r} stakes nothing.", "Write an amount of 0.01 or more.")
        stakes[name] = stakes.get(name, 0) + cents
    return place_slip(book, stakes, felt)


def read_system(
    args: argparse.Namespace, book: Book, felt: Layout, name: str, settings: list[str]
) -> "System":
    """A system by name, or one's own as FILE.py:NAME, on the bets that were named."""
    from croupier.lab import SYSTEMS
    from croupier.lab.systems import default_bet

    if args.bet and name in SYSTEMS and SYSTEMS[name].own_bets:
        raise BadInput(
            "system-chooses-bets", f"{name} chooses its bets itself.", "Leave --bet out; --unit is its chip."
        )
    unit = parse_cents(args.unit)
    slip = read_slip(book, felt, args.bet or [default_bet(felt)], unit)
    if MARK in name:
        if settings:
            raise BadInput(
                "own-system-set", "A system of your own has nothing to set.", "Set it inside its file."
            )
        return load_system(name, slip)
    return build(name, settings, book, felt, slip)


def read_session(args: argparse.Namespace, system: "System") -> "Session":
    """The terms of the command line around a system."""
    from croupier.lab import Limits, Session

    return Session(
        system=system,
        bankroll_cents=parse_cents(args.bankroll),
        rounds=args.rounds,
        goal_cents=_amount(args.goal),
        stop_cents=_amount(args.stop),
        limits=Limits(
            minimum_cents=parse_cents(args.minimum),
            maximum_cents=_amount(args.maximum),
            beyond=args.beyond,
        ),
    )


def read_one(args: argparse.Namespace) -> tuple[Book, Layout, "Session"]:
    """Book, layout and session of a command that is about one system."""
    book = load_book(args.book)
    felt = get_layout(book, args.layout)
    system = read_system(args, book, felt, args.system, args.set)
    return book, felt, read_session(args, system)


def describe(book: Book, felt: Layout, session: "Session") -> str:
    """The terms in a line, for the head of a table."""
    parts = [f"bankroll {show_amount(session.bankroll_cents)} {book.currency}"]
    if session.goal_cents is not None:
        parts.append(f"goal {show_amount(session.goal_cents)}")
    if session.stop_cents is not None:
        parts.append(f"stop {show_amount(session.stop_cents)}")
    if session.limits.maximum_cents is not None:
        parts.append(f"maximum {show_amount(session.limits.maximum_cents)} ({session.limits.beyond})")
    parts.append(f"at most {counted(session.rounds, 'round')}")
    return f"{book.id} ({book.title}), layout {felt.id}: {', '.join(parts)}"


def describe_unit(system: "System") -> str:
    """What one unit of a system is."""
    if len(system.slips) > 1:
        return f"a unit of {show_amount(system.slips[0].staked_cents)} on one of {len(system.slips)} slips"
    stakes = system.slips[0].stakes_cents.items()
    return "a unit is " + ", ".join(f"{show_amount(stake)} on {bet}" for bet, stake in stakes)


def terms_json(book: Book, felt: Layout, session: "Session") -> dict[str, object]:
    """The terms for programs."""
    limits = session.limits
    return {
        "book": book.id,
        "layout": felt.id,
        "bankroll_cents": session.bankroll_cents,
        "goal_cents": session.goal_cents,
        "stop_cents": session.stop_cents,
        "rounds": session.rounds,
        "minimum_cents": limits.minimum_cents,
        "maximum_cents": limits.maximum_cents,
        "beyond": limits.beyond,
    }


def system_json(system: "System") -> dict[str, object]:
    """A system and its unit for programs."""
    return {
        "system": system.name,
        "unit_cents": [dict(slip.stakes_cents) for slip in system.slips],
    }


def add_terms(parser: argparse.ArgumentParser) -> None:
    """What every session is played on."""
    add_book(parser)
    add_layout(parser)
    parser.add_argument("--bankroll", metavar="AMOUNT", required=True, help="the money that is brought")
    parser.add_argument("--goal", metavar="AMOUNT", help="the bankroll at which the player leaves")
    parser.add_argument("--stop", metavar="AMOUNT", help="the bankroll at or under which the player leaves")
    parser.add_argument(
        "--rounds", metavar="N", type=int, default=ROUNDS, help=f"the most rounds ({ROUNDS}, where not named)"
    )
    parser.add_argument("--unit", metavar="AMOUNT", default="1", help="the unit (1.00, where not named)")
    parser.add_argument(
        "--bet",
        metavar="ID[=AMOUNT]",
        nargs="+",
        action="extend",
        help="what a unit is staked on, one unit where no amount stands (an even bet, where not named)",
    )
    parser.add_argument("--minimum", metavar="AMOUNT", default="0.01", help="the least on a single bet")
    parser.add_argument(
        "--maximum", metavar="AMOUNT", help="the most on a single bet (none, where not named)"
    )
    parser.add_argument(
        "--beyond",
        choices=BEYOND,
        default=BEYOND[0],
        help="when the system asks for more than the maximum: leave, stake the maximum, or begin anew",
    )


def add_system(parser: argparse.ArgumentParser) -> None:
    """The one system that a session is played with."""
    parser.add_argument(
        "--system", metavar="NAME", required=True, help="a name from 'croupier lab systems', or FILE.py:NAME"
    )
    parser.add_argument(
        "--set", metavar="KEY=VALUE", nargs="+", action="extend", default=[], help="a parameter of the system"
    )


def _amount(text: str | None) -> int | None:
    return None if text is None else parse_cents(text)

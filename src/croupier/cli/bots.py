"""Bots that play a table of a running floor, over the real protocol, with a live view and a report."""

import argparse
import asyncio
import getpass
import os
import sys
import time
from typing import TYPE_CHECKING, Final

from croupier.cli.command import Command, Output, add_json, as_json
from croupier.rulebook import BadInput

if TYPE_CHECKING:
    from croupier.client.crew import Crew

MOST_SEATS: Final = 2000
PASSWORD_VARIABLE: Final = "CROUPIER_PASSWORD"


def _arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--table", required=True, metavar="T", help="the table to play at")
    parser.add_argument("--seats", type=int, default=8, metavar="N", help="how many bots play (8)")
    parser.add_argument("--url", default="http://127.0.0.1:8000", metavar="URL", help="where the floor is")
    parser.add_argument("--name", default="supervisor", help="a pit supervisor, who enrols the terminals")
    parser.add_argument("--seconds", type=float, default=60, metavar="S", help="for how long (60)")
    parser.add_argument(
        "--think", type=float, default=5.0, metavar="S", help="longest pause before a bet (5)"
    )
    add_json(parser)


def _run(args: argparse.Namespace) -> Output:
    if not 1 <= args.seats <= MOST_SEATS:
        raise BadInput("bad-seats", f"{args.seats} bots cannot play; use 1 to {MOST_SEATS}.")
    if not 0 < args.seconds <= 86_400:
        raise BadInput("bad-seconds", f"Bots cannot play for {args.seconds} seconds; use up to 86400.")
    return asyncio.run(_play(args))


def _password() -> str:
    given = os.environ.get(PASSWORD_VARIABLE)
    if given is not None:
        return given
    if sys.stdin is not None and sys.stdin.isatty():
        return getpass.getpass("Password: ")
    return "" if sys.stdin is None else sys.stdin.readline().rstrip("\n")


async def _play(args: argparse.Namespace) -> Output:
    from httpx import HTTPError, InvalidURL

    from croupier.client.api import ApiRefused
    from croupier.client.connection import Ended
    from croupier.client.crew import Crew, Person

    crew = Crew(args.url, args.table)
    person = Person(name=args.name, password=_password())
    began = time.monotonic()
    try:
        seats = [str(number) for number in range(1, args.seats + 1)]
        await crew.seat_bots(person, seats, think_seconds=args.think)
        began = time.monotonic()
        while (gone := time.monotonic() - began) < args.seconds:
            _show(crew, gone)
            await asyncio.sleep(min(0.5, args.seconds - gone))
    except (ApiRefused, Ended) as refusal:
        raise BadInput(refusal.code, refusal.sentence) from refusal
    except (HTTPError, InvalidURL) as error:
        raise BadInput(
            "no-floor", f"There is no floor at {args.url}: {error}.", "Start one first."
        ) from error
    finally:
        await crew.stop()
        if sys.stderr is not None and sys.stderr.isatty():
            print(file=sys.stderr)
    report = _report(crew, time.monotonic() - began)
    return Output(text=as_json(report) if args.json else _table(report))


def _show(crew: "Crew", seconds: float) -> None:
    """One line that is written over and over, where somebody looks."""
    if sys.stderr is None or not sys.stderr.isatty():
        return
    seen = crew.bots[0].connection.table if crew.bots else None
    notice = "" if seen is None else seen.notice
    line = f"{seconds:5.0f} s  {len(crew.bots)} bots  {crew.bets_registered} bets  {notice[:40]:40}"
    print(f"\r{line}", end="", file=sys.stderr, flush=True)


def _report(crew: "Crew", seconds: float) -> dict[str, object]:
    wrong = [
        bot.seat
        for bot in crew.bots
        if bot.connection.seat is not None and bot.connection.seat.credits_cents != bot.books_cents
    ]
    return {
        "table": crew.table,
        "seats": len(crew.bots),
        "seconds": round(seconds, 1),
        "bets": crew.bets_registered,
        "commands": crew.latencies.count,
        "refused": crew.refusals(),
        "reconnects": sum(bot.connection.reconnects for bot in crew.bots),
        "answer_ms": {
            name: round(1000 * crew.latencies.percentile(percent), 2)
            for name, percent in (("p50", 50), ("p90", 90), ("p99", 99))
        },
        "longest_ms": round(1000 * crew.latencies.longest, 2),
        "books_that_disagree": wrong,
    }


def _table(report: dict[str, object]) -> str:
    rows = [(name.replace("_", " "), value) for name, value in report.items()]
    width = max(len(name) for name, _ in rows)
    return "".join(f"{name:{width}}  {_shown(value)}\n" for name, value in rows)


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {item}" for key, item in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    return str(value)


BOTS: Final = Command(
    "bots",
    "--table T --seats N [--url URL] [--seconds S]",
    "play a table of a running floor with bots",
    _arguments,
    _run,
)

"""What happened, in words: every field of every event, in the order in which the event has them."""

import textwrap
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from croupier.rulebook import show_cents
from croupier.table import Event, Limits, Meters, Posting, Rejection, Settings, State, audience
from croupier.table.events import BetChange, CommandRefused, Line, RecalledSeat, RoundRecalled
from croupier.table.rejections import CODES
from golden.clock import show_time
from golden.setting_words import show_limits, show_settings

WIDTH: Final = 110
INDENT: Final = " " * 10
BELOW: Final = " " * 14
WORDS: Final[Mapping[str, Any]] = {"break_long_words": False, "break_on_hyphens": False}
"""Lines break between words only: ids and clauses stay whole."""

_TIED: Final = "\u00a0"
"""A space at which no line breaks."""
_QUOTED: Final = ("notice", "reason", "sentence", "detail")
_NOT_KNOWN: Final = ("ball", "wheel", "wheel_turning", "revolutions", "pocket")
"""Facts of a spin: None is something that nobody has seen, not something that is not there."""
_LEFT_OUT: Final = {
    "rotor_tenths_rpm": None,
    "diamond": None,
    "expires_ms": None,
    "length_known": True,
    "occasion": None,
    "sensor": None,
    "sensed": None,
    "against_sensor": False,
    "declared": None,
    "spun": False,
    "irregularity": None,
    "excess_clause": None,
    "layout": None,
}
_LEFT_OUT_OF = {("SeatUnlocked", "round")}
"""A fact of one kind of event of which nothing is said where it is None."""
"""Facts of which nothing is said where they are usual, or where a table by itself does not know them."""


def show_event(event: Event, book_sha256: str) -> list[str]:
    """An event with its facts, clause and audience, and below it settled bets and movements of money.

    >>> from croupier.table.events import SeatUnlocked
    >>> show_event(SeatUnlocked(seat="4"), "")
    ['          seat-unlocked  seat 4  (seat/4)']
    """
    if isinstance(event, CommandRefused):
        return _wrapped(f"REFUSED {event.command}  {_show_rejection(event.rejection)}")
    facts, below = [], []
    for field in msgspec.structs.fields(event):
        value = getattr(event, field.name)
        if field.name == "book_sha256":
            facts.append("hash of the book as it is now" if value == book_sha256 else f"hash {value}")
        elif isinstance(value, Settings):
            below += show_settings(value)
        elif field.name == "postings":
            below += _show_postings(value)
        elif _is_lines(value):
            below += [_show_line(field.name, line) for line in value]
        elif field.name == "named_rounds":
            facts += [f"named rounds {' '.join(map(str, value))}"] if value else []
        elif isinstance(event, RoundRecalled) and isinstance(value, tuple):
            below += [row for seat in value for row in _show_recalled(seat)]
        elif isinstance(value, tuple):
            facts += map(_show_change, value)
        elif (value is None and (type(event).__name__, field.name) in _LEFT_OUT_OF) or (
            field.name in _LEFT_OUT and value is _LEFT_OUT[field.name]
        ):
            continue
        elif field.name != "clause":
            facts.append(show_fact(field.name, value))
    parts = [str(event.__struct_config__.tag), _listed(facts)]
    if (clause := getattr(event, "clause", None)) is not None:
        parts.append(f"[{clause}]")
    if (seen_by := audience(event)) != "table":
        parts.append(f"({seen_by})")
    return [
        *_wrapped("  ".join(filter(None, parts))),
        *(row for line in below for row in _wrapped(line, BELOW)),
    ]


def show_refusal(rejection: Rejection) -> list[str]:
    """A refusal that leaves no trace in the table's history."""
    return _wrapped(f"REFUSED without a record  {_show_rejection(rejection)}")


def show_fact(name: str, value: Any) -> str:
    """One fact: its name in words, then its value in the words of people.

    >>> show_fact("limit_cents", 1000), show_fact("at_rest", False), show_fact("pocket", None)
    ('limit 10.00', 'at rest no', 'pocket not known')
    """
    words = name.removesuffix("_cents").removesuffix("_ms").replace("_", " ")
    if name == "cents":
        return f"amount {show_cents(value)}"
    if name == "rotor_tenths_rpm":
        return f"rotor {value / 10:.1f} rpm"
    if isinstance(value, Limits):
        return f"{words} {show_limits(value)}"
    return f"{words} {_show_value(name, value)}"


def _show_recalled(seat: RecalledSeat) -> Iterator[str]:
    facts = [show_fact(name, getattr(seat, name)) for name in seat.__struct_fields__ if name != "lines"]
    yield _listed(facts)
    yield from (_show_line("lines", line) for line in seat.lines)


def _show_value(name: str, value: Any) -> str:
    if value is None:
        return "not known" if name in _NOT_KNOWN else "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name.endswith("_cents"):
        return show_cents(value)
    if name.endswith("_ms"):
        return show_time(value)
    return f'"{value}"' if name in _QUOTED else str(value)


def _show_change(change: BetChange) -> str:
    sign = "+" if change.cents > 0 else ""
    piece = "" if change.announced is None else f" ({change.announced})"
    return f"{change.bet} {sign}{show_cents(change.cents)}{piece}"


def _is_lines(value: object) -> bool:
    return isinstance(value, tuple) and all(isinstance(item, Line) for item in value)


def _show_line(field: str, line: Line) -> str:
    before = "reversed: " if field == "reversed" else ""
    counted = (
        "" if line.counted_cents == line.stake_cents else f" counts as {show_cents(line.counted_cents)},"
    )
    ended = "won" if line.won else "lost" if line.counted_cents else "went back"
    returned = show_cents(line.returned_cents)
    clause = "" if line.clause is None else f"  [{line.clause}]"
    return f"{before}{line.bet} {show_cents(line.stake_cents)}{counted} {ended}, returned {returned}{clause}"


def _show_postings(postings: Iterable[Posting]) -> Iterator[str]:
    moved = [f"{posting.source} -> {posting.destination} {show_cents(posting.cents)}" for posting in postings]
    if moved:
        yield f"money: {_listed(moved)}"


def _show_rejection(rejection: Rejection) -> str:
    facts = _listed(show_fact(name, value) for name, value in rejection.facts.items())
    clause = "" if rejection.clause is None else f"[{rejection.clause}]"
    said = f'{CODES[rejection.code].kind} {rejection.code} "{rejection.sentence}"'
    return "  ".join(filter(None, (said, facts, clause)))


def _listed(facts: Iterable[str]) -> str:
    """Facts in a row, each kept on one line unless it is a sentence or a list itself."""
    return ", ".join(fact if '"' in fact or "=" in fact else fact.replace(" ", _TIED) for fact in facts)


def _wrapped(text: str, indent: str = INDENT) -> list[str]:
    rows = textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=f"{indent}    ",
        **WORDS,
    )
    return [row.replace(_TIED, " ") for row in rows]


def show_end(state: State) -> list[str]:
    """What is left at the end: rounds, credits, all accounts, meters that are not zero."""
    lines = ["At the end"]
    lines += _wrapped(f"rounds: {_listed(_show_rounds(state)) or 'none'}")
    seats = (f"seat {seat} {show_cents(state.credits_cents(seat))}" for seat in state.seats)
    lines += _wrapped(f"credits: {_listed(seats) or 'none'}")
    accounts = (f"{name} {show_cents(cents)}" for name, cents in sorted(state.balances.items()))
    total = show_cents(sum(state.balances.values()))
    lines += _wrapped(f"accounts: {_listed(accounts) or 'none'}; together {total}")
    meters: Mapping[str, Meters] = {f"seat {seat.id}": seat.meters for seat in state.seats.values()}
    for whose, counted in {**meters, "the table": state.meters}.items():
        lines += _wrapped(f"meters of {whose}: {_listed(_show_meters(counted)) or 'nothing'}")
    return lines


def _show_rounds(state: State) -> Iterator[str]:
    rounds = [*state.kept.values(), *([state.round] if state.round is not None else [])]
    for round_ in rounds:
        yield f"{round_.number} {round_.phase}" + ("" if round_.result is None else f" {round_.result}")


def _show_meters(meters: Meters) -> Iterator[str]:
    for field in msgspec.structs.fields(meters):
        if (value := getattr(meters, field.name)) != 0:
            yield show_fact(field.name, value)

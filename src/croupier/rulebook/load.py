"""Loading a book from its TOML file, checked whole."""

import datetime
import hashlib
import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from croupier.rulebook.calls import Series, read_terminals
from croupier.rulebook.conduct import (
    read_authority,
    read_choice,
    read_citations,
    read_irregularities,
    read_names,
    read_notices,
    read_topics,
)
from croupier.rulebook.covering import read_boxes
from croupier.rulebook.errors import BadInput, BookFaults, Fault
from croupier.rulebook.felt import read_layout
from croupier.rulebook.files import read_file
from croupier.rulebook.model import Book, Layout, frozen_map
from croupier.rulebook.places import find_places
from croupier.rulebook.reader import FaultLog, Node, short
from croupier.rulebook.required import check_required
from croupier.rulebook.rim import read_wheel
from croupier.rulebook.sources import Sources
from croupier.rulebook.vocabulary import BETS_CLOSE, CORRECTIONS, KINDS, LIMITS, SETTLED

FORMAT: Final = 1
"""The version of the file format that this software reads."""

_CURRENCY: Final = re.compile(r"[A-Z]{3}")

_WITHOUT_HUNDREDTHS: Final = (
    *("BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG"),
    *("RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF"),
)
"""The currencies of ISO 4217 that have no smaller unit."""

_AT_LINE: Final = re.compile(r"\(at line (\d+), column \d+\)$")

_SHIPPED: Final = resources.files("croupier.rulebook") / "books"


def shipped_books() -> tuple[str, ...]:
    """The ids of the books that come with the package.

    >>> shipped_books()
    ('mbs-roulette', 'rws-money-wheel', 'rws-roulette-00', 'rws-roulette-000')
    """
    names = (entry.name for entry in _SHIPPED.iterdir())
    return tuple(sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def load_book(name: str, own: Mapping[str, Book] = MappingProxyType({})) -> Book:
    """A book by its id, one of `own` first, or a book of your own by the path of its file.

    >>> load_book("mbs-roulette").pockets
    37
    """
    if name in own:
        return own[name]
    if name in shipped_books():
        return _load_shipped(name)
    if name.endswith(".toml") or "/" in name:
        return load_book_file(Path(name))
    raise BadInput(
        "unknown-book",
        f"There is no book {name!r}.",
        f"Use one of {', '.join([*own, *shipped_books()])}, or the path of a .toml file.",
    )


def load_book_file(path: Path) -> Book:
    """A book from a file."""
    try:
        content = read_file(path)
    except (OSError, ValueError) as error:  # a path with a null byte is a ValueError
        reason = getattr(error, "strerror", None) or "it cannot be read"
        raise BadInput(
            "book-unreadable",
            f"The book {str(path)!r} cannot be opened: {reason}.",
            "Give the path of a .toml file.",
        ) from error
    return read_book(content, str(path))


@cache
def _load_shipped(book_id: str) -> Book:
    return read_book((_SHIPPED / f"{book_id}.toml").read_bytes(), f"{book_id}.toml")


def read_book(content: bytes, source: str) -> Book:
    """A book from the content of its file; raises `BookFaults` with everything that is wrong."""
    try:
        text = content.decode("utf-8-sig")
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError is also not UTF-8, and a number without end
        raise BookFaults(source, [_syntax_fault(content, error)]) from error
    log = FaultLog(find_places(text))
    book = _read(Node(document, (), log), hashlib.sha256(content).hexdigest())
    if log.faults:
        raise BookFaults(source, log.faults)
    return book


def _read(root: Node, sha256: str) -> Book:
    if root.whole("format", 1) != FORMAT:
        root.fault("format", f"this software reads format {FORMAT} of the files.", "format")
    head = root.table("book")
    sources = Sources(head.name("id"), root)
    wheel = read_wheel(root.table("wheel"), sources)
    play = root.table("play")
    names = read_names(root.table("names"))
    placing = (
        read_citations(root.table("placing"), KINDS, "kind of bet", sources) if root.has("placing") else {}
    )
    boxes = read_boxes(root.table("boxes"), wheel)
    felts = [
        read_layout(layout_id, node, wheel, boxes, names, sources)
        for layout_id, node in root.table("layout").named_tables()
    ]
    layouts: Mapping[str, Layout] = {felt.layout.id: felt.layout for felt in felts}
    if not layouts:
        root.fault("missing", "a book needs at least one layout.", "layout")
    unplaced = {felt.layout.id for felt in felts if not felt.is_placed}
    series = Series(root, wheel, layouts, unplaced, sources)
    terminals = read_terminals(root, layouts, series, len(wheel.order), sources)
    offers = [offer for terminal in terminals.values() for offer in terminal.offers]
    book = Book(
        id=sources.book_id,
        title=head.text("title"),
        operator=head.text("operator"),
        version=head.text("version"),
        effective=_read_effective(head),
        currency=_read_currency(head),
        wheel=wheel,
        bets_close=read_choice(play, "bets_close", BETS_CLOSE, sources),
        corrections=read_choice(play, "corrections", CORRECTIONS, sources),
        settled=read_choice(play, "settled", SETTLED, sources),
        limits=read_choice(play, "limits", LIMITS, sources),
        kind_names=frozen_map(names),
        placing=frozen_map(placing),
        citations=frozen_map(read_topics(root.table("citations"), sources)),
        layouts=frozen_map({layout.id: series.on(layout, offers) for layout in layouts.values()}),
        terminals=frozen_map(terminals),
        notices=frozen_map(read_notices(root.table("notices"), sources)),
        irregularities=frozen_map(read_irregularities(root, sources)),
        authority=frozen_map(read_authority(root.table("authority"), sources)),
        clauses=frozen_map(sources.clauses),
        assumptions=frozen_map(sources.assumptions),
        sha256=sha256,
    )
    check_required(root, book)
    _finish([root, head, play])
    return book


def _finish(nodes: Iterable[Node]) -> None:
    for node in nodes:
        node.finish()


def _read_effective(head: Node) -> str:
    """The date of effect, with the time of day where the text gives one."""
    value: Any = head.raw("effective")
    if isinstance(value, datetime.datetime):
        if value.tzinfo is None:
            head.fault(
                "no-zone",
                "effective has a time and no zone; write for example +08:00 behind it.",
                "effective",
            )
        return value.isoformat(timespec="minutes")
    if isinstance(value, datetime.date):
        return value.isoformat()
    if value is not None:
        head.fault("wrong-type", f"{short(value)} is not a date; write for example 2020-03-18.", "effective")
    return ""


def _read_currency(head: Node) -> str:
    """The currency of all amounts, which are kept in hundredths whatever it is."""
    currency = head.text("currency")
    if currency and _CURRENCY.fullmatch(currency) is None:
        sentence = f"{short(currency)} is not a currency; write its three capital letters, for example USD."
        head.fault("currency", sentence, "currency")
    elif currency in _WITHOUT_HUNDREDTHS:
        sentence = (
            f"{currency} has no hundredths, and amounts are kept in hundredths; it cannot be played in yet."
        )
        head.fault("currency", sentence, "currency")
    return currency


def _syntax_fault(content: bytes, error: Exception) -> Fault:
    if isinstance(error, UnicodeDecodeError):
        line = error.object.count(b"\n", 0, error.start) + 1
        return Fault(line, "the file", "not-utf-8", "the file is not UTF-8 text.")
    if isinstance(error, RecursionError):
        return Fault(1, "the file", "not-toml", "the file nests too deeply.")
    message = str(error)
    at_line = _AT_LINE.search(message)
    line = int(at_line.group(1)) if at_line else content.rstrip(b"\n").count(b"\n") + 1
    sentence = message.partition(" (at ")[0].rstrip(".")
    return Fault(line, "the file", "not-toml", f"the file is not valid TOML: {sentence}.")

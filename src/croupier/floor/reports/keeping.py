"""Keeps what was added up of a journal beside its snapshots, so that no server has to read it all again.

It is a cache, as a snapshot is, and never a source of truth. It is used only where it is as a server of this
floor has left it, where the journal still holds every record that it ends with, and where the calendar and
the currencies by which it was added up are those of today. Else the journal is read from its beginning.

No verification looks at it, and drawers are balanced against what comes of it: so it is sealed with a key
that is not in the database, and whoever can write to that alone cannot put other sums in.
"""

import hashlib
import zlib
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, Protocol, TypeVar, get_type_hints

import msgspec

from croupier import __version__
from croupier.floor.loading import currency_of
from croupier.floor.reports.calendar import Calendar
from croupier.floor.streams import is_table
from croupier.journal import Head, Snapshot, Store
from croupier.rulebook import BadInput, Book, load_book

FIGURES_FORMAT: Final = "figures/2"
"""Names the shape of what is kept; what has another one is not used.

It is another one too where the same records add up to something else than before.
"""

AT_ONCE: Final = 2_000
"""How many things of a list are packed or read at once: tables that run have their turn in between, which
years of figures in one go would keep from them for a second."""

_LEVEL: Final = 1
"""Fast: it is the same few names and dates again and again."""


class Part(Protocol):
    """What a fold knows, as a struct."""

    __struct_fields__: ClassVar[tuple[str, ...]]

    def days(self) -> set[str]:
        """Every gaming day that something was counted on."""


class _Kept(msgspec.Struct, frozen=True):
    heads: dict[str, tuple[int, bytes]]
    """By stream, the record that was taken last."""
    currencies: dict[str, str]
    calendar: bytes
    part: dict[str, list[bytes]]
    """By its fields; a long list in pieces."""


P = TypeVar("P", bound=Part)

_decode: Final = msgspec.msgpack.Decoder(_Kept).decode
_UNREADABLE: Final = (msgspec.MsgspecError, LookupError, RecursionError, TypeError, ValueError, zlib.error)


class Keeping:
    """What is kept of one journal, added up by one calendar."""

    def __init__(
        self,
        store: Store,
        calendar: Calendar,
        key: bytes,
        find_book: Callable[[str], Book] = load_book,
    ) -> None:
        """`key` is for nothing else; all servers of a floor have the same."""
        self._store = store
        self._calendar = calendar
        self._key = key
        self._find_book = find_book
        self._by_day: dict[str, bytes] = {}

    def keep(self, name: str, heads: Mapping[str, Head], currencies: Mapping[str, str], part: Part) -> None:
        """Keeps what a fold knows under a name, in place of what was kept before."""
        try:
            calendar = self._divided(part.days())
        except (BadInput, ValueError, OverflowError):
            return  # a clock was at the end of time; such days are added up from the journal alone
        whole = msgspec.msgpack.encode(
            {
                "heads": {stream: (*head,) for stream, head in heads.items()},
                "currencies": {**currencies},
                "calendar": calendar,
                "part": _in_pieces(part),
            }
        )
        last = max(heads.values(), key=lambda head: head.sequence)
        snapshot = Snapshot(last.sequence, last.hash, "", zlib.compress(whole, _LEVEL))
        self._store.save_snapshot(_place(name), self._sealed(name, snapshot))

    def kept(self, name: str, kind: type[P]) -> tuple[dict[str, Head], dict[str, str], P] | None:
        """What was kept under a name, if all of it can be used: where it ends, currencies, what was known."""
        snapshot = self._store.snapshot(_place(name))
        if snapshot is None or not self._is_sealed(name, snapshot):
            return None
        try:
            found = _decode(zlib.decompress(snapshot.content))
            part = _from_pieces(found.part, kind)
            same_days = found.calendar == self._divided(part.days())
        except (*_UNREADABLE, BadInput, OverflowError):
            return None  # a cache that cannot be read is no cache
        heads = {stream: Head(*head) for stream, head in found.heads.items()}
        if not same_days or not all(self.holds(stream, head) for stream, head in heads.items()):
            return None
        currencies = {
            table: currency_of(self._store, table, self._find_book) for table in heads if is_table(table)
        }
        return (heads, currencies, part) if currencies == found.currencies else None

    def holds(self, stream: str, head: Head) -> bool:
        """Whether a record is in the journal, and is the one that it was."""
        record = next(self._store.read(stream, head.sequence - 1), None)
        return record is not None and (record.sequence, record.hash) == head

    def _sealed(self, name: str, snapshot: Snapshot) -> Snapshot:
        """With the shape of what is kept, the version that added it up, and a keyed hash of all of it."""
        about = f"{name}\n{snapshot.sequence}\n".encode()
        seal = hashlib.blake2b(about + snapshot.hash + snapshot.content, key=self._key, digest_size=32)
        return snapshot._replace(format=f"{FIGURES_FORMAT} {__version__} {seal.hexdigest()}")

    def _is_sealed(self, name: str, snapshot: Snapshot) -> bool:
        # A damaged database may hold something else in each of these places.
        values: tuple[Any, ...] = snapshot
        sequence, own, _, content = values
        if not (isinstance(sequence, int) and isinstance(own, bytes) and isinstance(content, bytes)):
            return False
        return self._sealed(name, snapshot) == snapshot

    def _divided(self, days: set[str]) -> bytes:
        """A hash of the zone, of the shifts, and of how each day is divided into shifts and hours.

        Zones change, even for days that are over, when those who tell of them are late.
        """
        whole = hashlib.sha256(repr((self._calendar.zone, self._calendar.starts)).encode())
        for day in sorted(days):
            if day not in self._by_day:
                pieces = [*self._calendar.split(*self._calendar.span_of(day))]
                self._by_day[day] = hashlib.sha256(repr(pieces).encode()).digest()
            whole.update(day.encode() + self._by_day[day])
        return whole.digest()


def _place(name: str) -> str:
    """What it is kept under; no stream is called so, because a record's fields are of one line each."""
    return f"figures\n{name}"


def _in_pieces(part: Part) -> dict[str, list[bytes]]:
    pieces: dict[str, list[bytes]] = {}
    for name in part.__struct_fields__:
        whole = getattr(part, name)
        starts = range(AT_ONCE, len(whole), AT_ONCE) if isinstance(whole, list) else ()
        parts = [whole[start : start + AT_ONCE] for start in (0, *starts)] if starts else [whole]
        pieces[name] = [*map(msgspec.msgpack.encode, parts)]
    return pieces


def _from_pieces(pieces: Mapping[str, list[bytes]], kind: type[P]) -> P:
    known: dict[str, Any] = {}
    for name, field in get_type_hints(kind).items():
        decode = msgspec.msgpack.Decoder(field).decode
        first, *others = pieces[name]
        known[name] = decode(first)
        for other in others:
            known[name] += decode(other)
    return kind(**known)

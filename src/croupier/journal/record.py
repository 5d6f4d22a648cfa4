"""What a journal consists of: numbered records, each holding the hash of the one before it."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import count, repeat
from typing import Any, Final, NamedTuple, overload

_new: Final = tuple.__new__

GENESIS: Final = bytes(32)
"""What stands for the hash before the first record."""


class Draft(NamedTuple):
    """A record that is to be written: what happened, without its place in the chain."""

    at_ms: int
    actor: str
    sender: str
    number: int
    part: int
    """The place of this record among those that one command led to, from 0."""
    kind: str
    version: int
    payload: bytes
    claims: tuple[str, ...] = ()
    """What this record uses up once and for all, over all tables."""


class Record(NamedTuple):
    """A record in its place. The journal does not know what its payload means."""

    table: str
    sequence: int
    at_ms: int
    actor: str
    sender: str
    number: int
    part: int
    kind: str
    version: int
    payload: bytes
    previous: bytes
    hash: bytes


def as_records(rows: Iterable[tuple[Any, ...]]) -> Iterator[Record]:
    """Rows of a database as records: the columns are a record's fields, in their order."""
    return map(partial(_new, Record), rows)


class Link(NamedTuple):
    """A record as it was hashed, for whoever checks the chain before anything is read of it."""

    sequence: int
    form: bytes
    """Its canonical form."""
    hash: bytes


class Stretch(NamedTuple):
    """Records that follow each other, as they were hashed: for whoever checks many of them at once."""

    first: int
    """The number of the first."""
    forms: Sequence[bytes]
    hashes: Sequence[bytes]

    def links(self) -> Iterator[Link]:
        """The same one by one."""
        return map(Link._make, self.numbered())

    def numbered(self) -> Iterator[tuple[int, bytes, bytes]]:
        """The number, the form and the hash of each."""
        # In a damaged database something else may stand for a number.
        numbers = count(self.first) if isinstance(self.first, int) else repeat(self.first)
        return zip(numbers, self.forms, self.hashes, strict=False)

    def cut(self, after: int, last: int) -> "Stretch":
        """What is behind a number, and not behind another."""
        start, end = max(0, after + 1 - self.first), max(0, last + 1 - self.first)
        return Stretch(self.first + start, self.forms[start:end], self.hashes[start:end])


class Head(NamedTuple):
    """Where a table's chain ends."""

    sequence: int
    hash: bytes


EMPTY: Final = Head(0, GENESIS)
"""The head of a table that has no records."""

_BAD_FIELD: Final = "no field of a record but its payload may contain a line feed or a null character"
_NO_RECORD: Final = "it holds what no record can hold"
_TOGETHER: Final = 500
"""How many records are handed on as one stretch at most, where they are rows."""
_sha256: Final = hashlib.sha256


def canonical(record: Record) -> bytes:
    """The bytes whose SHA-256 is a record's hash; docs/journal.md describes them.

    The hash of the record before it, then nine fields as UTF-8 text, each followed by a line feed, then the
    payload as it is. A field that holds a line feed is refused, so no two records have the same bytes; one
    that holds a null character is refused because not every database can keep it.
    """
    table, sequence, at_ms, actor, sender, number, part, kind, version, payload, previous, _ = record
    fields = (
        f"{table}\n{sequence}\n{at_ms}\n{actor}\n{sender}\n{number}\n{part}\n{kind}\n{version}\n".encode()
    )
    if fields.count(b"\n") != 9 or b"\0" in fields:
        raise ValueError(_BAD_FIELD)
    return previous + fields + payload


def hash_of(record: Record) -> bytes:
    """The hash that a record must carry."""
    return _sha256(canonical(record)).digest()


def stretched(records: Iterable[Record]) -> Iterator[Stretch]:
    """Records as they were hashed; a new stretch begins where a number is missing.

    Raises `ValueError` behind the last one before a record that is none.

    >>> first, second = link("wheel-1", EMPTY, [Draft(0, "dealer", "console", 1, 0, "opened", 1, b"{}")] * 2)
    >>> [(stretch.first, len(stretch.forms)) for stretch in stretched([first, second])]
    [(1, 2)]
    """
    first, forms, hashes = 1, list[bytes](), list[bytes]()
    for record in records:
        if forms and (record.sequence != first + len(forms) or len(forms) == _TOGETHER):
            yield Stretch(first, forms, hashes)
            forms, hashes = [], []
        if not forms:
            first = record.sequence
        try:
            forms.append(canonical(record))
        except (TypeError, ValueError) as error:
            if forms:
                yield Stretch(first, forms, hashes)
            raise ValueError(f"record {record.sequence} of table {record.table} is none ({error})") from error
        hashes.append(record.hash)
    if forms:
        yield Stretch(first, forms, hashes)


class Run(Sequence[Record]):
    """Records that were chained one behind the other; each is put together when somebody asks for it."""

    __slots__ = ("_before", "_table", "drafts", "forms", "hashes")

    def __init__(self, table: str, before: Head, drafts: Sequence[Draft]) -> None:
        self._table = table
        self._before = before
        self.drafts = drafts
        self.forms: list[bytes] = []
        """The bytes that each was hashed from."""
        self.hashes: list[bytes] = []

    @property
    def span(self) -> tuple[str, Head, Head]:
        """The table, and its head before these and behind them."""
        after = Head(self._before.sequence + len(self.hashes), self.hashes[-1])
        return self._table, self._before, after

    def __len__(self) -> int:
        return len(self.hashes)

    @overload
    def __getitem__(self, place: int) -> Record: ...
    @overload
    def __getitem__(self, place: slice) -> list[Record]: ...
    def __getitem__(self, place: int | slice) -> Record | list[Record]:
        if isinstance(place, slice):
            return [self._record(at) for at in range(*place.indices(len(self)))]
        return self._record(range(len(self))[place])

    def __iter__(self) -> Iterator[Record]:
        return map(self._record, range(len(self)))

    def _record(self, at: int) -> Record:
        sequence, previous = self._before
        at_ms, actor, sender, number, part, kind, version, payload, _ = self.drafts[at]
        if at:
            previous = self.hashes[at - 1]
        own = self.hashes[at]
        return _new(
            Record,
            (
                self._table,
                sequence + 1 + at,
                at_ms,
                actor,
                sender,
                number,
                part,
                kind,
                version,
                payload,
                previous,
                own,
            ),
        )


def link(table: str, head: Head, drafts: Iterable[Draft]) -> Iterator[Record]:
    """Gives drafts their places behind the head of a table's chain.

    >>> draft = Draft(0, "dealer", "console", 1, 0, "opened", 1, b"{}")
    >>> first, second = link("wheel-1", EMPTY, [draft, draft._replace(number=2)])
    >>> second.sequence, second.previous == first.hash
    (2, True)
    """
    for draft in drafts:
        (record,) = linked(table, head, [draft])
        yield record
        head = Head(record.sequence, record.hash)


def linked(table: str, head: Head, drafts: Iterable[Draft]) -> Run:
    """The same for all of them at once."""
    run = Run(table, head, [*drafts])
    forms, hashes, plain = run.forms, run.hashes, _plain
    sequence, previous = head
    if table not in plain:
        _check_names(table)
    for at_ms, actor, sender, number, part, kind, version, payload, _ in run.drafts:
        sequence += 1
        if actor not in plain or sender not in plain or kind not in plain:
            _check_names(actor, sender, kind)
        # The same bytes as `canonical` gives, once for the hash and without a record that has none yet.
        fields = (
            f"{table}\n{sequence}\n{at_ms}\n{actor}\n{sender}\n{number}\n{part}\n{kind}\n{version}\n".encode()
        )
        form = previous + fields + payload
        previous = _sha256(form).digest()
        forms.append(form)
        hashes.append(previous)
    return run


def is_plain(name: str) -> bool:
    """Whether a text can stand in a field."""
    return "\n" not in name and "\0" not in name


_plain: Final[set[str]] = set()
"""Names that were found to be plain: the same ones come again and again."""
_PLAIN_KEPT: Final = 10_000


def _check_names(*names: str) -> None:
    if not all(map(is_plain, names)):
        raise ValueError(_BAD_FIELD)
    if len(_plain) >= _PLAIN_KEPT:
        _plain.clear()
    _plain.update(names)


def loose(link: Link, head: Head) -> str | None:
    """Why a link does not continue the chain behind `head`; None where it does.

    >>> run = linked("wheel-1", EMPTY, [Draft(0, "dealer", "console", 1, 0, "opened", 1, b"{}")])
    >>> loose(Link(1, run.forms[0], run[0].hash), EMPTY)
    >>> loose(Link(1, run.forms[0] + b" ", run[0].hash), EMPTY)
    'its hash is not the hash of its content'
    """
    sequence, form, own = link
    last, previous = head
    if sequence != last + 1:
        return f"its number is {sequence}, and {last + 1} has to follow"
    if not form.startswith(previous):
        return "it does not hold the hash of the record before it"
    return None if _sha256(form).digest() == own else "its hash is not the hash of its content"


def misfit(record: Record, head: Head) -> str | None:
    """Why a record does not continue the chain behind `head`; None where it does.

    >>> first, second = link("wheel-1", EMPTY, [Draft(0, "dealer", "console", 1, 0, "opened", 1, b"{}")] * 2)
    >>> misfit(first, EMPTY)
    >>> misfit(second, EMPTY)
    'its number is 2, and 1 has to follow'
    >>> misfit(first._replace(payload=b"[]"), EMPTY)
    'its hash is not the hash of its content'
    """
    table, sequence, at_ms, actor, sender, number, part, kind, version, payload, previous, own = record
    if sequence != head.sequence + 1:
        return f"its number is {sequence}, and {head.sequence + 1} has to follow"
    if previous != head.hash:
        return "it does not hold the hash of the record before it"
    try:
        # The same bytes as `canonical` gives; journals are long, and this is done for each of their records.
        fields = (
            f"{table}\n{sequence}\n{at_ms}\n{actor}\n{sender}\n{number}\n{part}\n{kind}\n{version}\n".encode()
        )
        if fields.count(b"\n") != 9 or b"\0" in fields:
            return _NO_RECORD
        expected = _sha256(previous + fields + payload).digest()
    except (TypeError, ValueError):
        # A damaged database hands out what no writer could have put in: a text for bytes, broken UTF-8.
        return _NO_RECORD
    return None if own == expected else "its hash is not the hash of its content"

"""Reading a TOML document so that every fault is found in one go, each with its line."""

import datetime
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from reprlib import Repr
from typing import Any, Final

from croupier.rulebook.errors import Fault
from croupier.rulebook.places import Path, show_path

_NAMES_OF_TYPES: Final = {
    dict: "a table",
    list: "a list",
    str: "a text in quotes",
    int: "a whole number",
    bool: "true or false",
}


_LARGEST: Final = 1_000_000
"""No number in a book is larger; a slip of the pen must not exhaust the machine."""

_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")

_NAME: Final = re.compile(r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")


class _Short(Repr):
    """Writes values as a person who knows TOML would, and not Python."""

    def repr_int(self, x: int, level: int) -> str:
        """Python refuses to write a number of thousands of digits."""
        return "a very large number" if abs(x) > _LARGEST else str(x)

    def repr_bool(self, x: bool, level: int) -> str:
        return "true" if x else "false"

    def repr_dict(self, x: Mapping[object, object], level: int) -> str:
        return "a table"

    def repr_date(self, x: datetime.date, level: int) -> str:
        return x.isoformat()

    repr_datetime = repr_date

    def repr_time(self, x: datetime.time, level: int) -> str:
        return x.isoformat()


_SHORT: Final = _Short()
_SHORT.maxstring = _SHORT.maxother = 60
_SHORT.maxlevel = 2


class FaultLog:
    """Collects what is wrong, with the line of the nearest thing that has one."""

    def __init__(self, places: Mapping[Path, int]) -> None:
        self._places = places
        self._is_silent = False
        self._told: set[Path] = set()
        self.faults: list[Fault] = []

    def add(self, path: Path, code: str, sentence: str) -> None:
        """Records a fault at a path of the document."""
        if self._is_silent or path in self._told:
            return
        known = path
        while known and known not in self._places:
            known = known[:-1]
        place = show_path(path) or "the file"
        self.faults.append(Fault(self._places.get(known, 1), place, code, sentence))

    def leave(self, path: Path) -> None:
        """Records no more faults of a value: what is wrong is said, and the rest would only follow."""
        self._told.add(path)

    @contextmanager
    def silent(self, *, when: bool) -> Iterator[None]:
        """Leaves out what would only follow from a value that could not be read, a fault already."""
        before, self._is_silent = self._is_silent, self._is_silent or when
        yield
        self._is_silent = before


class Node:
    """A table of the document. What is read is remembered; `finish` reports what nobody asked for."""

    def __init__(self, value: Mapping[str, Any], path: Path, log: FaultLog) -> None:
        self._value = value
        self._asked: set[str] = set()
        self.path = path
        self.log = log

    def fault(self, code: str, sentence: str, *below: str | int) -> None:
        """Records a fault at this table or at something below it."""
        self.log.add((*self.path, *below), code, sentence)

    def has(self, key: str) -> bool:
        """Whether the table has the key."""
        self._asked.add(key)
        return key in self._value

    def text(self, key: str) -> str:
        """A text of one line that must be there and say something."""
        value = self.passage(key)
        if "\n" in value:
            self._check_line(value, key)
        return value

    def passage(self, key: str) -> str:
        """A text that must be there and say something; it may have several lines."""
        value = self._get(key, str)
        if value is None:
            return ""
        if not value.strip():
            self.fault("empty", f"{key} is empty; write a text.", key)
        self._check_line(value.replace("\n", " "), key)
        return str(value)

    def _check_line(self, value: str, *below: str | int) -> None:
        """Reports what would break a line, or take hold of the terminal that it is printed on."""
        if (found := _CONTROL.search(value)) is not None:
            sentence = f"the text has a control character in it (U+{ord(found[0]):04X}); take it out."
            self.fault("control-character", sentence, *below)
            self.log.leave((*self.path, *below))

    def name(self, key: str) -> str:
        """A text that can be part of an id."""
        value = self.text(key)
        self.check_name(value, key)
        return value

    def check_name(self, value: str, *below: str | int) -> None:
        """Reports a text that cannot be part of an id."""
        if value and _NAME.fullmatch(value) is None:
            self.fault("bad-name", f"{value!r} must be letters, digits and single hyphens.", *below)

    def whole(self, key: str, least: int) -> int:
        """A whole number of at least `least`, which also stands for one that cannot be read."""
        value = self.whole_if_read(key, least)
        return least if value is None else value

    def whole_if_read(self, key: str, least: int) -> int | None:
        """A whole number of at least `least`; None where the file has none."""
        value = self._get(key, int)
        if value is not None and value < least:
            self.fault("too-small", f"{key} must be at least {least}.", key)
            return None
        return None if value is None else int(value)

    def flag(self, key: str) -> bool:
        """A value that is true or false."""
        return bool(self._get(key, bool))

    def choice(self, key: str, allowed: Sequence[str]) -> str:
        """One of the words of the vocabulary."""
        value = self._get(key, str)
        if value is not None and value not in allowed:
            self.fault("unknown-word", f"{key} is {value!r}; it must be one of {listed(allowed)}.", key)
        elif value is not None:
            return str(value)
        return next(iter(allowed), "")

    def texts(self, key: str) -> list[str]:
        """A list of texts, at least one."""
        values = self._get(key, list)
        if values is None:
            return []
        if not values:
            self.fault("empty", f"{key} is empty; name at least one.", key)
        for index, text in enumerate(values):
            if self._is(text, str, key, index) and not text.strip():
                self.fault("empty", f"{key} has an empty text in it.", key, index)
            elif isinstance(text, str):
                self._check_line(text, key, index)
        return [text for text in values if isinstance(text, str)]

    def wholes(self, key: str) -> list[int]:
        """A list of whole numbers."""
        values = self._get(key, list) or []
        return [number for index, number in enumerate(values) if self._is(number, int, key, index)]

    def pair(self, key: str) -> tuple[int, int] | None:
        """Two whole numbers; None where the file has none."""
        values = self._get(key, list)
        if values is None:
            return None
        numbers = [number for number in values if isinstance(number, int) and not isinstance(number, bool)]
        if len(values) != 2 or len(numbers) != 2:
            self.fault("not-a-pair", f"{key} must be two whole numbers, for example [0, 2].", key)
            return None
        are_read = [self._is(number, int, key, index) for index, number in enumerate(numbers)]
        return (numbers[0], numbers[1]) if all(are_read) else None

    def rows(self, key: str) -> list[list[str]]:
        """A list of lists of texts."""
        values = self._get(key, list) or []
        return [
            [text for column, text in enumerate(row) if self._is(text, str, key, index, column)]
            for index, row in enumerate(values)
            if self._is(row, list, key, index)
        ]

    def raw(self, key: str) -> Any:
        """A value of any type that must be there."""
        self._asked.add(key)
        if key not in self._value:
            self.fault("missing", f"{key} is missing.")
        return self._value.get(key)

    def table(self, key: str) -> "Node":
        """A table that must be there."""
        value = self._get(key, dict)
        return Node(value or {}, (*self.path, key), self.log)

    def is_table(self, key: str) -> bool:
        """Whether the key has a table."""
        return isinstance(self._value.get(key), dict)

    def tables(self, key: str) -> list["Node"]:
        """An array of tables, possibly none."""
        self._asked.add(key)
        values = self._value.get(key, [])
        if not self._is(values, list, key):
            return []
        return [
            Node(value, (*self.path, key, index), self.log)
            for index, value in enumerate(values)
            if self._is(value, dict, key, index)
        ]

    def named_tables(self) -> Iterable[tuple[str, "Node"]]:
        """Every entry of this table, each being a table."""
        self._asked.update(self._value)
        for key, value in self._value.items():
            if self._is(value, dict, key):
                yield key, Node(value, (*self.path, key), self.log)

    def names(self) -> list[str]:
        """The keys of this table, in the file's order."""
        return list(self._value)

    def finish(self) -> None:
        """Reports every key that nothing reads: most often a slip of the pen."""
        for key in self._value:
            if key not in self._asked:
                near = get_close_matches(key, self._asked, 1)
                hint = f" Did you mean {near[0]}?" if near else ""
                self.fault("unknown-key", f"{key} is not a key that belongs here.{hint}", key)

    def _get(self, key: str, kind: type) -> Any:
        self._asked.add(key)
        if key not in self._value:
            self.fault("missing", f"{key} is missing; it must be {_NAMES_OF_TYPES[kind]}.")
            return None
        value = self._value[key]
        return value if self._is(value, kind, key) else None

    def _is(self, value: object, kind: type, *below: str | int) -> bool:
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            self.fault("wrong-type", f"{short(value)} is not {_NAMES_OF_TYPES[kind]}.", *below)
            return False
        if isinstance(value, int) and abs(value) > _LARGEST:
            self.fault("too-large", f"the number is larger than {_LARGEST:,}.", *below)
            return False
        return True


def short(value: object) -> str:
    """A value for a sentence, whatever its size."""
    return _SHORT.repr(value)


def listed(words: Iterable[str]) -> str:
    """Words as a person would list them.

    >>> listed(["ball", "clapper"])
    'ball or clapper'
    """
    *first, last = [*words] or ["nothing"]
    return f"{', '.join(first)} or {last}" if first else last

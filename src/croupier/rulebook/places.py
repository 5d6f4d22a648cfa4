"""Where in a TOML file each value stands.

The standard parser gives values without positions, and a fault in a book has to name its line. This
scanner reads a text that `tomllib` has already accepted, so it only follows the structure.
"""

import tomllib
from bisect import bisect_right
from collections.abc import Mapping
from typing import Final

Path = tuple[str | int, ...]

_BARE_VALUE_ENDS: Final = ",]}#\n"


def find_places(text: str) -> Mapping[Path, int]:
    r"""The line on which each key, table and array element of a valid TOML text begins.

    >>> find_places('[wheel]\norder = [\n  "0",\n  "32",\n]')[("wheel", "order", 1)]
    4
    """
    return _Scanner(text.replace("\r\n", "\n")).document()


def show_path(path: Path) -> str:
    """A path as a person would write it.

    >>> show_path(("layout", "A", "box", 3, "from"))
    'layout.A.box[3].from'
    """
    shown = ""
    for step in path:
        shown += f"[{step}]" if isinstance(step, int) else f".{step}" if shown else step
    return shown


class _Scanner:
    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._newlines = [index for index, character in enumerate(text) if character == "\n"]
        self._places: dict[Path, int] = {}
        self._tables_in: dict[Path, int] = {}

    def document(self) -> Mapping[Path, int]:
        table: Path = ()
        while self._skip_blank():
            if self._text[self._at] == "[":
                table = self._header()
            else:
                self._entry(table)
        return self._places

    def _header(self) -> Path:
        line = self._line()
        is_array = self._text.startswith("[[", self._at)
        self._at += 2 if is_array else 1
        path: Path = ()
        for step in self._key():
            if path in self._tables_in:
                path += (self._tables_in[path] - 1,)
            path += (step,)
            self._places.setdefault(path, line)
        self._at += 2 if is_array else 1
        if is_array:
            count = self._tables_in.get(path, 0)
            self._tables_in[path] = count + 1
            path += (count,)
            self._places[path] = line
        return path

    def _entry(self, table: Path) -> None:
        line = self._line()
        path = table
        for step in self._key():
            path += (step,)
            self._places.setdefault(path, line)
        self._at += 1  # the equals sign
        self._skip_blank()
        self._value(path)

    def _key(self) -> list[str]:
        """Reads a dotted key and stops at the character behind it."""
        steps: list[str] = []
        while True:
            self._skip_blank()
            start = self._at
            if self._text[start] in "\"'":
                self._string()
            else:
                while self._text[self._at].isalnum() or self._text[self._at] in "-_":
                    self._at += 1
            steps.append(_decode_key(self._text[start : self._at]))
            self._skip_blank()
            if self._text[self._at] != ".":
                return steps
            self._at += 1

    def _value(self, path: Path) -> None:
        opening = self._text[self._at]
        if opening == "[":
            self._at += 1
            index = 0
            while self._next_item("]"):
                self._places[(*path, index)] = self._line()
                self._value((*path, index))
                index += 1
        elif opening == "{":
            self._at += 1
            while self._next_item("}"):
                self._entry(path)
        elif opening in "\"'":
            self._string()
        else:
            while self._at < len(self._text) and self._text[self._at] not in _BARE_VALUE_ENDS:
                self._at += 1

    def _next_item(self, closing: str) -> bool:
        """Moves to the next item of an array or inline table, or behind its end."""
        self._skip_blank()
        if self._text[self._at] == ",":
            self._at += 1
            self._skip_blank()
        if self._text[self._at] == closing:
            self._at += 1
            return False
        return True

    def _string(self) -> None:
        quote = self._text[self._at]
        if self._text.startswith(quote * 3, self._at):
            closing, self._at = quote * 3, self._at + 3
        else:
            closing, self._at = quote, self._at + 1
        while not self._text.startswith(closing, self._at):
            self._at += 2 if quote == '"' and self._text[self._at] == "\\" else 1
        self._at += len(closing)
        if len(closing) == 3:  # up to two quotes may stand right before the closing three
            while self._at < len(self._text) and self._text[self._at] == quote:
                self._at += 1

    def _skip_blank(self) -> bool:
        """Skips white space and comments; False at the end of the text."""
        while self._at < len(self._text):
            if self._text[self._at] == "#":
                end = self._text.find("\n", self._at)
                self._at = len(self._text) if end < 0 else end
            elif self._text[self._at] in " \t\n":
                self._at += 1
            else:
                return True
        return False

    def _line(self) -> int:
        return bisect_right(self._newlines, self._at - 1) + 1


def _decode_key(raw: str) -> str:
    if raw[0] in "\"'":
        (key,) = tomllib.loads(f"{raw} = 0")
        return key
    return raw

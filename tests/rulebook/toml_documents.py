"""Random TOML documents, written token by token together with the line on which each value begins."""

from itertools import count
from typing import Any

from hypothesis import strategies as st

Path = tuple[str | int, ...]

SCALARS = st.sampled_from(
    [
        "1",
        "-17",
        "0x1f",
        "1_000",
        "3.5e2",
        "inf",
        "true",
        "1979-05-27",
        "1979-05-27 07:32:00",
        "1979-05-27T07:32:00+08:00",
        "07:32:00",
        '"plain"',
        "\"# no comment, [no] {table} = 'x'\"",
        r'"escaped \" quote and \\"',
        '""',
        "'literal \\'",
        "''",
        '\'a """ b\'',
    ]
)
MULTI_LINE = st.sampled_from(
    [
        ['"""', "first", 'x = "y"', '"""'],
        ['"""one', '[not.a.table]"""'],
        ['"""ends in quotes', '"""""'],
        [r'"""escaped \""" goes on', r'backslash \\"""'],
        ["'''", "# no comment", "'''"],
        ["'''ends in a quote", "''''"],
        ['""""""'],
    ]
)
COMMENTS = st.sampled_from(["# plain", "# [x] = \"'''", '# """', "#"])
BLANKS = st.sampled_from(["", "", " ", "\t", "  "])


class Writer:
    """A TOML text that grows, and what it says so far."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw
        self._names = count(1)
        self.text = ""
        self.places: dict[Path, int] = {}

    @property
    def line(self) -> int:
        return self.text.count("\n") + 1

    def chance(self, one_in: int = 3) -> bool:
        return self._draw(st.integers(min_value=1, max_value=one_in)) == 1

    def number(self, most: int) -> int:
        return self._draw(st.integers(min_value=0, max_value=most))

    def write(self, text: str) -> None:
        self.text += text

    def blank(self) -> None:
        self.write(self._draw(BLANKS))

    def newline(self) -> None:
        self.write("\r\n" if self.chance() else "\n")

    def end_of_line(self) -> None:
        """Ends a statement, with or without a comment, and perhaps with empty lines behind it."""
        self.blank()
        if self.chance():
            self.write(self._draw(COMMENTS))
        self.newline()
        while self.chance(4):
            self.newline()

    def name(self) -> str:
        """A key that no other table has, often one that has to stand in quotes."""
        decoration = self._draw(st.sampled_from(["", "-x", "_y", " with space", ".dot", "[", "#", "=", "é"]))
        return f"k{next(self._names)}{decoration}"

    def write_key(self, steps: list[str]) -> None:
        for index, step in enumerate(steps):
            if index:
                self.blank()
                self.write(".")
                self.blank()
            is_bare = step.replace("-", "").replace("_", "").isalnum() and step.isascii()
            quote = self._draw(st.sampled_from(["", '"', "'"] if is_bare else ['"', "'"]))
            self.write(f"{quote}{step}{quote}")

    def value(self, path: Path, depth: int) -> None:
        kind = self.number(5)
        if kind == 0 and depth:
            self.array(path, depth - 1)
        elif kind == 1 and depth:
            self.inline_table(path, depth - 1)
        elif kind == 2:
            self.multi_line_string()
        else:
            self.write(self._draw(SCALARS))

    def multi_line_string(self) -> None:
        first, *rest = self._draw(MULTI_LINE)
        self.write(first)
        for line in rest:
            self.newline()
            self.write(line)

    def gap(self) -> None:
        """The space inside an array, where comments and new lines are allowed."""
        self.blank()
        while self.chance(4):
            if self.chance():
                self.write(self._draw(COMMENTS))
            self.newline()
            self.blank()

    def array(self, path: Path, depth: int) -> None:
        self.write("[")
        length = self.number(3)
        for index in range(length):
            self.gap()
            self.places[(*path, index)] = self.line
            self.value((*path, index), depth)
            self.gap()
            if index + 1 < length or self.chance():
                self.write(",")
        self.gap()
        self.write("]")

    def inline_table(self, path: Path, depth: int) -> None:
        self.write("{")
        for index in range(self.number(3)):
            if index:
                self.write(",")
            self.blank()
            self.assignment(path, [self.name() for _ in range(1 + self.number(1))], depth)
            self.blank()
        self.write("}")

    def assignment(self, table: Path, steps: list[str], depth: int) -> None:
        self.place(table, steps)
        self.write_key(steps)
        self.blank()
        self.write("=")
        self.blank()
        self.value((*table, *steps), depth)

    def place(self, table: Path, steps: list[str]) -> None:
        for end in range(1, len(steps) + 1):
            self.places.setdefault((*table, *steps[:end]), self.line)

    def entries(self, table: Path) -> None:
        """Some entries of a table; two of them may share the front of a dotted key."""
        for _ in range(self.number(3)):
            steps = [self.name() for _ in range(1 + self.number(2))]
            self.blank()
            self.assignment(table, steps, depth=2)
            self.end_of_line()
            if len(steps) > 1 and self.chance():
                self.assignment(table, [*steps[:-1], self.name()], depth=2)
                self.end_of_line()

    def header(self, opening: str, table: Path, steps: list[str], closing: str) -> None:
        self.place(table, steps)
        self.blank()
        self.write(opening)
        self.write_key([*(step for step in table if isinstance(step, str)), *steps])
        self.write(closing)
        self.end_of_line()

    def table(self, above: Path) -> None:
        """A table below another one, sometimes before the table that it belongs to."""
        steps = [self.name() for _ in range(1 + self.number(2))]
        self.header("[", above, steps, "]")
        self.entries((*above, *steps))
        if len(steps) > 1 and self.chance():
            self.header("[", above, steps[:-1], "]")
            self.entries((*above, *steps[:-1]))

    def array_of_tables(self, above: Path, depth: int) -> None:
        steps = [self.name() for _ in range(1 + self.number(1))]
        for index in range(1 + self.number(2)):
            self.places[(*above, *steps, index)] = self.line
            self.header("[[", above, steps, "]]")
            element = (*above, *steps, index)
            self.entries(element)
            if self.chance():
                self.table(element)
            if depth and self.chance():
                self.array_of_tables(element, depth - 1)


@st.composite
def toml_documents(draw: st.DrawFn) -> tuple[str, dict[Path, int]]:
    """A valid TOML text, and the line of every key and array element in it."""
    writer = Writer(draw)
    writer.entries(())
    for _ in range(writer.number(3)):
        if writer.chance(2):
            writer.table(())
        else:
            writer.array_of_tables((), depth=1)
    return writer.text, writer.places


def paths_of(value: Any, path: Path = ()) -> set[Path]:
    """The path of every key and array element of a parsed document."""
    found = {path} if path else set()
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in items:
        found |= paths_of(inner, (*path, step))
    return found

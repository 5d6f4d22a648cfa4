"""docs/table.md lists every command and every event as the code has them."""

import typing
from pathlib import Path

from croupier.table import commands as c
from croupier.table import events as e

DOCUMENT = (Path(__file__).parents[2] / "docs" / "table.md").read_text(encoding="utf-8")


def _rows(kinds: tuple[typing.Any, ...], field: str, quote: str) -> list[str]:
    rows = []
    for kind in kinds:
        summary = kind.__doc__.splitlines()[0]
        rows.append(f"| `{kind.__struct_config__.tag}` | {quote}{getattr(kind, field)}{quote} | {summary} |")
    return rows


def _table_below(heading: str) -> list[str]:
    part = DOCUMENT.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return [line for line in part.splitlines() if line.startswith("| `")]


def test_every_command_is_documented() -> None:
    assert _table_below("Commands") == _rows(typing.get_args(c.Do), "action", "`")


def test_every_event_is_documented_with_its_audience() -> None:
    assert _table_below("Events") == _rows(typing.get_args(e.Event), "to", "")

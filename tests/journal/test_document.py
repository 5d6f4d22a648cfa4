"""docs/journal.md says what the journal does: its example by SHA-256 alone, its schemas as they are made."""

import hashlib
import re
from pathlib import Path
from textwrap import dedent

from croupier.journal import EMPTY, Draft, Record, link
from croupier.journal.postgres_database import MIGRATIONS as IN_POSTGRES
from croupier.journal.postgres_database import OLDEST
from croupier.journal.sqlite import APPLICATION_ID
from croupier.journal.sqlite_schema import FIRST, SECOND

DOCUMENT = (Path(__file__).parents[2] / "docs" / "journal.md").read_text(encoding="utf-8")
DRAFTS = [
    Draft(1_700_000_000_000, "dealer-7", "console-1", 1, 0, "bets-opened", 1, b'{"round":1}'),
    Draft(1_700_000_000_250, "seat-3", "terminal-3", 18, 0, "bet-placed", 1, '{"spot":"zéro"}'.encode()),
]


def part(heading: str) -> str:
    return DOCUMENT.split(f"\n## {heading}\n")[1].split("\n## ")[0]


def test_the_worked_example_follows_from_the_description_alone() -> None:
    previous = bytes(32)
    hashes = []
    for sequence, (at_ms, actor, sender, number, place, kind, version, payload, _) in enumerate(DRAFTS, 1):
        form = previous
        for field in ("wheel-1", sequence, at_ms, actor, sender, number, place, kind, version):
            form += str(field).encode() + b"\n"
        previous = hashlib.sha256(form + payload).digest()
        hashes.append(previous.hex())
    assert re.findall(r"^'([0-9a-f]{64})'$", part("The canonical form"), re.MULTILINE) == hashes


def test_the_worked_example_is_what_the_journal_makes() -> None:
    hashes = [record.hash.hex() for record in link("wheel-1", EMPTY, DRAFTS)]
    assert re.findall(r"^'([0-9a-f]{64})'$", part("The canonical form"), re.MULTILINE) == hashes


def test_every_field_is_described_in_its_order() -> None:
    assert tuple(re.findall(r"^\| `(\w+)` \|", part("The record"), re.MULTILINE)) == Record._fields


def test_the_schemas_are_shown_as_they_are_made() -> None:
    shown = re.findall(r"Version (\d+):\n\n```sql\n(.*?)\n```", part("The schema"), re.DOTALL)
    made = [*enumerate((FIRST, SECOND), 1), *enumerate(IN_POSTGRES, 1)]
    assert shown == [(str(version), dedent(step).strip()) for version, step in made]


def test_the_marks_of_a_journal_are_named() -> None:
    assert f"`application_id` is `{APPLICATION_ID:#x}`" in part("The schema")
    assert f"In PostgreSQL, from version {OLDEST}," in part("The schema")

"""`croupier backup`: a checked copy of a journal, made while tables write to it."""

import argparse
import os
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from croupier.cli.command import Command, Output, add_json, as_json
from croupier.cli.files import is_folder, named_place
from croupier.cli.journals import add_journal, open_to_write
from croupier.cli.progress import bar_for
from croupier.cli.tables import Column, Row, render_table
from croupier.rulebook import BadInput

if TYPE_CHECKING:
    from croupier.floor.backup.backup import Progress, StreamHead

T = TypeVar("T")

_CHANGED: Final = 1
_NOT_AS_MADE: Final = (
    "The journal is not as croupier makes it: {}. Keep the copy as evidence: 'croupier restore' may refuse "
    "it, and a server may. Find out who changed the journal."
)


def _run(args: argparse.Namespace) -> Output:
    from croupier.floor.backup.backup import make_backup

    destination = _destination(args.journal, named_place(args.destination))
    made = with_bar(args.progress, lambda tell: make_backup(args.journal, destination, tell))
    notes = () if args.without_note else _note(args.journal, destination.name, made.heads)
    if made.faults:
        notes = (_NOT_AS_MADE.format(", ".join(made.faults)), *notes)
    if args.json:
        facts = {"backup": str(destination), "database": made.faults, "streams": head_facts(made.heads)}
        text = as_json(facts)
    else:
        text = head_table(f"Copied into {destination}, and every record fits", made.heads)
    return Output(text=text, notes=notes, status=_CHANGED if made.faults else 0)


def _destination(journal: str, given: Path) -> Path:
    """The file to make; in a folder, one named by the time."""
    from croupier.journal.opening import is_postgres

    if not is_folder(given):
        return given
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    return given / f"croupier-{stamp}{'.jsonl' if is_postgres(journal) else '.db'}"


def _note(journal: str, name: str, heads: Sequence["StreamHead"]) -> tuple[str, ...]:
    """Writes into the journal that a backup was made; that it cannot be written does not undo the backup."""
    from croupier.floor.clock import SystemClock
    from croupier.floor.house.log import BackupMade, HouseLog
    from croupier.journal import StoreError

    written = os.fsencode(name).decode("utf-8", "backslashreplace")  # a file may have any name
    made = BackupMade(name=written, heads={head.stream: head.sequence for head in heads})
    try:
        with closing(open_to_write(journal, must_exist=True)) as store:
            HouseLog(store, SystemClock()).note(made)
    except StoreError as error:
        return (f"The backup is made, and the journal does not say so: {error}",)
    return ()


def with_bar(asked_for: bool, act: Callable[["Progress"], T]) -> T:
    """Does something long with a bar, where somebody watches; what cannot be read is bad input."""
    from croupier.floor.backup.backup import in_silence
    from croupier.journal import StoreError

    bar = bar_for(asked_for, "records")
    try:
        return act(in_silence if bar is None else bar.show)
    except StoreError as error:
        right = "'croupier verify' says what fits in a journal."
        raise BadInput("journal-unreadable", str(error), right) from error
    finally:
        if bar is not None:
            bar.clear()


def head_facts(heads: Sequence["StreamHead"]) -> list[dict[str, Any]]:
    """How far streams go, for programs."""
    return [
        {
            "stream": head.stream,
            "sequence": head.sequence,
            "hash": head.hash,
            "last": None if head.last_ms is None else _time(head.last_ms),
            "last_round": head.last_round,
        }
        for head in heads
    ]


def _time(at_ms: int) -> str:
    """A time; one that no calendar has does not spoil a backup that is made."""
    from croupier.floor.exports.export import show_time

    try:
        return show_time(at_ms)
    except OverflowError:
        return f"{at_ms} ms"


def head_table(title: str, heads: Sequence["StreamHead"]) -> str:
    """How far streams go, for people; with what to note down outside."""
    columns = [
        Column("STREAM"),
        Column("LAST RECORD"),
        Column("ROUND", right=True),
        Column("HEAD"),
    ]
    rows = [
        Row(
            [
                str(facts["stream"]),
                str(facts["last"]),
                "-" if facts["last_round"] is None else str(facts["last_round"]),
                f"{facts['sequence']}:{facts['hash']}",
            ]
        )
        for facts in head_facts(heads)
    ]
    return render_table(title, columns, rows)


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    add_journal(parser)
    parser.add_argument(
        "destination", metavar="DESTINATION", help="a file that is not there yet, or a folder"
    )
    parser.add_argument(
        "--without-note", action="store_true", help="do not write into the journal that it was made"
    )
    parser.add_argument("--progress", action="store_true", help="show a bar also where nobody watches")
    add_json(parser)


BACKUP: Final = Command(
    "backup",
    "JOURNAL DESTINATION [--without-note] [--progress] [--json]",
    "a checked copy of a journal, made while tables write to it",
    _add_arguments,
    _run,
)

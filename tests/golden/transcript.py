"""A transcript: its heading and commands are read, the commands are played, and the whole is written anew."""

import difflib
import functools
import os
import re
import textwrap
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from croupier.rulebook import load_book
from croupier.table import Command, Reply, Rules, replay
from croupier.table.events import CommandRefused
from golden.clock import read_time
from golden.command_words import read_command
from golden.people import read_actor
from golden.rendering import INDENT, WIDTH, WORDS, show_end, show_event, show_refusal
from golden.setting_words import read_settings
from table.rig import Play

FOLDER: Final = Path(__file__).parent
_COMMAND: Final = re.compile(
    r"(?P<time>\d\d:\d\d:\d\d) +(?P<who>(?P<actor>[a-z0-9-]+)(?: \+(?P<second>[a-z0-9-]+))?"
    r"(?: #(?P<number>\d+))?) {2,}(?P<words>[a-z].*)"
)
_CLAUSE: Final = re.compile(r"\[([a-z0-9-]+:[A-Za-z0-9.]+)\]")


class Script(NamedTuple):
    """What a person wrote of a transcript: the heading, remarks and commands."""

    title: str
    book: str
    layouts: tuple[str, ...] | None
    settings: str
    clauses: tuple[str, ...]
    body: tuple[str, ...]
    """Remarks, which begin with `#`, command lines and blank lines, in order."""


class Played(NamedTuple):
    """A transcript that was played to its end."""

    script: Script
    text: str
    play: Play
    shown: frozenset[str]
    """The clauses that stand in brackets: cited by what happened, or by a remark on it."""


def read_script(text: str) -> Script:
    """Takes the heading, the remarks and the commands out of a transcript; all else is made again."""
    heading, _, body = text.partition("\n\n")
    title, *entries = heading.replace("\n  ", " ").splitlines()
    said = dict(entry.split(": ", 1) for entry in entries)
    book, _, layouts = said.pop("book").partition("  layout: ")
    script = Script(
        title=title.removeprefix("# "),
        book=book,
        layouts=tuple(layouts.split(" and ")) if layouts else None,
        settings=said.pop("settings", ""),
        clauses=tuple(clause for clause in said.pop("clauses").split() if clause != "none"),
        body=tuple(line for line in body.splitlines() if line.startswith("#") or _COMMAND.fullmatch(line)),
    )
    lost = [line for line in body.splitlines() if line[:1].isdigit() and not _COMMAND.fullmatch(line)]
    if said or lost:
        raise ValueError(f"not understood: {', '.join([*said, *lost])}")
    return script


@functools.cache
def played(file: str) -> Played:
    """Plays a transcript of this folder; invariants are checked after every event."""
    return play_script(read_script((FOLDER / file).read_text("utf-8")))


def play_script(script: Script) -> Played:
    """Plays the commands of a script and writes down everything that follows."""
    rules = Rules(load_book(script.book), script.layouts)
    play = Play(script.book, script.layouts, **read_settings(rules, script.settings))
    sha256 = rules.book.sha256
    lines = [*_show_heading(script, rules), "", "At the start", *show_event(play.entries[0].event, sha256)]
    for line in script.body:
        if line.startswith("#"):
            lines += [line] if lines[-1].startswith("#") else ["", line]
        else:
            before = len(play.entries)
            reply = play.submit(_command(play, line))
            lines.append(_show_command(line))
            if not reply.repeated:  # what the table does by itself first
                lines += [
                    row
                    for entry in play.entries[before : reply.first - 1]
                    for row in show_event(entry.event, sha256)
                ]
            lines += _show_reply(play, reply, sha256)
    lines += ["", *show_end(play.state), ""]
    remarks = [clause for line in script.body if line[0] == "#" for clause in _CLAUSE.findall(line)]
    return Played(script, "\n".join(lines), play, frozenset(remarks) | _cited(play))


def _show_heading(script: Script, rules: Rules) -> list[str]:
    entries = [f"book: {script.book}  layout: {' and '.join(rules.layouts)}"]
    if script.settings:
        entries.append(f"settings: {script.settings}")
    entries.append(f"clauses: {' '.join(script.clauses) or 'none'}")
    wrapped = (textwrap.wrap(entry, WIDTH, subsequent_indent="  ", **WORDS) for entry in entries)
    return [f"# {script.title}", *(row for rows in wrapped for row in rows)]


def _match(line: str) -> re.Match[str]:
    match = _COMMAND.fullmatch(line)
    if match is None:
        raise ValueError(f"{line!r} is not written like a command")
    return match


def _show_command(line: str) -> str:
    match = _match(line)
    return f"{match['time']}  {match['who']:<15}  {match['words']}"


def _command(play: Play, line: str) -> Command:
    match = _match(line)
    actor, second = read_actor(match["actor"]), match["second"]
    at_ms = read_time(match["time"])
    if at_ms < play.at_ms:
        raise ValueError(f"{line!r} goes back in time")
    play.at_ms = at_ms
    do = read_command(play.rules, match["words"])
    if match["number"] is None:
        return play.command(actor, do, read_actor(second) if second else None)
    return Command(at_ms=at_ms, actor=actor, sender=actor.id, number=int(match["number"]), do=do)


def _show_reply(play: Play, reply: Reply, sha256: str) -> list[str]:
    if not reply.repeated and not reply.entries and reply.rejection is not None:
        return show_refusal(reply.rejection)
    lines = []
    if reply.repeated:
        lines.append(f"{INDENT}REPEATED: nothing happens; the first answer again:")
    for entry in play.entries[reply.first - 1 : reply.last]:
        lines += show_event(entry.event, sha256)
    return lines


def _cited(play: Play) -> frozenset[str]:
    events = [entry.event for entry in play.entries]
    cited = {getattr(event, "clause", None) for event in events}
    cited |= {event.rejection.clause for event in events if isinstance(event, CommandRefused)}
    return frozenset(clause for clause in cited if clause is not None)


def check_transcript(file: str, marked: tuple[str, ...]) -> None:
    """Plays a transcript and compares it with the file; `UPDATE_GOLDEN=1` writes the file instead."""
    found = played(file)
    assert found.script.clauses == marked, "the heading and the mark on the test name different clauses"
    assert set(marked) <= found.shown, "no event, refusal or remark of the transcript cites these clauses"
    assert sum(found.play.state.balances.values()) == 0
    assert replay(found.play.rules, found.play.entries) == found.play.state
    path = FOLDER / file
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(found.text, "utf-8")
    if found_lines := differences(file, path.read_text("utf-8"), found.text):
        pytest.fail("\n".join(["the transcript differs from what happens:", *found_lines]), pytrace=False)


def differences(file: str, written: str, text: str) -> list[str]:
    """What differs between a transcript as it is written and as it was played; empty where nothing does."""
    names = f"{file} as written", f"{file} as played"
    return [*difflib.unified_diff(written.splitlines(), text.splitlines(), *names, lineterm="")]

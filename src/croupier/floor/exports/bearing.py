"""What bears on a round, found by the round's number: most of a long journal is searched, and not read.

An act on a round may come at any time: a decision without consequences has no term, nor has money that a
correction left open. So all that comes behind a round is searched, and nothing is concluded from the rules.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from croupier.floor.codec import is_known
from croupier.floor.exports.selection import Selection, entries_of
from croupier.floor.verify.evidence import Evidence
from croupier.journal import Record
from croupier.rulebook import BadInput
from croupier.table import Entry
from croupier.table import events as e
from croupier.table.recall import credits_moved

Command = list[tuple[Record, Entry]]
"""The records that one command led to, with what they hold."""

_ESCAPE: Final = b"\\"
"""What begins a letter of JSON that is written otherwise: behind it may stand anything."""


def select_round(evidence: Evidence, table: str, number: int) -> Selection:
    """One round: what happened while it ran, and what was done to it later."""
    sequences = [record.sequence for record, _ in found_bearing_on(evidence, table, number)]
    return Selection(round=number, sequences=frozenset(sequences), first=sequences[0], last=sequences[-1])


def found_bearing_on(evidence: Evidence, table: str, number: int) -> list[tuple[Record, Entry]]:
    """The records that bear on a round, in order; refuses a round that there was not."""
    found = [*bearing_on(_commands_about(evidence, table, number), number)]
    if not found:
        raise BadInput("unknown-round", f"There was no round {number} at table {table}.")
    return found


def bearing_on(commands: Iterable[Command], number: int) -> Iterator[tuple[Record, Entry]]:
    """The records that bear on a round, in order.

    These are the ones that name it; those that name no round and happened while it ran; those that name no
    round and came from a command that did something to it, such as a lock-up after a correction; and those
    that moved credits while it ran, because another round was corrected.
    """
    running = False
    for command in commands:
        named = {getattr(entry.event, "round", None) for _, entry in command}
        running = running or _opens(command, number)
        ended = False
        for record, entry in command:
            of = getattr(entry.event, "round", None)
            is_meanwhile = running and not ended and credits_moved(entry.event) is not None
            if of == number or is_meanwhile or (of is None and (running or number in named)):
                yield record, entry
            ended = ended or _is_end(entry, number)
        running = running and not ended


def commands_in(entries: Iterable[tuple[Record, Entry]]) -> Iterator[Command]:
    """The records of one command after the other."""
    command: Command = []
    for record, entry in entries:
        if record.part == 0 and command:
            yield command
            command = []
        command.append((record, entry))
    if command:
        yield command


def _commands_about(evidence: Evidence, table: str, number: int) -> Iterator[Command]:
    """The commands that did something to a round, and all those while it ran."""
    read_to = 0
    # However a number is spaced in JSON, and whatever stands around it, its digits are together.
    for record in evidence.holding(table, b"%d" % number):
        if record.sequence > read_to and _may_name(record, number):
            for command in _from_command_of(evidence, table, record, number):
                yield command
                read_to = command[-1][0].sequence


def _from_command_of(evidence: Evidence, table: str, named: Record, number: int) -> Iterator[Command]:
    """The command that a record came from; where the round begins with it, all up to the end of the round."""
    running = False
    for command in commands_in(entries_of(evidence, table, named.sequence - named.part - 1)):
        yield command
        running = running or _opens(command, number)
        running = running and not any(_is_end(entry, number) for _, entry in command)
        if not running and command[-1][0].sequence >= named.sequence:
            return


def _may_name(record: Record, number: int) -> bool:
    """Whether a record that has the digits of a round's number may be about that round.

    What a newer version has written may be so in a way that nobody here knows: whoever reads it refuses it.
    """
    if not is_known(record.kind, record.version) or _ESCAPE in record.payload:
        return True
    return re.search(rb'"round"\s*:\s*%d(?![0-9])' % number, record.payload) is not None


def _opens(command: Command, number: int) -> bool:
    return any(isinstance(entry.event, e.RoundOpened) and entry.event.round == number for _, entry in command)


def _is_end(entry: Entry, number: int) -> bool:
    return isinstance(entry.event, e.RoundSettled | e.RoundVoided) and entry.event.round == number

"""A live table with everything of a plain bet for nothing but its way: what no faster rules can go beyond.

Judging, watching the money, encoding and chaining are left out of the runner, and all else is as it is:
commands, queue, batches, the store with its segments and its index of senders' numbers, answers. What is
written is as long as a bet's record. Such a journal says nothing; it is for a stopwatch.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final
from unittest.mock import patch

from croupier.floor import writer
from croupier.floor.codec import drafts_of_batch
from croupier.journal import Draft, Head, Run, linked
from croupier.table import Command, Entry, Reply, Rules, State, play
from croupier.table import commands as c
from croupier.table.events import BetsChanged, Cause
from journal_bets import Pace, pace

_FORM: Final = bytes(350)
"""As long as the canonical form of a bet."""
_HASH: Final = bytes(32)
_FREE_FROM: Final = 32
"""Smaller batches, with which a table is opened and closed, are done as ever."""


class _Free:
    """What stands for the parts of a runner that are left out."""

    def __init__(self) -> None:
        self._bets: dict[str, BetsChanged] = {}
        """The first bet of each sender, which stands for all that follow."""

    def play(self, rules: Rules, state: State, command: Command) -> Reply:
        event = self._bets.get(command.sender) if type(command.do) is c.PlaceBets else None
        if event is None:
            reply = play(rules, state, command)
            for entry in reply.entries:
                if isinstance(entry.event, BetsChanged):
                    self._bets[command.sender] = entry.event
            return reply
        state.sequence += 1
        cause = Cause(
            at_ms=command.at_ms,
            actor=command.actor,
            sender=command.sender,
            number=command.number,
            fingerprint="",
        )
        at = state.sequence
        return Reply(rejection=None, entries=(Entry(cause, event),), first=at, last=at)

    def drafts_of_batch(self, commands: Sequence[Sequence[Entry]]) -> list[Draft]:
        if len(commands) < _FREE_FROM:
            return drafts_of_batch(commands)
        causes = [entry.cause for (entry,) in commands]
        return [Draft(0, "", cause.sender, cause.number, 0, "", 0, b"") for cause in causes]

    def linked(self, table: str, head: Head, drafts: Sequence[Draft]) -> Run:
        if drafts[0].kind:
            return linked(table, head, drafts)
        run = Run(table, head, drafts)
        run.forms, run.hashes = [_FORM] * len(drafts), [_HASH] * len(drafts)
        return run


def free_bets(path: Path, senders: int, seconds: float) -> float:
    """Bets a second of a runner for which judging, encoding and chaining take no time."""
    free = _Free()
    left_out = patch.multiple(
        writer,
        play=free.play,
        faults_after=lambda state, entries: [],
        drafts_of_batch=free.drafts_of_batch,
        linked=free.linked,
    )
    with left_out:
        found: Pace = pace(path, senders, seconds)
    return found.bets_per_second

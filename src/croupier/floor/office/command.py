"""A command to a table that no server runs: decided on its journal and written behind it, or refused."""

from collections.abc import Callable
from typing import Final

from croupier.floor.clock import Clock
from croupier.floor.codec import drafts_of
from croupier.floor.loading import load_table
from croupier.floor.timekeeping import BEAT_SECONDS
from croupier.journal import Fenced, Store, link
from croupier.rulebook import BadInput, Book, load_book
from croupier.table import Actor, Command, Do, Reply, submit

QUIET_SECONDS: Final = 10 * BEAT_SECONDS
"""How long a table has to be without a sign of life before it counts as stopped."""

SENDER: Final = "admin"


def command_stopped_table(
    store: Store,
    clock: Clock,
    table: str,
    do: Do,
    actor: Actor,
    second: Actor | None = None,
    find_book: Callable[[str], Book] = load_book,
) -> Reply:
    """Has a stopped table decide a command, with the authority that the book asks for.

    A server that runs the table after all has not lost anything: whoever writes second is fenced. But the
    table would have to be opened again, so a table that shows signs of life is left alone.
    """
    _must_be_quiet(store, clock, table)
    loaded = load_table(store, table, find_book)
    if loaded is None:
        raise BadInput("unknown-table", f"There is no table {table!r} in this journal.")
    now_ms = clock.now_ms()
    command = Command(at_ms=now_ms, actor=actor, sender=SENDER, number=now_ms, do=do, second=second)
    reply = submit(loaded.rules, loaded.state, command)
    if reply.entries:
        drafts = drafts_of(reply.entries)
        records = list(link(table, loaded.head, drafts))
        claims = [
            (key, record.sequence)
            for draft, record in zip(drafts, records, strict=True)
            for key in draft.claims
        ]
        try:
            store.append(records, claims)
        except Fenced:
            raise _running(table) from None
    return reply


def _must_be_quiet(store: Store, clock: Clock, table: str) -> None:
    beat_ms = store.last_beat(table)
    if beat_ms is not None and clock.now_ms() - beat_ms < 1000 * QUIET_SECONDS:
        raise _running(table)


def _running(table: str) -> BadInput:
    return BadInput(
        "table-running",
        f"A server runs table {table}, or did a moment ago.",
        f"Do this at its console; or stop the server and wait {QUIET_SECONDS} seconds.",
    )

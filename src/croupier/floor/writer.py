"""The one writer of a table: decides commands on its state and writes down what follows."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from typing import Final, NamedTuple, TypeVar

from croupier.floor.codec import drafts_of_batch, entry_of
from croupier.floor.loading import currency_of, load_table, snapshot_of
from croupier.floor.refusals import CODES, answer
from croupier.floor.waiting import Waiting
from croupier.floor.watching import faults_after
from croupier.journal import EMPTY, Draft, Fenced, Head, Run, Store, StoreError, linked
from croupier.journal.faults import point
from croupier.rulebook import Book
from croupier.table import Command, Entry, Rejection, Reply, Rules, State, evolve, play, submit
from croupier.table.events import CommandRefused

T = TypeVar("T")

_new: Final = tuple.__new__


class Published(NamedTuple):
    """An entry that is on the disk, with its place in the table's history."""

    sequence: int
    entry: Entry


def entries_behind(store: Store, table: str, after: int, until: int | None = None) -> list[Published]:
    """What the journal has behind a number, up to another one."""
    found = []
    for record in store.read(table, after):
        if until is not None and record.sequence > until:
            break
        found.append(Published(record.sequence, entry_of(record)))
    return found


class Batch:
    """Commands that were decided one after the other and are not on the disk yet."""

    __slots__ = ("published", "replies", "waiting")

    def __init__(self) -> None:
        self.waiting: list[Waiting] = []
        self.replies: list[Reply] = []
        self.published: list[Published] = []

    def __len__(self) -> int:
        return len(self.waiting)


class BrokenInvariant(Exception):
    """Deciding a command led to a state that cannot be."""


class Writer:
    """A table's state and the head of its chain. After a failure the journal is read before anything else."""

    rules: Rules
    state: State

    def __init__(
        self, store: Store, table: str, executor: Executor, find_book: Callable[[str], Book]
    ) -> None:
        self.table = table
        self.loaded = False
        self._store = store
        self._executor = executor
        self._find_book = find_book
        self._books: dict[str, Book] = {}
        self._head: Head = EMPTY
        self._possible: frozenset[Head] | None = None
        """Where the chain may end when it is read again, unless somebody else writes to it."""
        self._snapshot_at = 0

    @property
    def is_new(self) -> bool:
        """Whether nothing has happened at the table but its creation."""
        return self._head.sequence <= 1

    async def load(self) -> None:
        """Reads the table from its journal; raises `Fenced` where somebody else has written to it."""
        point("table-opening")
        loaded = await self.in_thread(load_table, self._store, self.table, self._book)
        point("table-opened")
        if loaded is None:
            raise StoreError(f"There is no table {self.table!r} in this journal.")
        if self._possible is not None and loaded.head not in self._possible:
            raise Fenced(f"Another writer has written to table {self.table}.")
        self.rules, self.state, self._head, self._snapshot_at = loaded
        self._possible = frozenset({self._head})
        self.loaded = True

    def _book(self, book_id: str) -> Book:
        """The table's book; once it is known, a table that reads its journal again needs no file for it."""
        if book_id not in self._books:
            self._books[book_id] = self._find_book(book_id)
        return self._books[book_id]

    def is_in_its_currency(self, table: str) -> bool:
        """Whether the money of another table is that of this one; not where nobody can tell."""
        return table == self.table or (
            currency_of(self._store, table, self._find_book) == self.rules.book.currency
        )

    async def is_replaced(self) -> bool:
        """Whether the chain ends where this writer cannot have left it: somebody else has written to it."""
        head = await self.in_thread(self._store.head, self.table)
        return self._possible is not None and head not in self._possible

    def decide(self, batch: Batch, waiting: Sequence[Waiting]) -> None:
        """Decides commands, each on what the ones before it led to; the state is ahead of the disk then."""
        batch.waiting += waiting
        replies, published = batch.replies, batch.published
        for asked in waiting:
            replies.append(self._decide(asked.command, published))

    def begin(self, batch: Batch) -> "asyncio.Future[Head]":
        """Has the store write down what a batch led to; nothing else is begun before `landed`."""
        return self._append(drafts_of_batch([reply.entries for reply in batch.replies]))

    def landed(self, head: Head) -> None:
        """The store has said that what was begun is on the disk, up to here."""
        self._head, self._possible = head, frozenset({head})
        self.loaded = True

    async def write(self, batch: Batch) -> None:
        """Writes a batch down and waits for it."""
        if batch.published:
            self.landed(await self.begin(batch))

    async def write_refusal(self, waiting: Waiting, code: str, **facts: str | int) -> Batch:
        """Writes down that a command was refused for a reason that the table itself cannot know."""
        command, batch = waiting.command, Batch()
        batch.waiting.append(waiting)
        decided = submit(self.rules, self.state, command)
        if not decided.entries:  # it was answered before
            batch.replies.append(decided)
            return batch
        rejection = Rejection(code=code, sentence=CODES[code], facts=facts)
        tag = str(type(command.do).__struct_config__.tag)
        entry = Entry(decided.entries[0].cause, CommandRefused(command=tag, rejection=rejection))
        evolve(self.rules, self.state, entry)
        sequence = self.state.sequence
        batch.replies.append(Reply(rejection=rejection, entries=(entry,), first=sequence, last=sequence))
        batch.published.append(Published(sequence, entry))
        await self.write(batch)
        return batch

    async def missed(self, after: int) -> list[Published]:
        """What the journal has between a number and where the table is."""
        return await self.in_thread(entries_behind, self._store, self.table, after, self.state.sequence)

    def wants_snapshot(self, every: int) -> bool:
        """Whether enough has happened since the last one."""
        return self._head.sequence - self._snapshot_at >= every

    async def keep_snapshot(self) -> None:
        """Keeps a snapshot of the table as it is on the disk."""
        self._snapshot_at = self._head.sequence
        snapshot = snapshot_of(self.table, self.state, self._head)
        point("snapshot-taken")
        await self.in_thread(self._store.save_snapshot, self.table, snapshot)
        point("snapshot-kept")

    async def in_thread(self, act: Callable[..., T], *args: object) -> T:
        """Has the store do something without holding anybody else up."""
        return await self._in_thread(act, *args)

    def _in_thread(self, act: Callable[..., T], *args: object) -> "asyncio.Future[T]":
        return asyncio.get_running_loop().run_in_executor(self._executor, act, *args)

    def _decide(self, command: Command, published: list[Published]) -> Reply:
        rules, state = self.rules, self.state
        try:
            reply = play(rules, state, command)
            entries, sequence = reply.entries, reply.first
            for entry in entries:
                published.append(_new(Published, (sequence, entry)))
                sequence += 1
            faults = faults_after(state, entries)
        except UnicodeEncodeError:  # from the command's fingerprint, before anything has changed
            return answer("bad-command")
        except Exception as error:
            self.loaded = False
            raise BrokenInvariant(f"{type(error).__name__}: {error}") from error
        if faults:
            self.loaded = False
            raise BrokenInvariant(" ".join(faults))
        return reply

    def _append(self, drafts: list[Draft]) -> "asyncio.Future[Head]":
        self.loaded = False  # until the store has said otherwise, the state is ahead of the disk
        records = linked(self.table, self._head, drafts)
        first = self._head.sequence + 1
        claims = [
            (key, sequence) for sequence, draft in enumerate(drafts, start=first) for key in draft.claims
        ]
        _, _, after = records.span
        self._possible = frozenset({self._head, after})
        point("batch-decided")
        return self._in_thread(_appended, self._store, records, claims, after)


def _appended(store: Store, records: Run, claims: list[tuple[str, int]], head: Head) -> Head:
    store.append(records, claims)
    return head

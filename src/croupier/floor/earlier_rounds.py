"""Rounds that a table has let go of, read from its journal beside the table's own work."""

import asyncio
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Executor
from typing import Final, NamedTuple

from croupier.floor.codec import UnreadableRecord
from croupier.floor.loading import DamagedJournal, rules_of
from croupier.floor.reading import OffChain, told_behind
from croupier.journal import EMPTY, Store
from croupier.rulebook import Book
from croupier.table import Entry, Round, State, rounds_over

_KEPT: Final = 20
"""How many rounds are remembered: somebody looks at what would be done, and then does it."""


class EarlierRound(NamedTuple):
    """A round as its journal has it."""

    round: Round
    read_to: int
    """The last record that was read."""


class EarlierRounds:
    """Reads earlier rounds of one table, in a thread that nobody at the table waits for."""

    def __init__(
        self, store: Store, table: str, find_book: Callable[[str], Book], executor: Executor | None = None
    ) -> None:
        """`executor` has the thread; None is the event loop's own."""
        self._store = store
        self._table = table
        self._find_book = find_book
        self._executor = executor
        self._turn = asyncio.Lock()
        self._known: dict[int, EarlierRound] = {}

    async def find(self, state: State, numbers: Collection[int]) -> list[EarlierRound]:
        """Rounds that are over and not in memory; `state` is that of the table, with nothing on its way."""
        async with self._turn:  # one reading is work enough
            # A round that is not in memory can only have changed behind a record that recalls it.
            known = {n: found for n, found in self._known.items() if found.read_to >= state.recalled_at}
            missing = frozenset(numbers) - known.keys()
            if missing:
                loop = asyncio.get_running_loop()
                known |= await loop.run_in_executor(
                    self._executor, read_rounds, self._store, self._table, missing, self._find_book
                )
            self._known = dict([*known.items()][-_KEPT:])
        return [known[number] for number in numbers if number in known]


def read_rounds(
    store: Store, table: str, numbers: Collection[int], find_book: Callable[[str], Book]
) -> dict[int, EarlierRound]:
    """Rounds of a table that are over, by number, from its whole journal."""
    read_to = 0

    def entries() -> Iterator[Entry]:
        nonlocal read_to
        for first, entries, _ in told_behind(table, EMPTY, store.stretches(table)):
            yield from entries
            read_to = first + len(entries) - 1

    try:
        found = rounds_over(rules_of(store, table, find_book), entries(), numbers)
    except (OffChain, UnreadableRecord) as error:
        raise DamagedJournal(f"The journal of table {table} cannot be read to its end: {error}.") from error
    return {number: EarlierRound(round_, read_to) for number, round_ in found.items()}

"""What a table cannot answer by itself: its journal knows forgotten senders and other tables' vouchers."""

import logging
from typing import Final

from croupier.floor.cage.vouchers import why_not_taken
from croupier.floor.clock import Clock
from croupier.floor.first_answers import first_answer
from croupier.floor.refusals import answer
from croupier.floor.writer import Writer
from croupier.journal import Store, StoreError
from croupier.table import Do, Reply
from croupier.table.commands import BuyCredits

LOG: Final = logging.getLogger("croupier.floor")


class Archive:
    """Answers from a table's journal, asked in the writer's thread."""

    def __init__(self, writer: Writer, store: Store, clock: Clock, voucher_days: int) -> None:
        self._writer = writer
        self._store = store
        self._clock = clock
        self._voucher_days = voucher_days

    async def answer(
        self, do: Do, sender: str, number: int, *, knows_sender: bool, may_ask: bool
    ) -> Reply | None:
        """What the journal answers in the table's place; None where the table has to decide.

        `may_ask` says that the table does not refuse who asks: nobody else is told what a voucher is.
        """
        if isinstance(do, BuyCredits) and do.voucher is not None and may_ask:
            refused = await self._voucher_refused(do.voucher, do.cents)
            if refused is not None:
                return refused
        return None if knows_sender else await self.first_answer(do, sender, number)

    async def first_answer(self, do: Do, sender: str, number: int) -> Reply | None:
        """What a sender was told for a number that the table has forgotten."""
        table = self._writer.table
        try:
            return await self._writer.in_thread(first_answer, self._store, table, do, sender, number)
        except StoreError:
            return answer("not-registered")
        except UnicodeEncodeError:
            return answer("bad-command")

    async def _voucher_refused(self, voucher: str, cents: int) -> Reply | None:
        now_ms, days = self._clock.now_ms(), self._voucher_days
        try:
            code = await self._writer.in_thread(
                why_not_taken, self._store, voucher, cents, now_ms, days, self._writer.is_in_its_currency
            )
        except StoreError as error:
            LOG.error("table %s: a voucher cannot be looked up: %s", self._writer.table, error)
            return answer("not-registered")
        return None if code is None else answer(code)

"""A journal with a table that has issued a voucher, and a cage beside it."""

from pathlib import Path

import pytest

from croupier.floor import ManualClock, create_table
from croupier.floor.cage.cage import Cage
from croupier.floor.cage.numbers import new_voucher_number
from croupier.floor.codec import drafts_of
from croupier.journal import link
from croupier.journal.sqlite import SqliteStore
from croupier.rulebook import BadInput
from croupier.table import commands as c
from table.rig import START_MS, SUPERVISOR, Play, player


class Vouchers:
    """A journal with a table that has issued a voucher, and a cage beside it."""

    def __init__(self, path: Path) -> None:
        self.store = SqliteStore(path / "journal.db")
        self.clock = ManualClock(START_MS)
        self.cage = Cage(self.store, self.clock)
        self.number = new_voucher_number()
        self.play = Play().open(("1",), cents=12_345)
        self.play.do(player("1"), c.CashOut(seat="1", voucher=self.number))
        create_table(self.store, self.play.rules, self.play.settings, START_MS, SUPERVISOR)
        self._written = 1
        self.write()

    def write(self) -> None:
        """Writes down what has happened at the table since."""
        for entry in self.play.entries[self._written :]:
            drafts = drafts_of([entry])
            (record,) = link("T1", self.store.head("T1"), drafts)
            self.store.append([record], [(key, record.sequence) for key in drafts[0].claims])
        self._written = len(self.play.entries)


def refusal(act: object, *args: object) -> str:
    assert callable(act)
    with pytest.raises(BadInput) as refused:
        act(*args)
    return refused.value.code

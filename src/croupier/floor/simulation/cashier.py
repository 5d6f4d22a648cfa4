"""A cashier who pays vouchers on a disk that fails, and tries again until it is known what became of it."""

import asyncio
from random import Random

from croupier.floor.cage import Cage
from croupier.floor.simulation.disk import Disk
from croupier.floor.simulation.instant import SimulatedClock
from croupier.floor.simulation.people import CASHIER
from croupier.journal import StoreError
from croupier.rulebook import BadInput


class Cashier:
    """Remembers what was paid out for which voucher."""

    def __init__(self, disk: Disk, random: Random) -> None:
        self.paid: dict[str, int] = {}
        self._cage = Cage(disk, SimulatedClock())
        self._random = random

    async def pay(self, voucher: str, cents: int) -> None:
        """Pays a voucher once; where an answer was lost, what the cage then says is the answer."""
        is_unsure = False
        while True:
            try:
                self._cage.pay(voucher, cents, CASHIER)
            except StoreError:
                is_unsure = True
                await asyncio.sleep(self._random.uniform(0.1, 2))
                continue
            except BadInput as refused:
                if refused.code != "voucher-paid" or not is_unsure:
                    return
            self.paid[voucher] = cents
            return

"""A cashier who pays vouchers on a disk that fails, and tries again until it is known what became of it."""

import asyncio
from random import Random

from croupier.floor.cage.cage import Cage
from croupier.floor.cage.vouchers import Asked
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
        self._asked = 0

    async def pay(self, voucher: str, cents: int) -> None:
        """Pays a voucher once; where an answer was lost, the same question gets the first answer again."""
        self._asked += 1
        asked = Asked("cage-window", self._asked)
        while True:
            try:
                self._cage.pay(voucher, cents, CASHIER, asked)
            except StoreError:
                await asyncio.sleep(self._random.uniform(0.1, 2))
                continue
            except BadInput:
                return
            self.paid[voucher] = cents
            return

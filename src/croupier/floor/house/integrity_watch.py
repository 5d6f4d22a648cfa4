"""Checks of the software when the server starts, every day, and whenever somebody asks."""

import logging
from collections.abc import Callable
from typing import Final

from croupier.floor.cage.vouchers import DAY_MS
from croupier.floor.house.integrity import IntegrityReport, printable
from croupier.floor.house.log import SoftwareChecked

LOG: Final = logging.getLogger("croupier.floor")

NO_DIGEST: Final = "none"
"""In the place of the hash where there is none."""

START, DAILY, DEMAND = "start", "daily", "demand"

_MOST_FAULTS: Final = 20
"""How many faults are written down; the first one is enough to stop play."""


class IntegrityWatch:
    """Knows when a check is due; what it finds is for the house's log, and for `reason_to_halt`."""

    def __init__(self, check: Callable[[], IntegrityReport], every_ms: int = DAY_MS) -> None:
        self._check = check
        self._every_ms = every_ms
        self._due_ms: int | None = None

    def tick(self, now_ms: int) -> SoftwareChecked | None:
        """Checks where it is time: at the first look, and then once a day."""
        if self._due_ms is not None and now_ms < self._due_ms:
            return None
        return self.check(now_ms, START if self._due_ms is None else DAILY)

    def check(self, now_ms: int, occasion: str = DEMAND) -> SoftwareChecked:
        """Checks now; the next daily check is a day later. One that cannot be made is a fault."""
        try:
            report = self._check()
        except Exception as error:  # whatever keeps it from looking, nobody knows what is installed
            LOG.exception("the software could not be checked")
            fault = f"The check could not be made: {type(error).__name__}: {error}."
            report = IntegrityReport(digest=NO_DIGEST, faults=(printable(fault),))
        self._due_ms = now_ms + self._every_ms
        return SoftwareChecked(
            occasion=occasion, digest=report.digest, ok=report.ok, faults=report.faults[:_MOST_FAULTS]
        )

"""A window on the office for changes to the staff."""

import threading
from collections.abc import Callable

from croupier.floor.office.office import Office, Who
from croupier.floor.office.staff import Decision


class StaffDesk:
    """A window on the office for changes to the staff."""

    def __init__(self, office: Office) -> None:
        self._office = office
        self._lock = threading.Lock()

    def write(self, who: Who, decide: Callable[[], Decision]) -> None:
        """Writes a decision down; raises `BadInput` where it cannot be."""
        with self._lock:
            self._office.write(who, decide())

"""Running tables: the queue, the group commit, timers, recovery."""

from croupier.floor.clock import Clock, ManualClock, SystemClock
from croupier.floor.creating import create_table
from croupier.floor.loading import DamagedJournal, load_table
from croupier.floor.runner import Runner
from croupier.floor.waiting import Ask
from croupier.floor.writer import Published

__all__ = [
    "Ask",
    "Clock",
    "DamagedJournal",
    "ManualClock",
    "Published",
    "Runner",
    "SystemClock",
    "create_table",
    "load_table",
]

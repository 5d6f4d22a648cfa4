"""What makes the demonstration floor live: its people, its crew of bots, and what it prints at the start."""

from collections.abc import Iterable
from itertools import zip_longest
from typing import Final

from croupier.client.crew import Crew, Person
from croupier.server.demonstration import PASSWORD, sign_in_text
from croupier.server.running import RunningFloor
from croupier.table import State
from croupier.table.rules import PLACE

_DEALER: Final = Person(name="crew-dealer", password=PASSWORD)
_SUPERVISOR: Final = Person(name="crew-supervisor", password=PASSWORD)


class Demonstration:
    """A crew at every table; a person who takes a console over relieves the crew's dealer there."""

    def __init__(self, bots: int) -> None:
        self._bots = bots
        self._crews: list[Crew] = []

    async def start(self, running: RunningFloor) -> None:
        """Prints where everything is, and sets the crew to work."""
        print(_page(running), flush=True)
        for name, live in running.floor.tables.items():
            crew = Crew(running.base_url, name)
            rules = live.runner.rules
            is_place = rules.seat_kinds == (PLACE,)
            await crew.open_table(_SUPERVISOR)
            await crew.seat_dealer(
                _DEALER, rules.book, wheel_spins=True, places=self._bots if is_place else 0
            )
            if self._bots and not is_place:
                seats = last_of_each_layout(live.runner.state)[: self._bots]
                await crew.seat_bots(_SUPERVISOR, seats, think_seconds=12)
            self._crews.append(crew)

    async def stop(self) -> None:
        """The crew goes home."""
        for crew in self._crews:
            await crew.stop()


def _layouts(layouts: Iterable[str]) -> str:
    names = [*layouts]
    return f"layout{'s' if len(names) > 1 else ''} {' and '.join(names)}"


def last_of_each_layout(state: State) -> list[str]:
    """Seats from the last on, of one layout after the other: people find the first ones free."""
    by_layout: dict[str, list[str]] = {}
    for seat in reversed(state.seats.values()):
        by_layout.setdefault(seat.layout, []).append(seat.id)
    turns = zip_longest(*by_layout.values())
    return [seat for turn in turns for seat in turn if seat is not None]


def _page(running: RunningFloor) -> str:
    base = running.base_url
    tables = "\n".join(
        f"  {name:20}  {live.runner.rules.book.title}, {_layouts(live.runner.rules.layouts)}"
        for name, live in running.floor.tables.items()
    )
    return f"""
DEMONSTRATION FLOOR: not for real money. Its passwords are public, and it listens on this machine alone.

Open {base}/ in a browser; from there to a seat and a console, side by side.
  {base}/console   {base}/pit   {base}/display   {base}/cage   {base}/api/docs

{sign_in_text()}

Tables, each with a simulated wheel, bots, and a dealer of the crew who makes room for you:
{tables}

The journal is {running.config.journal}; stop with Ctrl-C, then: croupier verify {running.config.journal}
"""

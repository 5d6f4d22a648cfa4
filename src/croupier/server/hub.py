"""What has happened at a table goes out to everybody who may see it, each message encoded once."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple

from croupier.floor import Published
from croupier.protocol.facts import facts_of
from croupier.protocol.telling import Boxes, Overview, Snapshot, Told
from croupier.protocol.views import PitLine, SeatView, ShownNotice, TableView
from croupier.server.frames import frame_of
from croupier.server.hearing import heard_by, visits_left_open
from croupier.server.listening import Listener
from croupier.server.telling_soon import TellingSoon
from croupier.server.viewing import (
    action_views,
    boxes_cents,
    console_view,
    dispute_views,
    last_win,
    last_wins,
    notice_now,
    notice_of,
    pit_line,
    seat_line,
    seat_view,
    stakes_view,
    table_view,
)
from croupier.table import Actor, Entry, Rules, State
from croupier.table import events as e

KEPT_FOR_RESUMING: Final = 4096
OVERVIEW_SECONDS: Final = 0.1
"""How often consoles hear of new stakes: faster than anybody reads."""

QUIET: Final = (e.BetsChanged, e.SeatSettled)
"""What consoles learn from the overview instead, since it happens for every seat."""

UNCHANGED: Final = ("none", "continue")
"""What follows from an interruption that leaves the table as it was."""


class _Past(NamedTuple):
    sequence: int
    seat: str | None
    """The only seat that may see it; None for everybody at the table."""
    frame: bytes


class _News:
    """What a batch has to tell, made before it is on the disk and sent when it is."""

    __slots__ = ("clause", "for_staff", "last", "pasts", "said", "seats", "sequence")

    def __init__(self, sequence: int, said: ShownNotice | None, clause: str | None) -> None:
        self.sequence = sequence
        self.said, self.clause = said, clause
        """What players were told last, and the clause behind it."""
        self.last: dict[str, tuple[int, int] | None] = {}
        """By seat, the round that it was settled for and what it got."""
        self.seats: set[str] = set()
        """Whose line on a console has changed."""
        self.pasts: list[_Past] = []
        self.for_staff: list[bytes] = []


class TableHub:
    """The listeners of one table."""

    def __init__(
        self,
        rules: Callable[[], Rules],
        state: Callable[[], State],
        now_ms: Callable[[], int],
        consistent: Callable[[], Awaitable[object]],
        changed: Callable[["TableHub"], None] = lambda hub: None,
        elsewhere: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        """`elsewhere` gives the seats whose terminals are connected to other servers of the floor."""
        self._rules = rules
        self._state = state
        self._now_ms = now_ms
        self.consistent = consistent
        """Waits until the state is what is on the disk, and not ahead of it."""
        self._changed = changed
        self._elsewhere = elsewhere
        self._past: deque[_Past] = deque(maxlen=KEPT_FOR_RESUMING)
        self._forgotten_to = state().sequence
        """Events up to here cannot be told again."""
        self.sequence = state().sequence
        """The last event that was told."""
        self._said, self._clause = self._said_now()
        self._last: dict[str, tuple[int, int] | None] = {**last_wins(state())}
        self._visits_open = {**visits_left_open(state())}
        self.seats: dict[str, list[Listener]] = {}
        self.displays: list[Listener] = []
        self.consoles: list[Listener] = []
        self.staff: list[Listener] = []
        """Listeners of the pit, who hear of every table."""
        self._waiting: list[Listener] = []
        self._changed_seats: set[str] = set()
        table = state().settings.table
        self._overview = TellingSoon(f"consoles of table {table}", OVERVIEW_SECONDS, self._tell_overview)
        self.suspect: str | None = None
        """The wheel of this table, where its results are not like chance."""

    # Listeners

    def add(self, listener: Listener) -> None:
        """Lets somebody listen from now on."""
        self._list_of(listener).append(listener)
        if listener.seat is not None:
            self._touch_seat(listener.seat)
        elif listener.audience == "console":
            self._touch()

    def remove(self, listener: Listener) -> None:
        """Lets somebody go."""
        listeners = self._list_of(listener)
        if listener in listeners:
            listeners.remove(listener)
        if listener.seat is not None:
            if not listeners:
                self.seats.pop(listener.seat, None)
            self._touch_seat(listener.seat)
        elif listener.audience == "console":
            self._touch()

    def _list_of(self, listener: Listener) -> list[Listener]:
        if listener.audience == "seat" and listener.seat is not None:
            return self.seats.setdefault(listener.seat, [])
        return {"console": self.consoles, "pit": self.staff}.get(listener.audience, self.displays)

    def everybody(self) -> Iterable[Listener]:
        """All who listen to this table alone."""
        yield from self._at_table()
        yield from self.consoles

    @property
    def count(self) -> int:
        """How many listen."""
        return sum(1 for _ in self.everybody())

    def schedule(self, listener: Listener) -> None:
        """Has a listener's messages sent before the loop turns again."""
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self.flush)
        self._waiting.append(listener)

    def flush(self) -> None:
        """Sends all that waits."""
        waiting, self._waiting = self._waiting, []
        for listener in waiting:
            listener.flush()

    # What is shown

    def table_view(self) -> TableView:
        """The table as everybody at it sees it."""
        return table_view(self._rules(), self._state(), self._said, self._clause)

    def seat_view(self, seat: str) -> SeatView | None:
        """A seat as whoever sits there sees it; None where there is no such seat."""
        return self._seat_view(seat, {})

    def _seat_view(self, seat: str, last: dict[str, tuple[int, int] | None]) -> SeatView | None:
        rules, state = self._rules(), self._state()
        if seat not in state.seats:
            return None
        return seat_view(rules, state, seat, last[seat] if seat in last else self._last.get(seat))

    def pit_line(self) -> PitLine:
        """The table at a glance."""
        return pit_line(self._rules(), self._state(), self.table_view(), len(self._connected()), self.suspect)

    def snapshot_for(self, listener: Listener) -> Snapshot:
        """Everything that a listener's screen shows."""
        rules, state = self._rules(), self._state()
        console = None
        if listener.audience == "console":
            console = console_view(
                rules, state, self._connected(), self._last, self._people(), listener.actor, self._now_ms()
            )
        seat = None if listener.seat is None else self.seat_view(listener.seat)
        return Snapshot(seq=self.sequence, table=self.table_view(), seat=seat, console=console)

    def _connected(self) -> set[str]:
        """The seats whose terminals are there, at whichever server."""
        return {*self.seats, *self._elsewhere()}

    def seat_elsewhere(self, seat: str) -> None:
        """A seat's terminal has come to another server, or gone from it."""
        self._touch_seat(seat)

    def _people(self) -> tuple[str, ...]:
        return tuple(sorted({listener.actor.id for listener in self.consoles}))

    def send_snapshot(self, listener: Listener) -> None:
        """Sends it, in place of events that wait."""
        listener.replace(frame_of(self.snapshot_for(listener)))

    def can_resume(self, listener: Listener, after: int) -> bool:
        """Whether everything since is still at hand; consoles always get a snapshot."""
        return listener.audience != "console" and self._forgotten_to <= after <= self.sequence

    def resume(self, listener: Listener, after: int) -> None:
        """Sends what was missed since."""
        for past in self._past:
            if past.sequence > after and past.seat in (None, listener.seat):
                listener.tell(past.frame)
        if listener.seat is not None and self._rules().marks_boxes:  # others may have filled them meanwhile
            listener.tell(self._boxes())

    # What has happened

    def compose(self, published: Sequence[Published]) -> Callable[[], None]:
        """Makes the news while the state is what they tell of; what this gives sends them.

        That is done once they are on the disk. The views are those after the last of them.
        """
        news = _News(published[-1].sequence, self._said, self._clause)
        to_all, last_of = self._noted(news, published)
        state = self._state()
        view = table_view(self._rules(), state, news.said, news.clause) if to_all else None
        for sequence, entry in published:
            event = entry.event
            to, seat = heard_by(state, event, self._visits_open)
            if to == e.TABLE:
                message = self._told(sequence, entry, table=view if sequence == to_all else None)
                news.pasts.append(_Past(sequence, None, frame_of(message)))
            elif to == e.SEAT:
                shown = self._seat_view(seat, news.last) if sequence == last_of[seat] else None
                message = self._told(sequence, entry, seat=shown)
                news.pasts.append(_Past(sequence, seat, frame_of(message)))
            if type(event) not in QUIET and (self.consoles or self.staff):
                news.for_staff.append(self._told_to_staff(sequence, entry, view if to == e.TABLE else None))
        return partial(self._send, news)

    def _noted(self, news: _News, published: Sequence[Published]) -> tuple[int, dict[str, int]]:
        """Takes note of everything; gives the last that everybody hears of, and the last of each seat."""
        to_all, last_of, state = 0, dict[str, int](), self._state()
        for sequence, entry in published:
            event = entry.event
            if type(event) is e.BetsChanged:  # almost everything, while bets are open
                last_of[event.seat] = sequence
                news.seats.add(event.seat)
                continue
            to, seat = heard_by(state, event, self._visits_open)
            if to == e.TABLE:
                to_all = sequence
            elif to == e.SEAT:
                last_of[seat] = sequence
            self._note(news, event)
        return to_all, last_of

    def _note(self, news: _News, event: e.Event) -> None:
        said = notice_of(self._rules(), event)
        if isinstance(event, e.TableInterrupted) and event.consequence in UNCHANGED:
            pass  # it is over, and what players read before it holds
        elif said is not None:
            news.said, news.clause = said, getattr(event, "clause", None)
        elif isinstance(event, e.TableOpened | e.TableResumed):  # the notice before it has lost its meaning
            news.said, news.clause = self._said_now()
        if isinstance(event, e.SeatSettled):
            news.last[event.seat] = event.round, event.returned_cents
        elif isinstance(event, e.SeatCorrected):  # perhaps of a round before the last one
            news.last[event.seat] = last_win(self._state(), event.seat)
            # Right whether the batch comes on the disk or not: the visit of a round never changes.
            self._visits_open |= visits_left_open(self._state())
        elif isinstance(event, e.CreditsPaidOut | e.SeatClosed):  # whoever comes next has won nothing yet
            news.last[event.seat] = None
        seat = getattr(event, "seat", None)
        if seat is not None:
            news.seats.add(seat)

    def _said_now(self) -> tuple[ShownNotice | None, str | None]:
        """What players read where no event says it, and its clause."""
        said = notice_now(self._rules(), self._state())
        return said, None if said is None else self._rules().book.notices[said.step].source

    def _told(
        self, sequence: int, entry: Entry, *, table: TableView | None = None, seat: SeatView | None = None
    ) -> Told:
        return Told(
            seq=sequence,
            at_ms=entry.cause.at_ms,
            name=self._state().settings.table,
            event=facts_of(entry.event, staff=False),
            table=table,
            seat=seat,
        )

    def _told_to_staff(self, sequence: int, entry: Entry, table: TableView | None) -> bytes:
        message = Told(
            seq=sequence,
            at_ms=entry.cause.at_ms,
            name=self._state().settings.table,
            event=facts_of(entry.event, staff=True),
            actor=entry.cause.actor.id,
            table=table,
        )
        return frame_of(message)

    def _send(self, news: _News) -> None:
        """Tells everybody what they may know."""
        self.sequence = news.sequence
        self._said, self._clause = news.said, news.clause
        self._last.update(news.last)
        self._changed_seats |= news.seats
        for past in news.pasts:
            self._keep(past)
            if past.seat is None:
                for listener in self._at_table():
                    listener.tell(past.frame)
            else:
                for listener in self.seats.get(past.seat, ()):
                    listener.tell(past.frame)
        for frame in news.for_staff:
            for listener in (*self.consoles, *self.staff):
                listener.tell(frame)
        self._touch()
        self._changed(self)

    def _at_table(self) -> Iterable[Listener]:
        for listeners in self.seats.values():
            yield from listeners
        yield from self.displays

    def _keep(self, past: _Past) -> None:
        if len(self._past) == KEPT_FOR_RESUMING:
            self._forgotten_to = self._past[0].sequence
        self._past.append(past)

    # Consoles and betting boxes

    def _touch_seat(self, seat: str) -> None:
        self._changed_seats.add(seat)
        self._touch()

    def _touch(self) -> None:
        if self.consoles or (self.seats and self._rules().marks_boxes):
            self._overview.touch()
        if not self.consoles:
            self._changed_seats.clear()

    async def _tell_overview(self) -> None:
        await self.consistent()
        if self._rules().marks_boxes:
            boxes = self._boxes()
            for listeners in self.seats.values():
                for listener in listeners:
                    listener.tell(boxes)
        self._tell_consoles()

    def _boxes(self) -> bytes:
        return frame_of(Boxes(boxes_cents=boxes_cents(self._rules(), self._state())))

    def _tell_consoles(self) -> None:
        rules, state, connected = self._rules(), self._state(), self._connected()
        seats = tuple(
            seat_line(state, state.seats[seat], seat in connected, self._last.get(seat))
            for seat in sorted(self._changed_seats)
            if seat in state.seats
        )
        self._changed_seats.clear()
        stakes, now_ms = stakes_view(rules, state), self._now_ms()
        frames: dict[Actor, bytes] = {}
        for listener in self.consoles:
            if listener.actor not in frames:
                overview = Overview(
                    seq=self.sequence,
                    stakes=stakes,
                    seats=seats,
                    people=self._people(),
                    actions=action_views(rules, state, listener.actor, now_ms),
                    halted_reason=state.halted,
                    wheel_fault=state.wheel_fault,
                    disputes=dispute_views(state),
                )
                frames[listener.actor] = frame_of(overview)
            listener.tell(frames[listener.actor])

    def stop(self) -> None:
        """Lets go of the timers."""
        self._overview.stop()

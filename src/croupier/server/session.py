"""One connection: a hello, then commands up and events down. Bad input gets an answer, never silence."""

import asyncio
import logging
import time
from collections.abc import Coroutine
from typing import Any, Final

import msgspec

from croupier.floor import Ask
from croupier.floor.tables import Table
from croupier.journal import StoreError
from croupier.protocol.asking import (
    VERSION,
    Alive,
    Asked,
    CashOut,
    Hello,
    Order,
    Resync,
    Second,
    number_in,
    read_asked,
)
from croupier.protocol.telling import Answer, Beat, Bye, Message, Problem, Welcome
from croupier.server.admission import Admitted, Refused
from croupier.server.bucket import Bucket
from croupier.server.floor import Floor
from croupier.server.frames import frame_of
from croupier.server.hub import TableHub
from croupier.server.listening import Line, Listener
from croupier.table import Actor, Do, Rejection, Reply
from croupier.table import commands as c
from croupier.table.events import CreditsPaidOut

LOG: Final = logging.getLogger("croupier.server")

HELLO_SECONDS: Final = 10
BEAT_SECONDS: Final = 10
SILENT_SECONDS: Final = 30

POLICY, AGAIN = 1008, 1013
"""Codes with which a connection is closed."""


class Session:
    """What one connection has said and is told."""

    def __init__(self, floor: Floor, line: Line, address: str) -> None:
        self._floor = floor
        self._line = line
        self._address = address
        self._admitted: Admitted | None = None
        self._listener: Listener | None = None
        self._hub: TableHub | None = None
        self._runner: Table | None = None
        self._ended = False
        self._heard_at = time.monotonic()
        self._bucket = Bucket(floor.input_limits.rate, floor.input_limits.burst)
        self._problems = Bucket(1, floor.input_limits.problems)
        self._tasks: set[asyncio.Task[None]] = set()
        self._run(self._keep_beating())

    # From the client

    def receive(self, raw: bytes) -> None:
        """Takes a message."""
        if self._ended:
            return
        self._heard_at = time.monotonic()
        try:
            asked = read_asked(raw)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            self._misunderstood(str(error), number_in(raw))
            return
        if isinstance(asked, Order):  # almost everything
            self._order(asked)
        else:
            self._take(asked)

    def _take(self, asked: Asked) -> None:
        if isinstance(asked, Hello):
            if self._admitted is not None:
                self._problem("hello-twice", "This connection has said hello already.")
            else:
                self._admitted = _PENDING
                self._run(self._welcome(asked))
        elif isinstance(asked, Resync):
            if self._listener is None:
                self._problem("hello-first", "Say hello first.")
            elif not self._bucket.take(10):
                self._problem("too-fast", "Snapshots are asked for too often; wait a second.")
            else:
                self._run(self._resync(self._listener))
        elif not isinstance(asked, Alive):
            raise TypeError(f"no message {type(asked).__name__}")

    def _misunderstood(self, what: str, number: int | None) -> None:
        self._floor.metrics.bad_messages.inc()
        self._problem("bad-message", f"This message cannot be read: {what}", number)

    def _problem(self, code: str, sentence: str, number: int | None = None) -> None:
        self._send(Problem(code=code, sentence=sentence, number=number))
        if not self._problems.take(1):
            self.end("too-many-problems", "Too many messages could not be taken.", None, POLICY)

    # Hello

    async def _welcome(self, hello: Hello) -> None:
        if hello.version != VERSION:
            sentence = f"This floor speaks version {VERSION} of the protocol, not {hello.version}."
            self.end("wrong-version", sentence, None, POLICY)
            return
        admitted = self._floor.admission.admit(hello, self._address)
        if isinstance(admitted, Refused) and admitted.code == "unknown-token":
            # A device may have been enrolled at another server, a moment ago.
            await self._floor.access.refresh()
            admitted = self._floor.admission.admit(hello, self._address)
        if isinstance(admitted, Refused):
            self.end(admitted.code, admitted.sentence, admitted.again_seconds, POLICY)
            return
        if admitted.table is None:
            await self._join_pit(hello)
        else:
            await self._join_table(str(admitted.table), hello)

    def _still_admitted(self, hello: Hello) -> Admitted | None:
        """Who this is behind a wait, in which a device may have been revoked, or a session ended."""
        if self._ended:
            return None
        admitted = self._floor.admission.admit(hello, self._address)
        if isinstance(admitted, Refused):
            self.end(admitted.code, admitted.sentence, admitted.again_seconds, POLICY)
            return None
        return admitted

    async def _join_pit(self, hello: Hello) -> None:
        pit = self._floor.pit
        snapshot = await pit.snapshot()
        if (admitted := self._still_admitted(hello)) is None:
            return
        self._admitted = admitted
        listener = Listener(self._line, "pit", admitted.actor, None, pit.schedule, self._catch_up)
        self._listener = listener
        self._line.write([frame_of(self._welcome_message(admitted, 0, False))])
        listener.replace(snapshot)
        pit.add(listener)
        self._floor.connected(self.end, admitted)

    async def _join_table(self, name: str, hello: Hello) -> None:
        table = self._floor.tables[name]
        state = await table.runner.consistent_state()
        if (admitted := self._still_admitted(hello)) is None:
            return
        self._admitted, self._hub, self._runner = admitted, table.hub, table.runner
        listener = Listener(
            self._line,
            admitted.audience,
            admitted.actor,
            admitted.seat,
            table.hub.schedule,
            self._catch_up,
        )
        self._listener = listener
        last_number = max(state.answers.get(admitted.sender, {0: None}))
        resume = hello.resume
        # Who resumes is told what it missed; a listener is added first so that nothing falls in between.
        missed = resume is not None and resume.epoch == self._floor.epoch
        resumed = missed and resume is not None and table.hub.can_resume(listener, resume.seq)
        self._line.write([frame_of(self._welcome_message(admitted, last_number, resumed))])
        if resumed and resume is not None:
            table.hub.resume(listener, resume.seq)
        else:
            table.hub.send_snapshot(listener)
        table.hub.add(listener)
        self._floor.connected(self.end, admitted)

    def _welcome_message(self, admitted: Admitted, last_number: int, resumed: bool) -> Welcome:
        return Welcome(
            version=VERSION,
            epoch=self._floor.epoch,
            server_ms=self._floor.clock.now_ms(),
            audience=admitted.audience,
            table=admitted.table,
            seat=admitted.seat,
            who=admitted.actor.id,
            position=admitted.actor.position,
            last_number=last_number,
            resumed=resumed,
            demonstration=self._floor.demonstration,
            zone=self._floor.zone,
        )

    def _catch_up(self, listener: Listener) -> None:
        self._floor.metrics.dropped.inc()
        self._run(self._resync(listener))

    async def _resync(self, listener: Listener) -> None:
        if self._runner is None or self._hub is None:
            listener.replace(await self._floor.pit.snapshot())
            return
        await self._runner.consistent_state()
        self._hub.send_snapshot(listener)

    # Commands

    def _order(self, order: Order) -> None:
        admitted, runner = self._admitted, self._runner
        if admitted is None or self._listener is None:
            self._problem("hello-first", "Say hello first.")
            return
        refusal = self._not_taken(order, admitted)
        if refusal is not None or runner is None:
            self._answer(order, refusal or _ONLY_WATCHING)
        elif order.second is not None:
            self._run(self._authorise(order, order.second, admitted, runner))
        else:
            self._submit(order, admitted, runner, None)

    def _not_taken(self, order: Order, admitted: Admitted) -> Rejection | None:
        if not admitted.commands:
            return _ONLY_WATCHING
        if not self._floor.admission.is_in_use(admitted):
            return _refusal("signed-out", "This session is over; sign in again.")
        if not self._floor.access.is_current:
            return _OFFICE_UNREAD
        stakes = getattr(order.do, "stakes", ())
        most = self._floor.input_limits.bets
        if len(stakes) > most:
            return _refusal("too-many-bets", f"A command takes {most} bets at most.", most=most)
        if not self._bucket.take(1):
            rate = self._floor.input_limits.rate
            return _refusal("too-fast", f"This device may send {rate} commands a second; send it again.")
        return None

    async def _authorise(self, order: Order, second: Second, admitted: Admitted, runner: Table) -> None:
        """A second person authorises at the same console; the first one's session goes on."""
        what = str(type(order.do).__struct_config__.tag)
        person = await self._floor.admission.authorise(
            second.name, second.password, self._address, admitted.actor.id, what
        )
        if isinstance(person, Refused):
            self._answer(order, _refusal(person.code, person.sentence))
        else:
            self._submit(order, admitted, runner, person)

    def _submit(self, order: Order, admitted: Admitted, runner: Table, second: Actor | None) -> None:
        voucher = None
        do: Do
        if isinstance(order.do, CashOut):
            voucher = self._floor.voucher_number(runner.table, admitted.sender, order.number)
            do = c.CashOut(seat=order.do.seat, voucher=voucher)
        else:
            do = order.do

        def answered(reply: Reply) -> None:
            self._answered(order, reply, voucher)

        runner.submit_nowait(
            Ask(admitted.actor, do, admitted.sender, order.number, second, order.round), answered
        )

    def _answered(self, order: Order, reply: Reply, voucher: str | None) -> None:
        if voucher is not None and reply.rejection is None:
            if reply.repeated:
                self._run(self._answer_again(order, reply, voucher))
                return
            if not any(
                isinstance(entry.event, CreditsPaidOut) and entry.event.voucher for entry in reply.entries
            ):
                voucher = None
        elif reply.rejection is not None:
            voucher = None
        self._floor.metrics.answered(order.do, reply.rejection)
        self._send(
            Answer(
                number=order.number,
                seq=reply.last,
                refused=reply.rejection,
                repeated=reply.repeated,
                voucher=voucher,
            )
        )

    async def _answer_again(self, order: Order, reply: Reply, voucher: str) -> None:
        """A repeated cash-out gives the voucher again, if it gave one."""
        was_issued = await self._floor.was_issued(voucher)
        self._send(
            Answer(
                number=order.number,
                seq=reply.last,
                repeated=True,
                voucher=voucher if was_issued else None,
            )
        )

    def _answer(self, order: Order, refused: Rejection) -> None:
        self._floor.metrics.answered(order.do, refused)
        self._send(Answer(number=order.number, seq=0, refused=refused))

    # To the client

    def _send(self, message: Message) -> None:
        if self._ended:
            return
        if self._listener is not None:
            self._listener.answer(frame_of(message))
        else:
            self._line.write([frame_of(message)])

    def end(self, code: str, sentence: str, again_seconds: int | None, close_code: int) -> None:
        """Says why, and closes."""
        if self._ended:
            return
        frame = frame_of(Bye(code=code, sentence=sentence, again_seconds=again_seconds))
        if self._listener is not None:
            self._listener.end(frame, close_code)
        else:
            self._line.write([frame])
            self._line.close(close_code)
        self.gone()

    def gone(self) -> None:
        """The connection is no more."""
        if self._ended:
            return
        self._ended = True
        for task in self._tasks:
            task.cancel()
        if self._listener is not None:
            if self._hub is not None:
                self._hub.remove(self._listener)
            else:
                self._floor.pit.remove(self._listener)
        if self._admitted is not None and self._admitted is not _PENDING:
            self._floor.disconnected(self.end, self._admitted)

    def behind(self) -> None:
        """The client reads too slowly."""
        if self._listener is not None:
            self._listener.fell_behind()

    def caught_up(self) -> None:
        """The client reads again."""
        if self._listener is not None:
            self._listener.caught_up()

    async def _keep_beating(self) -> None:
        await asyncio.sleep(HELLO_SECONDS)
        if self._admitted is None:
            self.end("no-hello", f"No hello came within {HELLO_SECONDS} seconds.", 1, POLICY)
            return
        if self._admitted is _PENDING:
            self._end_unread()
            return
        while True:
            if time.monotonic() - self._heard_at > SILENT_SECONDS:
                self.end("silent", "Nothing was heard from this client.", 1, POLICY)
                return
            self._send(Beat(at_ms=self._floor.clock.now_ms()))
            await asyncio.sleep(BEAT_SECONDS)

    def _run(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[None]") -> None:
        """Nobody waits for what will not come: where the journal fails, the client is to come back."""
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, StoreError):
            LOG.info("a connection from %s is sent away for a moment: %s", self._address, error)
            self._end_unread()
        elif error is not None:
            LOG.error("a connection from %s: something failed", self._address, exc_info=error)

    def _end_unread(self) -> None:
        self.end("journal-unavailable", "The journal cannot be read at the moment; come back soon.", 1, AGAIN)


_PENDING: Final = Admitted(
    audience="", actor=Actor(id="", position=""), sender="", table=None, seat=None, commands=False, token=""
)


def _refusal(code: str, sentence: str, **facts: str | int) -> Rejection:
    return Rejection(code=code, sentence=sentence, facts=facts)


_ONLY_WATCHING: Final = _refusal("only-watching", "This screen only watches.")
_OFFICE_UNREAD: Final = _refusal(
    "office-unread", "This server cannot find out now who may still play; send it again later."
)

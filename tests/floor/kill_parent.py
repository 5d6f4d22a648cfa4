"""A table whose process is killed again and again, seen by those who send it commands."""

import functools
import multiprocessing
import time
from multiprocessing import forkserver
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random

import pytest

from croupier.floor import create_table
from croupier.floor.codec import entry_of
from croupier.floor.simulation.auditing import audit
from croupier.floor.simulation.correspondence import Correspondence, Gone, Question
from croupier.journal.sqlite import SqliteStore
from croupier.table import Actor, Do, Reply
from croupier.table import commands as c
from croupier.table.events import TableInterrupted
from floor.kill_child import TABLE, Order, Told, live
from floor.sim_live import settings
from table.rig import DEALER, SUPERVISOR, player

PROCESSES = multiprocessing.get_context("forkserver")

SEATS = ("1", "2", "3", "4")
GRACE_SECONDS = 10
RECEPTION = "reception"
PATIENCE_SECONDS = 60
"""After this a process that says nothing has failed the test."""


@functools.cache
def _nursery() -> None:
    """Starts the process that the others are forked from, with everything read in that they need."""
    PROCESSES.set_forkserver_preload(["floor.kill_child"])
    with pytest.MonkeyPatch.context() as environment:
        # Up to Python 3.12 it looks for modules in its own path only.
        environment.setenv("PYTHONPATH", str(Path(__file__).parents[1]))
        forkserver.ensure_running()


class Died(Exception):
    """The process is gone."""


class Mortal:
    """The senders of a table, the ledger of what they were told, and the processes that come and go."""

    def __init__(self, path: Path, seed: int) -> None:
        self.random = Random(seed)
        self.path = path / "journal.db"
        self.correspondence = Correspondence(TABLE)
        self.deaths = 0
        self.heard = 0
        self.kill_at: int | None = None
        """The process is killed once so many answers have been heard in its life."""
        self._rules, self._settings = settings(
            grace_seconds=GRACE_SECONDS, betting_seconds=40, voucher_limit_cents=10_000_000
        )
        self._actors: dict[str, Actor] = {}
        self._numbers: dict[str, int] = {}
        self._replies: dict[tuple[str, int], Reply] = {}
        self._vouchers = 0
        self._ahead_ms = 0
        self._since_ms = 0
        self._process: BaseProcess
        self._connection: Connection
        store = SqliteStore(self.path)
        create_table(store, self._rules, self._settings, self._now_ms(), SUPERVISOR)
        store.close()

    # Processes.

    def begin(self, fault: tuple[str, int] | None = None) -> None:
        """Starts a process; the staff asks what became of the round, and everybody asks again."""
        gone = Gone(self._since_ms, self._now_ms(), certain=True)
        _nursery()
        self._connection, child_end = PROCESSES.Pipe()
        arguments = (child_end, str(self.path), self._ahead_ms, fault)
        self._process = PROCESSES.Process(target=live, args=arguments, daemon=True)
        self._process.start()
        child_end.close()
        self.heard = 0
        if self.kill_at == 0:
            self.kill()
        self._receive()
        for question in self._open_questions(RECEPTION):
            gone = gone._replace(certain=False)
            self.correspondence.doubt(question)
            self._send(question)
            self._wait_for(question)
        self.ask(DEALER, c.OpenRound(), RECEPTION, gone)
        for question in self.correspondence.open_questions():
            self._send(question)
        while self.correspondence.open_questions():
            self._hear()

    def kill(self) -> None:
        """Kills the process somewhere in what it is doing, and takes note of what it said before."""
        for _ in range(self.random.randrange(20_000)):  # the child goes on meanwhile
            pass
        self._process.kill()
        self._mourn()

    def let_time_pass(self, seconds: int) -> None:
        """Sets the clock of the next process ahead."""
        self._ahead_ms += 1000 * seconds

    def _mourn(self) -> None:
        """Hears out what was said before the end: all of that was acknowledged."""
        self._process.join(PATIENCE_SECONDS)
        assert self._process.exitcode == -9, f"the process ended by itself: {self._process.exitcode}"
        self.kill_at = None
        try:
            while True:
                self._note(self._connection.recv())
        except (EOFError, ConnectionResetError):
            self._connection.close()
        self._since_ms = self._now_ms()
        self.deaths += 1
        raise Died

    # Questions and answers.

    def ask(
        self, actor: Actor, do: Do, sender: str | None = None, gone: Gone | None = None
    ) -> tuple[Reply, str | None]:
        """Asks and waits for the answer; gives it with its code."""
        question = self.send(actor, do, sender, gone)
        reply = self._wait_for(question)
        return reply, None if reply.rejection is None else reply.rejection.code

    def send(self, actor: Actor, do: Do, sender: str | None = None, gone: Gone | None = None) -> Question:
        """Asks without waiting."""
        name = sender or actor.id
        self._actors[name] = actor
        self._numbers[name] = self._numbers.get(name, 0) + 1
        question = Question(name, self._numbers[name], do, self._now_ms(), gone, actor)
        self.correspondence.ask(question)
        self._send(question)
        return question

    def _send(self, question: Question) -> None:
        try:
            order = Order(self._actors[question.sender], question.do, question.sender, question.number)
            self._connection.send(order)
        except (BrokenPipeError, ConnectionResetError):
            self._mourn()

    def _wait_for(self, question: Question) -> Reply:
        while (question.sender, question.number) not in self._replies:
            self._hear()
        return self._replies[question.sender, question.number]

    def _hear(self) -> None:
        self._note(self._receive())
        self.heard += 1
        if self.kill_at is not None and self.heard >= self.kill_at:
            self.kill()

    def _receive(self) -> Told | None:
        assert self._connection.poll(PATIENCE_SECONDS), "the process says nothing"
        try:
            told: Told | None = self._connection.recv()
        except (EOFError, ConnectionResetError):
            self._mourn()
        return told

    def _note(self, told: Told | None) -> None:
        if told is not None and self.correspondence.hear(
            told.sender, told.number, told.reply, self._now_ms()
        ):
            self._replies[told.sender, told.number] = told.reply

    def _open_questions(self, sender: str) -> list[Question]:
        return [question for question in self.correspondence.open_questions() if question.sender == sender]

    def _now_ms(self) -> int:
        return time.time_ns() // 1_000_000 + self._ahead_ms

    # What goes on at the table.

    def open(self) -> None:
        """Opens the table with seats that have credits."""
        self.ask(SUPERVISOR, c.OpenTable())
        for seat in SEATS:
            self.ask(DEALER, c.OpenSeat(seat=seat, kind="rapid-select"))
            self.ask(player(seat), c.BuyCredits(seat=seat, cents=1_000_000))

    def live(self, fault: tuple[str, int] | None = None, *, rounds: int) -> None:
        """A process from its start; it is to die before all these rounds are played."""
        self.begin(fault)
        for _ in range(rounds):
            self.play()

    def play(self) -> None:
        """Plays a round to its end, whatever was going on before."""
        if self.ask(DEALER, c.OpenRound())[1] == "outcome-awaited":
            outcome = self.random.choice((None, "7", "0"))
            self.ask(SUPERVISOR, c.StateOutcome(result=outcome))
        for _ in range(self.random.randrange(1, 4)):
            self._bet()
        self.ask(DEALER, c.CloseBets())
        self._bet()
        self.ask(DEALER, c.StartSpin())
        result = self.random.choice(("7", "0", "36"))
        self.ask(DEALER, c.EnterResult(result=result))
        reply, code = self.ask(DEALER, c.ConfirmResult(result=result))
        if code == "result-differs" and reply.rejection is not None:
            self.ask(DEALER, c.ConfirmResult(result=str(reply.rejection.facts["registered"])))
        self._cash_out_and_in(self.random.choice(SEATS))

    def _bet(self) -> None:
        """Every seat sends several commands at once, and somebody waits for one of the answers."""
        sent = [
            self.send(player(seat), self._anything(seat))
            for seat in SEATS
            for _ in range(self.random.randrange(4))
        ]
        if sent:
            self._wait_for(self.random.choice(sent))

    def _anything(self, seat: str) -> Do:
        stake = c.Stake(self.random.choice(("red", "straight:7", "column:1")), self.random.choice((100, 700)))
        if self.random.random() < 0.2:
            return self.random.choice((c.ClearBets(seat=seat), c.TakeBets(seat=seat, stakes=(stake,))))
        return c.PlaceBets(seat=seat, stakes=(stake,))

    def _cash_out_and_in(self, seat: str) -> None:
        """A voucher is printed and redeemed: both use something up once."""
        self._vouchers += 1
        voucher = f"V{self._vouchers}"
        reply, code = self.ask(player(seat), c.CashOut(seat=seat, voucher=voucher))
        if code is None and reply.entries:
            cents = getattr(reply.entries[0].event, "cents", 0)
            self.ask(player(seat), c.BuyCredits(seat=seat, cents=cents, voucher=voucher))
            self.ask(player(seat), c.BuyCredits(seat=seat, cents=cents, voucher=voucher))
        elif code is None:
            self.ask(player(seat), c.BuyCredits(seat=seat, cents=1_000_000))

    # What has to be right afterwards.

    def faults(self) -> list[str]:
        """What the ledger of the acknowledged and the journal do not agree on; empty where all is right."""
        store = SqliteStore(self.path)
        try:
            return audit(store, [(self._settings, self.correspondence)])
        finally:
            store.close()

    def interruptions(self) -> list[TableInterrupted]:
        """What the journal has on interruptions, in order."""
        store = SqliteStore(self.path)
        try:
            records = [record for record in store.read(TABLE) if record.kind == "table-interrupted"]
        finally:
            store.close()
        events = (entry_of(record).event for record in records)
        return [event for event in events if isinstance(event, TableInterrupted)]

"""What a server counts and times, for Prometheus; one registry for each server, none for the process."""

from collections.abc import Callable, Sequence
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest

from croupier.floor import Published
from croupier.table import Rejection
from croupier.table import events as e

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
"""What `Metrics.render` gives."""

DONE: Final = "done"
"""The outcome of a command that was carried out; a refused one has its code for an outcome."""

_SHORT: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
_ROUND: Final = (1.0, 2.5, 5.0, 10.0, 15.0, 20.0, 30.0, 45.0, 60.0, 90.0, 120.0, 300.0, 600.0)
_BATCH: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000)

_BEGINS: Final[dict[type, tuple[str, ...]]] = {
    e.RoundOpened: ("round", "betting"),
    e.SpinStarted: ("spinning",),
    e.ResultEntered: ("resulted",),
}
_ENDS: Final[dict[type, tuple[str, ...]]] = {
    e.BetsClosed: ("betting",),
    e.ResultEntered: ("spinning",),
    e.RoundSettled: ("resulted", "round"),
    e.RoundVoided: ("round",),
}
"""Which stretches of a round an event begins or ends; bets may be placed while the ball rolls already."""


class Metrics:
    """The meters of one server. Labels take few values: no seat, no device and no person is one."""

    def __init__(self) -> None:
        registry = self.registry = CollectorRegistry()
        self.bets = Counter("croupier_bets", "Bets registered", ["table"], registry=registry)
        self.commands = Counter(
            "croupier_commands",
            "Commands answered, by kind and outcome",
            ["kind", "outcome"],
            registry=registry,
        )
        self.batches = Counter(
            "croupier_batches", "Batches written and published", ["table"], registry=registry
        )
        self.batch_events = Histogram(
            "croupier_batch_events", "Events in a batch", buckets=_BATCH, registry=registry
        )
        self.commit = Histogram(
            "croupier_commit_seconds", "Time to write a batch durably", buckets=_SHORT, registry=registry
        )
        self.queue = Gauge("croupier_queue_commands", "Commands that wait", ["table"], registry=registry)
        self.connected = Gauge(
            "croupier_connected_clients", "Clients by audience", ["audience"], registry=registry
        )
        self.composing = Histogram(
            "croupier_compose_seconds",
            "Time to make the messages that a batch leads to",
            buckets=_SHORT,
            registry=registry,
        )
        self.broadcast = Histogram(
            "croupier_broadcast_seconds",
            "Time to hand a batch to all clients",
            buckets=_SHORT,
            registry=registry,
        )
        self.dropped = Counter(
            "croupier_slow_clients_dropped",
            "Clients that were too slow and got a snapshot",
            registry=registry,
        )
        self.bad_messages = Counter(
            "croupier_bad_messages", "Messages that cannot be read", registry=registry
        )
        self.rounds = Counter(
            "croupier_rounds", "Rounds over, by how", ["table", "outcome"], registry=registry
        )
        self.round_phase = Histogram(
            "croupier_round_phase_seconds",
            "Time of whole rounds and of their phases",
            ["phase"],
            buckets=_ROUND,
            registry=registry,
        )
        self.sign_ins = Counter("croupier_sign_ins", "Sign-ins by outcome", ["outcome"], registry=registry)
        self.wheel_faults = Counter("croupier_wheel_faults", "Faults of wheels", ["table"], registry=registry)
        self._answers: dict[tuple[type, str], int] = {}
        """By command and outcome, how many answers there were since somebody last looked."""
        self._since: dict[str, dict[str, int]] = {}
        """By table, since when the phases of its round run."""

    def answered(self, do: object, rejection: Rejection | None) -> None:
        """A command was answered."""
        key = type(do), DONE if rejection is None else rejection.code
        self._answers[key] = self._answers.get(key, 0) + 1

    def published(self, table: str, published: Sequence[Published]) -> None:
        """A batch of a table is on the disk and was published."""
        self.batches.labels(table).inc()
        self.batch_events.observe(len(published))
        bets = 0
        for _, entry in published:
            event = entry.event
            if isinstance(event, e.BetsChanged):
                for change in event.changes:
                    if change.cents > 0:
                        bets += 1
            elif isinstance(event, e.WheelReported):
                if event.fault is not None:
                    self.wheel_faults.labels(table).inc()
            elif type(event) in _BEGINS or type(event) in _ENDS:
                self._turn(table, event, entry.cause.at_ms)
        if bets:
            self.bets.labels(table).inc(bets)

    def _turn(self, table: str, event: e.Event, at_ms: int) -> None:
        since = self._since.setdefault(table, {})
        for phase in _ENDS.get(type(event), ()):
            if phase in since:
                self.round_phase.labels(phase).observe((at_ms - since.pop(phase)) / 1000)
        if isinstance(event, e.RoundSettled | e.RoundVoided):
            self.rounds.labels(table, "settled" if isinstance(event, e.RoundSettled) else "void").inc()
            since.clear()
        for phase in _BEGINS.get(type(event), ()):
            since[phase] = at_ms

    def watch_queue(self, table: str, waiting: Callable[[], int]) -> None:
        """Has the queue of a table looked at whenever somebody asks."""
        self.queue.labels(table).set_function(waiting)

    def signed_in(self, outcome: str) -> None:
        """Somebody tried to sign in: `done`, or the code of the refusal."""
        self.sign_ins.labels(outcome).inc()

    def render(self) -> bytes:
        """All of it as Prometheus reads it."""
        answers, self._answers = self._answers, {}
        for (kind, outcome), count in answers.items():
            tag = str(kind.__struct_config__.tag)  # type: ignore[attr-defined]  # commands are structs
            self.commands.labels(tag, outcome).inc(count)
        return generate_latest(self.registry)

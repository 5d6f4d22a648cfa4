"""Metrics: what happened is what is counted, under names that stay."""

from pathlib import Path

from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families

from croupier.floor import Published
from croupier.journal.sqlite import SqliteStore
from croupier.server.metrics import CONTENT_TYPE, Metrics
from croupier.server.timed_store import TimedStore
from croupier.table import Entry, Rejection
from croupier.table import commands as c
from croupier.table import events as e
from floor.audit_journal import write
from floor.audit_scenes import roulette
from table.rig import DEALER, Play, player

NAMES = {
    "croupier_bets",
    "croupier_commands",
    "croupier_batches",
    "croupier_batch_events",
    "croupier_commit_seconds",
    "croupier_queue_commands",
    "croupier_connected_clients",
    "croupier_compose_seconds",
    "croupier_broadcast_seconds",
    "croupier_slow_clients_dropped",
    "croupier_bad_messages",
    "croupier_rounds",
    "croupier_round_phase_seconds",
    "croupier_sign_ins",
    "croupier_wheel_faults",
}


def read(metrics: Metrics) -> dict[tuple[str, ...], float]:
    """Every sample by its name and labels, which stand in the order of their names."""
    families = text_string_to_metric_families(metrics.render().decode())
    return {
        (sample.name, *sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
        if not sample.name.endswith("_created")
    }


def published(play: Play) -> list[Published]:
    return [Published(number, entry) for number, entry in enumerate(play.entries, start=1)]


def test_every_metric_is_there_from_the_start_and_none_is_of_the_process() -> None:
    families = text_string_to_metric_families(Metrics().render().decode())
    assert {family.name.removesuffix("_created") for family in families} == NAMES
    assert not any(name.startswith("croupier") for name in REGISTRY._names_to_collectors)
    assert CONTENT_TYPE.startswith("text/plain")


def test_commands_are_counted_by_kind_and_outcome() -> None:
    metrics = Metrics()
    metrics.answered(c.OpenRound(), None)
    metrics.answered(c.OpenRound(), None)
    metrics.answered(c.OpenRound(), Rejection(code="round-running", sentence="A round runs."))
    metrics.answered(c.ClearBets(seat="1"), None)
    found = {key[1:]: value for key, value in read(metrics).items() if key[0] == "croupier_commands_total"}
    assert found == {
        ("open-round", "done"): 2,
        ("open-round", "round-running"): 1,
        ("clear-bets", "done"): 1,
    }


def test_a_batch_gives_bets_rounds_and_phases() -> None:
    metrics, play = Metrics(), Play().open(("1",), 10_000)
    play.do(DEALER, c.OpenRound())
    play.bet("1", {"red": 100, "black": 100})
    play.bet("1", {"red": 100})
    play.do(player("1"), c.ClearBets(seat="1"))
    play.wait(20)
    play.do(DEALER, c.CloseBets())
    play.wait(3)
    play.do(DEALER, c.StartSpin())
    play.wait(30)
    play.do(DEALER, c.EnterResult(result="17"))
    play.wait(2)
    play.do(DEALER, c.ConfirmResult(result="17"))
    metrics.published("T1", published(play))
    found = read(metrics)
    assert found["croupier_bets_total", "T1"] == 3
    assert found["croupier_batches_total", "T1"] == 1
    assert found[("croupier_batch_events_sum",)] == len(play.entries)
    assert found["croupier_rounds_total", "settled", "T1"] == 1
    phases = {key[1]: value for key, value in found.items() if key[0] == "croupier_round_phase_seconds_sum"}
    assert phases == {"betting": 20, "spinning": 30, "resulted": 2, "round": 55}


def test_a_void_round_ends_its_phases_without_counting_them() -> None:
    metrics, play = Metrics(), Play().open(("1",), 10_000)
    play.do(DEALER, c.OpenRound())
    play.wait(5)
    play.to_spinning()
    play.wait(5)
    play.do(DEALER, c.CallNoSpin(reason="seen"))
    play.wait(100)
    play.round({}, "1")
    metrics.published("T1", published(play))
    found = read(metrics)
    assert (
        found["croupier_rounds_total", "void", "T1"],
        found["croupier_rounds_total", "settled", "T1"],
    ) == (1, 1)
    assert found["croupier_round_phase_seconds_count", "spinning"] == 1
    assert found["croupier_round_phase_seconds_sum", "round"] == 10


def test_phases_go_on_from_batch_to_batch_and_tables_are_kept_apart() -> None:
    one, two = Metrics(), Metrics()
    batches = published(roulette())
    one.published("T1", batches)
    for item in batches:
        two.published("T1", [item])
        two.published("T2", [])
    for name in ("sum", "count"):
        for phase in ("betting", "spinning", "resulted", "round"):
            key = (f"croupier_round_phase_seconds_{name}", phase)
            assert read(one)[key] == read(two)[key]


def test_faults_of_a_wheel_are_counted_and_their_end_is_not() -> None:
    metrics, cause = Metrics(), Play().entries[0].cause
    for fault in ("line-silent", None, "line-silent"):
        reported = e.WheelReported(round=None, fault=fault, detail="")
        metrics.published("T1", [Published(1, Entry(cause, reported))])
    assert read(metrics)["croupier_wheel_faults_total", "T1"] == 2


def test_the_queue_is_looked_at_when_somebody_asks() -> None:
    metrics, waiting = Metrics(), [3]
    metrics.watch_queue("T1", lambda: waiting[0])
    assert read(metrics)["croupier_queue_commands", "T1"] == 3
    waiting[0] = 5
    assert read(metrics)["croupier_queue_commands", "T1"] == 5


def test_two_servers_count_apart() -> None:
    one, two = Metrics(), Metrics()
    one.signed_in("done")
    one.dropped.inc()
    one.connected.labels("seat").inc()
    assert read(one)["croupier_sign_ins_total", "done"] == 1
    assert read(one)["croupier_connected_clients", "seat"] == 1
    assert ("croupier_sign_ins_total", "done") not in read(two)
    assert read(two)[("croupier_slow_clients_dropped_total",)] == 0


def test_durable_writes_are_timed(tmp_path: Path) -> None:
    metrics = Metrics()
    store = TimedStore(SqliteStore(tmp_path / "journal.db"), metrics)
    write(store, roulette())
    assert read(metrics)[("croupier_commit_seconds_count",)] == 1
    assert store.tables() == ["T1"]
    store.close()

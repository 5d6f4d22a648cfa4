"""A simulation over a cluster of two workers gives the answer of one machine, to the last bit."""

import re
from collections.abc import Iterator
from pathlib import Path

import distributed
import pytest

from cli.running import refusal, run

TERMS = ("lab", "simulate", "mbs-roulette", "--system", "martingale", "--bankroll", "200", "--rounds", "100")
OWN = """
from croupier.lab import System, step

@step
def _negative(memory, net_cents, outcome):
    memory[1] += 1
    return -1 if memory[1] > 40 else 1

@step
def _doubling(memory, net_cents, outcome):
    memory[1] = 2 * memory[1] if net_cents < 0 and memory[1] < 8 else 1
    return memory[1]

def negative(slip):
    return System(name="negative", slips=(slip,), step=_negative, start=(0, 0), watches=True)

def doubling(slip):
    return System(name="doubling", slips=(slip,), step=_doubling, start=(0, 1))
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a scheduler with two worker processes on this machine."""
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        # Any free port: on its usual one a scheduler warns when another has it, and tests run side by side.
        dashboard_address="127.0.0.1:0",
        worker_dashboard_address="127.0.0.1:0",
        silence_logs=50,
    ) as local:
        yield local.scheduler_address


@pytest.fixture
def own(tmp_path: Path) -> str:
    path = tmp_path / "own.py"
    path.write_text(OWN, encoding="utf-8")
    return str(path)


def test_two_workers_say_what_one_machine_says(cluster: str) -> None:
    for sessions in ("1", "5000", "200000"):
        words = (*TERMS, "--sessions", sessions, "--seed", "7", "--json")
        spread = run(*words, "--cluster", cluster)
        assert spread.json["sessions"] == int(sessions)
        assert spread == run(*words)


def test_a_system_of_ones_own_travels_to_the_workers(cluster: str, own: str) -> None:
    words = (*TERMS[:4], f"{own}:doubling", *TERMS[5:], "--sessions", "3000", "--csv")
    assert run(*words, "--cluster", cluster) == run(*words)


def test_a_refusal_comes_back_from_the_workers(cluster: str, own: str) -> None:
    words = (*TERMS[:4], f"{own}:negative", *TERMS[5:], "--sessions", "3000", "--no-exact")
    said = refusal(*words, "--cluster", cluster)
    assert said.startswith("The system negative asked for a stake or slip there is not. ")
    assert said == refusal(*words)


def test_the_bar_shows_how_far_the_cluster_has_come(cluster: str) -> None:
    ran = run(*TERMS, "--sessions", "5000", "--progress", "--cluster", cluster)
    assert ran.status == 0
    assert "sessions: 100 %" in ran.err


def test_a_worker_with_another_version_is_refused(cluster: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.__version__", "another")
    said = refusal(*TERMS, "--cluster", cluster)
    assert re.match(
        r"The worker tcp://127\.0\.0\.1:\d+ has another croupier\. Install the same croupier ", said
    )


def test_a_scheduler_without_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.lab.cluster.PATIENCE_SECONDS", 1)
    with distributed.LocalCluster(
        n_workers=0, host="127.0.0.1", dashboard_address="127.0.0.1:0", silence_logs=50
    ) as empty:
        said = refusal(*TERMS, "--cluster", empty.scheduler_address)
    assert said == f"The cluster at {empty.scheduler_address} has no worker. Start at least one."


def test_nobody_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("croupier.lab.cluster.PATIENCE_SECONDS", 1)
    said = refusal(*TERMS, "--cluster", "tcp://127.0.0.1:1")
    assert said.startswith("No Dask scheduler answers at 'tcp://127.0.0.1:1'. ")


@pytest.mark.parametrize("address", ["nonsense://x", "", "tcp://"])
def test_an_address_that_is_none(address: str) -> None:
    assert refusal(*TERMS, "--cluster", address).startswith("No Dask scheduler answers at ")


def test_cores_and_a_cluster_at_once() -> None:
    said = refusal(*TERMS, "--cores", "2", "--cluster", "tcp://127.0.0.1:1")
    assert said == "--cores and --cluster are both given. Leave one of them out."

"""A floor from its start to its stop: what is on the record of it, and what a start refuses."""

import asyncio
import os
import signal
from pathlib import Path

import httpx
import pytest

from croupier.floor.house.log import HOUSE_STREAM, ServerStopped, house_entry_of
from croupier.journal import StoreError, open_store
from croupier.rulebook import BadInput
from croupier.server import running
from croupier.server.config import Config
from croupier.server.config_reading import read_config
from croupier.server.demonstration import demonstration_config
from croupier.server.running import RunningFloor
from croupier.server.serving import listen, stop_signals
from croupier.table.events import voucher_issued
from floor.sim_live import played
from journal.drafts import draft, write
from server.test_config import SMALL


def house(config: Config) -> list[str]:
    """What the house's log says, with the reason of every stop."""
    store = open_store(config.journal)
    entries = [house_entry_of(record) for record in store.read(HOUSE_STREAM)]
    store.close()
    return [
        entry.event.reason if isinstance(entry.event, ServerStopped) else type(entry.event).__name__
        for entry in entries
    ]


@played
async def test_a_start_that_fails_leaves_no_stop_on_the_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = demonstration_config(tmp_path, 0)

    async def fail(*args: object) -> None:
        raise StoreError("Seat 1 of T1 was not opened.")

    monkeypatch.setattr(running, "_open_tables", fail)
    with pytest.raises(StoreError):
        await running.run(config)
    assert house(config) == []


@played
async def test_a_second_server_is_refused_and_leaves_the_tables_with_the_first(tmp_path: Path) -> None:
    config = read_config(SMALL.replace("8000", "0").encode(), "croupier.toml", tmp_path)
    stop = asyncio.Event()

    async def start_another(first: RunningFloor) -> None:
        with pytest.raises(BadInput, match=r"A server runs table T1 of this journal\."):
            await running.run(config)
        assert not first.floor.tables["T1"].runner.stepped_down
        stop.set()

    async def only_start(second: RunningFloor) -> None:
        assert second.floor.tables["T1"].runner.state.halted is None

    await running.run(config, ready=start_another, stop=stop, drain_seconds=0)
    await running.run(config, ready=only_start, stop=stop)  # the first one stopped a moment ago
    assert house(config) == ["ServerStarted", "it was asked to"] * 2


@pytest.mark.parametrize("issued", [True, False])
@played
async def test_a_key_that_is_made_though_vouchers_were_issued_is_no_quiet_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, issued: bool
) -> None:
    config = read_config(SMALL.replace("8000", "0").encode(), "croupier.toml", tmp_path)
    store = open_store(config.journal)
    write(store, "R1", [draft(claims=(voucher_issued("1234"),) if issued else ())])
    store.close()

    async def fail(*args: object) -> None:
        raise StoreError("As far as this.")

    monkeypatch.setattr(running, "_open_tables", fail)
    for _ in range(2):  # the second start finds the key that the first one made
        with pytest.raises(StoreError):
            await running.run(config)
    grave = [record.getMessage() for record in caplog.records if record.levelname == "CRITICAL"]
    assert len(grave) == issued
    assert all("put the floor's own key back" in message for message in grave)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (BadInput("no-room", "There is no room."), "a fault: There is no room"),
        (StoreError("The disk is full."), "a fault: The disk is full"),
        (RuntimeError("password: sesame"), "a fault (RuntimeError)"),
        (asyncio.CancelledError(), "it was interrupted"),
    ],
)
@played
async def test_a_stop_says_what_led_to_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, reason: str
) -> None:
    config = demonstration_config(tmp_path, 0)

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(running, "_watch_wheels", fail)
    with pytest.raises(type(error)):
        await running.run(config)
    assert house(config) == ["ServerStarted", reason]
    listen("127.0.0.1", 0).close()


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@played
async def test_a_stop_that_is_asked_for_before_the_doors_are_open_is_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, signum: signal.Signals
) -> None:
    config = demonstration_config(tmp_path, 0)

    def ask(*_: object) -> None:
        os.kill(os.getpid(), signum)

    monkeypatch.setattr(running, "_watch_wheels", ask)
    await running.run(config)
    assert house(config) == ["ServerStarted", "it was asked to"]


@played
async def test_a_server_that_cannot_begin_to_serve_was_not_asked_to_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = demonstration_config(tmp_path, 0)

    async def fail(house: object) -> None:
        raise RuntimeError("nothing to read")

    monkeypatch.setattr("croupier.server.http.house.House.warm_up", fail)
    with pytest.raises(BadInput) as refused:
        await running.run(config)
    assert refused.value.code == "not-serving"
    assert house(config)[-1].startswith("a fault: ")


@played
async def test_a_server_whose_journal_was_removed_is_not_ready(tmp_path: Path) -> None:
    config = demonstration_config(tmp_path, 0)
    stop = asyncio.Event()
    answers: list[httpx.Response] = []

    async def ready(floor: RunningFloor) -> None:
        async with httpx.AsyncClient(base_url=floor.base_url, trust_env=False) as client:
            answers.append(await client.get("/ready"))
            Path(config.journal).unlink()
            answers.append(await client.get("/ready"))
        stop.set()

    await running.run(config, ready=ready, stop=stop, drain_seconds=0)
    before, after = answers
    assert (before.status_code, before.json()["ready"]) == (200, True)
    assert (after.status_code, after.json()["ready"]) == (503, False)
    failing = [check["name"] for check in after.json()["checks"] if not check["ok"]]
    assert failing == ["journal file"]


def test_a_folder_for_the_journal_that_cannot_be_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BadInput) as refused:
        running._make_folder(tmp_path / "file" / "data")
    assert refused.value.code == "journal-folder"


@pytest.mark.parametrize(
    ("host", "port"),
    [("127.0.0.1", 99_999), ("127.0.0.1", -1), ("no such host", 0), ("a\0b", 0), (f"{'x' * 80}.example", 0)],
)
def test_an_address_that_is_none_is_a_sentence(host: str, port: int) -> None:
    with pytest.raises(BadInput) as refused:
        listen(host, port)
    assert refused.value.code == "port-taken"


@pytest.mark.parametrize("before", [signal.SIG_DFL, signal.SIG_IGN])
@played
async def test_a_hang_up_is_a_stop_unless_somebody_wants_it_ignored(before: signal.Handlers) -> None:
    """As with nohup: what the process was started with stays."""
    kept = signal.signal(signal.SIGHUP, before)
    try:
        stop = asyncio.Event()
        with stop_signals(stop, asyncio.Event()):
            if before == signal.SIG_DFL:
                os.kill(os.getpid(), signal.SIGHUP)
                await stop.wait()
            else:
                assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, kept)

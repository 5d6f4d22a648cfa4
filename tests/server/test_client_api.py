"""What integrators ask over HTTP, and the bots that they seat."""

import asyncio
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.client import Api, ApiRefused
from croupier.client.crew import Crew, Person
from server.floor_rig import PASSWORD
from server.server_rig import LiveServer


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with LiveServer(tmp_path_factory.mktemp("floor")) as live:
        live.play("R1", {"1": {"red": 1_000}}, "17")
        yield live


def ask(server: LiveServer, path: str, *query: dict[str, Any], **more: Any) -> Any:
    """What a shift manager gets."""

    async def asked() -> Any:
        async with Api(server.base_url, server.staff_token("shift-manager")) as api:
            return await api.get(path, *query, **more)

    return asyncio.run(asked())


def test_json_comes_as_values(server: LiveServer) -> None:
    assert ask(server, "/api/tables/R1")["table"] == "R1"


def test_a_text_comes_as_it_is(server: LiveServer) -> None:
    report = ask(server, "/api/reports/file")
    assert report.splitlines()[1].count(",") > 5
    assert "croupier_" in ask(server, "/metrics")


def test_json_lines_come_as_a_text(server: LiveServer) -> None:
    (line,) = ask(server, "/api/tables/R1/export", kind="rounds").splitlines()
    assert json.loads(line)["result"] == "17"


def test_a_file_comes_as_its_bytes(server: LiveServer) -> None:
    bundle = ask(server, "/api/tables/R1/rounds/1/bundle")
    assert zipfile.ZipFile(io.BytesIO(bundle)).testzip() is None


def test_a_parameter_may_be_called_as_nothing_in_python_is(server: LiveServer) -> None:
    nobody_played = ask(server, "/api/events", {"from": "2001-01-01", "until": "2001-01-02"})
    assert nobody_played["events"] == []
    assert ask(server, "/api/events", {"from": "2001-01-01"})["events"] != []


def test_a_refusal_has_its_code_and_its_sentence(server: LiveServer) -> None:
    with pytest.raises(ApiRefused) as refused:
        ask(server, "/api/tables/R9")
    assert (refused.value.status, refused.value.code) == (404, "unknown-table")


def test_bots_that_are_seated_later_leave_the_first_ones_alone(tmp_path: Path) -> None:
    async def seated(base_url: str) -> tuple[int, int]:
        crew, person = Crew(base_url, "R1"), Person(name="sue", password=PASSWORD)
        await crew.seat_bots(person, ["1"])
        await crew.seat_bots(person, ["2"])
        try:
            return len(crew.bots), len(crew._tasks)
        finally:
            await crew.stop()

    with LiveServer(tmp_path) as server:
        assert asyncio.run(seated(server.base_url)) == (2, 2)

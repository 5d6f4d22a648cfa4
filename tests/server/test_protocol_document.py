"""The example in the document of the protocol plays at a real table."""

import asyncio
import re
from pathlib import Path
from typing import Any

import pytest

from croupier.table import commands as c
from floor.sim_live import played
from server.floor_rig import a_floor

DOCUMENT = Path(__file__).parents[2] / "docs" / "protocol.md"


@played
async def _play_the_example(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (example,) = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
    names: dict[str, Any] = {}
    exec(example, names)
    async with a_floor(tmp_path) as rig:
        live = await rig.open_table()
        token = await rig.token()
        playing = asyncio.create_task(names["play"](rig.socket_url, token))
        await rig.do("R1", c.OpenRound())
        await playing
        state = await live.runner.consistent_state()
        assert state.seats["1"].stakes == {"straight:17": 500}
    assert capsys.readouterr().out == "None 4500\n"


def test_the_example_places_its_bet(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _play_the_example(tmp_path, capsys)

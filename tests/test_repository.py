"""What the repository keeps: sources, documents and pictures; nothing made from them, nothing fetched."""

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LARGEST_BYTES = 400_000
PROGRAMS = (b"\x7fELF", b"MZ", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"!<arch>", b"\0asm")
"""How programs and libraries of Linux, Windows, Macs and browsers begin."""


def _kept() -> list[Path]:
    if not (ROOT / ".git").exists():
        pytest.skip("these sources are no repository")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def test_no_program_and_no_bundle_is_kept() -> None:
    kept = _kept()
    assert len(kept) > 500
    assert [path.name for path in kept if path.stat().st_size > LARGEST_BYTES] == []
    assert [path.name for path in kept if path.read_bytes().startswith(PROGRAMS)] == []

"""The file with the floor's key: whole or not there, one for all, and nothing else is taken for a key."""

import errno
import os
import stat
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from croupier.floor import SystemClock
from croupier.journal import open_store
from croupier.rulebook import BadInput
from croupier.server import voucher_key
from croupier.server.floor import Floor
from croupier.server.voucher_key import check_key, key_fault, read_key

KEY = bytes(range(32))


def refused(act: Callable[[Path], object], path: Path) -> BadInput:
    with pytest.raises(BadInput) as found:
        act(path)
    return found.value


def test_a_key_of_thirty_two_bytes_stays_the_key(tmp_path: Path) -> None:
    path = tmp_path / "voucher.key"
    path.write_bytes(KEY)
    path.chmod(0o400)
    assert read_key(path) == KEY
    check_key(path)
    assert key_fault(path) is None


def test_a_key_is_made_whole_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "voucher.key"
    assert key_fault(path) is None
    key = read_key(path)
    assert len(key) == 32
    assert path.read_bytes() == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.parametrize("content", [b"", KEY[:31], KEY + b"\n", bytes(32), b"\xff" * 32, b"x" * 5_000])
def test_what_is_no_key_is_refused_and_stays_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "voucher.key"
    path.write_bytes(content)
    for act in (read_key, check_key):
        refusal = refused(act, path)
        assert refusal.code == "bad-voucher-key"
        assert "from the backup" in refusal.right
    fault = key_fault(path)
    assert fault is not None
    assert fault.code == "bad-voucher-key"
    assert path.read_bytes() == content


def full(*args: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def no_links(*args: object) -> None:
    raise OSError(errno.EPERM, "Operation not permitted")


def test_a_disk_that_fails_leaves_no_half_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "voucher.key"
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        refusal = refused(read_key, path)
    assert refusal.code == "voucher-key-unusable"
    assert "No space left on device" in refusal.sentence
    assert [*tmp_path.iterdir()] == []
    assert len(read_key(path)) == 32


def test_a_disk_without_hard_links_takes_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "link", no_links)
    path = tmp_path / "voucher.key"
    key = read_key(path)
    assert len(key) == 32
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [*tmp_path.iterdir()] == [path]
    assert read_key(path) == key


def test_so_it_does_where_another_process_is_faster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "voucher.key"

    def too_late(*args: object) -> None:
        path.write_bytes(KEY)
        no_links()

    monkeypatch.setattr(os, "link", too_late)
    assert read_key(path) == KEY
    assert [*tmp_path.iterdir()] == [path]


def test_nor_does_one_without_links_have_half_a_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, synced = tmp_path / "voucher.key", os.fsync

    def full_by_now(handle: int) -> None:
        full() if path.exists() else synced(handle)

    with monkeypatch.context() as patch:
        patch.setattr(os, "link", no_links)
        patch.setattr(os, "fsync", full_by_now)
        assert "No space left on device" in refused(read_key, path).sentence
    assert [*tmp_path.iterdir()] == []


def test_a_disk_that_cannot_sync_a_folder_takes_a_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, synced = tmp_path / "voucher.key", os.fsync

    def files_only(handle: int) -> None:
        if stat.S_ISDIR(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "Invalid argument")
        synced(handle)

    monkeypatch.setattr(os, "fsync", files_only)
    assert read_key(path) == path.read_bytes()


def test_servers_that_start_at_once_have_the_same_key(tmp_path: Path) -> None:
    path, keys = tmp_path / "voucher.key", []
    together = threading.Barrier(8)

    def start() -> None:
        together.wait()
        keys.append(read_key(path))

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(keys) == 8
    assert {*keys} == {path.read_bytes()}
    assert [*tmp_path.iterdir()] == [path]


def test_a_key_that_another_process_makes_meanwhile_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "voucher.key"
    link = os.link

    def link_too_late(one: Path, other: Path) -> None:
        path.write_bytes(KEY)
        link(one, other)

    monkeypatch.setattr(voucher_key.os, "link", link_too_late)
    assert read_key(path) == KEY


def folder(path: Path) -> Path:
    path.mkdir()
    return path


def pipe(path: Path) -> Path:
    os.mkfifo(path)
    return path


def link_to_nothing(path: Path) -> Path:
    path.symlink_to("nowhere")
    return path


def in_a_file(path: Path) -> Path:
    path.write_bytes(KEY)
    return path / "voucher.key"


@pytest.mark.parametrize(
    "make",
    [
        folder,
        pipe,
        link_to_nothing,
        in_a_file,
        lambda path: path / "absent" / "voucher.key",
        lambda path: path.with_name("x" * 300),
        lambda path: path.with_name("a\0b"),
    ],
)
def test_a_place_where_no_key_can_be_is_a_sentence(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    refusal = refused(read_key, make(tmp_path / "voucher.key"))
    assert refusal.code == "voucher-key-unusable"
    assert "voucher_key" in refusal.right


def test_a_floor_of_several_servers_makes_no_key_of_its_own(tmp_path: Path) -> None:
    assert refused(check_key, tmp_path / "voucher.key").code == "no-floor-key"
    assert [*tmp_path.iterdir()] == []


def test_figures_are_kept_under_a_key_that_is_made_from_the_floors(tmp_path: Path) -> None:
    """All its servers have the same one, no other floor has, and nobody learns the voucher key from it."""
    with closing(open_store(str(tmp_path / "journal.db"))) as store:
        one, same, another = (
            Floor(store, SystemClock(), voucher_key=key).figures_key for key in (KEY, KEY, KEY[::-1])
        )
    assert one == same
    assert len({one, another, KEY, KEY[::-1]}) == 4

"""Files that a configuration names: each fault is told once, and what another account keeps is believed."""

import os
from pathlib import Path

import pytest

from croupier.server.voucher_key import key_fault
from server.test_config import SMALL, faults, read


def test_one_fault_is_told_once() -> None:
    for key, code in (("books", "empty"), ("shifts", "empty")):
        found = faults(SMALL.replace('site = "Example"', f'site = "Example"\n{key} = []'))
        assert [fault[1] for fault in found].count(code) == 1, found
    assert [fault[1] for fault in faults(SMALL.replace('"journal.db"', '""'))] == ["empty"]
    assert [fault[1] for fault in faults(SMALL.replace('journal = "journal.db"\n', ""))] == ["missing"]


def test_a_key_that_only_another_account_may_read_is_believed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "open", refuse)
    assert key_fault(tmp_path / "voucher.key") is None
    assert read(SMALL, tmp_path).voucher_key == str(tmp_path / "voucher.key")


@pytest.mark.parametrize(
    "name",
    [
        "journal.db",
        "./journal.db-wal",
        "journal.db-journal",  # an end of a transaction to SQLite, which removes it
        "journal.db.projection",
        "journal.db.projection-journal",
    ],
)
def test_a_key_is_not_kept_in_a_file_of_the_journal(name: str) -> None:
    text = SMALL.replace('journal = "journal.db"\n', f'journal = "journal.db"\nvoucher_key = "{name}"\n')
    assert [fault[1] for fault in faults(text)] == ["same-file"]

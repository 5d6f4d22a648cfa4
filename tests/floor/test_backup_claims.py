"""Claims of a backup are held against its records before anything is put in place: no chain guards them."""

import hashlib
import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from croupier.floor import ManualClock
from croupier.floor.backup.backup import make_backup
from croupier.floor.backup.restore import restore
from croupier.floor.cage.cage import Cage
from croupier.floor.cage.records import CLERK
from croupier.floor.cage.vouchers import DAY_MS
from croupier.floor.live.projection import LiveProjection
from croupier.floor.loading import DamagedJournal
from croupier.floor.office.records import OFFICE
from croupier.journal.postgres import PostgresStore
from floor.audit_journal import change_file
from floor.voucher_rig import Vouchers
from table.rig import DEALER, SHIFT_MANAGER, START_MS

Claims = list[dict[str, Any]]


@pytest.fixture
def journal(tmp_path: Path) -> str:
    """A journal whose voucher was issued, expired by a clock that was ahead, was reinstated, and paid."""
    given = Vouchers(tmp_path)
    with closing(LiveProjection(tmp_path / "live.db", given.store)) as live:
        Cage(given.store, ManualClock(START_MS + 40 * DAY_MS)).expire(CLERK, live)
    given.cage.reinstate(given.number, SHIFT_MANAGER, "the clock was 40 days ahead")
    given.cage.pay(given.number, 12_345, DEALER)
    given.store.close()
    return str(tmp_path / "journal.db")


def change_claims(copy: Path, change: Callable[[Claims], Claims]) -> None:
    """Changes the claims of a backup in lines, and makes its counts and its hash anew."""
    lines = [json.loads(line) for line in copy.read_text().splitlines()]
    *records, last = (line for line in lines if "claim" not in line)
    claims = change([line for line in lines if "claim" in line])
    body = b"".join(json.dumps(line).encode() + b"\n" for line in (*records, *claims))
    last |= {"claims": len(claims), "sha256": hashlib.sha256(body).hexdigest()}
    copy.write_bytes(body + json.dumps(last).encode() + b"\n")


def as_it_is(claims: Claims) -> Claims:
    return claims


def without_the_payment(claims: Claims) -> Claims:
    """The voucher could be paid once more."""
    return [each for each in claims if not each["claim"].endswith("/1") or "redeemed" not in each["claim"]]


def without_the_issue(claims: Claims) -> Claims:
    """Nobody would find the voucher."""
    return [each for each in claims if "issued" not in each["claim"]]


def of_another_number(claims: Claims) -> Claims:
    return [each | {"claim": each["claim"].replace("issued/", "issued/9")} for each in claims]


def by_another_record(claims: Claims) -> Claims:
    return [each | {"sequence": 1} if "issued" in each["claim"] else each for each in claims]


def by_a_record_that_is_not_there(claims: Claims) -> Claims:
    return [*claims, {"claim": "voucher-redeemed/123", "table": "cage", "sequence": 99}]


def by_a_stream_that_is_not_there(claims: Claims) -> Claims:
    return [*claims, {"claim": "voucher-redeemed/123", "table": OFFICE, "sequence": 1}]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (without_the_payment, "Record 3 of cage claims voucher-redeemed/.*, and the backup notes nothing"),
        (without_the_issue, "of T1 claims voucher-issued/.*, and the backup notes nothing"),
        (of_another_number, "of T1 claims voucher-issued/.*, and the backup notes voucher-issued/9"),
        (by_another_record, "Record 1 of T1 claims nothing, and the backup notes voucher-issued/"),
        (by_a_record_that_is_not_there, "Record 99 of cage is not there, and the backup notes"),
        (by_a_stream_that_is_not_there, "Record 1 of office is not there, and the backup notes"),
    ],
)
def test_a_backup_with_other_claims_is_not_restored(
    journal: str, tmp_path: Path, change: Callable[[Claims], Claims], said: str
) -> None:
    copy = tmp_path / "copy.jsonl"
    make_backup(journal, copy)
    change_claims(copy, change)
    with pytest.raises(DamagedJournal, match=said):
        restore(copy, str(tmp_path / "new.db"))
    assert not [*tmp_path.glob("new.db*")]


def test_claims_that_fit_are_restored(journal: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.jsonl"
    make_backup(journal, copy)
    change_claims(copy, as_it_is)
    assert [head.stream for head in restore(copy, str(tmp_path / "new.db"))] == ["T1", "cage"]


def test_a_copy_in_a_file_whose_claims_were_changed_is_not_restored(journal: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    make_backup(journal, copy)
    change_file(str(copy), "DELETE FROM claims WHERE table_id = 'cage'")
    with pytest.raises(DamagedJournal, match="Record 1 of cage claims"):
        restore(copy, str(tmp_path / "new.db"))
    assert not [*tmp_path.glob("new.db*")]


def test_other_claims_leave_postgresql_without_a_journal(
    journal: str, postgres_address: str, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.jsonl"
    make_backup(journal, copy)
    change_claims(copy, without_the_payment)
    with pytest.raises(DamagedJournal, match="Record 3 of cage claims"):
        restore(copy, postgres_address)
    with closing(PostgresStore(postgres_address)) as store:
        assert store.tables() == []

"""Backup and restore, carried out: while a table writes, with the original lost, and played on afterwards."""

import asyncio
import hashlib
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from cli.running import refusal, run
from croupier.floor.backup import backup
from croupier.floor.backup.backup import LINES, make_backup, open_backup
from croupier.floor.backup.restore import restore
from croupier.floor.verify.evidence import open_evidence
from croupier.floor.verify.journal import verify_journal
from croupier.journal import Head, Record, StoreError
from croupier.journal.postgres import PostgresStore
from croupier.journal.sqlite import SqliteStore
from croupier.rulebook import BadInput
from croupier.table import commands as c
from floor.audit_journal import at_table, change_file, write, write_journal
from floor.audit_play import RandomTable
from floor.audit_scenes import roulette
from floor.sim_live import Live, WatchedStore, played
from table.rig import DEALER, Play

FORMS = [".db", LINES]


def whole(address: str) -> tuple[list[list[Record]], list[object]]:
    """Everything that a journal holds."""
    with closing(open_evidence(address)) as evidence:
        return [[*evidence.records(table)] for table in evidence.tables()], [*evidence.claims()]


def misfits(address: str) -> list[object]:
    with closing(open_evidence(address)) as evidence:
        return [report.first_misfit for report in verify_journal(evidence) if report.first_misfit]


@pytest.fixture
def journal(tmp_path: Path) -> str:
    return write_journal(tmp_path / "floor.db", roulette(), at_table("T2", RandomTable(6).rounds(20)))


@pytest.fixture
def backups(tmp_path: Path) -> Path:
    (tmp_path / "backups").mkdir()
    return tmp_path / "backups"


@played
async def play_lose_and_restore(tmp_path: Path, suffix: str) -> None:
    """The whole way: play, back up while the runner writes, lose the original, restore, verify, play on."""
    live = await Live(tmp_path).start()
    await live.open("1", "2")
    path, copy = tmp_path / "journal.db", tmp_path / f"copy{suffix}"
    await live.do(DEALER, c.OpenRound())
    writing = True

    async def bet(seat: str) -> int:
        placed = 0
        while writing:
            reply = await live.bet(seat, "red", 100)
            placed += reply.rejection is None
        return placed

    seats = [asyncio.create_task(bet(seat)) for seat in ("1", "2")]
    before = live.store.head("T1").sequence
    while live.store.head("T1").sequence < before + 10:
        await asyncio.sleep(0)
    (head,) = (await asyncio.to_thread(make_backup, str(path), copy)).heads
    behind = live.store.head("T1").sequence
    while live.store.head("T1").sequence < behind + 10:  # it never stopped
        await asyncio.sleep(0)
    writing = False
    assert sum(await asyncio.gather(*seats)) >= 20
    assert head.last_round == 1
    assert before + 10 <= head.sequence <= behind
    original = [*live.store.read("T1")]
    await live.run.stop()
    live.store.close()

    for file in tmp_path.glob("journal.db*"):
        file.unlink()
    assert restore(copy, str(path)) == [head]
    assert misfits(str(path)) == []
    with closing(SqliteStore(path)) as store:
        assert [*store.read("T1")] == original[: head.sequence]

    again = Live(tmp_path, store=WatchedStore(path))
    again.clock.advance(1_000)
    again._numbers = dict.fromkeys(("terminal-1", "terminal-2", DEALER.id), 10_000)
    await again.start()
    if again.run.state.round is None:
        await again.do(DEALER, c.OpenRound())
    await again.bet("1", "black", 500)
    await again.do(DEALER, c.CloseBets())
    await again.do(DEALER, c.StartSpin())
    await again.do(DEALER, c.EnterResult(result="17"))
    await again.do(DEALER, c.ConfirmResult(result="17"))
    assert again.run.state.kept[again.run.state.round_number].result == "17"
    await again.stop()
    assert misfits(str(path)) == []


@pytest.mark.parametrize("suffix", FORMS)
def test_a_table_plays_on_from_a_backup_that_was_made_while_it_played(tmp_path: Path, suffix: str) -> None:
    play_lose_and_restore(tmp_path, suffix)


@pytest.mark.parametrize("suffix", FORMS)
def test_a_restored_journal_holds_what_the_journal_held(journal: str, backups: Path, suffix: str) -> None:
    heads = make_backup(journal, backups / f"copy{suffix}").heads
    assert [head.stream for head in heads] == ["T1", "T2"]
    assert restore(backups / f"copy{suffix}", str(backups / "new.db")) == heads
    assert sorted(path.name for path in backups.iterdir()) == [f"copy{suffix}", "new.db"]
    assert whole(str(backups / "new.db")) == whole(journal)


def test_a_copy_in_a_file_is_a_journal_in_one_file(journal: str, backups: Path) -> None:
    make_backup(journal, backups / "copy.db")
    assert whole(str(backups / "copy.db")) == whole(journal)
    assert [path.name for path in backups.iterdir()] == ["copy.db"]


def test_a_copy_is_of_one_moment_however_much_is_written_meanwhile(
    journal: str, backups: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.floor.backup.backup._PAGES_AT_ONCE", 1)
    before = whole(journal)
    more = iter(range(3, 9_999))
    with closing(SqliteStore(journal)) as store:

        def tell(stream: str, done: int, total: int) -> None:
            if stream == "copying" and (number := next(more)) < 20:
                write(store, at_table(f"T{number}", Play()))

        make_backup(journal, backups / "copy.db", tell)
        assert len(store.tables()) > 5
    assert whole(str(backups / "copy.db")) == before


def test_a_copy_that_lost_a_stream_on_its_way_is_thrown_away(
    journal: str, backups: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_file = backup._copy_file

    def lose(address: str, path: Path, progress: backup.Progress) -> dict[str, Head]:
        promised = copy_file(address, path, progress)
        for rows in ("records", "heads", "claims"):
            change_file(str(path), f"DELETE FROM {rows} WHERE table_id = 'T2'")
        return promised

    monkeypatch.setattr(backup, "_copy_file", lose)
    with pytest.raises(StoreError, match="does not end where the journal does"):
        make_backup(journal, backups / "copy.db")
    assert [*backups.iterdir()] == []


def test_nothing_is_overwritten(journal: str, backups: Path) -> None:
    make_backup(journal, backups / "copy.db")
    with pytest.raises(BadInput) as refused:
        make_backup(journal, backups / "copy.db")
    assert refused.value.code == "backup-exists"
    before = Path(journal).read_bytes()
    with pytest.raises(BadInput) as refused:
        restore(backups / "copy.db", journal)
    assert refused.value.code == "journal-exists"
    assert Path(journal).read_bytes() == before


def test_a_log_left_behind_by_a_lost_journal_is_not_mixed_into_the_restored_one(
    journal: str, backups: Path
) -> None:
    make_backup(journal, backups / "copy.db")
    (backups / "new.db-wal").write_bytes(b"log")
    with pytest.raises(BadInput, match="Move it away first"):
        restore(backups / "copy.db", str(backups / "new.db"))


def damage_record(journal: str) -> None:
    change_file(journal, "UPDATE records SET actor = 'mallory' WHERE table_id = 'T2' AND sequence = 9")


def cut_off(journal: str) -> None:
    change_file(journal, "DELETE FROM records WHERE table_id = 'T1' AND sequence > 30")


@pytest.mark.parametrize("damage", [damage_record, cut_off])
@pytest.mark.parametrize("suffix", FORMS)
def test_a_journal_that_does_not_fit_is_not_copied(
    journal: str, backups: Path, damage: Callable[[str], None], suffix: str
) -> None:
    damage(journal)
    with pytest.raises(StoreError):
        make_backup(journal, backups / f"copy{suffix}")
    assert [*backups.iterdir()] == []


@pytest.mark.parametrize("damage", [damage_record, cut_off])
def test_a_backup_that_was_changed_is_not_restored(
    journal: str, backups: Path, damage: Callable[[str], None]
) -> None:
    make_backup(journal, backups / "copy.db")
    damage(str(backups / "copy.db"))
    with pytest.raises(StoreError):
        restore(backups / "copy.db", str(backups / "new.db"))
    assert [path.name for path in backups.iterdir()] == ["copy.db"]


def hashed_anew(lines: list[bytes]) -> list[bytes]:
    """Lines with a last one that says that they are whole."""
    last = json.loads(lines[-1])
    last["sha256"] = hashlib.sha256(b"".join(lines[:-1])).hexdigest()
    return [*lines[:-1], json.dumps(last).encode() + b"\n"]


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines[:-1],
        lambda lines: lines[:-4],
        lambda lines: lines[:5] + lines[6:],
        lambda lines: [*lines, b"{}\n"],
        lambda lines: [lines[0].replace(b"backup/1", b"backup/2"), *lines[1:]],
        lambda lines: [line.replace(b"dealer-1", b"dealer-2") for line in lines],
        lambda lines: [b"nonsense\n"],
        lambda lines: [b"[]\n"],
        lambda lines: [],
        lambda lines: [b"\xff\xfe\n"],
        lambda lines: [b"[" * 100_000 + b"\n"],
        lambda lines: hashed_anew(
            [lines[0], lines[1].replace(b'"sequence": 1', b'"sequence": "1"'), *lines[2:]]
        ),
        lambda lines: hashed_anew([lines[0], lines[1].replace(b'"table-created"', b"null"), *lines[2:]]),
        lambda lines: hashed_anew([lines[0], lines[1].replace(b'"hash": "', b'"hash": "x'), *lines[2:]]),
        lambda lines: hashed_anew(
            [lines[0], lines[1].replace(b'"part": 0', b'"part": 0, "x": 1'), *lines[2:]]
        ),
        lambda lines: hashed_anew([line.replace(b"dealer-1", b"\\ud800") for line in lines]),
        lambda lines: hashed_anew([lines[0].replace(b'"sequence": ', b'"sequence": -0.'), *lines[1:]]),
    ],
)
def test_lines_that_are_torn_or_changed_are_no_backup(
    journal: str, backups: Path, change: Callable[[list[bytes]], list[bytes]]
) -> None:
    copy = backups / "copy.jsonl"
    make_backup(journal, copy)
    copy.write_bytes(b"".join(change(copy.read_bytes().splitlines(keepends=True))))
    with pytest.raises(StoreError, match="is no whole backup"):
        restore(copy, str(backups / "new.db"))
    assert not (backups / "new.db").exists()


def test_lines_can_be_read_by_anybody(journal: str, backups: Path) -> None:
    make_backup(journal, backups / "copy.jsonl")
    first, *rest = map(json.loads, (backups / "copy.jsonl").read_text().splitlines())
    assert first["format"] == "croupier-backup/1"
    assert [*first["streams"]] == ["T1", "T2"]
    assert (rest[0]["table"], rest[0]["sequence"], rest[0]["kind"]) == ("T1", 1, "table-created")
    assert json.loads(rest[0]["payload"])["event"]["type"] == "table-created"
    assert rest[-1]["records"] == sum(stream["sequence"] for stream in first["streams"].values())
    with closing(open_backup(backups / "copy.jsonl")) as evidence:
        assert not any(report.first_misfit for report in verify_journal(evidence))


# PostgreSQL


@pytest.fixture
def address(postgres_address: str) -> str:
    with closing(PostgresStore(postgres_address)) as store:
        write(store, roulette(), at_table("T2", RandomTable(6).rounds(20)))
    return postgres_address


def empty(address: str) -> None:
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute("DROP SCHEMA croupier CASCADE")


def test_postgresql_is_dumped_as_of_one_moment_and_restored(address: str, backups: Path) -> None:
    before = whole(address)
    with closing(PostgresStore(address)) as store:

        def tell(stream: str, done: int, total: int) -> None:
            if "T3" not in store.tables():
                write(store, at_table("T3", Play()))

        copy = backups / "copy"
        heads = make_backup(address, copy, tell).heads
        assert "T3" in store.tables()
    with pytest.raises(BadInput) as refused:
        restore(copy, address)
    assert refused.value.code == "journal-exists"
    empty(address)
    assert restore(copy, address) == heads
    assert whole(address) == before
    assert misfits(address) == []
    with closing(PostgresStore(address)) as store:
        write(store, at_table("T3", Play()))


@pytest.mark.parametrize("suffix", FORMS)
def test_a_journal_moves_from_a_file_into_postgresql_and_back(
    journal: str, postgres_address: str, backups: Path, suffix: str
) -> None:
    make_backup(journal, backups / f"one{suffix}")
    restore(backups / f"one{suffix}", postgres_address)
    make_backup(postgres_address, backups / "two.jsonl")
    restore(backups / "two.jsonl", str(backups / "new.db"))
    assert whole(str(backups / "new.db")) == whole(journal)


def test_a_damaged_backup_leaves_postgresql_without_a_journal(
    journal: str, postgres_address: str, backups: Path
) -> None:
    make_backup(journal, backups / "copy.db")
    damage_record(str(backups / "copy.db"))
    with pytest.raises(StoreError, match="Record 9 of T2 does not fit"):
        restore(backups / "copy.db", postgres_address)
    with closing(PostgresStore(postgres_address)) as store:
        assert store.tables() == []
        assert [*store.read("T1")] == []


# The commands


def test_the_commands_say_how_far_the_copy_goes_and_what_is_lost(journal: str, backups: Path) -> None:
    heads = {
        table: run("verify", journal, "--json").json["tables"][n]["head"]
        for n, table in enumerate(("T1", "T2"))
    }
    ran = run("backup", journal, str(backups / "night.db"))
    assert (ran.status, ran.err) == (0, "")
    for head in heads.values():
        assert f"{head['sequence']}:{head['hash']}" in ran.out
    ran = run("restore", str(backups / "night.db"), str(backups / "new.db"))
    assert ran.status == 0
    assert f"{heads['T1']['sequence']}:{heads['T1']['hash']}" in ran.out
    assert "Whatever was recorded after these heads is not in the backup" in ran.err
    facts = run("backup", str(backups / "new.db"), str(backups / "again.db"), "--json").json
    assert (facts["streams"][0]["stream"], facts["streams"][0]["last_round"]) == ("T1", 3)
    assert facts["streams"][0]["last"].startswith("2023-11-14T")


def test_the_journal_says_that_a_backup_was_made_unless_it_should_not(journal: str, backups: Path) -> None:
    run("backup", journal, str(backups / "one.db"), "--without-note")
    assert whole(str(backups / "one.db")) == whole(journal)
    run("backup", journal, str(backups / "two.db"))
    (event,) = run("events", journal, "--table", "house", "--json").json["events"]
    assert (event["event"], event["what"].split(",")[0]) == ("backup-made", "A backup was made: two.db")
    assert run("verify", journal).status == 0


def test_a_folder_takes_a_backup_named_by_its_time(journal: str, backups: Path) -> None:
    run("backup", journal, str(backups))
    (made,) = backups.iterdir()
    assert made.name.startswith("croupier-")
    assert made.suffix == ".db"


def test_what_cannot_be_backed_up_or_restored_is_refused(journal: str, backups: Path) -> None:
    assert "There is no journal" in refusal("backup", str(backups / "none.db"), str(backups / "copy.db"))
    assert "cannot be written" in refusal("backup", journal, str(backups / "no" / "copy.db"))
    assert "cannot be opened" in refusal("restore", str(backups / "none"), str(backups / "new.db"))
    (backups / "text").write_text("hello\n")
    assert "is no whole backup" in refusal("restore", str(backups / "text"), str(backups / "new.db"))
    with closing(sqlite3.connect(backups / "other.db")) as connection:
        connection.execute("CREATE TABLE things (name)")
    assert "is not a journal" in refusal("restore", str(backups / "other.db"), str(backups / "new.db"))
    assert "There is a" in refusal("backup", journal, journal)

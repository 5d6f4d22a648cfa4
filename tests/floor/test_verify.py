"""Journals that fit, and what the command says of those that do not or cannot be read."""

import json
import re
from pathlib import Path

import pytest

from cli.running import BOOKS, refusal, run, run_process
from croupier.floor import create_table
from croupier.floor.verify.evidence import SqliteEvidence
from croupier.floor.verify.journal import verify_journal
from croupier.journal.sqlite import SqliteStore
from croupier.rulebook import load_book_file
from croupier.table import Rules
from floor.audit_journal import MemoryEvidence, at_table, change_file, first_misfit, records_of, write_journal
from floor.audit_play import GAMES, RandomTable
from floor.audit_scenes import interrupted, money_wheel, roulette, shortfall
from table.rig import START_MS, SUPERVISOR, Play

WORKED_OUT = ("seat-settled", "seat-returned", "seat-corrected", "bets-rejected")


@pytest.mark.parametrize(("book", "layout"), GAMES)
@pytest.mark.parametrize("seed", range(4))
def test_whatever_was_played_the_journal_fits(book: str, layout: str, seed: int) -> None:
    play = RandomTable(seed, book, layout).rounds(25)

    (report,) = verify_journal(MemoryEvidence(play))

    kinds = [record.kind for record in records_of(play)]
    assert report.first_misfit is None
    assert report.records == report.head.sequence == len(kinds)
    assert report.rounds == kinds.count("round-opened") >= 25
    assert report.settlements == sum(kinds.count(kind) for kind in WORKED_OUT) > 10


@pytest.mark.parametrize("scene", [roulette, shortfall, interrupted, money_wheel])
def test_every_scene_fits(scene: object) -> None:
    assert first_misfit(MemoryEvidence(scene())) is None  # type: ignore[operator]  # scenes are functions


@pytest.fixture
def journal(tmp_path: Path) -> str:
    return write_journal(tmp_path / "floor.db", roulette(), at_table("T2", money_wheel()))


def test_a_journal_that_fits_ends_with_0_and_shows_what_to_anchor(journal: str) -> None:
    store = SqliteStore(journal)
    heads = [store.head("T1"), store.head("T2")]
    store.close()

    ran = run_process("verify", journal)

    assert (ran.status, ran.err) == (0, "")
    assert ran.out.endswith("\nEverything fits.\n")
    for head in heads:
        assert f"{head.sequence}:{head.hash.hex()}\n" in ran.out


def test_the_report_for_programs(journal: str) -> None:
    report = run("verify", journal, "--json").json

    assert report["journal"] == journal
    assert report["fits"] is True
    assert [table["table"] for table in report["tables"]] == ["T1", "T2"]
    first = report["tables"][0]
    assert first["first_misfit"] is None
    assert (first["records"], first["rounds"], first["settlements"]) == (len(records_of(roulette())), 3, 6)
    assert re.fullmatch("[0-9a-f]{64}", first["head"]["hash"])


def test_one_table_can_be_verified_alone(journal: str) -> None:
    change_file(journal, "UPDATE records SET actor = 'nobody' WHERE table_id = 'T1' AND sequence = 9")

    assert run("verify", journal, "--table", "T2").status == 0
    assert run("verify", journal, "--table", "T1").status == 1


def test_a_journal_that_does_not_fit_ends_with_1_and_names_the_first_record(journal: str) -> None:
    change_file(journal, "UPDATE records SET actor = 'nobody' WHERE table_id = 'T2' AND sequence IN (9, 12)")

    ran = run_process("verify", journal)

    assert (ran.status, ran.err) == (1, "")
    assert ran.out.endswith(
        "\ntable T2, record 9: its hash is not the hash of its content. 8 records before it fit.\n"
    )
    found = json.loads(run("verify", journal, "--json").out)
    assert found["fits"] is False
    assert [table["records"] for table in found["tables"]] == [len(records_of(roulette())), 8]
    assert found["tables"][1]["first_misfit"] == {
        "sequence": 9,
        "reason": "its hash is not the hash of its content",
    }


def test_what_cannot_be_read_ends_with_2(tmp_path: Path, journal: str) -> None:
    (tmp_path / "letter.db").write_text("Dear Sir or Madam," * 100)
    (tmp_path / "empty.db").touch()
    change_file(str(tmp_path / "other.db"), "CREATE TABLE records (table_id, sequence)")

    assert refusal("verify", str(tmp_path / "absent.db")).startswith("There is no journal ")
    assert refusal("verify", str(tmp_path)).startswith("There is no journal ")
    assert "file is not a database" in refusal("verify", str(tmp_path / "letter.db"))
    for name in ("empty.db", "other.db"):
        assert " is not a journal." in refusal("verify", str(tmp_path / name))
    assert "no table 'T9'" in refusal("verify", journal, "--table", "T9")
    assert "T1, T2" in refusal("verify", journal, "--table", "T9")
    assert "cannot be opened" in refusal("verify", "postgresql://pit@127.0.0.1:1/casino")
    assert "not the address" in refusal("verify", "postgresql://")
    for anchor in ("T1", "T1:4", "T1:four:" + 64 * "0", "T1:4:abc", ":4:" + 64 * "0"):
        assert "TABLE:RECORD:HASH" in refusal("verify", journal, "--anchor", anchor)
    assert run_process("verify", str(tmp_path / "absent.db")).status == 2


def test_a_newer_schema_is_refused(journal: str) -> None:
    change_file(journal, "PRAGMA user_version = 99")
    assert "Install a newer croupier" in refusal("verify", journal)


def test_a_file_that_is_damaged_as_a_database_cannot_be_read(journal: str) -> None:
    path = Path(journal)
    content = bytearray(path.read_bytes())
    content[8192:12288] = bytes(4096)
    path.write_bytes(content)
    assert "cannot be read to its end" in refusal("verify", journal)


def test_a_journal_without_tables_fits(tmp_path: Path) -> None:
    journal = write_journal(tmp_path / "new.db")
    assert run("verify", journal) == (0, f"{journal} holds no tables.\n", "")


def test_reading_changes_nothing(journal: str) -> None:
    before = Path(journal).read_bytes()
    run("verify", journal)
    run("export", journal, "--table", "T1")
    assert Path(journal).read_bytes() == before


def test_a_journal_in_a_place_that_takes_no_files_can_be_read(journal: str) -> None:
    # What SQLite keeps beside an open journal has no room here.
    Path(f"{journal}-shm").mkdir()
    assert run("verify", journal).status == 0


def test_a_table_that_goes_on_is_seen_as_it_was(tmp_path: Path) -> None:
    play = roulette()
    records, half = records_of(play), 20
    store = SqliteStore(tmp_path / "floor.db")
    store.append(records[:half], [])
    evidence = SqliteEvidence(str(tmp_path / "floor.db"))

    store.append(records[half:], [("voucher-issued/V-1", len(records) - 1)])
    (report,) = verify_journal(evidence)
    evidence.close()
    store.close()

    assert (report.records, report.first_misfit) == (half, None)


def test_the_bar_goes_to_standard_error_and_only_where_it_is_wanted(journal: str) -> None:
    quiet, shown = run("verify", journal), run("verify", journal, "--progress")
    assert (quiet.out, quiet.err) == (shown.out, "")
    assert "[##############################] T2: " in shown.err
    assert shown.err.endswith(" \r")


@pytest.fixture
def own_book(tmp_path: Path) -> Path:
    text = (BOOKS / "mbs-roulette.toml").read_text(encoding="utf-8")
    path = tmp_path / "own.toml"
    path.write_text(text + "\n# our own copy\n", encoding="utf-8")
    return path


def test_a_table_is_verified_by_the_book_it_was_made_with(tmp_path: Path, own_book: Path) -> None:
    journal = str(tmp_path / "floor.db")
    store = SqliteStore(journal)
    create_table(store, Rules(load_book_file(own_book)), Play().settings, START_MS, SUPERVISOR)
    store.close()

    without, with_it = run("verify", journal), run("verify", journal, "--book", str(own_book))

    assert without.status == 1
    assert "table T1, record 1: it was made with a book mbs-roulette whose SHA-256 is " in without.out
    assert with_it.status == 0


def test_a_noted_hash_is_looked_for(journal: str) -> None:
    record = records_of(roulette())[29]
    right = f"T1:30:{record.hash.hex()}"

    assert run("verify", journal, "--anchor", right).status == 0
    wrong = run("verify", journal, "--anchor", f"T1:30:{64 * 'a'}")
    assert (wrong.status, "table T1, record 30: its hash is not the one that was" in wrong.out) == (1, True)
    cut = run("verify", journal, "--anchor", f"T1:999:{record.hash.hex()}")
    assert (cut.status, "table T1, record 999: it is not there" in cut.out) == (1, True)


def test_an_anchor_that_nothing_would_be_compared_with_is_refused(journal: str) -> None:
    one, other = 64 * "a", 64 * "b"
    assert "of table 'T9', and there is no such table" in refusal(
        "verify", journal, "--anchor", f"T9:1:{one}"
    )
    assert "Its tables are T1, T2" in refusal("verify", journal, "--anchor", f"T9:1:{one}")
    elsewhere = refusal("verify", journal, "--table", "T2", "--anchor", f"T1:1:{one}")
    assert elsewhere.startswith("An anchor is of table 'T1', and only 'T2' is verified.")
    twice = refusal("verify", journal, "--anchor", f"T1:1:{one}", "--anchor", f"T1:1:{other}")
    assert twice.startswith("Record 1 of table 'T1' is anchored with two different hashes.")


def test_the_same_anchor_twice_is_one(journal: str) -> None:
    anchor = f"T1:30:{records_of(roulette())[29].hash.hex()}"
    assert run("verify", journal, "--anchor", anchor, "--anchor", anchor.upper()).status == 0
    assert run("verify", journal, "--table", "T1", "--anchor", anchor).status == 0

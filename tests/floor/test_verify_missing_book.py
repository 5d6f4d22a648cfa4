"""A journal whose table was made with a book that is not at hand: that is no misfit, and no proof either."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from cli.running import BOOKS, refusal, run
from croupier.floor.verify.evidence import SqliteEvidence
from croupier.floor.verify.journal import verify_journal
from croupier.table import commands as c
from floor.audit_journal import at_table, change_file, records_of, write_journal
from floor.audit_scenes import money_wheel
from server.test_config import SMALL
from table.rig import Play, player

MADE_WITH = "A table of this journal was made with the book 'own-game', which does not come with croupier."
SAYS = "Name its file with --book FILE."


@pytest.fixture
def own_book(tmp_path: Path) -> Path:
    text = (BOOKS / "mbs-roulette.toml").read_text(encoding="utf-8")
    path = tmp_path / "own.toml"
    path.write_text(text.replace('id = "mbs-roulette"', 'id = "own-game"'), encoding="utf-8")
    return path


def own_game(book: Path) -> Play:
    """A table with a book of one's own, at which a voucher was given."""
    play = Play(str(book)).open(("1",), 12_500)
    play.do(player("1"), c.CashOut(seat="1", voucher="V-1"))
    return play


def taking(cents: int) -> Play:
    """Another table, which takes that voucher."""
    play = Play().open(("1",), 1_000)
    play.do(player("1"), c.BuyCredits(seat="1", cents=cents, voucher="V-1"))
    return at_table("T2", play)


@pytest.fixture
def journal(tmp_path: Path, own_book: Path) -> str:
    tables = own_game(own_book), taking(12_500), at_table("T3", money_wheel())
    return write_journal(tmp_path / "floor.db", *tables)


def test_it_ends_with_2_names_what_to_do_and_checks_the_others(journal: str, own_book: Path) -> None:
    ran = run("verify", journal)

    assert (ran.status, ran.err) == (2, "")
    (line,) = [line for line in ran.out.splitlines() if line.startswith("table ")]
    assert line.startswith("table T1 was made with the book 'own-game', which does not come with croupier")
    assert line.endswith(f" {SAYS}")
    assert ".." not in line
    assert "Everything fits" not in ran.out
    report = json.loads(run("verify", journal, "--json").out)
    assert report["fits"] is None
    assert [(table["missing_book"], table["first_misfit"]) for table in report["tables"]] == [
        ("own-game", None),
        (None, None),
        (None, None),
    ]
    with_it = run("verify", journal, "--book", str(own_book))
    assert (with_it.status, with_it.out.endswith("\nEverything fits.\n")) == (0, True)


def test_a_misfit_of_another_table_is_told_first_and_ends_with_1(journal: str) -> None:
    change_file(journal, "UPDATE records SET actor = 'nobody' WHERE table_id = 'T3' AND sequence = 9")
    ran = run("verify", journal)
    assert ran.status == 1
    lines = [line for line in ran.out.splitlines() if line.startswith("table ")]
    assert [line[:8] for line in lines] == ["table T3", "table T1"]
    assert json.loads(run("verify", journal, "--json").out)["fits"] is False


def test_what_needs_no_book_is_checked_without_it(journal: str) -> None:
    change_file(journal, "UPDATE records SET actor = 'nobody' WHERE table_id = 'T1' AND sequence = 4")
    ran = run("verify", journal, "--table", "T1")
    assert ran.status == 1
    assert "table T1, record 4: its hash is not the hash of its content. 3 records before it fit." in ran.out


def test_its_vouchers_are_known_without_it(tmp_path: Path, own_book: Path) -> None:
    journal = write_journal(tmp_path / "other.db", own_game(own_book), taking(12_501))
    ran = run("verify", journal)
    assert ran.status == 1
    assert "table T2, record 5: the voucher that it ends was issued for another amount" in ran.out


def test_a_book_with_another_hash_is_a_misfit(journal: str, own_book: Path) -> None:
    own_book.write_text(f"{own_book.read_text(encoding='utf-8')}\n# changed\n", encoding="utf-8")
    ran = run("verify", journal, "--book", str(own_book))
    assert ran.status == 1
    assert "table T1, record 1: it was made with a book own-game whose SHA-256 is" in ran.out


def test_a_long_table_without_its_book_is_read_by_one_process(journal: str, own_book: Path) -> None:
    with closing(SqliteEvidence(journal)) as evidence:
        (report,) = verify_journal(evidence, ["T1"], beside_from=1)
    assert (report.missing_book, report.first_misfit) == ("own-game", None)
    assert report.records == report.head.sequence == len(records_of(own_game(own_book)))


@pytest.mark.parametrize(
    "words",
    [
        ("project", "--out", "{tmp}/p.db"),
        ("export", "--table", "T1", "--what", "meters"),
        ("fair", "T1", "--all"),
        ("wheel-watch", "--table", "T1"),
    ],
    ids=lambda words: words[0],
)
def test_every_command_that_needs_the_book_says_how_it_is_named(
    journal: str, tmp_path: Path, words: tuple[str, ...]
) -> None:
    command, *rest = (word.replace("{tmp}", str(tmp_path)) for word in words)
    said = refusal(command, journal, *rest)
    assert said == f"{MADE_WITH} {SAYS}"


def test_admin_commands_say_where_a_floor_names_its_books(journal: str, tmp_path: Path) -> None:
    floor = tmp_path / "croupier.toml"
    floor.write_text(SMALL.replace("journal.db", "floor.db"), encoding="utf-8")
    by_journal = refusal("admin", "tables", "list", "--journal", journal)
    assert by_journal == f"{MADE_WITH} Name the floor's file with --floor FILE; it names the book's."
    by_file = refusal("admin", "tables", "list", "--floor", str(floor))
    assert by_file == f"{MADE_WITH} Name its file in {floor}, under books."

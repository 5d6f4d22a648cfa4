"""`croupier books` and `croupier check`."""

from pathlib import Path

from cli.running import BOOKS, refusal, run


def test_books_as_json() -> None:
    assert run("books", "--json").json == [
        {
            "book": "mbs-roulette",
            "title": "Electronic Roulette",
            "operator": "Marina Bay Sands",
            "version": "3",
            "effective": "2020-03-18",
            "layouts": ["main"],
            "terminals": ["rapid-select", "rapid-fusion", "alfastreet"],
            "pockets": 37,
        },
        {
            "book": "rws-money-wheel",
            "title": "Money Wheel",
            "operator": "Resorts World Sentosa",
            "version": "2",
            "effective": "2019-07-30",
            "layouts": ["main"],
            "terminals": [],
            "pockets": 52,
        },
        {
            "book": "rws-roulette-00",
            "title": "Roulette Double Zero",
            "operator": "Resorts World Sentosa",
            "version": "3",
            "effective": "2019-11-15T08:00+08:00",
            "layouts": ["A", "B"],
            "terminals": ["rapid"],
            "pockets": 38,
        },
        {
            "book": "rws-roulette-000",
            "title": "Roulette Triple Zero",
            "operator": "Resorts World Sentosa",
            "version": "unnumbered",
            "effective": "2023-04-06T08:00+08:00",
            "layouts": ["main"],
            "terminals": ["rapid"],
            "pockets": 39,
        },
    ]


def test_books_print_their_facts_in_the_stated_order() -> None:
    for book in run("books", "--json").json:
        assert [*book] == [
            "book",
            "title",
            "operator",
            "version",
            "effective",
            "layouts",
            "terminals",
            "pockets",
        ]


def test_books_for_people() -> None:
    assert (
        run("books").out
        == """\
The 4 books that come with croupier

BOOK              TITLE                 OPERATOR               VERSION     IN FORCE FROM     POCKETS
mbs-roulette      Electronic Roulette   Marina Bay Sands       3           2020-03-18             37
    layout main; terminals rapid-select, rapid-fusion, alfastreet
rws-money-wheel   Money Wheel           Resorts World Sentosa  2           2019-07-30             52
    layout main; played without terminals
rws-roulette-00   Roulette Double Zero  Resorts World Sentosa  3           2019-11-15 08:00       38
    layouts A, B; terminals rapid
rws-roulette-000  Roulette Triple Zero  Resorts World Sentosa  unnumbered  2023-04-06 08:00       39
    layout main; terminals rapid
"""
    )


def test_check_of_sound_books() -> None:
    ran = run("check", str(BOOKS / "rws-roulette-00.toml"), str(BOOKS / "rws-money-wheel.toml"))
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "Checked whole, no fault found",
        "",
        "BOOK             LAYOUTS  LEGAL BETS  ANNOUNCED BETS  CLAUSES",
        "rws-roulette-00  A, B       159, 161        128, 124       52",
        "rws-money-wheel  main              7               0       42",
    ]


def test_check_of_a_sound_book_as_json() -> None:
    assert run("check", str(BOOKS / "rws-roulette-00.toml"), "--json").json == [
        {
            "book": "rws-roulette-00",
            "layouts": [
                {"layout": "A", "bets": 159, "announced": 128},
                {"layout": "B", "bets": 161, "announced": 124},
            ],
            "clauses": 52,
        }
    ]


def with_faults(folder: Path) -> Path:
    """A book with a pocket too many and a date that is none."""
    text = (BOOKS / "mbs-roulette.toml").read_text(encoding="utf-8")
    faulty = text.replace("pockets = 37", "pockets = 38").replace("= 2020-03-18", '= "soon"')
    assert faulty != text
    path = folder / "faulty.toml"
    path.write_text(faulty, encoding="utf-8")
    return path


def test_check_lists_every_fault_of_every_file_and_prints_no_table(tmp_path: Path) -> None:
    faulty = with_faults(tmp_path)
    ran = run("check", str(BOOKS / "mbs-roulette.toml"), str(faulty), str(tmp_path / "absent.toml"))
    assert (ran.status, ran.out) == (2, "")
    first, *faults, last = ran.err.splitlines()
    assert first == f"croupier: {faulty} has 2 faults:"
    assert faults == [
        "line 9, book.effective: 'soon' is not a date; write for example 2020-03-18. [wrong-type]",
        "line 16, wheel.order: pockets is 38, and order lists 37. [segments-do-not-add-up]",
    ]
    assert "absent.toml' cannot be opened" in last


def test_a_book_of_ones_own_with_faults_is_bad_input_for_every_command(tmp_path: Path) -> None:
    faulty = str(with_faults(tmp_path))
    for command in ("bets", "announced", "odds", "clauses", "wheel"):
        ran = run(command, faulty)
        assert (ran.status, ran.out) == (2, "")
        assert "line 9, book.effective" in ran.err


def test_a_sound_book_of_ones_own_is_used_by_its_path(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_bytes((BOOKS / "rws-money-wheel.toml").read_bytes())
    assert run("odds", str(own), "--json").json == run("odds", "rws-money-wheel", "--json").json


def test_check_takes_files_and_not_ids(tmp_path: Path) -> None:
    assert "cannot be opened" in refusal("check", str(tmp_path / "mbs-roulette"))

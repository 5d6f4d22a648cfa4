"""`croupier check`, and books of one's own in other commands."""

import json
from pathlib import Path

from cli.running import BOOKS, refusal, run

DOUBLE_ZERO = {"edge_least_percent": 5.2632, "edge_most_percent": 5.2632}


def test_check_of_sound_books() -> None:
    ran = run("check", str(BOOKS / "rws-roulette-00.toml"), str(BOOKS / "rws-money-wheel.toml"))
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines() == [
        "Checked whole, no fault found",
        "",
        "BOOK             LAYOUTS  LEGAL BETS  ANNOUNCED BETS        HOUSE EDGE %  CLAUSES",
        "rws-roulette-00  A, B       159, 161        128, 124  5.26, 5.26 to 7.89       52",
        "rws-money-wheel  main              7               0       7.69 to 19.23       42",
    ]


def test_check_warns_of_bets_that_the_house_loses_by(tmp_path: Path) -> None:
    text = (BOOKS / "mbs-roulette.toml").read_text(encoding="utf-8")
    own = tmp_path / "own.toml"
    own.write_text(text.replace("straight = 35\n", "straight = 350\n").replace("\nred = 1\n", "\nred = 2\n"))

    ran = run("check", str(own))

    assert ran.status == 0
    assert "-848.65 to 2.70" in ran.out
    assert ran.err.splitlines() == [
        "croupier: mbs-roulette: on layout main, straight:0 (and 36 more like it) pays 350 to 1, "
        "and the house loses by it: its edge is -848.65 %.",
        "croupier: mbs-roulette: on layout main, red pays 2 to 1, "
        "and the house loses by it: its edge is -45.95 %.",
    ]
    assert len(run("check", str(own), "--json").json[0]["warnings"]) == 2


def test_check_of_a_sound_book_as_json() -> None:
    path = str(BOOKS / "rws-roulette-00.toml")
    assert run("check", path, "--json").json == [
        {
            "file": path,
            "faults": [],
            "book": "rws-roulette-00",
            "layouts": [
                {"layout": "A", "bets": 159, "announced": 128} | DOUBLE_ZERO,
                {"layout": "B", "bets": 161, "announced": 124} | DOUBLE_ZERO | {"edge_most_percent": 7.8947},
            ],
            "clauses": 52,
            "warnings": [],
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


def test_check_as_json_has_every_file_and_every_fault_with_its_place(tmp_path: Path) -> None:
    faulty, absent, sound = with_faults(tmp_path), tmp_path / "absent.toml", BOOKS / "rws-money-wheel.toml"

    ran = run("check", str(faulty), str(absent), str(sound), "--json")

    assert (ran.status, ran.err) == (2, "")
    nothing = {"book": None, "layouts": None, "clauses": None, "warnings": []}
    assert json.loads(ran.out) == [
        {
            "file": str(faulty),
            "faults": [
                {
                    "line": 9,
                    "place": "book.effective",
                    "code": "wrong-type",
                    "sentence": "'soon' is not a date; write for example 2020-03-18.",
                },
                {
                    "line": 16,
                    "place": "wheel.order",
                    "code": "segments-do-not-add-up",
                    "sentence": "pockets is 38, and order lists 37.",
                },
            ],
            **nothing,
        },
        {
            "file": str(absent),
            "faults": [
                {
                    "line": None,
                    "place": "the file",
                    "code": "book-unreadable",
                    "sentence": f"The book {str(absent)!r} cannot be opened: No such file or directory. "
                    "Give the path of a .toml file.",
                }
            ],
            **nothing,
        },
        {
            "file": str(sound),
            "faults": [],
            "book": "rws-money-wheel",
            "layouts": [
                {
                    "layout": "main",
                    "bets": 7,
                    "announced": 0,
                    "edge_least_percent": 7.6923,
                    "edge_most_percent": 19.2308,
                }
            ],
            "clauses": 42,
            "warnings": [],
        },
    ]


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

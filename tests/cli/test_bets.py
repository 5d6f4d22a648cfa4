"""`croupier bets`, `croupier announced` and `croupier odds`."""

import pytest

from cli.running import LAYOUTS, run
from croupier.rulebook import load_book


@pytest.mark.parametrize(
    ("book", "layout", "count"),
    [(*key, count) for key, count in zip(LAYOUTS, (157, 159, 161, 165, 7), strict=True)],
)
def test_bets_lists_every_legal_bet(book: str, layout: str, count: int) -> None:
    bets = run("bets", book, "--layout", layout, "--json").json
    assert len(bets) == count
    assert len({bet["bet"] for bet in bets}) == count
    for bet in bets:
        assert [*bet] == ["bet", "kind", "numbers", "pays", "clause"]
        assert bet["bet"].partition(":")[0] == bet["kind"]
        assert type(bet["pays"]) is int
        assert bet["clause"] in load_book(book).clauses


def test_bets_as_json() -> None:
    bets = {bet["bet"]: bet for bet in run("bets", "rws-roulette-000", "--json").json}
    assert bets["split:0/000"] == {
        "bet": "split:0/000",
        "kind": "split",
        "numbers": ["0", "000"],
        "pays": 17,
        "clause": "rws-roulette-000:4.1",
    }
    assert bets["top-line:0/00/000/1/2/3"]["pays"] == 5
    assert bets["dozen:3"]["numbers"] == [str(number) for number in range(25, 37)]


def test_the_first_layout_is_the_default() -> None:
    assert run("bets", "rws-roulette-00") == run("bets", "rws-roulette-00", "--layout", "A")
    assert run("bets", "rws-roulette-00") != run("bets", "rws-roulette-00", "--layout", "B")


def test_bets_for_people() -> None:
    lines = run("bets", "rws-roulette-00", "--layout", "B").out.splitlines()
    assert lines[0] == "rws-roulette-00 (Roulette Double Zero), layout B: 161 legal bets"
    assert lines[2].split() == ["BET", "NUMBERS", "PAYS", "CLAUSE"]
    assert len(lines) == 3 + 161
    (top_line,) = (line for line in lines if line.startswith("top-line"))
    assert top_line.split() == ["top-line:0/00/1/2/3", "0", "00", "1", "2", "3", "6", "to", "1", "4.1.2"]


@pytest.mark.parametrize(
    ("book", "layout", "count"),
    [(*key, count) for key, count in zip(LAYOUTS, (162, 128, 124, 131, 0), strict=True)],
)
def test_announced_lists_every_announced_bet(book: str, layout: str, count: int) -> None:
    announced = run("announced", book, "--layout", layout, "--json").json
    assert len(announced) == count
    for bet in announced:
        assert [*bet] == ["name", "label", "pieces", "bets"]
        assert [[*part] for part in bet["bets"]] == [["bet", "pieces"]] * len(bet["bets"])
        assert bet["pieces"] == sum(part["pieces"] for part in bet["bets"])


def test_announced_as_json() -> None:
    announced = {bet["name"]: bet for bet in run("announced", "rws-roulette-000", "--json").json}
    assert announced["zero-spiel"] == {
        "name": "zero-spiel",
        "label": "0-Spiel",
        "pieces": 5,
        "bets": [
            {"bet": "straight:26", "pieces": 1},
            {"bet": "split:0/000", "pieces": 1},
            {"bet": "split:00/3", "pieces": 1},
            {"bet": "split:12/15", "pieces": 1},
            {"bet": "split:32/35", "pieces": 1},
        ],
    }
    assert [part["bet"] for part in announced["neighbours:21+2"]["bets"]] == [
        "straight:19",
        "straight:4",
        "straight:21",
        "straight:2",
        "straight:25",
    ]
    assert [part["bet"] for part in announced["finales:4"]["bets"]] == [
        f"straight:{number}" for number in (4, 14, 24, 34)
    ]


def test_a_terminal_offers_its_own_choice_under_its_own_labels() -> None:
    announced = run("announced", "mbs-roulette", "--terminal", "alfastreet", "--json").json
    labels = {bet["name"]: bet["label"] for bet in announced}
    assert [*labels.values()][:4] == ["Small Series", "Orphans", "0 Spiel", "Big Series"]
    assert labels["neighbours:21+4"] == "Neighbours 21+4"
    assert not [name for name in labels if name.startswith("finales")]
    assert len(labels) == 4 + 4 * 37


def test_a_terminal_with_one_reach_offers_only_that() -> None:
    announced = run("announced", "mbs-roulette", "--terminal", "rapid-select", "--json").json
    neighbours = [bet["name"] for bet in announced if bet["name"].startswith("neighbours")]
    assert len(neighbours) == 37
    assert all(name.endswith("+2") for name in neighbours)


def test_announced_for_people() -> None:
    lines = run("announced", "mbs-roulette", "--terminal", "alfastreet").out.splitlines()
    assert lines[0] == (
        "mbs-roulette (Electronic Roulette), layout main, terminal Alfastreet: 152 announced bets"
    )
    assert lines[2].split() == ["NAME", "LABEL", "PIECES", "BETS"]
    assert lines[3:7] == [
        "tiers            Small Series          6  5/8, 10/11, 13/16, 23/24, 27/30, 33/36",
        "orphelins        Orphans               5  1, 6/9, 14/17, 17/20, 31/34",
        "zero-spiel       0 Spiel               4  26, 0/3, 12/15, 32/35",
        "grand-series     Big Series            9  4/7, 12/15, 18/21, 19/22, 32/35, 2x 0/2/3, 2x 25/26/28/29",
    ]


def test_a_game_without_announced_bets_says_so() -> None:
    ran = run("announced", "rws-money-wheel")
    assert (ran.status, ran.out) == (0, "rws-money-wheel (Money Wheel), layout main: no announced bets\n")


@pytest.mark.parametrize(("book", "layout"), LAYOUTS)
def test_odds_lists_the_bets_in_the_order_of_the_bets(book: str, layout: str) -> None:
    odds = run("odds", book, "--layout", layout, "--json").json
    bets = run("bets", book, "--layout", layout, "--json").json
    assert [entry["bet"] for entry in odds] == [bet["bet"] for bet in bets]
    for entry in odds:
        assert [*entry] == ["bet", "probability", "edge", "edge_percent"]
        numerator, denominator = map(int, entry["edge"].split("/"))
        assert entry["edge_percent"] == round(100 * numerator / denominator, 4)


def test_odds_as_json() -> None:
    assert run("odds", "mbs-roulette", "--json").json[0] == {
        "bet": "straight:0",
        "probability": "1/37",
        "edge": "1/37",
        "edge_percent": 2.7027,
    }
    odds = {entry["bet"]: entry for entry in run("odds", "rws-roulette-00", "--layout", "B", "--json").json}
    assert odds["red"]["edge"] == "1/19"
    assert odds["top-line:0/00/1/2/3"] == {
        "bet": "top-line:0/00/1/2/3",
        "probability": "5/38",
        "edge": "3/38",
        "edge_percent": 7.8947,
    }


def test_odds_for_people() -> None:
    assert run("odds", "rws-money-wheel").out.splitlines() == [
        "rws-money-wheel (Money Wheel), layout main: odds of 7 bets",
        "",
        "BET                              PAYS  PROBABILITY  HOUSE EDGE   EDGE %",
        "symbol:resorts-world-sentosa  45 to 1         1/52        3/26  11.5385",
        "symbol:crockfords             45 to 1         1/52        3/26  11.5385",
        "symbol:20                     20 to 1         1/26        5/26  19.2308",
        "symbol:10                     10 to 1         1/13        2/13  15.3846",
        "symbol:5                       5 to 1         2/13        1/13   7.6923",
        "symbol:3                       3 to 1         3/13        1/13   7.6923",
        "symbol:1                       1 to 1         6/13        1/13   7.6923",
    ]


@pytest.mark.parametrize(("book", "layout"), LAYOUTS)
@pytest.mark.parametrize("command", ["bets", "announced", "odds", "wheel"])
def test_what_people_read_fits_a_page_of_100_columns(command: str, book: str, layout: str) -> None:
    lines = run(command, book, "--layout", layout).out.splitlines()
    assert lines
    assert max(map(len, lines)) <= 100

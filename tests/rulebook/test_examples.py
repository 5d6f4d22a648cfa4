"""Books of one's own: two examples load and settle without any Python; the format's reference is whole."""

import ast
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

import pytest

import croupier.rulebook
from croupier.rulebook import (
    Book,
    BookFaults,
    get_layout,
    get_offer,
    house_edge,
    load_book,
    offered,
    parse_announced,
    probability,
    read_book,
    required,
    settle,
    vocabulary,
)
from croupier.rulebook.reader import Node

ROOT: Final = Path(__file__).parents[2]
FRENCH_FILE: Final = ROOT / "examples" / "french-roulette.toml"
MONEY_FILE: Final = ROOT / "examples" / "money-wheel-54.toml"
REFERENCE: Final = (ROOT / "docs" / "book-format.md").read_text("utf-8")
SOURCES: Final = sorted(Path(croupier.rulebook.__file__).parent.glob("*.py"))

STAKE_CENTS: Final = 700


class Told(NamedTuple):
    """A bet as the rules of the example house tell it."""

    numbers: tuple[str, ...]
    pays: int


def french_bets() -> dict[str, Told]:
    """Clauses 3.1, 3.2 and 4.1 of the French table, by arithmetic on the numbers 1 to 36."""
    rows = [range(first, first + 3) for first in range(1, 37, 3)]
    inside: list[tuple[str, int, list[tuple[int, ...]]]] = [
        ("straight", 35, [(number,) for number in range(37)]),
        ("split", 17, [(0, 1), (0, 2), (0, 3)]),
        ("split", 17, [(n, n + 1) for row in rows for n in row[:2]]),
        ("split", 17, [(n, n + 3) for n in range(1, 34)]),
        ("street", 11, [(0, 1, 2), (0, 2, 3), *map(tuple, rows)]),
        ("corner", 8, [(0, 1, 2, 3)]),
        ("corner", 8, [(n, n + 1, n + 3, n + 4) for row in rows[:-1] for n in row[:2]]),
        ("six-line", 5, [tuple(range(row[0], row[0] + 6)) for row in rows[:-1]]),
    ]
    red = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}
    boxes: dict[str, tuple[Iterable[int], int]] = {
        **{f"column:{column}": (range(column, 37, 3), 2) for column in (1, 2, 3)},
        **{f"dozen:{dozen}": (range(12 * dozen - 11, 12 * dozen + 1), 2) for dozen in (1, 2, 3)},
        "low": (range(1, 19), 1),
        "high": (range(19, 37), 1),
        "odd": (range(1, 37, 2), 1),
        "even": (range(2, 37, 2), 1),
        "red": (sorted(red), 1),
        "black": (sorted({*range(1, 37)} - red), 1),
    }
    found = {
        f"{kind}:{'/'.join(map(str, numbers))}": Told(tuple(map(str, numbers)), pays)
        for kind, pays, bets in inside
        for numbers in bets
    }
    return found | {bet: Told(tuple(map(str, numbers)), pays) for bet, (numbers, pays) in boxes.items()}


MONEY_BETS: Final = {
    "symbol:joker": Told(("joker",), 40),
    "symbol:crown": Told(("crown",), 40),
    "symbol:20": Told(("20",), 20),
    "symbol:10": Told(("10",), 10),
    "symbol:5": Told(("5",), 5),
    "symbol:2": Told(("2",), 2),
    "symbol:1": Told(("1",), 1),
}
MONEY_SEGMENTS: Final = {"joker": 1, "crown": 1, "20": 2, "10": 4, "5": 7, "2": 15, "1": 24}

# 54 segments: the edge is (54 - segments * (pays + 1)) / 54.
MONEY_EDGES: Final = {
    "symbol:joker": Fraction(13, 54),
    "symbol:crown": Fraction(13, 54),
    "symbol:20": Fraction(2, 9),
    "symbol:10": Fraction(5, 27),
    "symbol:5": Fraction(2, 9),
    "symbol:2": Fraction(1, 6),
    "symbol:1": Fraction(1, 9),
}


@pytest.fixture(scope="module")
def french() -> Book:
    return load_book(str(FRENCH_FILE))


@pytest.fixture(scope="module")
def money() -> Book:
    return load_book(str(MONEY_FILE))


def assert_settles_as_told(book: Book, told: dict[str, Told], results: list[str]) -> None:
    stakes = dict.fromkeys(told, STAKE_CENTS)
    for result in results:
        settled = settle(book, None, stakes, result)
        found = {outcome.bet.id: (outcome.won, outcome.returned_cents) for outcome in settled.bets}
        assert found == {
            bet: (True, STAKE_CENTS * (pays + 1)) if result in numbers else (False, 0)
            for bet, (numbers, pays) in told.items()
        }


def test_the_french_table_has_its_157_bets(french: Book) -> None:
    bets = get_layout(french).bets

    assert french.id == "french-roulette"
    assert len(bets) == 157
    assert {bet.id: Told(bet.numbers, bet.pays) for bet in bets.values()} == french_bets()


def test_the_french_table_calls_its_bets_by_french_names(french: Book) -> None:
    bets = get_layout(french).bets
    names = [bets[bet].name for bet in ("straight:17", "split:0/3", "street:4/5/6", "corner:0/1/2/3")]
    names += [bets[bet].name for bet in ("six-line:1/2/3/4/5/6", "dozen:2", "low", "red")]

    assert names == [
        "Plein 17",
        "Cheval 0/3",
        "Transversale 4/5/6",
        "Carré 0/1/2/3",
        "Sixain 1/2/3/4/5/6",
        "Douzaine 2",
        "Manque",
        "Rouge",
    ]


def test_every_bet_of_the_french_table_settles_on_every_result_as_its_rules_say(french: Book) -> None:
    assert_settles_as_told(french, french_bets(), [str(number) for number in range(37)])


def test_the_house_keeps_one_part_in_37_of_every_bet_at_the_french_table(french: Book) -> None:
    assert {house_edge(french, bet) for bet in get_layout(french).bets.values()} == {Fraction(1, 37)}


def test_the_french_sectors_share_out_the_whole_wheel(french: Book) -> None:
    def covered(name: str) -> list[str]:
        announced = parse_announced(get_layout(french), name)
        assert announced is not None
        return [number for part in announced.parts for number in part.bet.numbers]

    around = french.wheel.order * 2
    from_22, from_27 = around.index("22"), around.index("27")
    assert {*covered("voisins-du-zero")} == {*around[from_22 : from_22 + 17]}
    assert {*covered("tiers")} == {*around[from_27 : from_27 + 12]}
    assert {*covered("orphelins")} == {"1", "20", "14", "31", "9", "17", "34", "6"}
    everything = chain(covered("voisins-du-zero"), covered("tiers"), covered("orphelins"))
    assert {*everything} == {*french.wheel.order}
    assert {*covered("jeu-zero")} == {"12", "35", "3", "26", "0", "32", "15"}


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("voisins-du-zero", 9),
        ("grand-series", 9),
        ("grande-serie", 9),
        ("tiers", 6),
        ("petite-serie", 6),
        ("orphelins", 5),
        ("jeu-zero", 4),
        ("neighbours:0+1", 3),
        ("neighbours:21+4", 9),
        ("finales:6", 4),
        ("finales:7", 3),
    ],
)
def test_an_announced_bet_of_the_french_table_has_its_pieces(french: Book, text: str, pieces: int) -> None:
    announced = parse_announced(get_layout(french), text)

    assert announced is not None
    assert announced.pieces == pieces


def test_the_french_terminal_offers_every_announced_bet_of_the_book(french: Book) -> None:
    layout = get_layout(french)
    labels = offered(layout, get_offer(french, layout, "poste"))

    assert [*labels] == [*layout.announced]
    assert len(labels) == 4 + 37 * 4 + 10
    assert labels["neighbours:26+3"] == "Voisins 26+3"


def test_the_wheel_with_54_segments_has_a_bet_for_each_symbol(money: Book) -> None:
    bets = get_layout(money).bets

    assert money.id == "money-wheel-54"
    assert {bet.id: Told(bet.numbers, bet.pays) for bet in bets.values()} == MONEY_BETS
    assert money.wheel.outcomes == MONEY_SEGMENTS
    assert money.pockets == sum(MONEY_SEGMENTS.values()) == 54


def test_equal_symbols_never_stand_side_by_side_on_the_wheel_with_54_segments(money: Book) -> None:
    order = money.wheel.order

    assert all(symbol != order[place - 1] for place, symbol in enumerate(order))


def test_every_bet_on_the_wheel_with_54_segments_settles_as_its_rules_say(money: Book) -> None:
    assert_settles_as_told(money, MONEY_BETS, [*MONEY_SEGMENTS])


def test_the_edges_of_the_wheel_with_54_segments_are_exact(money: Book) -> None:
    bets = get_layout(money).bets.values()

    assert {bet.id: house_edge(money, bet) for bet in bets} == MONEY_EDGES
    assert {bet.numbers[0]: 54 * probability(money, bet) for bet in bets} == MONEY_SEGMENTS


@pytest.mark.parametrize("path", [FRENCH_FILE, MONEY_FILE], ids=lambda path: path.stem)
def test_every_clause_and_assumption_of_an_example_is_its_own(path: Path) -> None:
    book = load_book(str(path))

    assert book.operator == "Example House"
    assert all(clause.startswith(f"{book.id}:") for clause in book.clauses)
    cited = {layout.pay_clause for layout in book.layouts.values()}
    cited |= {entry.clause for entry in book.irregularities.values()} | {*book.citations.values()}
    assert cited <= {*book.clauses}


# The reference of the format.


def calls_in_sources() -> Iterator[tuple[Path, str, ast.Call]]:
    """Every call in the rulebook package with the last part of the name that is called."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                target = node.func
                yield (
                    path,
                    target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", ""),
                    node,
                )


def fault_codes() -> set[str]:
    """The codes of all faults: the first argument of `fault(…)`, the third of `Fault(…)`."""
    codes = set()
    for path, name, call in calls_in_sources():
        if name in ("fault", "Fault"):
            code = call.args[0 if name == "fault" else 2]
            if isinstance(code, ast.Constant):
                codes.add(str(code.value))
            else:  # only the log itself passes on a code that it was given
                assert (path.name, ast.unparse(code)) == ("reader.py", "code"), ast.unparse(call)
    return codes


def keys_of_the_format() -> set[str]:
    """The keys that the readers ask for by name."""
    readers = {*vars(Node)} - {"fault"}
    keys = {
        str(call.args[0].value)
        for _, name, call in calls_in_sources()
        if name in readers and call.args and isinstance(call.args[0], ast.Constant)
    }
    assert {"format", "order", "rows", "reaches", "effective"} <= keys
    return keys


def section(title: str) -> str:
    """What stands in the reference below a heading, up to the next one of its level."""
    (text,) = re.findall(rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", REFERENCE, re.MULTILINE | re.DOTALL)
    return str(text)


def first_column(title: str) -> list[str]:
    return re.findall(r"^\| `([^`]+)` \|", section(title), re.MULTILINE)


def test_the_reference_lists_every_fault_code_and_no_other() -> None:
    listed = first_column("Every fault")

    assert len(listed) == len({*listed})
    assert {*listed} == fault_codes()


def test_the_reference_lists_every_word_a_book_may_use_and_no_other() -> None:
    known = {
        word
        for name, words in vars(vocabulary).items()
        if name.isupper() and isinstance(words, tuple)
        for word in words
    }
    rows = [line for line in section("Words").splitlines() if line.startswith("| ") and "`" in line]
    listed = {word for row in rows for word in re.findall(r"`([^`]+)`", row.split(" | ")[1])}

    assert listed == known


def test_the_reference_lists_the_causes_that_the_table_acts_on_with_the_words_that_fit() -> None:
    rows = re.findall(r"^\| (`.+`) \|.+\| (`.+`) \| (`.+`) \|$", section("What may go wrong"), re.MULTILINE)
    cause, consequences, since = ([re.findall(r"`([^`]+)`", row[at]) for row in rows] for at in range(3))

    assert {
        name: (words, whens) for (name,), words, whens in zip(cause, consequences, since, strict=True)
    } == {name: ([*words.consequences], [*words.since]) for name, words in required.CAUSES.items()}


def test_the_reference_lists_the_actions_that_no_game_can_do_without() -> None:
    rows = re.findall(r"^\| (`.+`) \| [^`|]+ \|$", section("Who may do what"), re.MULTILINE)

    assert {name for row in rows for name in re.findall(r"`([^`]+)`", row)} == {*required.EVERY_GAME}


def test_the_reference_explains_every_key_that_the_readers_ask_for() -> None:
    explained = {*re.findall(r"`\[*([a-z_]+)\]*`", REFERENCE)}

    assert keys_of_the_format() - explained == set()


def test_every_fragment_in_the_reference_is_taken_from_a_real_book() -> None:
    books = [*ROOT.glob("examples/*.toml"), *ROOT.glob("src/croupier/rulebook/books/*.toml")]
    files = [path.read_text("utf-8") for path in books]
    fragments = re.findall(r"^```toml\n(.*?)^```", REFERENCE, re.MULTILINE | re.DOTALL)

    assert len(fragments) >= 10
    for fragment in fragments:
        assert any(fragment in file for file in files), fragment


def test_the_faults_that_the_reference_shows_are_what_a_wrong_book_gets() -> None:
    wrong = MONEY_FILE.read_text("utf-8")
    wrong = wrong.replace("5 = { segments = 7", "5 = { segments = 8")
    wrong = wrong.replace('"symbol:2" = 2', '"symbol:3" = 2')
    wrong = wrong.replace('pay_clause = "5"', 'pay_claus = "5"')
    (shown,) = re.findall(r"^```text\n(my-book\.toml has .*?)^```", REFERENCE, re.MULTILINE | re.DOTALL)

    with pytest.raises(BookFaults) as caught:
        read_book(wrong.encode(), "my-book.toml")

    assert f"{caught.value}\n" == shown


def test_the_bets_that_the_picture_in_the_reference_marks_lie_there(french: Book) -> None:
    bets = get_layout(french).bets
    marked = dict(re.findall(r" ([a-f])  \S.*?  +([a-z-]+:[0-9/]+)$", section("Layouts"), re.MULTILINE))

    assert {mark: bets[bet].spot for mark, bet in marked.items()} == {
        "a": (2 * 4, 2 * 3),
        "b": (2 * 2, 2 * 4),
        "c": (2 * 4, 2 * 2),
        "d": (2 * 3, 0),
        "e": (2 * 2, 0),
        "f": (2 * 4, 0),
    }

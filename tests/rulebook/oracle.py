"""Every legal bet of every layout as the rule texts list them.

Nothing here comes from the books or from their geometry: the grid of 1 to 36 is arithmetic, and whatever
has to do with zeros, pays, colours and the Money Wheel is typed out from the texts.
"""

from fractions import Fraction
from typing import Final, NamedTuple

LayoutKey = tuple[str, str]

MBS: Final = ("mbs-roulette", "main")
RWS_A: Final = ("rws-roulette-00", "A")
RWS_B: Final = ("rws-roulette-00", "B")
RWS_000: Final = ("rws-roulette-000", "main")
MONEY_WHEEL: Final = ("rws-money-wheel", "main")

ROULETTE_LAYOUTS: Final[tuple[LayoutKey, ...]] = (MBS, RWS_A, RWS_B, RWS_000)
LAYOUTS: Final[tuple[LayoutKey, ...]] = (*ROULETTE_LAYOUTS, MONEY_WHEEL)
BOOKS: Final = ("mbs-roulette", "rws-roulette-00", "rws-roulette-000", "rws-money-wheel")

COUNTS: Final = {MBS: 157, RWS_A: 159, RWS_B: 161, RWS_000: 165, MONEY_WHEEL: 7}

KINDS: Final = (
    "straight",
    "split",
    "street",
    "corner",
    "six-line",
    "top-line",
    "column",
    "dozen",
    "low",
    "high",
    "odd",
    "even",
    "red",
    "black",
    "symbol",
)
"""The kinds in the order in which a list of bets shows them."""

ZEROS: Final = {MBS: ["0"], RWS_A: ["0", "00"], RWS_B: ["0", "00"], RWS_000: ["0", "00", "000"]}

ZERO_BETS: Final = {
    MBS: "split:0/1 split:0/2 split:0/3 street:0/1/2 street:0/2/3 corner:0/1/2/3",
    RWS_A: "split:0/00 split:0/1 split:0/2 split:0/3 street:0/1/2 street:0/2/3 corner:0/1/2/3",
    RWS_B: """split:0/00 split:0/1 split:0/2 split:00/2 split:00/3
              street:0/1/2 street:0/00/2 street:00/2/3 top-line:0/00/1/2/3""",
    RWS_000: """split:0/00 split:0/1 split:0/2 split:00/2 split:00/3 split:0/000 split:00/000
                street:0/1/2 street:0/00/2 street:00/2/3 street:0/00/000 top-line:0/00/000/1/2/3""",
}
"""The bets on zeros and their combinations, beside each zero itself."""

ROULETTE_PAYS: Final = {
    "straight": 35,
    "split": 17,
    "street": 11,
    "corner": 8,
    "six-line": 5,
    "column": 2,
    "dozen": 2,
    "low": 1,
    "high": 1,
    "odd": 1,
    "even": 1,
    "red": 1,
    "black": 1,
}
TOP_LINE_PAYS: Final = {RWS_B: 6, RWS_000: 5}

RED: Final = [str(n) for n in (1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36)]
BLACK: Final = [str(n) for n in (2, 4, 6, 8, 10, 11, 13, 15, 17, 20, 22, 24, 26, 28, 29, 31, 33, 35)]

SEGMENTS: Final = {"resorts-world-sentosa": 1, "crockfords": 1, "20": 2, "10": 4, "5": 8, "3": 12, "1": 24}
SYMBOL_PAYS: Final = {
    "resorts-world-sentosa": 45,
    "crockfords": 45,
    "20": 20,
    "10": 10,
    "5": 5,
    "3": 3,
    "1": 1,
}

SYMBOL_EDGES: Final = {
    "resorts-world-sentosa": Fraction(3, 26),
    "crockfords": Fraction(3, 26),
    "20": Fraction(5, 26),
    "10": Fraction(2, 13),
    "5": Fraction(1, 13),
    "3": Fraction(1, 13),
    "1": Fraction(1, 13),
}
ROULETTE_EDGES: Final = {
    MBS: Fraction(1, 37),
    RWS_A: Fraction(1, 19),
    RWS_B: Fraction(1, 19),
    RWS_000: Fraction(1, 13),
}
TOP_LINE_EDGE_ON_B: Final = Fraction(3, 38)

WINS_ON_ZERO: Final = {
    (*MBS, "0"): "straight:0 split:0/1 split:0/2 split:0/3 street:0/1/2 street:0/2/3 corner:0/1/2/3",
    (*RWS_A, "0"): """straight:0 split:0/00 split:0/1 split:0/2 split:0/3 street:0/1/2 street:0/2/3
                      corner:0/1/2/3""",
    (*RWS_A, "00"): "straight:00 split:0/00",
    (*RWS_B, "0"): """straight:0 split:0/00 split:0/1 split:0/2 street:0/1/2 street:0/00/2
                      top-line:0/00/1/2/3""",
    (*RWS_B, "00"): """straight:00 split:0/00 split:00/2 split:00/3 street:0/00/2 street:00/2/3
                       top-line:0/00/1/2/3""",
    (*RWS_000, "0"): """straight:0 split:0/00 split:0/1 split:0/2 split:0/000 street:0/1/2 street:0/00/2
                        street:0/00/000 top-line:0/00/000/1/2/3""",
    (*RWS_000, "00"): """straight:00 split:0/00 split:00/2 split:00/3 split:00/000 street:0/00/2
                         street:00/2/3 street:0/00/000 top-line:0/00/000/1/2/3""",
    (*RWS_000, "000"): "straight:000 split:0/000 split:00/000 street:0/00/000 top-line:0/00/000/1/2/3",
}
"""All bets that win when a zero comes up; every other bet loses."""


class OracleBet(NamedTuple):
    """A bet as the texts give it."""

    id: str
    kind: str
    numbers: tuple[str, ...]
    pays: int


def results(key: LayoutKey) -> list[str]:
    """Everything that the wheel of a layout can show."""
    if key == MONEY_WHEEL:
        return [*SEGMENTS]
    return [*ZEROS[key], *(str(number) for number in range(1, 37))]


def edge(key: LayoutKey, bet: OracleBet) -> Fraction:
    """The house edge of a bet as it is known."""
    if key == MONEY_WHEEL:
        return SYMBOL_EDGES[bet.numbers[0]]
    if key == RWS_B and bet.kind == "top-line":
        return TOP_LINE_EDGE_ON_B
    return ROULETTE_EDGES[key]


def legal_bets(key: LayoutKey) -> dict[str, OracleBet]:
    """Every legal bet on a layout, by its id."""
    if key == MONEY_WHEEL:
        bets = [
            OracleBet(f"symbol:{symbol}", "symbol", (symbol,), SYMBOL_PAYS[symbol]) for symbol in SEGMENTS
        ]
    else:
        pays = ROULETTE_PAYS | ({"top-line": TOP_LINE_PAYS[key]} if key in TOP_LINE_PAYS else {})
        zeros = [f"straight:{zero}" for zero in ZEROS[key]] + ZERO_BETS[key].split()
        inside = [*zeros, *_grid_bets()]
        numbers = {bet_id: bet_id.partition(":")[2].split("/") for bet_id in inside} | _box_bets()
        bets = [
            OracleBet(bet_id, bet_id.partition(":")[0], tuple(covered), pays[bet_id.partition(":")[0]])
            for bet_id, covered in numbers.items()
        ]
    return {bet.id: bet for bet in bets}


def _grid_bets() -> list[str]:
    """The bets on 1 to 36 alone: a number's neighbours are one further and, a row on, three further."""
    numbers = range(1, 37)
    straights = [(n,) for n in numbers]
    splits = [(n, n + 1) for n in numbers if n % 3 != 0] + [(n, n + 3) for n in numbers if n <= 33]
    streets = [(n, n + 1, n + 2) for n in numbers if n % 3 == 1]
    corners = [(n, n + 1, n + 3, n + 4) for n in numbers if n % 3 != 0 and n <= 33]
    six_lines = [tuple(range(n, n + 6)) for n in numbers if n % 3 == 1 and n <= 31]
    assert (len(splits), len(streets), len(corners), len(six_lines)) == (57, 12, 22, 11)
    by_kind: dict[str, list[tuple[int, ...]]] = {
        "straight": [*straights],
        "split": [*splits],
        "street": [*streets],
        "corner": [*corners],
        "six-line": six_lines,
    }
    return [f"{kind}:{'/'.join(map(str, bet))}" for kind, bets in by_kind.items() for bet in bets]


def _box_bets() -> dict[str, list[str]]:
    """The bets in boxes; no zero is part of any."""
    numbers = range(1, 37)
    boxes: dict[str, list[int]] = {
        "column:1": [n for n in numbers if n % 3 == 1],
        "column:2": [n for n in numbers if n % 3 == 2],
        "column:3": [n for n in numbers if n % 3 == 0],
        "dozen:1": [*range(1, 13)],
        "dozen:2": [*range(13, 25)],
        "dozen:3": [*range(25, 37)],
        "low": [*range(1, 19)],
        "high": [*range(19, 37)],
        "odd": [*range(1, 36, 2)],
        "even": [*range(2, 37, 2)],
    }
    return {bet_id: [str(n) for n in covered] for bet_id, covered in boxes.items()} | {
        "red": RED,
        "black": BLACK,
    }

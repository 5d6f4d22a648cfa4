"""The multiple-piece bets of every layout and terminal as the texts give them, and the wheels' orders."""

from typing import Final

from rulebook.oracle import MBS, RWS_000, RWS_A, RWS_B, ZEROS, LayoutKey

Pieces = dict[str, int]

_FROM_32_TO_10: Final = (32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10)
_FROM_5_TO_26: Final = (5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26)
_BEHIND_THE_ZEROS: Final = [str(number) for number in (*_FROM_32_TO_10, *_FROM_5_TO_26)]
WHEEL_ORDERS: Final = {
    "mbs-roulette": ["0", *_BEHIND_THE_ZEROS],
    "rws-roulette-00": ["0", "00", *_BEHIND_THE_ZEROS],
    "rws-roulette-000": ["0", "00", "000", *_BEHIND_THE_ZEROS],
}

FINALES: Final = {
    "0": "0 10 20 30",
    "1": "1 11 21 31",
    "2": "2 12 22 32",
    "3": "3 13 23 33",
    "4": "4 14 24 34",
    "5": "5 15 25 35",
    "6": "6 16 26 36",
    "7": "7 17 27",
    "8": "8 18 28",
    "9": "9 19 29",
}

_TIERS: Final[Pieces] = {
    "split:5/8": 1,
    "split:10/11": 1,
    "split:13/16": 1,
    "split:23/24": 1,
    "split:27/30": 1,
    "split:33/36": 1,
}
_ORPHELINS: Final[Pieces] = {
    "straight:1": 1,
    "split:6/9": 1,
    "split:14/17": 1,
    "split:17/20": 1,
    "split:31/34": 1,
}
_ZERO_SPIEL: Final[Pieces] = {"straight:26": 1, "split:0/3": 1, "split:12/15": 1, "split:32/35": 1}
_ZERO_SPIEL_000: Final[Pieces] = {
    "straight:26": 1,
    "split:0/000": 1,
    "split:00/3": 1,
    "split:12/15": 1,
    "split:32/35": 1,
}
_GRAND_SERIES: Final[Pieces] = {
    "split:4/7": 1,
    "split:12/15": 1,
    "split:18/21": 1,
    "split:19/22": 1,
    "split:32/35": 1,
    "street:0/2/3": 2,
    "corner:25/26/28/29": 2,
}
_GRAND_SERIES_000: Final[Pieces] = {
    "split:0/000": 1,
    "split:4/7": 1,
    "split:12/15": 1,
    "split:18/21": 1,
    "split:19/22": 1,
    "split:32/35": 1,
    "street:00/2/3": 2,
    "corner:25/26/28/29": 2,
}

SERIES: Final[dict[LayoutKey, dict[str, Pieces]]] = {
    MBS: {
        "tiers": _TIERS,
        "orphelins": _ORPHELINS,
        "zero-spiel": _ZERO_SPIEL,
        "grand-series": _GRAND_SERIES,
    },
    RWS_A: {
        "tiers": _TIERS,
        "orphelins": _ORPHELINS,
        "zero-spiel": _ZERO_SPIEL,
        "grand-series": _GRAND_SERIES,
    },
    RWS_B: {},
    RWS_000: {
        "tiers": _TIERS,
        "orphelins": _ORPHELINS,
        "zero-spiel": _ZERO_SPIEL_000,
        "grand-series": _GRAND_SERIES_000,
    },
}
SERIES_PIECES: Final = {
    MBS: {"tiers": 6, "orphelins": 5, "zero-spiel": 4, "grand-series": 9},
    RWS_A: {"tiers": 6, "orphelins": 5, "zero-spiel": 4, "grand-series": 9},
    RWS_B: {},
    RWS_000: {"tiers": 6, "orphelins": 5, "zero-spiel": 5, "grand-series": 10},
}
"""How many pieces each series has in all, as the texts count them."""

REACHES: Final = {MBS: (1, 2, 3, 4), RWS_A: (1, 2, 3), RWS_B: (1, 2, 3), RWS_000: (1, 2, 3)}
"""How many neighbours on either side some terminal offers on the layout."""

_OWN_NAMES: Final = {
    "tiers": "Tiers",
    "orphelins": "Orphelins",
    "grand-series": "Grand Series",
    "neighbours": "Neighbours",
}

OFFERS: Final[dict[tuple[LayoutKey, str], tuple[dict[str, str], tuple[int, ...]]]] = {
    (MBS, "rapid-select"): (_OWN_NAMES | {"zero-spiel": "Zero Spiel"}, (2,)),
    (MBS, "rapid-fusion"): (_OWN_NAMES | {"zero-spiel": "Zero Spiel", "finales": "Finales"}, (1, 2, 3)),
    (MBS, "alfastreet"): (
        {
            "tiers": "Small Series",
            "orphelins": "Orphans",
            "grand-series": "Big Series",
            "zero-spiel": "0 Spiel",
            "neighbours": "Neighbours",
        },
        (1, 2, 3, 4),
    ),
    (RWS_A, "rapid"): (_OWN_NAMES | {"zero-spiel": "0-Spiel", "finales": "Finales"}, (1, 2, 3)),
    (RWS_B, "rapid"): ({"neighbours": "Neighbours", "finales": "Finales"}, (1, 2, 3)),
    (RWS_000, "rapid"): (_OWN_NAMES | {"zero-spiel": "0-Spiel", "finales": "Finales"}, (1, 2, 3)),
}
"""By layout and terminal: what each multiple-piece bet is called there, and the sizes of neighbours bets."""

ALIASES: Final = {
    "small-series": "tiers",
    "orphans": "orphelins",
    "0-spiel": "zero-spiel",
    "big-series": "grand-series",
    "voisins-du-zero": "grand-series",
}


def announced(key: LayoutKey) -> dict[str, Pieces]:
    """Every multiple-piece bet that some terminal offers on the layout, with its pieces."""
    bets = dict(SERIES[key])
    for number in [*ZEROS[key], *(str(n) for n in range(1, 37))]:
        for reach in REACHES[key]:
            bets[f"neighbours:{number}+{reach}"] = neighbours(key[0], number, reach)
    for digit, numbers in FINALES.items():
        bets[f"finales:{digit}"] = {f"straight:{number}": 1 for number in numbers.split()}
    return bets


def neighbours(book: str, number: str, reach: int) -> Pieces:
    """A number with its neighbours, read off three turns of the wheel laid end to end."""
    turn = WHEEL_ORDERS[book]
    middle = len(turn) + turn.index(number)
    return {f"straight:{n}": 1 for n in (turn * 3)[middle - reach : middle + reach + 1]}


def labels(key: LayoutKey, terminal: str) -> dict[str, str]:
    """What a terminal offers on a layout, by name, with the words it shows."""
    words, reaches = OFFERS[key, terminal]
    shown: dict[str, str] = {}
    for name in announced(key):
        kind, _, choice = name.partition(":")
        if kind in words and (kind != "neighbours" or int(choice.partition("+")[2]) in reaches):
            shown[name] = f"{words[kind]} {choice}" if choice else words[kind]
    return shown

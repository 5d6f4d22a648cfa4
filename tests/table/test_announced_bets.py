"""Announced bets: by name or other name, as the player's kind of terminal offers them."""

import pytest

from croupier.table import Stake
from croupier.table import commands as c
from croupier.table import events as e
from table.rig import DEALER, Play, only, player

PIECES = {
    "mbs-roulette": {
        "tiers": "split:5/8 split:10/11 split:13/16 split:23/24 split:27/30 split:33/36",
        "orphelins": "straight:1 split:6/9 split:14/17 split:17/20 split:31/34",
        "zero-spiel": "straight:26 split:0/3 split:12/15 split:32/35",
        "grand-series": "split:4/7 split:12/15 split:18/21 split:19/22 split:32/35 "
        "street:0/2/3 street:0/2/3 corner:25/26/28/29 corner:25/26/28/29",
        "neighbours:21+2": "straight:25 straight:2 straight:21 straight:4 straight:19",
        "finales:7": "straight:7 straight:17 straight:27",
    },
    "rws-roulette-000": {
        "zero-spiel": "straight:26 split:0/000 split:00/3 split:12/15 split:32/35",
        "grand-series": "split:0/000 split:4/7 split:12/15 split:18/21 split:19/22 split:32/35 "
        "street:00/2/3 street:00/2/3 corner:25/26/28/29 corner:25/26/28/29",
        "neighbours:0+1": "straight:26 straight:0 straight:00",
        "finales:0": "straight:0 straight:10 straight:20 straight:30",
    },
}

SERIES = ("tiers", "orphelins", "zero-spiel", "grand-series")
OFFERS = [
    # book, layout, terminal, neighbours on each side, whether finales, whether series, clause
    ("mbs-roulette", "main", "rapid-select", {2}, False, True, "mbs-roulette:App.H"),
    ("mbs-roulette", "main", "rapid-fusion", {1, 2, 3}, True, True, "mbs-roulette:App.I"),
    ("mbs-roulette", "main", "alfastreet", {1, 2, 3, 4}, False, True, "mbs-roulette:App.J"),
    ("rws-roulette-00", "A", "rapid", {1, 2, 3}, True, True, "rws-roulette-00:App.C"),
    ("rws-roulette-00", "B", "rapid", {1, 2, 3}, True, False, "rws-roulette-00:App.D"),
    ("rws-roulette-000", "main", "rapid", {1, 2, 3}, True, True, "rws-roulette-000:App.B"),
]


def betting(book: str, layout: str, terminal: str) -> Play:
    play = Play(book, layout).open(kind=terminal)
    play.do(DEALER, c.OpenRound())
    return play


def announce(name: str, cents: int = 200) -> c.PlaceBets:
    return c.PlaceBets(seat="1", stakes=(Stake(name, cents),))


@pytest.mark.parametrize(
    ("book", "name", "terminal"),
    [
        *(("mbs-roulette", name, "rapid-fusion") for name in PIECES["mbs-roulette"]),
        *(("rws-roulette-000", name, "rapid") for name in PIECES["rws-roulette-000"]),
    ],
)
def test_an_announced_bet_puts_a_unit_on_each_of_its_pieces(book: str, name: str, terminal: str) -> None:
    play = betting(book, "main", terminal)
    pieces = PIECES[book][name].split()

    changed = only(e.BetsChanged, play.do(player("1"), announce(name)))

    assert play.state.seats["1"].stakes == {bet: 200 * pieces.count(bet) for bet in pieces}
    assert {change.announced for change in changed.changes} == {name}
    assert play.credits("1") == 100_000 - 200 * len(pieces)


@pytest.mark.parametrize("case", OFFERS, ids=lambda case: f"{case[0]}-{case[1]}-{case[2]}")
def test_a_terminal_takes_the_announced_bets_that_it_offers_and_no_others(
    case: tuple[str, str, str, set[int], bool, bool, str],
) -> None:
    book, layout, terminal, reaches, finales, series, clause_id = case
    asked = [
        *SERIES,
        *(f"neighbours:21+{reach}" for reach in range(1, 6)),
        *(f"finales:{d}" for d in range(10)),
    ]
    taken, refused = set(), {}
    for name in asked:
        play = betting(book, layout, terminal)
        rejection = play.ask(player("1"), announce(name)).rejection
        if rejection is None:
            taken.add(name)
        else:
            refused[name] = rejection

    offered = {*(SERIES if series else ())} | {f"neighbours:21+{reach}" for reach in reaches}
    offered |= {f"finales:{digit}" for digit in range(10)} if finales else set()
    assert taken == offered
    for name, found in refused.items():
        if found.code == "announced-not-offered":
            assert (found.clause, found.facts) == (clause_id, {"bet": name, "terminal": terminal})
        else:
            assert found.code == "unknown-bet", "nobody at this table offers it"


@pytest.mark.parametrize(
    ("alias", "name"),
    [
        ("small-series", "tiers"),
        ("orphans", "orphelins"),
        ("0-spiel", "zero-spiel"),
        ("big-series", "grand-series"),
        ("voisins-du-zero", "grand-series"),
    ],
)
@pytest.mark.parametrize("terminal", ["rapid-select", "rapid-fusion", "alfastreet"])
def test_an_announced_bet_goes_by_its_other_names_too(terminal: str, alias: str, name: str) -> None:
    by_name, by_alias = (betting("mbs-roulette", "main", terminal) for _ in range(2))

    by_name.do(player("1"), announce(name))
    changed = only(e.BetsChanged, by_alias.do(player("1"), announce(alias)))

    assert by_alias.state.seats["1"].stakes == by_name.state.seats["1"].stakes
    assert {change.announced for change in changed.changes} == {name}


def test_an_announced_bet_is_taken_off_by_its_name_and_piece_by_piece() -> None:
    play = betting("mbs-roulette", "main", "rapid-select")
    play.do(player("1"), announce("tiers"))

    play.do(player("1"), c.TakeBets(seat="1", stakes=(Stake("split:5/8", 100),)))
    late = play.refused(player("1"), c.TakeBets(seat="1", stakes=(Stake("tiers", 200),)))
    play.do(player("1"), c.TakeBets(seat="1", stakes=(Stake("small-series", 100),)))

    assert late.code == "not-on-bet"
    assert play.state.seats["1"].stakes == dict.fromkeys(PIECES["mbs-roulette"]["tiers"].split()[1:], 100)


@pytest.mark.parametrize(("source", "destination"), [("tiers", "red"), ("red", "small-series")])
def test_an_announced_bet_is_not_moved(source: str, destination: str) -> None:
    play = betting("mbs-roulette", "main", "rapid-select")
    play.bet("1", {"red": 500})

    found = play.refused(player("1"), c.MoveBet(seat="1", source=source, destination=destination, cents=500))

    assert found.code == "unknown-bet"
    assert "announced" in found.sentence


def test_limits_hold_for_each_piece_together_with_what_lies_there() -> None:
    play = betting("mbs-roulette", "main", "rapid-select")

    found = play.refused(player("1"), announce("tiers", 99))
    assert (found.code, found.facts["bet"]) == ("below-minimum", "split:5/8")

    play.bet("1", {"split:5/8": 100})
    found = play.refused(player("1"), announce("tiers", 99))
    assert (found.code, found.facts["bet"]) == ("below-minimum", "split:10/11")


def test_the_money_wheel_has_no_announced_bets() -> None:
    play = betting("rws-money-wheel", "main", "place")

    assert play.refused(player("1"), announce("tiers")).code == "unknown-bet"

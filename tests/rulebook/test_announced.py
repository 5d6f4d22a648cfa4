"""Multiple-piece bets: what they consist of, and which terminal offers them under which name."""

import pytest

from clauses import clause
from croupier.rulebook import (
    Announced,
    BadInput,
    Layout,
    get_layout,
    get_offer,
    load_book,
    offered,
    parse_announced,
)
from rulebook.announced_oracle import ALIASES, FINALES, OFFERS, SERIES, SERIES_PIECES, announced, labels
from rulebook.oracle import MBS, MONEY_WHEEL, ROULETTE_LAYOUTS, RWS_000, RWS_A, RWS_B, LayoutKey, legal_bets


def layout_of(key: LayoutKey) -> Layout:
    return get_layout(load_book(key[0]), key[1])


def pieces_of(bet: Announced) -> dict[str, int]:
    return {part.bet.id: part.pieces for part in bet.parts}


def numbers_of(key: LayoutKey, name: str) -> list[str]:
    """The numbers of an announced bet of straight-up pieces, in order."""
    bet = layout_of(key).announced[name]
    assert all(part.bet.kind == "straight" and part.pieces == 1 for part in bet.parts)
    return [part.bet.numbers[0] for part in bet.parts]


@pytest.mark.parametrize("key", ROULETTE_LAYOUTS, ids=":".join)
def test_a_layout_has_exactly_the_announced_bets_of_the_text(key: LayoutKey) -> None:
    found = {name: pieces_of(bet) for name, bet in layout_of(key).announced.items()}

    assert found == announced(key)


@pytest.mark.parametrize("key", ROULETTE_LAYOUTS, ids=":".join)
@clause("mbs-roulette:App.B", "mbs-roulette:App.C", "mbs-roulette:App.D", "mbs-roulette:App.E")
@clause("mbs-roulette:App.F", "rws-roulette-00:App.C", "rws-roulette-00:App.D", "rws-roulette-000:App.B")
def test_a_series_has_the_pieces_that_the_text_counts(key: LayoutKey) -> None:
    layout = layout_of(key)
    series = {name: bet for name, bet in layout.announced.items() if ":" not in name}

    assert {name: pieces_of(bet) for name, bet in series.items()} == SERIES[key]
    assert {name: bet.pieces for name, bet in series.items()} == SERIES_PIECES[key]


@pytest.mark.parametrize("key", ROULETTE_LAYOUTS, ids=":".join)
def test_every_piece_is_an_ordinary_bet_of_the_layout(key: LayoutKey) -> None:
    layout = layout_of(key)
    ordinary = legal_bets(key)
    for name, bet in layout.announced.items():
        for part in bet.parts:
            assert part.bet is layout.bets[part.bet.id], f"{key} {name}"
            assert part.bet.pays == ordinary[part.bet.id].pays, f"{key} {name}"


@pytest.mark.parametrize("key", ROULETTE_LAYOUTS, ids=":".join)
@pytest.mark.parametrize(
    ("reach", "numbers"), [(1, "2 21 4"), (2, "25 2 21 4 19"), (3, "17 25 2 21 4 19 15")]
)
@clause("mbs-roulette:7", "rws-roulette-00:App.C", "rws-roulette-00:App.D", "rws-roulette-000:App.B")
def test_the_neighbours_of_21_are_those_of_the_text(key: LayoutKey, reach: int, numbers: str) -> None:
    beside = numbers_of(key, f"neighbours:21+{reach}")

    assert sorted(beside) == sorted(numbers.split())
    assert beside in (numbers.split(), numbers.split()[::-1]), "as they lie on the wheel, either way round"


@pytest.mark.parametrize(
    ("key", "name", "numbers"),
    [
        (MBS, "neighbours:0+1", "26 0 32"),
        (MBS, "neighbours:0+4", "12 35 3 26 0 32 15 19 4"),
        (MBS, "neighbours:26+2", "35 3 26 0 32"),
        (RWS_A, "neighbours:0+1", "26 0 00"),
        (RWS_A, "neighbours:00+1", "0 00 32"),
        (RWS_B, "neighbours:32+3", "26 0 00 32 15 19 4"),
        (RWS_000, "neighbours:00+1", "0 00 000"),
        (RWS_000, "neighbours:000+2", "0 00 000 32 15"),
        (RWS_000, "neighbours:26+3", "12 35 3 26 0 00 000"),
    ],
)
@clause("mbs-roulette:7")
def test_neighbours_reach_across_the_zeros(key: LayoutKey, name: str, numbers: str) -> None:
    assert numbers_of(key, name) == numbers.split()


@pytest.mark.parametrize("key", ROULETTE_LAYOUTS, ids=":".join)
@clause("mbs-roulette:7")
def test_neighbours_are_one_piece_on_the_number_and_on_each_neighbour(key: LayoutKey) -> None:
    for name, bet in layout_of(key).announced.items():
        if name.startswith("neighbours:"):
            number, _, reach = name.removeprefix("neighbours:").partition("+")
            assert bet.pieces == 2 * int(reach) + 1, f"{key} {name}"
            assert bet.parts[int(reach)].bet.numbers == (number,), f"{key} {name}"


@pytest.mark.parametrize("key", ROULETTE_LAYOUTS, ids=":".join)
@pytest.mark.parametrize("digit", FINALES)
@clause("mbs-roulette:App.G", "rws-roulette-00:App.C", "rws-roulette-00:App.D", "rws-roulette-000:App.B")
def test_finales_are_the_numbers_with_that_last_digit(key: LayoutKey, digit: str) -> None:
    assert numbers_of(key, f"finales:{digit}") == FINALES[digit].split()


@pytest.mark.parametrize(("key", "terminal"), OFFERS)
@clause("mbs-roulette:App.H", "mbs-roulette:App.I", "mbs-roulette:App.J", "mbs-roulette:3.5")
@clause("rws-roulette-00:App.C", "rws-roulette-00:App.D", "rws-roulette-000:App.B")
def test_a_terminal_offers_what_its_appendix_lists_under_its_own_names(key: LayoutKey, terminal: str) -> None:
    book = load_book(key[0])
    layout = get_layout(book, key[1])

    assert dict(offered(layout, get_offer(book, layout, terminal))) == labels(key, terminal)


@pytest.mark.parametrize("book_id", ["mbs-roulette", "rws-roulette-00", "rws-roulette-000"])
def test_a_book_has_the_terminals_of_its_text(book_id: str) -> None:
    found = {
        ((book_id, offer.layout), terminal.id)
        for terminal in load_book(book_id).terminals.values()
        for offer in terminal.offers
    }

    assert found == {(key, terminal) for key, terminal in OFFERS if key[0] == book_id}


@clause("mbs-roulette:1.1.2", "mbs-roulette:3.5")
def test_what_the_racetrack_offers_differs_between_terminals() -> None:
    book = load_book("mbs-roulette")
    layout = get_layout(book)

    shown = {terminal: {*offered(layout, get_offer(book, layout, terminal))} for terminal in book.terminals}

    assert "finales:4" in shown["rapid-fusion"]
    assert "finales:4" not in shown["rapid-select"] | shown["alfastreet"]
    assert "neighbours:21+4" in shown["alfastreet"]
    assert "neighbours:21+4" not in shown["rapid-select"] | shown["rapid-fusion"]
    assert "neighbours:21+1" not in shown["rapid-select"]


@clause("rws-roulette-00:App.D")
def test_layout_b_offers_no_series() -> None:
    layout = layout_of(RWS_B)

    assert {name.partition(":")[0] for name in layout.announced} == {"neighbours", "finales"}
    assert parse_announced(layout, "tiers") is None
    assert parse_announced(layout, "small-series") is None


@pytest.mark.parametrize("key", [MBS, RWS_A, RWS_000], ids=":".join)
@pytest.mark.parametrize(("other", "name"), ALIASES.items())
@clause("mbs-roulette:App.B", "mbs-roulette:App.D", "mbs-roulette:App.E", "mbs-roulette:App.F")
def test_a_series_goes_by_its_other_names_too(key: LayoutKey, other: str, name: str) -> None:
    layout = layout_of(key)

    assert parse_announced(layout, other) is layout.announced[name]


@pytest.mark.parametrize(
    ("key", "name", "cited"),
    [
        (MBS, "grand-series", "mbs-roulette:App.C"),
        (MBS, "tiers", "mbs-roulette:App.D"),
        (MBS, "orphelins", "mbs-roulette:App.E"),
        (MBS, "zero-spiel", "mbs-roulette:App.F"),
        (MBS, "finales:4", "mbs-roulette:App.G"),
        (MBS, "neighbours:21+2", "mbs-roulette:7"),
        (RWS_A, "tiers", "rws-roulette-00:App.C"),
        (RWS_000, "finales:0", "rws-roulette-000:App.B"),
    ],
)
def test_an_announced_bet_cites_its_clause(key: LayoutKey, name: str, cited: str) -> None:
    assert layout_of(key).announced[name].clause == cited


def test_the_money_wheel_has_no_terminals_and_no_announced_bets() -> None:
    book = load_book("rws-money-wheel")

    assert not book.terminals
    assert not layout_of(MONEY_WHEEL).announced


@pytest.mark.parametrize(
    ("book_id", "layout_id", "terminal", "code"),
    [
        ("mbs-roulette", "main", "rapid", "unknown-terminal"),
        ("rws-money-wheel", "main", "rapid", "unknown-terminal"),
    ],
)
def test_a_terminal_that_the_book_does_not_have_is_refused(
    book_id: str, layout_id: str, terminal: str, code: str
) -> None:
    book = load_book(book_id)

    with pytest.raises(BadInput) as refused:
        get_offer(book, get_layout(book, layout_id), terminal)

    assert refused.value.code == code

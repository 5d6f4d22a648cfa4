"""`croupier books`."""

from cli.running import run


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

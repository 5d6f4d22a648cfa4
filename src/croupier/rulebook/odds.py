"""Exact odds of single bets."""

from fractions import Fraction

from croupier.rulebook.model import Bet, Book


def probability(book: Book, bet: Bet) -> Fraction:
    """The chance that the bet wins.

    >>> from croupier.rulebook import load_book
    >>> book = load_book("rws-money-wheel")
    >>> probability(book, book.layouts["main"].bets["symbol:20"])
    Fraction(1, 26)
    """
    return book.wheel.probability(bet.numbers)


def house_edge(book: Book, bet: Bet) -> Fraction:
    """The part of a stake that the house keeps on average.

    >>> from croupier.rulebook import load_book
    >>> book = load_book("mbs-roulette")
    >>> house_edge(book, book.layouts["main"].bets["red"])
    Fraction(1, 37)
    """
    return 1 - probability(book, bet) * (bet.pays + 1)

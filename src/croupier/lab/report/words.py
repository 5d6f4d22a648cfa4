"""How figures and clauses are written in a report."""

from fractions import Fraction

from croupier.rulebook import Bet, Book

NOTHING = "-"
"""Where a figure cannot be given."""


def bet_name(book: Book, bet: Bet) -> str:
    """A bet as the book calls it; one on a symbol by what stands on the wheel.

    >>> from croupier.rulebook import get_layout, load_book
    >>> book = load_book("rws-money-wheel")
    >>> bet_name(book, get_layout(book).bets["symbol:crockfords"])
    'Crockfords'
    """
    return book.wheel.labels[bet.numbers[0]] if bet.kind == "symbol" else bet.name


def short_clause(book: Book, source: str) -> str:
    """A clause without the name of its book."""
    return source.removeprefix(f"{book.id}:")


def fraction(value: Fraction) -> str:
    """Always with its denominator.

    >>> fraction(Fraction(18, 37))
    '18/37'
    """
    return f"{value.numerator}/{value.denominator}"


def percent(value: Fraction) -> str:
    """With four decimals.

    >>> percent(Fraction(1, 37))
    '2.7027 %'
    """
    return f"{float(100 * value):.4f} %"


def chance(value: float, under: float | None = None) -> str:
    """With an exponent where decimals would say never; with a bound where only that is known.

    >>> chance(0.25), chance(1e-12), chance(0.0), chance(0.0, under=1e-40)
    ('0.2500', '1.0e-12', '0', '< 1e-40')
    """
    if under is not None:
        return f"< {under:g}"
    if value == 0:
        return "0"
    return f"{value:.4f}" if value >= 0.0001 else f"{value:.1e}"

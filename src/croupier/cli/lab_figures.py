"""Figures of the lab: one list of them makes the table for people, the JSON and the CSV."""

import argparse
import csv
import io
import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from croupier.cli.tables import Column, Row, render_table

_SHOWN: Final = {
    "money": "{:,.6f}",  # an expectation in dollars: what it is beyond the cent matters
    "cents": "{:,.2f}",
    "share": "{:.6f}",
    "count": "{:,.2f}",
    "number": "{:,.6f}",
}
_IN_DOLLARS: Final = ("money", "cents")
_LEAST_SHARE: Final = 5e-5
"""A chance under this one is written with an exponent, because 0.000000 would say never."""


class Figure(NamedTuple):
    """A figure: its name for programs, its name for people, what it is, and the fraction behind it."""

    name: str
    title: str
    form: str
    """`money` and `cents` are counted in cents and shown in dollars."""
    value: float
    exact: Fraction | None = None
    """The value itself as a fraction, counted as it is."""
    under: float | None = None
    """A bound, where the value is not 0 but too small to have been computed."""


def show(form: str, value: float) -> str:
    """A value as people read it; one that cannot be told is a dash.

    >>> show("money", 89268.0096541), show("share", 1e-9), show("cents", -2800)
    ('892.680097', '1.000e-09', '-28.00')
    """
    if math.isnan(value):
        return "-"
    if form == "share" and 0 < value < _LEAST_SHARE:
        return f"{value:.3e}"
    shown = value / 100 if form in _IN_DOLLARS else value
    return _SHOWN[form].format(shown + 0.0)  # plus zero: minus nothing is nothing


def show_fraction(value: Fraction) -> str:
    """Always with its denominator, also where the value is whole."""
    return f"{value.numerator}/{value.denominator}"


def _show_exact(figure: Figure) -> str:
    if figure.exact is None:
        return ""
    return show_fraction(figure.exact / 100 if figure.form in _IN_DOLLARS else figure.exact)


def figures_table(title: str, figures: Sequence[Figure]) -> str:
    """Figures under their title, with their fractions where one of them has one."""
    exact = any(figure.exact is not None for figure in figures)
    columns = [
        Column("FIGURE"),
        Column("VALUE", right=True),
        *([Column("EXACT", right=True)] if exact else []),
    ]
    rows = [
        Row(
            [
                figure.title,
                show(figure.form, figure.value) if figure.under is None else f"< {figure.under:g}",
                *([_show_exact(figure)] if exact else []),
            ]
        )
        for figure in figures
    ]
    return render_table(title, columns, rows)


def figures_json(figures: Iterable[Figure]) -> dict[str, object]:
    """Figures by name; one with a fraction is written with it, one too small to be computed with its bound.

    >>> figures_json([Figure("ahead", "ahead", "share", 0.0, under=1e-40), Figure("rounds", "", "count", 2)])
    {'ahead': {'value': 0.0, 'under': 1e-40}, 'rounds': 2}
    """
    return {figure.name: _figure_json(figure) for figure in figures}


def _figure_json(figure: Figure) -> object:
    if figure.exact is not None:
        return {"exact": show_fraction(figure.exact), "value": figure.value}
    if figure.under is not None:
        return {"value": figure.value, "under": figure.under}
    return figure.value


def figures_csv(figures: Sequence[Figure]) -> str:
    """Figures as CSV."""
    return as_csv(
        ["figure", "value", "exact", "under"],
        [
            [
                figure.name,
                figure.value,
                show_fraction(figure.exact) if figure.exact is not None else "",
                figure.under if figure.under is not None else "",
            ]
            for figure in figures
        ],
    )


def as_csv(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV with the line ends of this platform's text files.

    >>> print(as_csv(["bet", "edge"], [["red", 0.5]]), end="")
    bet,edge
    red,0.5
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows(rows)
    return text.getvalue()


def finite(value: float) -> float | str | None:
    """A number as JSON can hold it: it has no word for infinity, and nothing is what cannot be told."""
    return value if math.isfinite(value) else None if math.isnan(value) else str(value)


def add_forms(parser: argparse.ArgumentParser) -> None:
    """The choice between a table for people, JSON and CSV."""
    forms = parser.add_mutually_exclusive_group()
    forms.add_argument("--json", action="store_true", help="print JSON")
    forms.add_argument("--csv", action="store_true", help="print CSV")

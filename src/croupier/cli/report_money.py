"""Currencies on the pages of reports: they are named where there are several."""

from collections.abc import Iterable


class Currencies:
    """The currencies of a report.

    >>> Currencies(["SGD"]).label("all", "SGD"), Currencies(["EUR", "SGD"]).label("all", "SGD")
    ('all', 'all SGD')
    """

    def __init__(self, found: Iterable[str]) -> None:
        self._are_several = len({*found}) > 1

    def label(self, text: str, currency: str) -> str:
        """A text with the currency that it is about."""
        return f"{text} {currency or '(currency not known)'}" if self._are_several else text

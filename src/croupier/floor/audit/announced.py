"""Announced bets, audited: what was called by name lies on the pieces that the book gives it."""

from croupier.floor.audit.books import refuse
from croupier.rulebook import Layout
from croupier.table.events import BetChange


def check_announced(layout: Layout, changes: tuple[BetChange, ...]) -> None:
    """Finds pieces that are not those of their announced bet, each with as many units as the book says.

    A command may name the same announced bet twice, with other amounts: its pieces stand together each time.
    """
    place = 0
    while place < len(changes):
        name = changes[place].announced
        if name is None:
            place += 1
            continue
        announced = layout.announced.get(name)
        if announced is None:
            refuse(f"layout {layout.id} has no announced bet {name!r}")
        pieces = changes[place : place + len(announced.parts)]
        unit_cents = sum(piece.cents for piece in pieces) // announced.pieces
        wanted = sorted((part.bet.id, unit_cents * part.pieces) for part in announced.parts)
        is_whole = all(piece.announced == name for piece in pieces)
        if not is_whole or unit_cents == 0 or sorted((piece.bet, piece.cents) for piece in pieces) != wanted:
            refuse(f"what is announced as {name} is not on its pieces alike, or not on all of them")
        place += len(pieces)

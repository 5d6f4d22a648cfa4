"""What a game is: the approved rules as data, every legal bet, every payout, every clause."""

from croupier.rulebook.bets import (
    get_layout,
    get_offer,
    offered,
    parse_announced,
    parse_bet,
    parse_result,
)
from croupier.rulebook.errors import BadInput, BookFaults, Fault
from croupier.rulebook.load import load_book, load_book_file, read_book, shipped_books
from croupier.rulebook.model import (
    Announced,
    Assumption,
    Authority,
    Bet,
    Book,
    Box,
    Clause,
    Irregularity,
    Layout,
    Notice,
    Offer,
    Piece,
    Point,
    Rect,
    Terminal,
    Wheel,
)
from croupier.rulebook.money import group_amounts, parse_cents, show_amount, show_cents
from croupier.rulebook.odds import house_edge, probability
from croupier.rulebook.ordering import begun_at, order_faults, with_order
from croupier.rulebook.settlement import BetOutcome, Settlement, settle, settle_bet

__all__ = [
    "Announced",
    "Assumption",
    "Authority",
    "BadInput",
    "Bet",
    "BetOutcome",
    "Book",
    "BookFaults",
    "Box",
    "Clause",
    "Fault",
    "Irregularity",
    "Layout",
    "Notice",
    "Offer",
    "Piece",
    "Point",
    "Rect",
    "Settlement",
    "Terminal",
    "Wheel",
    "begun_at",
    "get_layout",
    "get_offer",
    "group_amounts",
    "house_edge",
    "load_book",
    "load_book_file",
    "offered",
    "order_faults",
    "parse_announced",
    "parse_bet",
    "parse_cents",
    "parse_result",
    "probability",
    "read_book",
    "settle",
    "settle_bet",
    "shipped_books",
    "show_amount",
    "show_cents",
    "with_order",
]

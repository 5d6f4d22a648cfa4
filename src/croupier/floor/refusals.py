"""What a running table answers where the table itself was never asked."""

from typing import Final

from croupier.table import Rejection, Reply

CODES: Final = {
    "bad-command": "The command cannot be written down: an id or a number in it is not one.",
    "busy": "The table has more to do at the moment than it can take; try again.",
    "not-registered": (
        "It is not certain whether this was registered. "
        "See what the table shows before it is done again, or ask staff."
    ),
    "stepped-down": "Another server runs this table now. If it does not come back by itself, ask staff.",
    "table-down": "The table is not running at the moment. If it does not come back by itself, ask staff.",
    "voucher-unknown": "No voucher with this number was issued here; look at the ticket again.",
    "voucher-amount": "The voucher was issued for another amount; look at the ticket again, or ask staff.",
    "voucher-currency": "This voucher is not known to be in this table's currency; ask at the cage.",
    "voucher-expired": "This voucher has expired; ask at the cage.",
    "voucher-used": "This voucher was paid, redeemed or voided before; ask at the cage.",
}
"""Every code of the floor and what it says; none of them is about the rules of the game."""

UNSETTLED: Final = frozenset({"busy", "not-registered", "table-down"})
"""Those that leave open what becomes of a command: the same one is sent again, with its number.

One that has stepped down is not among them: whoever has the table now is another process.
"""


def answer(code: str, **facts: str | int) -> Reply:
    """An answer that is not recorded."""
    rejection = Rejection(code=code, sentence=CODES[code], facts=facts)
    return Reply(rejection=rejection, entries=(), first=0, last=0)

"""Why somebody calls an attendant to a seat."""

from collections.abc import Mapping
from typing import Final

HELP: Final = "help"

CALL_REASONS: Final[Mapping[str, str]] = {
    HELP: "The player wants help, and has not said with what.",
    "buy-in": "The player wants to buy credits by hand.",
    "payout": "The player wants to be paid out by hand.",
    "terminal": "Something is wrong with the terminal.",
}
"""Every reason there is; free text would put a player's words into the record for good."""

ANSWERED: Final = "answered"
"""An employee has come, or has seen to it."""
WITHDRAWN: Final = "withdrawn"
"""The player has taken the call back."""

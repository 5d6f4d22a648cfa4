"""The words a book may use: kinds of bets, positions, actions, consequences.

Books are data, so these tuples are the only place where the software and a book have to agree.
"""

from typing import Final

KINDS: Final = (
    "straight",
    "split",
    "street",
    "corner",
    "six-line",
    "top-line",
    "column",
    "dozen",
    "low",
    "high",
    "odd",
    "even",
    "red",
    "black",
    "symbol",
)
"""Every kind of bet, in the order in which bets are listed."""

INSIDE_KINDS: Final = ("straight", "split", "street", "corner", "six-line", "top-line")
"""Kinds that geometry derives from the rectangles of the numbers."""

NUMBERED_BOXES: Final = ("column", "dozen", "symbol")
"""Kinds of boxes of which a layout has several, told apart after a colon: `column:1`, `symbol:20`."""

PLAYER: Final = "player"
"""Has no rank: what a book gives to the player is done by the player alone, and by nobody of the house."""

POSITIONS: Final = ("dealer", "pit-supervisor", "pit-manager", "shift-manager")
"""Positions of the house from the lowest to the highest; a higher one may do what a lower one may."""

ASSIGNED: Final = (PLAYER, *POSITIONS)
"""Whom a book may give an action to."""

ACTIONS: Final = (
    "buy-credits",
    "sell-credits",
    "cash-out",
    "place-bets",
    "place-for-player",
    "open-table",
    "open-round",
    "close-bets",
    "spin",
    "enter-result",
    "confirm-result",
    "call-no-spin",
    "declare-irregularity",
    "reject-bets",
    "announce-last-round",
    "correct-result",
    "close-table",
    "manage-seats",
    "pay-by-attendant",
    "clear-lock-up",
    "state-outcome",
    "declare-interruption",
    "resume-table",
    "correct-settled-result",
    "void-settled-rounds",
    "change-limits",
    "decide",
)
"""What a person at a table may do; a book says from which position on, and whether two people are needed."""

CONSEQUENCES: Final = (
    "void-round",
    "void-affected-rounds",
    "conclude-round",
    "registered-bets-stand",
    "unregistered-bets-return",
    "settle-by-wheel",
    "other-rounds-stand",
    "refuse",
    "reject-excess",
    "apportion",
    "count-in-full",
    "advise-player",
    "shift-manager-decides",
)
"""What an irregularity leads to."""

VOIDING: Final = ("void-round", "void-affected-rounds")

SINCE: Final = ("round", "close", "spin")
"""From which point of a round on an irregularity can be declared."""

CLAUSE_KINDS: Final = ("definition", "procedure", "payout", "irregularity", "authority", "display")

PARTS: Final = ("rulebook", "table")
"""Parts of the software whose tests show a clause."""

NOTICES: Final = (
    "open",
    "warning",
    "closed",
    "spinning",
    "result",
    "settled",
    "void",
    "no-spin",
    "correction",
    "interrupted",
    "decision",
    "last-round",
    "table-closed",
)
"""The steps at which players are told something."""

NOTICE_FACTS: Final = {
    "warning": ("seconds",),
    "result": ("result",),
    "void": ("round", "reason"),
    "no-spin": ("round", "reason"),
    "correction": ("round", "result"),
    "decision": ("reason",),
}
"""What a notice may show in braces, by step."""

TOPICS: Final = (
    "place",
    "late-placement",
    "late-withdrawal",
    "stakes-stand",
    "limits",
    "valid-spin",
    "result",
    "void-returns",
    "place-for-player",
    "announced",
    "credits",
)
"""What the table cites a clause for beside pays and irregularities; a book lists those its text has."""

WHEEL_KINDS: Final = ("ball", "clapper")
BETS_CLOSE: Final = ("before-spin", "during-spin")
CORRECTIONS: Final = ("any-time", "until-next-round")
SETTLED: Final = ("stand", "void")
LIMITS: Final = ("refuse", "mark-box")
COLOURS: Final = ("red", "black", "green")

"""What somebody is told who is not let in."""

from typing import Final

import msgspec

from croupier.rulebook import BadInput

CODES: Final = {
    "sign-in-failed": "The name or the password is not right.",
    "locked-out": "There were too many failures under this name, and nobody gets in under it for now; "
    "wait, or have a pit supervisor clear it.",
    "too-many-attempts": "There were too many failures from this address; wait a quarter of an hour.",
    "password-must-change": "This password was given for the first sign-in; send a new one with it.",
    "one-time-over": "The one-time password has expired; have a new one set.",
    "password-from": "One of you gave the other a password within a day; somebody else has to sign.",
    "password-same": "The new password is the old one; take another.",
    "not-allowed": "This takes a pit supervisor.",
    "unknown-table": "There is no such table in the journal.",
    "code-unknown": "This code enrols nothing: it is mistyped, used or too old; ask for another one.",
    "busy": "Too many want to come in at once; try again.",
    "closing": "The server stops; come back soon.",
    "not-recorded": "This could not be written down, so it was not done; try again.",
}
"""Every code of refused access and what it says, beside those of what a person has typed wrongly."""


class Refusal(msgspec.Struct, frozen=True, kw_only=True):
    """Why something was not done, and what would be right."""

    code: str
    sentence: str
    until_ms: int | None = None
    """When it may be tried again, where that is known."""


def refusal(code: str, until_ms: int | None = None) -> Refusal:
    """The refusal with a code."""
    return Refusal(code=code, sentence=CODES[code], until_ms=until_ms)


def refusal_of(error: BadInput) -> Refusal:
    """The refusal of bad input."""
    return Refusal(code=error.code, sentence=str(error))

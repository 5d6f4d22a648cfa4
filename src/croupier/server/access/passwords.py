"""Which passwords are taken, and the ones that people are given for their first sign-in."""

import secrets
from typing import Final

from croupier.floor.office.staff import is_name
from croupier.rulebook import BadInput
from croupier.server.access.tokens import CODE_SIGNS

SHORTEST: Final = 10
LONGEST: Final = 200

_COMMON_LINES: Final = (
    "1234567890 0123456789 password password1 password12 password123 passw0rd passw0rd1 qwertyuiop"
    " qwerty1234 qwerty12345 1q2w3e4r5t 1qaz2wsx3edc letmein letmein123 welcome welcome1 welcome123"
    " admin administrator adminadmin changeme changeme1 changeme123 iloveyou sunshine princess football"
    " baseball superman trustno1 croupier roulette casino dealer blackjack jackpot moneywheel supervisor"
    " manager pitmanager shiftmanager temporary temp secret default p@ssw0rd p@ssword monkey dragon"
    " master shadow abc abcdefghij abcdefghijk singapore marinabay sentosa"
)
_COMMON: Final = frozenset(_COMMON_LINES.split())
"""What is tried first by whoever guesses; letters alone are compared, so that digits and signs around these
words do not save them."""


def check_password(password: str, name: str) -> None:
    """Refuses a password that others would guess, or that could be mistaken for a name."""
    if not SHORTEST <= len(password) <= LONGEST or not password.isprintable():
        raise BadInput(
            "password-length",
            f"A password has {SHORTEST} to {LONGEST} characters that print.",
            "Take a few words with spaces between them.",
        )
    # What is typed where the name belongs is written down, and a password must never be.
    if is_name(password):
        raise BadInput(
            "password-like-a-name",
            "A password of small letters and digits alone could be taken for a name.",
            "Add a capital letter, a space or another sign.",
        )
    if name == password.lower() or (len(name) > 3 and name in password.lower()):
        raise BadInput("password-has-name", "The password holds the name.", "Take something else.")
    if password.lower() in _COMMON or _letters(password) in _COMMON or len(set(password.lower())) < 5:
        raise BadInput("password-common", "This is one of the first that is tried.", "Take something else.")


def new_password() -> str:
    """A password for a first sign-in, drawn by lot and easy to read out.

    >>> check_password(new_password(), "tan.weiling")
    """
    while True:
        groups = ("".join(secrets.choice(CODE_SIGNS) for _ in range(4)) for _ in range(4))
        password = "-".join(groups)
        if len(set(password)) >= 6:
            return password


def _letters(password: str) -> str:
    return "".join(sign for sign in password.lower() if sign.isalpha())

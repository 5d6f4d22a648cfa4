"""Secrets that people and devices hold: tokens of 256 bits, and codes that a person can type."""

import hashlib
import hmac
import secrets
from typing import Final

CODE_SIGNS: Final = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Digits and letters that are not taken for one another: no 0 and O, no 1, I and L."""
CODE_LENGTH: Final = 8
_LONGEST_TOKEN: Final = 120


class Token:
    """A secret on its way to whoever is to hold it; it shows itself only when asked to.

    >>> print(Token("session-1.secret"))
    Token(…)
    >>> Token("session-1.secret").reveal()
    'session-1.secret'
    """

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """The secret itself, for its holder and nobody else."""
        return self._text

    def __repr__(self) -> str:
        return "Token(…)"


def new_id(kind: str) -> str:
    """A name that nothing else has: not secret, and easy to read out.

    >>> new_id("terminal")[:9], len(new_id("terminal"))
    ('terminal-', 17)
    """
    return f"{kind}-{''.join(secrets.choice(CODE_SIGNS) for _ in range(8)).lower()}"


def new_token(holder: str) -> tuple[Token, str]:
    """A fresh token of a session or a device, and the SHA-256 of it that is kept."""
    token = f"{holder}.{secrets.token_urlsafe(32)}"
    return Token(token), digest(token)


def holder_of(token: str) -> str:
    """Who a token says that it belongs to; empty where it is no token.

    >>> holder_of("terminal-k2m9x4pq.c2VjcmV0"), holder_of("nonsense")
    ('terminal-k2m9x4pq', '')
    """
    return token.partition(".")[0] if len(token) <= _LONGEST_TOKEN and "." in token else ""


def digest(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def is_same(kept: str, token: str) -> bool:
    """Whether what is kept is that of a token, in a time that does not depend on how much of it fits."""
    return hmac.compare_digest(kept, digest(token))


def new_code() -> str:
    """A fresh code in two groups of four.

    >>> len(new_code()), new_code()[4]
    (9, '-')
    """
    signs = "".join(secrets.choice(CODE_SIGNS) for _ in range(CODE_LENGTH))
    return f"{signs[:4]}-{signs[4:]}"


def read_code(text: str) -> str | None:
    """A code as it was typed, with or without the hyphen; None where it cannot be one.

    >>> read_code(" k2m9 x4pq"), read_code("k2m9-x4p0")
    ('K2M9X4PQ', None)
    """
    if len(text) > 4 * CODE_LENGTH:
        return None
    signs = "".join(text.upper().split()).replace("-", "")
    return signs if len(signs) == CODE_LENGTH and set(signs) <= set(CODE_SIGNS) else None

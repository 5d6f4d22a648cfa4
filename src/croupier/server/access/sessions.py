"""Sessions: who is signed in at this server. They live in its memory alone; a restart ends them."""

from collections.abc import Callable
from typing import Final

import msgspec

from croupier.server.access.policy import AccessPolicy
from croupier.server.access.tokens import Token, holder_of, is_same, new_token
from croupier.table import Actor

MINUTE_MS: Final = 60_000
IDLE, EXPIRED, REPLACED, SIGNED_OUT = "idle", "expired", "replaced", "signed-out"


class Session(msgspec.Struct, frozen=True, kw_only=True):
    """Somebody who is signed in."""

    id: str
    name: str
    position: str
    duties: tuple[str, ...]
    address: str
    began_ms: int
    expires_ms: int

    @property
    def actor(self) -> Actor:
        """Who gives commands in this session."""
        return Actor(id=self.name, position=self.position)


class _Live(msgspec.Struct):
    session: Session
    token_sha256: str
    used_ms: int


class Sessions:
    """The sessions that are open."""

    def __init__(self, policy: AccessPolicy, ended: Callable[[Session, str], None]) -> None:
        """`ended` hears of every session that is over, and why."""
        self._policy = policy
        self._ended = ended
        self._live: dict[str, _Live] = {}

    def open(
        self, id_: str, name: str, position: str, duties: tuple[str, ...], address: str, now_ms: int
    ) -> tuple[Session, Token]:
        """Opens a session; only the hash of its token stays here."""
        session = Session(
            id=id_,
            name=name,
            position=position,
            duties=duties,
            address=address,
            began_ms=now_ms,
            expires_ms=now_ms + self._policy.session_hours * 60 * MINUTE_MS,
        )
        token, sha256 = new_token(id_)
        self._live[id_] = _Live(session, sha256, now_ms)
        return session, token

    def find(self, token: str, now_ms: int, *, is_use: bool = True) -> Session | None:
        """The session that a token belongs to, used now; None where there is none, or none any more.

        What a screen asks while nobody is at it is no use.
        """
        live = self._live.get(holder_of(token))
        if live is None or not is_same(live.token_sha256, token) or self._why_over(live, now_ms) is not None:
            return None
        if is_use:
            live.used_ms = now_ms
        return live.session

    def of(self, name: str) -> list[Session]:
        """The sessions of a person, the oldest first."""
        return [live.session for live in self._live.values() if live.session.name == name]

    def all(self) -> list[Session]:
        """Every session, the oldest first."""
        return [live.session for live in self._live.values()]

    def overdue(self, now_ms: int) -> list[tuple[Session, str]]:
        """The sessions that are too old or were not used for too long, and which of the two."""
        return [
            (live.session, why)
            for live in self._live.values()
            if (why := self._why_over(live, now_ms)) is not None
        ]

    def end(self, session: Session, why: str) -> bool:
        """Ends a session; False where it is over already."""
        if self._live.pop(session.id, None) is None:
            return False
        self._ended(session, why)
        return True

    def _why_over(self, live: _Live, now_ms: int) -> str | None:
        idle_ms = live.used_ms + self._policy.idle_minutes * MINUTE_MS
        if now_ms < min(idle_ms, live.session.expires_ms):
            return None
        return IDLE if idle_ms < live.session.expires_ms else EXPIRED

"""Proving who one is: the same work and the same answer whether or not anybody has the name."""

from collections.abc import Callable, Sequence

import msgspec

from croupier.floor.office import records as r
from croupier.floor.office.staff import Decision, is_name
from croupier.floor.office.state import OfficeState, Person
from croupier.server.access.policy import AccessPolicy
from croupier.server.access.refusals import Refusal, refusal

SIGN_IN, AUTHORISE, CHANGE_PASSWORD = "sign-in", "authorise", "change-password"

HOUR_MS = 3_600_000
KNOWN_MS = 24 * HOUR_MS
"""For how long two do not sign together where one of them gave the other a password: one could be both."""


class Attempt(msgspec.Struct, kw_only=True):
    """Somebody who says who they are, and what came of comparing the password."""

    name: str
    """As typed, if it is written like a name; empty otherwise."""
    purpose: str
    compared_with: str
    """The hash that the password was compared with."""
    matches: bool
    beside: str = ""
    """Beside whom a second person signs."""
    new_hash: str | None = None
    """The hash of the new password, where one was sent along."""
    rehash: str | None = None
    """The hash of the same password with the parameters that hold now."""
    refusal: Refusal | None = None
    """What the decision came to; None where the person got in."""
    person: Person | None = None


Success = Callable[[Person], Sequence[r.OfficeEvent]]


def written_name(name: str) -> str:
    """A name as it may be written down: what is not written like a name may be a password."""
    return name if is_name(name) else ""


def judge(attempt: Attempt, policy: AccessPolicy, succeed: Success) -> Decision:
    """Decides an attempt on the latest records; says in the attempt what it came to."""

    def decide(office: OfficeState, now_ms: int) -> Sequence[r.OfficeEvent]:
        attempt.person = None
        name, person = attempt.name, office.staff.get(attempt.name)
        if (until_ms := office.locked_until(name, now_ms)) is not None:
            attempt.refusal = refusal("locked-out", until_ms)
            return [r.SignInFailed(name=name, why="locked-out", purpose=attempt.purpose)]
        if (why := _why_not(attempt, person)) is not None or person is None:
            attempt.refusal = refusal("sign-in-failed")
            why = why or "unknown-name"
            return policy.lock_out.failed(office, name, why, attempt.purpose, now_ms)
        if person.is_one_time and (code := _one_time(attempt, person, policy, now_ms)) is not None:
            attempt.refusal = refusal(code)
            why = {"password-must-change": "must-change"}.get(code, code)
            return [r.SignInFailed(name=name, why=why, purpose=attempt.purpose)]
        if _may_be_one(office, person, attempt.beside, now_ms):
            attempt.refusal = refusal("password-from")
            return [r.SignInFailed(name=name, why="password-from", purpose=attempt.purpose)]
        attempt.refusal, attempt.person = None, person
        return [*_new_hashes(attempt), *succeed(person)]

    return decide


def _why_not(attempt: Attempt, person: Person | None) -> str | None:
    if person is None:
        return "unknown-name"
    if not person.is_active:
        return "retired"
    # The password may have been changed while the old one was being compared.
    if not attempt.matches or person.password != attempt.compared_with:
        return "wrong-password"
    return None


def _may_be_one(office: OfficeState, person: Person, beside: str, now_ms: int) -> bool:
    """Whether one of two who sign knew the other's password of late, whichever of them asks."""
    given = [person] if (other := office.staff.get(beside)) is None else [person, other]
    return any(
        {one.given_by, one.name} == {person.name, beside} and now_ms < one.given_ms + KNOWN_MS
        for one in given
    )


def _one_time(attempt: Attempt, person: Person, policy: AccessPolicy, now_ms: int) -> str | None:
    if now_ms >= person.password_set_ms + policy.one_time_hours * HOUR_MS:
        return "one-time-over"
    return "password-must-change" if attempt.new_hash is None else None


def _new_hashes(attempt: Attempt) -> Sequence[r.OfficeEvent]:
    if attempt.new_hash is not None:
        return [r.PasswordSet(name=attempt.name, password=attempt.new_hash, is_one_time=False)]
    if attempt.rehash is not None:
        return [r.PasswordRehashed(name=attempt.name, password=attempt.rehash)]
    return []

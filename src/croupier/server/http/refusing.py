"""Refusals over HTTP: a code, a sentence, perhaps facts, and the status that goes with the code."""

import logging
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException

from croupier.journal import StoreError
from croupier.rulebook import BadInput
from croupier.server import access
from croupier.server.access.refusals import refusal
from croupier.server.threads import Stopping

_GONE: Final = "client disconnected prematurely"
"""What the framework says where a client has left before its request was whole."""

LOG: Final = logging.getLogger("croupier.server.http")

Facts = Mapping[str, str | int | None]


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """Why something was not done, and what would be right."""

    code: str
    """Stable; programs go by it."""
    sentence: str
    """For people."""
    facts: Facts | msgspec.UnsetType = msgspec.UNSET


class NotDone(Exception):
    """Ends a request with a refusal."""

    def __init__(self, status: int, code: str, sentence: str, facts: Facts | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.refused = Refused(code=code, sentence=sentence, facts=facts or msgspec.UNSET)


STATUSES: Final[Mapping[str, int]] = {
    # Not known who asks.
    "sign-in-failed": 401,
    "code-unknown": 401,
    "not-signed-in": 401,
    # Known, and may not.
    "not-allowed": 403,
    "other-site": 403,
    "not-your-table": 403,
    "not-your-seat": 403,
    "password-must-change": 403,
    "one-time-over": 403,
    "password-from": 403,
    # Not there.
    "not-found": 404,
    "unknown-book": 404,
    "unknown-layout": 404,
    "unknown-terminal": 404,
    "unknown-table": 404,
    "unknown-round": 404,
    "unknown-seat": 404,
    "unknown-device": 404,
    "unknown-person": 404,
    "no-demonstration": 404,
    "no-watch": 404,
    "no-record": 404,
    "voucher-unknown": 404,
    "unknown-system": 404,
    # Not now, or not any more.
    "voucher-paid": 409,
    "voucher-redeemed": 409,
    "voucher-voided": 409,
    "voucher-expired": 409,
    "voucher-outstanding": 409,
    "device-revoked": 409,
    "name-taken": 409,
    "not-locked": 409,
    "nothing-new": 409,
    "key-used": 409,
    "no-seat": 409,
    # The same of a correction, a void or a decision that is only asked about.
    "same-result": 409,
    "round-void": 409,
    "round-stands": 409,
    "round-not-recalled": 409,
    "round-running": 409,
    "no-result": 409,
    "table-halted": 409,
    "table-closed": 409,
    "no-round": 409,
    "bets-open": 409,
    "no-spin-yet": 409,
    "not-affected": 409,
    "not-on-bet": 409,
    "not-in-this-game": 409,
    # Understood, and not legal.
    "voucher-amount": 422,
    "password-length": 422,
    "password-like-a-name": 422,
    "password-has-name": 422,
    "password-common": 422,
    "password-same": 422,
    # The same of the lab.
    "bet-not-on-layout": 422,
    "slip-empty": 422,
    "slip-too-large": 422,
    "stake-not-cents": 422,
    "rounds-out-of-range": 422,
    "bankroll-out-of-range": 422,
    "bankroll-under-first-stake": 422,
    "goal-not-above-bankroll": 422,
    "stop-not-under-bankroll": 422,
    "unit-under-minimum": 422,
    "limit-under-unit": 422,
    "limit-under-first-stake": 422,
    "system-chooses-bets": 422,
    "system-needs-roulette": 422,
    "system-parameter": 422,
    "unknown-parameter": 422,
    "parameter-missing": 422,
    "belief-without-advantage": 422,
    "count-out-of-range": 422,
    "seed-out-of-range": 422,
    "lattice-too-fine": 422,
    "session-too-large": 422,
    "lab-too-long": 422,
    # Too often, or too much.
    "locked-out": 429,
    "too-many-attempts": 429,
    "busy": 503,
    "closing": 503,
    "no-lab": 503,
    "lab-warming": 503,
    "not-recorded": 503,
    "journal-unavailable": 503,
}
"""By code, the status of the answer; whatever is not here is malformed."""

MALFORMED: Final = 400

_OF_FRAMEWORK: Final[Mapping[int, tuple[str, str]]] = {
    401: ("not-signed-in", "Send a token: sign in, or enrol the device."),
    403: ("not-allowed", "This is not allowed."),
    404: ("not-found", "There is nothing at this address."),
    405: ("wrong-method", "This address does not take that method."),
    413: ("too-large", "The request is larger than this address takes."),
    415: ("wrong-media-type", "Send JSON."),
    429: ("too-many-attempts", "Too many requests; wait a little."),
}


def refuse(code: str, sentence: str, **facts: str | int | None) -> NotDone:
    """A refusal with the status of its code."""
    return NotDone(STATUSES.get(code, MALFORMED), code, sentence, facts)


def refuse_closing() -> NotDone:
    """The refusal of whatever comes while the server stops; another one, or the next start, does it."""
    return refuse_access(refusal("closing"))


def refuse_access(refused: access.Refusal) -> NotDone:
    """The refusal of somebody who wanted to come in or to change who may."""
    facts: dict[str, str | int | None] = {}
    if refused.until_ms is not None:
        facts["until_ms"] = refused.until_ms
    return refuse(refused.code, refused.sentence, **facts)


def answer_not_done(request: Request[Any, Any, Any], error: NotDone) -> Response[Refused]:
    """The answer to what was refused."""
    return _response(error.status, error.refused)


def answer_bad_input(request: Request[Any, Any, Any], error: BadInput) -> Response[Refused]:
    """The answer to what a person got wrong."""
    return answer_not_done(request, refuse(error.code, str(error), **error.facts))


def answer_store_error(request: Request[Any, Any, Any], error: StoreError) -> Response[Refused]:
    """The answer where the journal fails; what is wrong with it is the house's business."""
    if isinstance(error, Stopping):
        return answer_not_done(request, refuse_closing())
    LOG.error("%s %s: %s", request.method, _asked(request), error)
    sentence = "The journal cannot be read or written now; try again."
    return answer_not_done(request, refuse("journal-unavailable", sentence))


def answer_framework(request: Request[Any, Any, Any], error: HTTPException) -> Response[Refused]:
    """The answer to what never reached a handler: an unknown address, or a request that cannot be read."""
    status = error.status_code
    if error.detail == _GONE:
        # Nobody hears it; and it is no fault of ours, whatever the framework calls it.
        return _response(
            MALFORMED, Refused(code="malformed", sentence="The request ended before it was whole.")
        )
    if status >= 500:
        return answer_fault(request, error)
    if status in _OF_FRAMEWORK:
        code, sentence = _OF_FRAMEWORK[status]
    else:
        status, code, sentence = MALFORMED, "malformed", _what_is_malformed(error)
    return _response(status, Refused(code=code, sentence=sentence), error.headers)


def answer_fault(request: Request[Any, Any, Any], error: Exception) -> Response[Refused]:
    """The answer to a fault of ours: it is logged, and nothing of it is told."""
    LOG.error("%s %s failed", request.method, _asked(request), exc_info=error)
    return _response(500, Refused(code="fault", sentence="Something went wrong here, and it was logged."))


def _asked(request: Request[Any, Any, Any]) -> str:
    """What was asked for, without what stands in its place: a voucher's number does not belong in a log."""
    return str(request.scope.get("path_template", "an unknown address"))


def _what_is_malformed(error: HTTPException) -> str:
    """Which part is wrong and why; never what was in it, which may be a password."""
    extra = error.extra if isinstance(error.extra, list) else []
    told = [_what_is_wrong(part) for part in extra if isinstance(part, dict) and "message" in part]
    return f"The request cannot be read: {'; '.join(told) or 'it is not what this address takes'}."


def _what_is_wrong(part: Mapping[str, Any]) -> str:
    key, message = part.get("key"), str(part["message"])
    if key == "data" and message == "'data'":  # so the framework says that a body is missing
        return "it has no body"
    return f"{key}: {message}" if key else message


def _response(status: int, refused: Refused, headers: Mapping[str, str] | None = None) -> Response[Refused]:
    given = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    if status in (429, 503):
        given["Retry-After"] = "5"
    given |= {name: value for name, value in (headers or {}).items() if name.lower() == "allow"}
    return Response(refused, status_code=status, headers=given, media_type="application/json")

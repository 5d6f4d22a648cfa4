"""The lab: what a slip is worth, how a session ends, and which betting systems there are."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Final, Literal

import msgspec
from litestar import get, post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import JSONBody

from croupier.rulebook import BadInput, Book, get_layout
from croupier.server.http.house import House
from croupier.server.http.lab_desk import need_lab
from croupier.server.http.refusing import NotDone, refuse
from croupier.server.laboratory.answers import (
    LabExact,
    LabSession,
    LabSimulated,
    LabSlip,
    LabSystem,
    LabUnable,
)

if TYPE_CHECKING:
    from croupier.lab import Session, Slip

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Stakes = Annotated[dict[Id, int], msgspec.Meta(max_length=500)]
Limit = Annotated[int, msgspec.Meta(ge=1, le=10**13)]
Settings = Annotated[dict[Id, Id], msgspec.Meta(max_length=10)]

MOST_STAKED_CENTS: Final = 10**9
"""On one slip: a million rounds of it still fit into the numbers of a screen."""
MOST_SESSIONS: Final = 100_000


class AskSlip(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Bets with their stakes, and how often they are played."""

    book: Id
    layout: Id | None = None
    """The book's first where none is named."""
    stakes: Stakes
    """By bet or announced bet, whole cents; for an announced bet on each of its pieces."""
    rounds: int = 1000
    """1 to 1,000,000."""


class AskSimulation(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How much is simulated beside the exact answer."""

    sessions: int = 10_000
    """1 to 100,000."""
    seed: int = 1


class AskSession(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A betting system, the money for it, and when it ends."""

    book: Id
    layout: Id | None = None
    system: Id
    settings: Settings = {}
    """What is set on the system, as text."""
    stakes: Stakes = {}
    """What one unit is; nothing for a system that chooses its bets itself."""
    unit_cents: int = 100
    """The chip of a system that chooses its bets itself."""
    bankroll_cents: int
    goal_cents: int | None = None
    stop_cents: int | None = None
    rounds: int = 1000
    """At most 1,000,000."""
    minimum_cents: Limit = 1
    maximum_cents: Limit | None = None
    """The table's limits for a single bet."""
    beyond: Literal["stop", "cap", "restart"] = "stop"
    """What follows when the system asks for more than the table takes."""
    simulate: AskSimulation | None = None


@get("/api/lab/systems", name="lab-systems", summary="The betting systems", tags=["Lab"])
async def list_systems(house: NamedDependency[House]) -> list[LabSystem]:
    """Every betting system, what it does, and what can be set on it."""
    return await house.run_long(_systems)


@post("/api/lab/slip", name="lab-slip", summary="What a slip is worth", tags=["Lab"], status_code=200)
async def compute_slip(house: NamedDependency[House], data: JSONBody[AskSlip]) -> LabSlip:
    """Exact odds of one round, and the distribution of the net result after many.

    Where the lab was not asked before, it gets ready first: `lab-warming` says to ask again.
    """
    book = house.book(data.book)
    slip = await house.run_long(_slip, book, data.layout, data.stakes)
    from croupier.server.laboratory.figures import answer_slip

    return await house.lab.ask(answer_slip, slip, data.rounds)


@post("/api/lab/session", name="lab-session", summary="How a session ends", tags=["Lab"], status_code=200)
async def compute_session(house: NamedDependency[House], data: JSONBody[AskSession]) -> LabSession:
    """How a session with a betting system ends: exactly, and simulated beside it if asked.

    Where one of both is not possible the other is given with the reason; refused where neither is.
    """
    book = house.book(data.book)
    session = await house.run_long(_session, book, data)
    exact, no_exact = await _exact(house, session, data)
    simulated, not_simulated = await _simulated(house, session, data, exact)
    if exact is None and simulated is None and no_exact is not None:
        raise refuse(no_exact.code, no_exact.sentence)
    first = session.system.slips[0]
    return LabSession(
        book=book.id,
        layout=first.layout,
        system=session.system.name,
        unit_cents=dict(first.stakes_cents),
        slips=len(session.system.slips),
        bankroll_cents=session.bankroll_cents,
        exact=exact,
        no_exact=no_exact,
        simulated=simulated,
        not_simulated=not_simulated,
    )


HANDLERS: Sequence[HTTPRouteHandler] = (list_systems, compute_slip, compute_session)


async def _exact(
    house: House, session: "Session", data: AskSession
) -> tuple[LabExact | None, LabUnable | None]:
    """The exact answer, or why there is none; that is no refusal where the rest is simulated."""
    from croupier.server.laboratory.figures import answer_exact

    try:
        return await house.lab.ask(answer_exact, session), None
    except BadInput as refusal:
        if refusal.code != "session-too-large" or data.simulate is None:
            raise
        return None, LabUnable(code=refusal.code, sentence=str(refusal))
    except NotDone as refusal:
        if refusal.refused.code != "lab-too-long" or data.simulate is None:
            raise
        return None, LabUnable(code=refusal.refused.code, sentence=refusal.refused.sentence)


async def _simulated(
    house: House, session: "Session", data: AskSession, exact: LabExact | None
) -> tuple[LabSimulated | None, LabUnable | None]:
    if data.simulate is None:
        return None, None
    from croupier.server.laboratory.figures import Known, answer_simulated

    known = None if exact is None else Known(exact.figures, exact.deviations)
    try:
        simulated = await house.lab.ask(
            answer_simulated, session, data.simulate.sessions, data.simulate.seed, known
        )
    except NotDone as refusal:
        # A process that was just ended takes a moment to come back; what is exact is not held up by it.
        return None, LabUnable(code=refusal.refused.code, sentence=refusal.refused.sentence)
    return simulated, None


def _systems() -> list[LabSystem]:
    need_lab()
    from croupier.server.laboratory.figures import answer_systems

    return answer_systems()


def _slip(book: Book, layout: str | None, stakes: Mapping[str, int]) -> "Slip":
    need_lab()
    from croupier.lab import place_slip

    slip = place_slip(book, stakes, get_layout(book, layout))
    if slip.staked_cents > MOST_STAKED_CENTS:
        raise BadInput(
            "slip-too-large",
            f"The slip stakes {slip.staked_cents} cents.",
            f"Stake up to {MOST_STAKED_CENTS} cents in all.",
        )
    return slip


def _session(book: Book, data: AskSession) -> "Session":
    need_lab()
    from croupier.lab import SYSTEMS, Limits, Session
    from croupier.lab.chunks import check_count
    from croupier.lab.lattice import check_rounds
    from croupier.lab.streams import check_seed
    from croupier.lab.system import check_session
    from croupier.lab.systems import default_bet
    from croupier.lab.systems.parameters import build_system

    felt = get_layout(book, data.layout)
    stakes: Mapping[str, int] = data.stakes
    if data.system in SYSTEMS and SYSTEMS[data.system].own_bets:
        if stakes:
            raise BadInput(
                "system-chooses-bets",
                f"{data.system} chooses its bets itself.",
                "Leave the stakes out; the unit is its chip.",
            )
        stakes = {default_bet(felt): data.unit_cents}
    system = build_system(data.system, data.settings, book, felt, _slip(book, felt.id, stakes))
    check_rounds(data.rounds)
    if data.simulate is not None:
        check_count(data.simulate.sessions, MOST_SESSIONS, "sessions")
        check_seed(data.simulate.seed)
    session = Session(
        system=system,
        bankroll_cents=data.bankroll_cents,
        rounds=data.rounds,
        goal_cents=data.goal_cents,
        stop_cents=data.stop_cents,
        limits=Limits(minimum_cents=data.minimum_cents, maximum_cents=data.maximum_cents, beyond=data.beyond),
    )
    check_session(session)
    return session

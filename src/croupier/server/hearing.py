"""Who hears of an event: as its kind says, or whoever has stayed since the round that it is about."""

from collections.abc import Mapping
from typing import Final

from croupier.table import Event, State, carrying, hears
from croupier.table import events as e

VisitsOpen = Mapping[tuple[int, str], int]
"""By round and seat, the visit in which it was played."""
NONE_OPEN: Final[VisitsOpen] = {}


def heard_by(state: State, event: Event, visits_open: VisitsOpen = NONE_OPEN) -> tuple[str, str]:
    """Who hears of an event, as `hears` has it, or who has stayed.

    A correction that leaves new money alone is for the staff, as nobody knows whose money that is. But the
    visit in which the round was played goes on, and whoever is there looks back at it; so they do at what is
    paid or collected by hand. What the house gives up for itself is nothing that happens to them.
    """
    match event:
        case (
            e.SeatCorrected(has_left=True)
            | e.CarriedNetted(has_left=True)
            | e.CarriedSettled(how=carrying.PAID | carrying.COLLECTED)
        ):
            if _has_stayed(state, event.round, event.seat, visits_open):
                return e.SEAT, event.seat
    return hears(event)


def _has_stayed(state: State, number: int, seat: str, visits_open: VisitsOpen) -> bool:
    # The state may be that after several commands, the last of which has let go of the round.
    round_ = state.over(number)
    part = None if round_ is None else round_.seats.get(seat)
    visit = visits_open.get((number, seat)) if part is None else part.visit
    return visit == state.seats[seat].visit


def visits_left_open(state: State) -> VisitsOpen:
    """In which visit each seat played the rounds whose corrections have left money open with it.

    The table lets go of an old round with the last of that money, which is just when who has stayed is to
    hear of it: whoever tells them has to remember.
    """
    return {
        (number, seat): part.visit
        for number, round_ in (state.owing | state.kept).items()
        for seat, part in round_.seats.items()
        if part.carried_cents
    }

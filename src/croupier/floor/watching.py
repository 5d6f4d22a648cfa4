"""The invariants of money, watched after every command at the accounts it touched."""

from collections.abc import Iterable

from croupier.table import Entry, State
from croupier.table.events import MOVING
from croupier.table.ledger import Posting


def faults_after(state: State, entries: Iterable[Entry]) -> list[str]:
    """What does not hold at the accounts that these entries touched, as sentences."""
    faults: list[str] = []
    for entry in entries:
        event = entry.event
        if type(event) in MOVING:
            seat_id: str = event.seat  # type: ignore[union-attr]  # what moves money names its seat, by test
            credits, stakes = f"credits/{seat_id}", f"stakes/{seat_id}"
            moved: tuple[Posting, ...] = event.postings  # type: ignore[union-attr]  # it is among those that have them
            if not _is_bet(moved, credits, stakes):
                faults += _faults_of(moved, seat_id, credits, stakes)
            _watch_seat(state, seat_id, credits, stakes, faults)
    return faults


def _faults_of(moved: tuple[Posting, ...], seat_id: str, credits: str, stakes: str) -> list[str]:
    faults: list[str] = []
    for posting in moved:
        source, destination = posting.source, posting.destination
        if posting.cents <= 0:
            faults.append(f"A posting from {source} to {destination} moves {posting.cents}.")
        faults += [
            f"An event of seat {seat_id} moves money of {account}."
            for account in (source, destination)
            if "/" in account and account not in (credits, stakes)
        ]
    return faults


def _is_bet(moved: tuple[Posting, ...], credits: str, stakes: str) -> bool:
    """Whether money went from a seat's credits to its stakes and nowhere else: the usual case."""
    if len(moved) != 1:
        return False
    posting = moved[0]
    return posting.source == credits and posting.destination == stakes and posting.cents > 0


def _watch_seat(state: State, seat_id: str, credits: str, stakes: str, faults: list[str]) -> None:
    seat, balances = state.seats[seat_id], state.balances
    credits_cents = balances.get(credits, 0)
    if credits_cents < 0:
        faults.append(f"Seat {seat_id} has {credits_cents} cents of credits.")
    if balances.get(stakes, 0) != seat.staked_cents:
        faults.append(f"The stakes of seat {seat_id} are not what lies on its bets.")
    if seat.meters.credits_cents != credits_cents:
        faults.append(f"The meters of seat {seat_id} do not give its credits.")

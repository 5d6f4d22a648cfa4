"""The invariants of money, watched after every command at the accounts it touched."""

from collections.abc import Iterable

from croupier.table import Entry, State, postings
from croupier.table.ledger import stakes_of


def faults_after(state: State, entries: Iterable[Entry]) -> list[str]:
    """What does not hold at the accounts that these entries touched, as sentences."""
    faults = []
    seats: set[str] = set()
    for entry in entries:
        for posting in postings(entry.event):
            if posting.cents <= 0:
                faults.append(
                    f"A posting from {posting.source} to {posting.destination} moves {posting.cents}."
                )
            for account in (posting.source, posting.destination):
                kind, _, owner = account.partition("/")
                if kind in ("credits", "stakes"):
                    seats.add(owner)
    for seat_id in seats:
        seat, credits_cents = state.seats[seat_id], state.credits_cents(seat_id)
        if credits_cents < 0:
            faults.append(f"Seat {seat_id} has {credits_cents} cents of credits.")
        if state.balances.get(stakes_of(seat_id), 0) != seat.staked_cents:
            faults.append(f"The stakes of seat {seat_id} are not what lies on its bets.")
        if seat.meters.credits_cents != credits_cents:
            faults.append(f"The meters of seat {seat_id} do not give its credits.")
    return faults

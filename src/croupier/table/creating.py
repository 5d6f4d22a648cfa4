"""How a table begins."""

from croupier.table.actors import Actor
from croupier.table.events import Cause, Entry, TableCreated
from croupier.table.evolve import evolve
from croupier.table.rules import Rules
from croupier.table.settings import Settings, settings_faults
from croupier.table.state import State, new_state


def create(rules: Rules, settings: Settings, at_ms: int, actor: Actor) -> tuple[State, Entry]:
    """A new table, and the first entry of its history."""
    faults = settings_faults(rules, settings)
    if settings.pocket_order not in ((), rules.book.wheel.order):
        faults.append("The settings have another order of the pockets than the rules; take table_rules.")
    if faults:
        raise ValueError(" ".join(faults))
    cause = Cause(at_ms=at_ms, actor=actor, sender=actor.id, number=0, fingerprint="")
    entry = Entry(cause, TableCreated(settings=settings, book_sha256=rules.book.sha256))
    state = new_state(settings)
    evolve(rules, state, entry)
    return state, entry

"""Making a new table in a journal."""

from croupier.floor.codec import drafts_of
from croupier.floor.streams import is_table
from croupier.journal import EMPTY, Store, StoreError, link
from croupier.table import Actor, Rules, Settings, create


def create_table(store: Store, rules: Rules, settings: Settings, at_ms: int, actor: Actor) -> None:
    """Writes the first record of a table; refuses a name that is taken."""
    if not is_table(settings.table):
        raise StoreError(f"{settings.table!r} is the name of a part of the journal, and of no table.")
    if store.head(settings.table) != EMPTY:
        raise StoreError(f"There is a table {settings.table!r} in this journal already.")
    _, entry = create(rules, settings, at_ms, actor)
    store.append(list(link(settings.table, EMPTY, drafts_of([entry]))), [])

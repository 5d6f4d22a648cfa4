"""Drafts for the tests of journals: one by one, or any that can be."""

from typing import Any

from hypothesis import strategies as st

from croupier.journal import Draft, Head, Record, Store, link

WHOLE = st.integers(-(2**63), 2**63 - 1)
TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\0"), max_size=20)


def draft(number: int = 1, **fields: Any) -> Draft:
    """A draft of a record that a sender's number led to."""
    ordinary = Draft(1_700_000_000_000, "dealer-1", "console", number, 0, "bets-opened", 1, b'{"round":1}')
    return ordinary._replace(**fields)


def drafts(count: int, first: int = 1) -> list[Draft]:
    """Drafts of as many commands."""
    return [draft(number) for number in range(first, first + count)]


def any_drafts(min_size: int = 1) -> st.SearchStrategy[list[Draft]]:
    """Whatever a writer may write down in one go, without claims."""
    one = st.builds(Draft, WHOLE, TEXT, TEXT, WHOLE, WHOLE, TEXT, WHOLE, st.binary(max_size=200), st.just(()))
    return st.lists(one, min_size=min_size, max_size=8, unique_by=lambda d: (d.sender, d.number, d.part))


def write(store: Store, table: str, batch: list[Draft]) -> list[Record]:
    """Appends drafts behind the table's head, with their claims, and gives the records."""
    return write_behind(store, table, store.head(table), batch)


def write_behind(store: Store, table: str, head: Head, batch: list[Draft]) -> list[Record]:
    """Appends drafts behind what a writer believes to be the table's head."""
    records = list(link(table, head, batch))
    claims = [
        (key, record.sequence) for one, record in zip(batch, records, strict=True) for key in one.claims
    ]
    store.append(records, claims)
    return records

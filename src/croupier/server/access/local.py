"""What somebody does on the machine itself, beside a server or without one: one thing, written down."""

from collections.abc import Sequence

from croupier.floor.clock import Clock
from croupier.floor.office.devices import check_place, issue_code
from croupier.floor.office.office import Who
from croupier.floor.office.records import Authorised, OfficeEntry
from croupier.journal import Store
from croupier.rulebook import BadInput
from croupier.server.access.hashing import Hasher, digest_of_code
from croupier.server.access.people import People
from croupier.server.access.policy import AccessPolicy
from croupier.server.access.proving import AUTHORISE
from croupier.server.access.refusals import CODES, Refusal
from croupier.server.access.tokens import new_code, new_id, read_code
from croupier.server.access.writing import OfficeThread
from croupier.table import Actor


async def hash_password(password: str, policy: AccessPolicy) -> str:
    """The hash of a password."""
    hasher = Hasher(policy.hash_cost, 1, 1)
    try:
        return await hasher.hash(password)
    finally:
        hasher.close()


async def authorise_here(
    store: Store, clock: Clock, policy: AccessPolicy, name: str, password: str, what: str
) -> Actor:
    """Somebody who proves who they are for one thing; bad input where they do not."""
    office = OfficeThread(store, clock, _nobody_listens)
    hasher = Hasher(policy.hash_cost, 1, 1)
    try:
        people = People(office, hasher, policy)
        await people.begin()
        person = await people.prove(
            name, password, "", AUTHORISE, lambda person: [Authorised(name=person.name, beside="", what=what)]
        )
    finally:
        await office.close()
        hasher.close()
    if isinstance(person, Refusal):
        raise BadInput(person.code, person.sentence)
    return Actor(id=person.name, position=person.position)


async def issue_code_here(
    store: Store,
    clock: Clock,
    policy: AccessPolicy,
    by: Who,
    kind: str,
    table: str | None,
    seat: str | None,
) -> str:
    """A code that enrols one device, by whoever runs this machine."""
    check_place(kind, table, seat)
    office = OfficeThread(store, clock, _nobody_listens)
    try:
        if table is not None and not await office.has_table(table):
            raise BadInput("unknown-table", CODES["unknown-table"])
        code = new_code()
        digest = digest_of_code(read_code(code) or "")
        await office.write(by, issue_code(new_id("code"), digest, kind, table, seat, policy.code_minutes))
    finally:
        await office.close()
    return code


def _nobody_listens(entries: Sequence[OfficeEntry]) -> None:
    """There are no sessions and no connections here that could end."""

"""The demonstration floor: a table of each game, people with a public password, loopback only."""

from importlib import resources
from pathlib import Path
from typing import Final

import msgspec

from croupier.floor.clock import Clock
from croupier.floor.office.office import Office, Who
from croupier.floor.office.records import OFFICE
from croupier.floor.office.staff import CAGE_DUTY, NO_POSITION, OPERATOR, add, set_position
from croupier.floor.streams import is_table
from croupier.journal import Store
from croupier.rulebook import BadInput
from croupier.server.access.hashing import HashCost, Hasher
from croupier.server.config import Config, Listen
from croupier.server.config_reading import read_config

PASSWORD: Final = "demonstration"
"""Everybody knows it: that is why this floor listens on its own machine alone."""

STAFF: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "dealer": ("dealer", ()),
    "supervisor": ("pit-supervisor", (CAGE_DUTY,)),
    "manager": ("pit-manager", (OPERATOR,)),
    "shift": ("shift-manager", (OPERATOR,)),
    "cashier": (NO_POSITION, (CAGE_DUTY,)),
    "crew-dealer": ("dealer", ()),
    "crew-supervisor": ("shift-manager", ()),
}
"""By name, the position and the duties; the crew's two work the tables by themselves."""

GUIDE: Final = "demonstration"
"""Who is behind everything that makes a floor a demonstration; no account of a machine is called so."""

CREW: Final = ("crew-dealer", "crew-supervisor")


def demonstration_config(data: Path, port: int | None = None) -> Config:
    """The floor, with everything that it writes in one folder."""
    data.mkdir(parents=True, exist_ok=True)
    content = resources.files("croupier.server").joinpath("demonstration.toml").read_bytes()
    config = read_config(content, "demonstration.toml", data)
    if port is None:
        return config
    return msgspec.structs.replace(config, listen=Listen(host=config.listen.host, port=port))


def check_journal(store: Store, *, demonstration: bool) -> None:
    """Refuses a demonstration on a real floor's journal, and a real floor on a demonstration's.

    Everybody knows the passwords of a demonstration: its people may never be let into a real floor. A journal
    that begins with them is a demonstration's, whoever else works there.
    """
    added_by = {record.actor for record in store.read(OFFICE) if record.kind == "staff-added"}
    if not demonstration and GUIDE in added_by:
        raise BadInput(
            "demonstration-journal",
            "This journal is a demonstration's: its passwords are public.",
            "Begin a real floor with a journal of its own.",
        )
    if demonstration and GUIDE not in added_by and (added_by or _has_tables(store)):
        raise BadInput(
            "real-journal",
            "This journal is a real floor's; a demonstration would let everybody into it.",
            "Give the demonstration a folder of its own, as with --data.",
        )


def _has_tables(store: Store) -> bool:
    return any(is_table(stream) for stream in store.tables())


async def add_staff(store: Store, clock: Clock, cost: HashCost) -> None:
    """Lets the people of the demonstration in, where they are not known yet.

    Its crew has the position that its work takes, whatever an earlier version gave it.
    """
    office = Office(store, clock)
    office.catch_up()
    known = dict(office.state.staff)
    hasher = Hasher(cost, 1, len(STAFF))
    for name, (position, duties) in STAFF.items():
        person = known.get(name)
        if person is None:
            hashed = await hasher.hash(PASSWORD)
            office.write(Who(GUIDE), add(name, position, duties, hashed, is_one_time=False))
        elif name in CREW and person.is_active and person.position != position:
            office.write(Who(GUIDE), set_position(name, position, duties))
    hasher.close()


def sign_in_text() -> str:
    """How people get into a demonstration floor."""
    people = "\n".join(
        f"  {name:20}  {position if position != NO_POSITION else ', '.join(duties)}"
        for name, (position, duties) in STAFF.items()
        if name not in CREW
    )
    return f'Sign in with the password "{PASSWORD}" as\n{people}'

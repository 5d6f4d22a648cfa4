"""The demonstration floor: a table of each game and layout, people with a public password, loopback only."""

from importlib import resources
from pathlib import Path
from typing import Final

import msgspec

from croupier.floor.office import Office, Who
from croupier.floor.office_staff import CAGE_DUTY, NO_POSITION, OPERATOR, add
from croupier.server.access.hashing import Hasher
from croupier.server.config import Config, Listen
from croupier.server.config_reading import read_config
from croupier.server.floor import Floor

PASSWORD: Final = "demonstration"
"""Everybody knows it: that is why this floor listens on its own machine alone."""

STAFF: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "dealer": ("dealer", ()),
    "supervisor": ("pit-supervisor", (CAGE_DUTY,)),
    "manager": ("pit-manager", (OPERATOR,)),
    "shift": ("shift-manager", (OPERATOR,)),
    "cashier": (NO_POSITION, (CAGE_DUTY,)),
    "crew-dealer": ("dealer", ()),
    "crew-supervisor": ("pit-supervisor", ()),
}
"""By name, the position and the duties; the crew's two work the tables by themselves."""

CREW: Final = ("crew-dealer", "crew-supervisor")


def demonstration_config(data: Path, port: int | None = None) -> Config:
    """The floor, with everything that it writes in one folder."""
    data.mkdir(parents=True, exist_ok=True)
    content = resources.files("croupier.server").joinpath("demonstration.toml").read_bytes()
    config = read_config(content, "demonstration.toml", data)
    if port is None:
        return config
    return msgspec.structs.replace(config, listen=Listen(host=config.listen.host, port=port))


async def add_staff(floor: Floor) -> None:
    """Lets the people of the demonstration in, where they are not known yet."""
    known = {row.name for row in floor.access.staff()}
    hasher = Hasher(floor.hash_cost, 1, len(STAFF))
    office = Office(floor.store, floor.clock)
    for name, (position, duties) in STAFF.items():
        if name not in known:
            hashed = await hasher.hash(PASSWORD)
            office.write(Who("demonstration"), add(name, position, duties, hashed, is_one_time=False))
    hasher.close()

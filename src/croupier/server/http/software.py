"""The installed software, compared with its record because somebody asks."""

from collections.abc import Sequence

from litestar import post
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler

from croupier.floor.house.log import SoftwareChecked
from croupier.server.http.house import House
from croupier.server.http.refusing import refuse


@post(
    "/api/software-check",
    name="software-check",
    summary="Check the software",
    tags=["Operation"],
    status_code=200,
)
async def check_software(house: NamedDependency[House]) -> SoftwareChecked:
    """Compares the software with its record; the result is in the house's log, and a fault stops play."""
    checked = None if house.check_software is None else await house.check_software()
    if checked is None:
        raise refuse("no-record", "No record is named to compare the software with: set 'integrity'.")
    return checked


HANDLERS: Sequence[HTTPRouteHandler] = (check_software,)

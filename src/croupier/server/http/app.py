"""The application: every handler, behind the same guard, with the same headers and refusals."""

import functools
from collections.abc import Awaitable, Callable, Sequence
from importlib.resources.abc import Traversable
from typing import TYPE_CHECKING, Any, Final

from litestar import Litestar, Request
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler

from croupier.floor.house.log import SoftwareChecked
from croupier.floor.reports.calendar import STARTS
from croupier.journal import StoreError
from croupier.rulebook import BadInput
from croupier.server.floor import Floor
from croupier.server.http import (
    books,
    cage_reporting,
    correcting,
    demonstrating,
    devices,
    exporting,
    health,
    lab,
    pages,
    recalling,
    reference,
    refusing,
    reporting,
    signing,
    software,
    staffing,
    tables,
    tickets,
    vouchers,
    wheels_watched,
)
from croupier.server.http.authority import guard
from croupier.server.http.bodies import StrictRequest
from croupier.server.http.callers import KEY, Caller
from croupier.server.http.headers import add_headers
from croupier.server.http.house import Check, House
from croupier.server.http.openapi import openapi
from croupier.server.http.queries import check_query
from croupier.server.http.screens import COMPRESSED_ALREADY, Screens

if TYPE_CHECKING:
    from croupier.server.suspecting import WheelsWatched

LARGEST_BODY: Final = 64 * 1024
"""How many bytes a request may carry."""
_WORTH_COMPRESSING: Final = 1024
_COMPRESSED: Final = 4
"""How hard to try: answers are compressed while everybody else waits, and more hardly makes them smaller."""

HANDLERS: Sequence[HTTPRouteHandler] = (
    *health.HANDLERS,
    *software.HANDLERS,
    *books.HANDLERS,
    *tables.HANDLERS,
    *signing.HANDLERS,
    *devices.HANDLERS,
    *staffing.HANDLERS,
    *vouchers.HANDLERS,
    *tickets.HANDLERS,
    *cage_reporting.HANDLERS,
    *recalling.HANDLERS,
    *correcting.HANDLERS,
    *reporting.HANDLERS,
    *wheels_watched.HANDLERS,
    *lab.HANDLERS,
    *exporting.HANDLERS,
    *reference.HANDLERS,
    *demonstrating.HANDLERS,
    *pages.HANDLERS,
)


def make_app(
    floor: Floor,
    journal: str,
    *,
    zone: str = "UTC",
    shifts: Sequence[str] = STARTS,
    projection: str = ":memory:",
    site: str | None = None,
    checks: Sequence[Callable[[], Check]] = (),
    screens: Traversable | None = None,
    wheels: "WheelsWatched | None" = None,
    check_software: Callable[[], Awaitable[SoftwareChecked | None]] | None = None,
) -> Litestar:
    """The HTTP side of a floor.

    `journal` is the address of the floor's store: exports and bundles read on connections of their own.
    `zone` and `shifts` say by which clocks the house counts its days. `site` stands on tickets.
    `projection` is a file beside the journal that keeps what recall and searches need from one start to the
    next. `checks` say what has to be right before people can play, beside tables and journal. `screens` is
    another folder of pages than the one that comes with the software. `wheels` is the watch on the wheels,
    where there is one, and `check_software` what compares the installed software with its record.
    """
    house = House(
        floor,
        journal,
        zone=zone,
        shifts=tuple(shifts),
        projection=projection,
        site=site,
        screens=Screens(screens),
        openapi=describe,
        wheels=wheels,
        check_software=check_software,
    )
    house.checks.extend(checks)
    return Litestar(
        HANDLERS,
        state=State({"house": house}),
        dependencies=_dependencies(house),
        guards=[guard, check_query],
        request_class=StrictRequest,
        exception_handlers={
            refusing.NotDone: refusing.answer_not_done,
            BadInput: refusing.answer_bad_input,
            StoreError: refusing.answer_store_error,
            HTTPException: refusing.answer_framework,
            Exception: refusing.answer_fault,
        },
        before_send=[add_headers],
        compression_config=CompressionConfig(
            backend="gzip",
            gzip_compress_level=_COMPRESSED,
            minimum_size=_WORTH_COMPRESSING,
            exclude_opt_key=COMPRESSED_ALREADY,
        ),
        request_max_body_size=LARGEST_BODY,
        openapi_config=None,
        logging_config=None,
        on_startup=[house.warm_up, house.keep_expiring],
        on_shutdown=[house.close],
    )


@functools.cache
def describe() -> dict[str, Any]:
    """The OpenAPI document; the same for every floor."""
    return openapi(HANDLERS, _dependencies(None))


def _dependencies(house: House | None) -> dict[str, Provide]:
    def provide_house() -> House | None:
        return house

    return {
        "house": Provide(provide_house, sync_to_thread=False),
        "caller": Provide(provide_caller, sync_to_thread=False),
    }


def provide_caller(request: Request[object, object, State]) -> Caller:
    """Whoever the guard found behind the request."""
    caller: Caller = request.scope["state"][KEY]
    return caller

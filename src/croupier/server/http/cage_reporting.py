"""What the cage paid, by gaming day, shift and cashier: a cashier sees the own figures alone."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import QueryParameter

from croupier.floor.cage.records import CLERK
from croupier.floor.cage.report import CageReport, cage_acts_csv, cage_report_csv, cage_report_facts
from croupier.floor.office.staff import AUDITOR
from croupier.floor.reports.calendar import read_days
from croupier.server.http.authority import SHIFT_MANAGER
from croupier.server.http.callers import Caller
from croupier.server.http.house import House
from croupier.server.http.refusing import refuse
from croupier.server.http.reporting import FromDay, ToDay
from croupier.table.actors import holds

Form = Literal["json", "csv", "acts"]

By = Annotated[
    str,
    QueryParameter(max_length=80, description="What it is by: day, shift, cashier, with commas between."),
]
OfCashier = Annotated[
    str | None, QueryParameter(name="cashier", max_length=200, description="One cashier alone.")
]


@get("/api/cage/report", name="cage-report", summary="A report of the cage", tags=["Cage"])
async def read_cage_report(
    house: NamedDependency[House],
    caller: NamedDependency[Caller],
    by: By = "shift,cashier",
    from_day: FromDay = None,
    to_day: ToDay = None,
    cashier: OfCashier = None,
) -> CageReport:
    """What was paid, voided, expired and reinstated; without days, of the gaming day that runs."""
    return await _report(house, caller, by, from_day, to_day, cashier)


@get(
    "/api/cage/report/file",
    name="cage-report-file",
    summary="A report of the cage as a file",
    tags=["Cage"],
    media_type="text/csv",
)
async def download_cage_report(
    house: NamedDependency[House],
    caller: NamedDependency[Caller],
    by: By = "shift,cashier",
    from_day: FromDay = None,
    to_day: ToDay = None,
    cashier: OfCashier = None,
    form: Annotated[
        Form, QueryParameter(description="As what; `acts` are the single payments and the like.")
    ] = "csv",
) -> Response[bytes]:
    """The figures of a report of the cage, or its acts; amounts in dollars, times in UTC."""
    report = await _report(house, caller, by, from_day, to_day, cashier)
    if form == "json":
        content, media_type = msgspec.json.encode(cage_report_facts(report)), "application/json"
    else:
        lines: Iterable[str] = cage_report_csv(report) if form == "csv" else cage_acts_csv(report)
        content, media_type = "".join(lines).encode(), "text/csv"
    name = "cage-acts.csv" if form == "acts" else f"cage.{form}"
    return Response(
        content,
        media_type=media_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


HANDLERS: Sequence[HTTPRouteHandler] = (read_cage_report, download_cage_report)


async def _report(
    house: House, caller: Caller, by: str, from_day: str | None, to_day: str | None, cashier: str | None
) -> CageReport:
    person = caller.person
    if not holds(caller.actor, SHIFT_MANAGER) and AUDITOR not in person.duties:
        if cashier not in (None, person.name):
            raise refuse("not-allowed", "A cashier sees the own figures.", operation="cage-report")
        cashier = person.name
    if cashier not in (None, CLERK.id, *(row.name for row in house.floor.access.staff())):
        raise refuse("unknown-person", "Nobody of that name works here or did.")
    return await house.run_long(
        house.remembering.cage_report,
        tuple(by.split(",")),
        read_days(from_day, to_day),
        cashier,
        house.floor.clock.now_ms(),
    )

"""Reports by table, dealer, day, shift and hour; meters by seat; the search in significant events."""

from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

import msgspec
from litestar import Response, get
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, FromQuery, QueryParameter

from croupier.floor.reports.calendar import read_days
from croupier.floor.reports.report import Report, report_csv, report_facts, rulings_csv
from croupier.floor.significant.searching import MOST, EventPage, EventQuery, read_codes, read_span
from croupier.floor.significant.streams import STREAMS
from croupier.server.http.house import House
from croupier.table import Meters

Form = Literal["json", "csv", "rulings"]

By = Annotated[
    str,
    QueryParameter(
        max_length=80, description="What it is by: table, dealer, day, shift, hour, with commas between."
    ),
]
FromDay = Annotated[
    str | None,
    QueryParameter(name="from", max_length=40, description="The first gaming day, as in 2024-05-31."),
]
ToDay = Annotated[
    str | None, QueryParameter(name="to", max_length=40, description="The last gaming day, included.")
]
OfTable = Annotated[str | None, QueryParameter(name="table", max_length=200, description="One table alone.")]


class MetersLine(msgspec.Struct, frozen=True, kw_only=True):
    """The readings of a seat, or of the whole table where `seat` is null."""

    seat: str | None
    credits_cents: int
    meters: Meters


class MetersView(msgspec.Struct, frozen=True, kw_only=True):
    """The meters of a table as they stand now."""

    table: str
    at_ms: int
    readings: tuple[MetersLine, ...]


@get("/api/reports", name="reports", summary="A report", tags=["Reports"])
async def read_report(
    house: NamedDependency[House],
    by: By = "day,table",
    from_day: FromDay = None,
    to_day: ToDay = None,
    of_table: OfTable = None,
) -> Report:
    """Drop, turnover, win, hold, rounds an hour, voids and corrections with their clauses."""
    return await _report(house, by, from_day, to_day, of_table)


@get(
    "/api/reports/file",
    name="report-file",
    summary="A report as a file",
    tags=["Reports"],
    media_type="text/csv",
)
async def download_report(
    house: NamedDependency[House],
    by: By = "day,table",
    from_day: FromDay = None,
    to_day: ToDay = None,
    of_table: OfTable = None,
    form: Annotated[
        Form, QueryParameter(description="As what; `rulings` are voids and corrections.")
    ] = "csv",
) -> Response[bytes]:
    """The figures of a report, or its voids, corrections and decisions; amounts in dollars, times in UTC."""
    report = await _report(house, by, from_day, to_day, of_table)
    if form == "json":
        content, media_type = msgspec.json.encode(report_facts(report)), "application/json"
    else:
        lines: Iterable[str] = report_csv(report) if form == "csv" else rulings_csv(report)
        content, media_type = "".join(lines).encode(), "text/csv"
    name = "rulings.csv" if form == "rulings" else f"report.{form}"
    return Response(
        content,
        media_type=media_type,
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@get("/api/tables/{table:str}/meters", name="meters", summary="Meters by seat", tags=["Reports"])
async def read_meters(house: NamedDependency[House], table: FromPath[str]) -> MetersView:
    """The running totals of a table and of each of its seats."""
    state = await house.table(table).runner.consistent_state()
    seats = state.seats.values()
    whole = sum(state.credits_cents(seat.id) for seat in seats)
    return MetersView(
        table=table,
        at_ms=house.floor.clock.now_ms(),
        readings=(
            MetersLine(seat=None, credits_cents=whole, meters=msgspec.structs.replace(state.meters)),
            *(
                MetersLine(
                    seat=seat.id,
                    credits_cents=state.credits_cents(seat.id),
                    meters=msgspec.structs.replace(seat.meters),
                )
                for seat in seats
            ),
        ),
    )


@get("/api/events", name="events", summary="Significant events", tags=["Reports"])
async def search_events(
    house: NamedDependency[House],
    from_moment: Annotated[
        str | None,
        QueryParameter(
            name="from",
            max_length=40,
            description="A day or a moment by the house's clocks, as in 2024-05-31 or 2024-05-31T18:30:00.",
        ),
    ] = None,
    until: Annotated[
        str | None,
        QueryParameter(max_length=40, description="A day, which is included, or the first moment too late."),
    ] = None,
    of_table: Annotated[
        str | None,
        QueryParameter(name="table", max_length=200, description="A table, or cage, office, house."),
    ] = None,
    code: Annotated[
        str | None, QueryParameter(max_length=400, description="Codes, with commas between.")
    ] = None,
    seat: Annotated[str | None, QueryParameter(max_length=200)] = None,
    actor: Annotated[
        str | None, QueryParameter(max_length=200, description="Whoever did it, or authorised it.")
    ] = None,
    of_round: Annotated[int | None, QueryParameter(name="round", ge=1, le=2**53)] = None,
    text: Annotated[str, QueryParameter(max_length=200, description="Words in the sentence.")] = "",
    refusals: Annotated[bool, QueryParameter(description="Whether refused commands are listed too.")] = False,
    newest_first: FromQuery[bool] = True,
    after: Annotated[
        str | None, QueryParameter(max_length=300, description="`next` of the page before.")
    ] = None,
    limit: Annotated[int, QueryParameter(ge=1, le=MOST, description="How many at most.")] = 100,
) -> EventPage:
    """Interruptions, lock-ups, corrections, voids, sign-in failures, lost devices and the like."""
    from_ms, until_ms = read_span(from_moment, until, house.zone)
    if of_table is not None and of_table not in STREAMS:
        await house.recorded_table(of_table)
    query = EventQuery(
        from_ms=from_ms,
        until_ms=until_ms,
        table=of_table,
        codes=read_codes(filter(None, (code or "").split(","))),
        seat=seat,
        actor=actor,
        round=of_round,
        text=text,
        refusals=refusals,
        newest_first=newest_first,
    )
    return await house.run_long(house.remembering.search, query, after, limit)


HANDLERS: Sequence[HTTPRouteHandler] = (read_report, download_report, read_meters, search_events)


async def _report(
    house: House, by: str, from_day: str | None, to_day: str | None, table: str | None
) -> Report:
    if table is not None:
        await house.recorded_table(table)
    return await house.run_long(
        house.remembering.report,
        tuple(by.split(",")),
        read_days(from_day, to_day),
        table,
        running=house.floor.tables,
        now_ms=house.floor.clock.now_ms(),
    )

"""Exports of a table's journal as JSON lines or CSV, streamed; the dispute bundle of a round."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath, QueryParameter
from litestar.response import Stream

from croupier.floor.exports.bearing import select_round
from croupier.floor.exports.bundle import as_archive, make_bundle
from croupier.floor.exports.export import CSV, RECORDS, as_lines, export_rows
from croupier.floor.exports.selection import Selection, select_time
from croupier.floor.verify.evidence import Evidence
from croupier.rulebook import BadInput
from croupier.server.http.authority import RIGHTS
from croupier.server.http.callers import Caller
from croupier.server.http.house import House
from croupier.server.http.refusing import refuse

Kind = Literal["records", "rounds", "bets", "postings", "meters", "events"]
Form = Literal["jsonl", "csv"]


@get(
    "/api/tables/{table:str}/export",
    name="export",
    summary="An export",
    tags=["Reports"],
    media_type="application/x-ndjson",
)
async def export(
    house: NamedDependency[House],
    caller: NamedDependency[Caller],
    table: FromPath[str],
    kind: Annotated[Kind, QueryParameter(description="What is exported.")],
    form: Annotated[Form, QueryParameter(description="JSON lines or CSV.")] = "jsonl",
    day: Annotated[
        str | None,
        QueryParameter(
            max_length=40, description="One gaming day of the house, as reports have it: 2024-05-31."
        ),
    ] = None,
    of_round: Annotated[
        int | None, QueryParameter(name="round", ge=1, le=2**53, description="One round.")
    ] = None,
    refusals: Annotated[
        bool, QueryParameter(description="Whether events hold refused commands too.")
    ] = False,
) -> Stream:
    """Rounds, bets, postings, meters or significant events of a table, or its records as they are.

    Records hold whole numbers of vouchers and take a shift manager or an auditor.
    """
    if day is not None and of_round is not None:
        raise BadInput("bad-export", "An export is of a day or of a round, not of both.")
    if kind == RECORDS and not RIGHTS["records"].has(caller):
        raise refuse("not-allowed", f"Records take {RIGHTS['records'].words}.", operation="records")
    await house.recorded_table(table)
    span = None if day is None else house.calendar.span_of(day)

    def lines(evidence: Evidence) -> Iterator[str]:
        selection = Selection()
        if span is not None:
            selection = select_time(evidence, table, *span)
        elif of_round is not None:
            selection = select_round(evidence, table, of_round)
        rows = export_rows(
            evidence, table, kind, selection, refusals=refusals, find_book=house.floor.find_book
        )
        return as_lines(rows, form, kind)

    # A stream's own media type does not count beside the handler's; a header does.
    return Stream(
        await house.stream(lines),
        headers={
            "Content-Type": "text/csv; charset=utf-8" if form == CSV else "application/x-ndjson",
            "Content-Disposition": f'attachment; filename="{kind}.{form}"',
        },
    )


@get(
    "/api/tables/{table:str}/rounds/{number:int}/bundle",
    name="bundle",
    summary="A dispute bundle",
    tags=["Reports"],
    media_type="application/zip",
)
async def bundle(
    house: NamedDependency[House], table: FromPath[str], number: FromPath[int]
) -> Response[bytes]:
    """Everything that bears on a round, with its proof in the chain, as an archive."""
    await house.recorded_table(table)
    content = await house.with_evidence(lambda evidence: as_archive(make_bundle(evidence, table, number)))
    return Response(
        content,
        media_type="application/zip",
        headers={"Content-Disposition": f'attachment; filename="round-{number}.zip"'},
    )


HANDLERS: Sequence[HTTPRouteHandler] = (export, bundle)

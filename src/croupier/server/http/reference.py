"""The documents of both interfaces, and pages to read them by."""

from collections.abc import Sequence

from litestar import MediaType, Response, get
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler

from croupier.server.http.house import House
from croupier.server.http.reference_pages import STYLE


@get("/api/openapi.json", name="openapi", include_in_schema=False)
async def read_openapi(house: NamedDependency[House]) -> Response[bytes]:
    """The HTTP API as an OpenAPI document."""
    return Response(await house.run(house.documents.openapi), media_type=MediaType.JSON)


@get("/api/asyncapi.json", name="asyncapi", include_in_schema=False)
async def read_asyncapi(house: NamedDependency[House]) -> Response[bytes]:
    """The live protocol as an AsyncAPI document."""
    return Response(await house.run(house.documents.asyncapi), media_type=MediaType.JSON)


@get("/api/docs", name="reference", include_in_schema=False)
async def read_reference(house: NamedDependency[House]) -> Response[bytes]:
    """The HTTP API to read."""
    return Response(await house.run(house.documents.openapi_page), media_type=MediaType.HTML)


@get("/api/live-docs", name="reference-live", include_in_schema=False)
async def read_live_reference(house: NamedDependency[House]) -> Response[bytes]:
    """The live protocol to read."""
    return Response(await house.run(house.documents.asyncapi_page), media_type=MediaType.HTML)


@get("/api/style.css", name="style", include_in_schema=False, sync_to_thread=False)
def read_style() -> Response[str]:
    """How tickets and reference pages look."""
    return Response(STYLE, media_type="text/css", headers={"Cache-Control": "max-age=3600"})


HANDLERS: Sequence[HTTPRouteHandler] = (
    read_openapi,
    read_asyncapi,
    read_reference,
    read_live_reference,
    read_style,
)

"""The pages of the screens, and their parts."""

from collections.abc import Sequence
from typing import Any, Final

from litestar import MediaType, Request, Response, get
from litestar.di import NamedDependency
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from croupier.server.http.house import House
from croupier.server.http.refusing import refuse
from croupier.server.http.screens import COMPRESSED_ALREADY

PAGES: Final = ("terminal", "console", "pit", "display", "cage", "lab")
FOREVER: Final = "public, max-age=31536000, immutable"

NOT_BUILT: Final = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>croupier</title><link rel="icon" href="data:,">
<link rel="stylesheet" href="/api/style.css"></head>
<body class="reference"><main>
<h1>The screens were not built</h1>
<p>The server runs, and its API answers. The pages are built from <code>web/</code> by
<code>make setup</code>; a release has them inside.</p>
<p><a href="/api/docs">The HTTP API</a> and <a href="/api/live-docs">the live protocol</a>
are described here.</p>
</main></body>
</html>
"""


@get(
    ["/", *(f"/{page}" for page in PAGES)],
    name="page",
    include_in_schema=False,
    media_type=MediaType.HTML,
    opt={COMPRESSED_ALREADY: True},
    sync_to_thread=False,
)
def read_page(house: NamedDependency[House], request: Request[Any, Any, Any]) -> Response[bytes]:
    """A page of the screens."""
    page = request.scope["path"].strip("/") or "index"
    asset = house.screens.find(f"{page}.html")
    if asset is None:
        return Response(NOT_BUILT.encode(), status_code=503, media_type=MediaType.HTML)
    return asset.response(request, "no-store")


@get(
    "/assets/{path:path}",
    name="asset",
    include_in_schema=False,
    opt={COMPRESSED_ALREADY: True},
    sync_to_thread=False,
)
def read_asset(
    house: NamedDependency[House], request: Request[Any, Any, Any], path: FromPath[str]
) -> Response[bytes]:
    """A part of the pages; its name holds a hash of its content, so that it never changes."""
    asset = house.screens.find(f"assets/{path.lstrip('/')}")
    if asset is None:
        raise refuse("not-found", "There is nothing at this address.")
    return asset.response(request, FOREVER)


@get(
    ["/favicon.svg", "/favicon.ico", "/manifest.webmanifest"],
    name="icon",
    include_in_schema=False,
    opt={COMPRESSED_ALREADY: True},
    sync_to_thread=False,
)
def read_icon(house: NamedDependency[House], request: Request[Any, Any, Any]) -> Response[bytes]:
    """What browsers ask for beside the pages."""
    asset = house.screens.find(request.scope["path"].strip("/"))
    if asset is None:
        raise refuse("not-found", "There is nothing at this address.")
    return asset.response(request, "public, max-age=3600")


HANDLERS: Sequence[HTTPRouteHandler] = (read_page, read_asset, read_icon)

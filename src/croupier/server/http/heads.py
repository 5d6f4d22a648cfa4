"""HEAD: whoever probes a floor with it gets what GET would answer, without the body."""

from typing import cast

from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send


def answering_head(app: ASGIApp) -> ASGIApp:
    """The application as it is asked for GET, where it is asked for HEAD; the server leaves the body out."""

    async def answer(scope: Scope, receive: Receive, send: Send) -> None:
        asked = cast(HTTPScope, scope)  # whatever else there is has no method
        if asked.get("method") == "HEAD":
            scope = asked.copy()
            scope["method"] = "GET"
        await app(scope, receive, send)

    return answer

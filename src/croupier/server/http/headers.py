"""What every answer says to browsers: nothing from elsewhere, nothing inline, nothing in frames."""

from typing import Final

from litestar.datastructures import MutableScopeHeaders
from litestar.types import Message, Scope

FOR_PAGES: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "media-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
FOR_DATA: Final = "default-src 'none'; frame-ancestors 'none'"

ALWAYS: Final = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


async def add_headers(message: Message, scope: Scope) -> None:
    """Adds the headers to an answer of any kind, a refusal included."""
    if message["type"] != "http.response.start":
        return
    headers = MutableScopeHeaders(message)
    for name, value in ALWAYS.items():
        headers[name] = value
    is_page = headers.get("content-type", "").startswith("text/html")
    headers["Content-Security-Policy"] = FOR_PAGES if is_page else FOR_DATA
    headers.setdefault("Cache-Control", "no-store")
    if scope.get("scheme") == "https":
        headers["Strict-Transport-Security"] = "max-age=31536000"

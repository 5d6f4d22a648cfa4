"""The documents of both interfaces and their pages, made when they are first asked for and kept."""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import msgspec

from croupier.protocol.describing import asyncapi
from croupier.server.http.reference_pages import asyncapi_page, openapi_page


class Documents:
    """What describes a server to programs and to people."""

    def __init__(self, openapi: Callable[[], dict[str, Any]]) -> None:
        self._describe = openapi

    def openapi(self) -> bytes:
        """The HTTP API as an OpenAPI document."""
        return self._openapi

    def asyncapi(self) -> bytes:
        """The live protocol as an AsyncAPI document."""
        return self._asyncapi

    def openapi_page(self) -> bytes:
        """The HTTP API to read."""
        return self._openapi_page

    def asyncapi_page(self) -> bytes:
        """The live protocol to read."""
        return self._asyncapi_page

    @cached_property
    def _openapi(self) -> bytes:
        return msgspec.json.encode(self._describe())

    @cached_property
    def _asyncapi(self) -> bytes:
        return msgspec.json.encode(asyncapi())

    @cached_property
    def _openapi_page(self) -> bytes:
        return openapi_page(self._describe()).encode()

    @cached_property
    def _asyncapi_page(self) -> bytes:
        return asyncapi_page(asyncapi()).encode()

"""The parameters behind the question mark: what an operation does not take is refused, not ignored.

Somebody who misspells one would otherwise get an answer to another question and not notice.
"""

import functools
from typing import Any, Final

from litestar.connection import ASGIConnection
from litestar.handlers import HTTPRouteHandler
from litestar.handlers.base import BaseRouteHandler
from litestar.params import QueryParameter

from croupier.server.http.refusing import refuse

_UNDER: Final = "/api/"
"""Health, metrics and pages are asked by programs and people who may add what they like."""


async def check_query(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Refuses a parameter that the operation does not take; it is not repeated, for it may be a secret."""
    if not connection.scope["query_string"] or not isinstance(handler, HTTPRouteHandler):
        return
    if handler.include_in_schema is False or not connection.scope["path"].startswith(_UNDER):
        return
    known = parameters_of(handler)
    if any(name not in known for name in connection.query_params):
        takes = f"takes {', '.join(known)}" if known else "takes none"
        raise refuse("unknown-query", f"The address has a parameter that is not known here; this {takes}.")
    if len([*connection.query_params.multi_items()]) > len({*connection.query_params}):
        raise refuse("repeated-query", "A parameter stands in the address twice; each is taken once.")


@functools.cache
def parameters_of(handler: HTTPRouteHandler) -> tuple[str, ...]:
    """The names of the parameters that an operation takes, in the order in which it describes them."""
    fields = handler.parsed_fn_signature.parameters.items()
    return tuple(
        field.kwarg_definition.name or name
        for name, field in fields
        if isinstance(field.kwarg_definition, QueryParameter)
    )

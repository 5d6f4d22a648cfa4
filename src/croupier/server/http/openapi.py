"""The HTTP API as an OpenAPI document, made from the handlers, their types and the table of rights."""

from collections.abc import Iterable, Sequence
from http import HTTPStatus
from typing import Any, Final

from litestar import Litestar
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import Dependencies

from croupier import __version__
from croupier.protocol.book_view import BookView
from croupier.protocol.describing import schemas_of
from croupier.server.http.authority import DEMONSTRATION_TOO, LOOPBACK_TOO, RIGHTS, Right
from croupier.server.http.refusing import Refused

Schema = dict[str, Any]

_ABOUT: Final = (
    "What is asked once: books, tables, sign-in, devices, vouchers, recall, reports, exports, health. What "
    "lives goes over the WebSocket protocol. Callers are known by a token in the header "
    "`Authorization: Bearer …`, which a sign-in or an enrolment gives; there are no cookies. Whatever is not "
    "done is answered with a code, a sentence and perhaps facts. Parameters that an operation does not have "
    "are refused. Amounts are whole cents in fields that end in `_cents`; times are "
    "milliseconds since 1970, UTC, in fields that end in `_ms`."
)

_REFUSALS: Final = {
    400: "Malformed: it can never be done like this.",
    401: "Not known who asks, or the name, password or code is not right.",
    403: "The caller may not do this.",
    404: "There is no such thing.",
    409: "Not now, or not any more.",
    413: "The request is too large.",
    422: "Understood, and not legal.",
    429: "Too many attempts.",
    503: "Not possible at the moment; try again.",
}
_REFUSED: Final = {"application/json": {"schema": {"$ref": "#/components/schemas/Refused"}}}
_TEXT: Final = {"schema": {"type": "string"}}

_CONTENT: Final[dict[tuple[str, str], Schema]] = {
    ("ready", "503"): {"application/json": {"schema": {"$ref": "#/components/schemas/Readiness"}}},
    ("book-view", "200"): {"application/json": {"schema": {"$ref": "#/components/schemas/BookView"}}},
    ("export", "200"): {"application/x-ndjson": _TEXT, "text/csv": _TEXT},
    ("report-file", "200"): {"text/csv": _TEXT, "application/json": {"schema": {"type": "object"}}},
    ("cage-report-file", "200"): {"text/csv": _TEXT, "application/json": {"schema": {"type": "object"}}},
    ("bundle", "200"): {"application/zip": {"schema": {"type": "string", "format": "binary"}}},
}
"""What an operation answers where the type of its handler does not say it."""


def openapi(handlers: Sequence[HTTPRouteHandler], dependencies: Dependencies) -> Schema:
    """The document of handlers."""
    described = [handler for handler in handlers if handler.include_in_schema is not False]
    config = OpenAPIConfig(
        title="croupier: the HTTP API",
        version=__version__,
        description=_ABOUT,
        use_handler_docstrings=True,
        render_plugins=[JsonRenderPlugin()],
    )
    # Only described, never served: this one has the framework's own pages, which load code from elsewhere.
    app = Litestar(described, dependencies=dependencies, openapi_config=config, logging_config=None)
    document: Schema = app.openapi_schema.to_schema()
    document["info"]["license"] = {"name": "Apache-2.0", "identifier": "Apache-2.0"}
    names = {(handler_path, method): name for name, handler_path, method in _operations(described)}
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if isinstance(operation, dict) and "responses" in operation:
                _complete(operation, names[path, method.upper()])
    components = document.setdefault("components", {})
    components["schemas"] = _schemas(described, components.get("schemas", {}))
    components["responses"] = {
        f"refused-{status}": {"description": meaning, "content": _REFUSED}
        for status, meaning in _REFUSALS.items()
    }
    components["securitySchemes"] = {
        "bearer": {
            "type": "http",
            "scheme": "bearer",
            "description": "A token from `/api/sign-in` or `/api/devices/enrol`.",
        }
    }
    return document


def _operations(handlers: Iterable[HTTPRouteHandler]) -> Iterable[tuple[str, str, str]]:
    for handler in handlers:
        for path in handler.paths:
            plain = path.replace(":str}", "}").replace(":int}", "}").replace(":path}", "}")
            for method in handler.http_methods:
                yield str(handler.name), plain, str(method)


def _complete(operation: Schema, name: str) -> None:
    """Adds who may, and what an operation may answer where it is not done."""
    right = RIGHTS[name]
    operation["operationId"] = name
    others = ", or this machine itself" if name in LOOPBACK_TOO else ""
    if name in DEMONSTRATION_TOO:
        others = ", or everybody at a demonstration floor"
    who = f"For {right.words}{others}."
    operation["description"] = f"{operation.get('description', '')}\n\n{who}".strip()
    operation["security"] = [] if right.everybody else [{"bearer": []}]
    if name in LOOPBACK_TOO | DEMONSTRATION_TOO:
        operation["security"].append({})
    responses = {status: response for status, response in operation["responses"].items() if int(status) < 400}
    for status in _REFUSALS:
        if _can_be(status, operation, right):
            responses[str(status)] = {"$ref": f"#/components/responses/refused-{status}"}
    for (of, code), content in _CONTENT.items():
        if of == name:
            responses[code] = {"description": HTTPStatus(int(code)).phrase, "content": content}
    operation["responses"] = responses


def _can_be(status: int, operation: Schema, right: Right) -> bool:
    """Whether an operation may be refused so: what only reads is never illegal or not possible any more."""
    if status in (401, 403) and right.everybody:
        return "requestBody" in operation  # sign-in, enrolment, one's own password
    if status in (413, 422, 429):
        return "requestBody" in operation
    return True


def _schemas(handlers: Iterable[HTTPRouteHandler], found: Schema) -> Schema:
    """The schemas with what the source says about every field, in place of the framework's plainer ones."""
    kinds: list[Any] = [Refused, BookView]
    for handler in handlers:
        signature = handler.parsed_fn_signature
        body = signature.parameters.get("data")
        for field in (signature.return_type, *([body] if body is not None else [])):
            kinds += [
                inner.annotation for inner in (field, *field.inner_types) if _is_struct(inner.annotation)
            ]
    schemas = found | schemas_of(kinds)
    return {name: schema for name, schema in sorted(schemas.items()) if name not in _DEPENDENCIES}


_DEPENDENCIES: Final = ("Caller", "Session")
"""Types that handlers are given and nobody is sent."""


def _is_struct(annotation: Any) -> bool:
    return isinstance(annotation, type) and hasattr(annotation, "__struct_fields__")

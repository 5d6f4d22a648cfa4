"""The WebSocket protocol as an AsyncAPI document, made from the types."""

import functools
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from croupier import __version__
from croupier.protocol.asking import VERSION
from croupier.protocol.examples import EXAMPLES
from croupier.protocol.wire_types import (
    DOWN,
    EVENT_OF_TOLD,
    UP,
    doc_of,
    events,
    notes_of,
    tag_of,
)
from croupier.table import CODES

Schema = dict[str, Any]

PATH: Final = "/ws"
_REF: Final = "#/components/schemas/{name}"

_ABOUT: Final = (
    "What lives at a table: commands up, events down, as JSON text messages over one WebSocket at `/ws`. "
    "The first message is `hello`, with the token of a device or of a session; the answer is `welcome`, then "
    "a `snapshot` or, after `resume`, the events that were missed. Every event has a growing `seq`; a client "
    "that sees a gap asks for `resync`. A `beat` is answered with `alive`. An `answer` to a command comes "
    "when what it says is on the disk; where no answer came, the command is sent again with its number."
)


@functools.cache
def asyncapi() -> Schema:
    """The document."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "croupier: the live protocol",
            "version": __version__,
            "description": _ABOUT,
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": "application/json",
        "channels": {
            "floor": {
                "address": PATH,
                "title": "One connection to a floor",
                "description": f"Version {VERSION} of the protocol.",
                "messages": {
                    tag_of(kind): {"$ref": f"#/components/messages/{tag_of(kind)}"} for kind in (*UP, *DOWN)
                },
                "bindings": {"ws": {"method": "GET", "bindingVersion": "0.1.0"}},
            }
        },
        "operations": {
            **{f"receive-{tag_of(kind)}": _operation("receive", kind) for kind in UP},
            **{f"send-{tag_of(kind)}": _operation("send", kind) for kind in DOWN},
        },
        "components": {
            "messages": {tag_of(kind): _message(kind) for kind in (*UP, *DOWN)},
            "schemas": schemas_of((*UP, *DOWN, *events().values())),
        },
        "x-rejections": {
            code: {"kind": known.kind, "meaning": known.meaning} for code, known in CODES.items()
        },
    }


def _operation(action: str, kind: type) -> Schema:
    return {
        "action": action,
        "channel": {"$ref": "#/channels/floor"},
        "summary": doc_of(kind).partition("\n")[0],
        "messages": [{"$ref": f"#/channels/floor/messages/{tag_of(kind)}"}],
    }


def _message(kind: type) -> Schema:
    return {
        "name": tag_of(kind),
        "title": kind.__name__,
        "summary": doc_of(kind).partition("\n")[0],
        "payload": {"$ref": _REF.format(name=kind.__name__)},
        "examples": [{"payload": EXAMPLES[kind]}],
    }


def schemas_of(kinds: Iterable[Any], ref: str = _REF) -> dict[str, Schema]:
    """The JSON schemas of types and of all that they hold, with what the source says about each field."""
    kinds = [*kinds]
    _, schemas = msgspec.json.schema_components(kinds, ref_template=ref)
    for kind in _structs_of(kinds):
        _add_notes(schemas, kind)
    told, field = EVENT_OF_TOLD
    if told.__name__ in schemas:
        schemas[told.__name__]["properties"][field] |= {
            "oneOf": [{"$ref": ref.format(name=kind.__name__)} for kind in events().values()],
            "discriminator": "type",
        }
    return dict(sorted(schemas.items()))


def _structs_of(kinds: Iterable[Any]) -> list[type]:
    """Every struct that is reached from some types."""
    found: dict[type, None] = {}

    def walk(of: Any) -> None:
        cls = getattr(of, "cls", None)
        if cls is not None:
            if cls in found:
                return
            found[cls] = None
        for name in ("fields", "types", "item_types"):
            for part in getattr(of, name, ()):
                walk(getattr(part, "type", part))
        for name in ("item_type", "key_type", "value_type"):
            if (part := getattr(of, name, None)) is not None:
                walk(part)

    for info in msgspec.inspect.multi_type_info(kinds):
        walk(info)
    return [*found]


def _add_notes(schemas: dict[str, Schema], kind: type) -> None:
    schema = schemas.get(kind.__name__)
    if schema is None or "properties" not in schema:
        return
    if doc_of(kind):
        schema["description"] = doc_of(kind)
    for field, note in notes_of(kind).items():
        if field in schema["properties"]:
            schema["properties"][field] = {"description": note, **schema["properties"][field]}

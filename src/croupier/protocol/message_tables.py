"""The tables of docs/protocol-messages.md, made from the types.

python -m croupier.protocol.message_tables > docs/protocol-messages.md
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from croupier.protocol.describing import schemas_of
from croupier.protocol.examples import EXAMPLES
from croupier.protocol.wire_types import COMMANDS, DOWN, UP, doc_of, events, tag_of

Schema = Mapping[str, Any]

HEADING: Final = """\
# Messages of the protocol

Made from the types by `python -m croupier.protocol.message_tables`; how they are used stands in
[protocol.md](protocol.md). A field with a question mark has a default and may be missing. Amounts are whole
cents in fields that end in `_cents` or are called `cents`; times are milliseconds since 1970, UTC, in fields
that end in `_ms`.
"""

_REF: Final = "{name}"


def message_tables() -> str:
    """The whole document."""
    commands, told = [*COMMANDS], [*events().values()]
    schemas = schemas_of((*UP, *DOWN, *told), _REF)
    listed = {kind.__name__ for kind in (*UP, *DOWN, *commands, *told)}
    parts = [HEADING, "## What a client sends\n"]
    parts += [_message(kind, schemas) for kind in UP]
    parts.append("## Commands\n\nWhat the field `do` of a `command` holds, by its `type`.\n")
    parts.append(_rows(("command", "fields", "what it does"), _kinds(commands, schemas)))
    parts.append("## What a client is told\n")
    parts += [_message(kind, schemas) for kind in DOWN]
    parts.append("## Events\n\nWhat the field `event` of an `event` holds, by its `type`.\n")
    parts.append(_rows(("event", "fields", "what has happened"), _kinds(told, schemas)))
    parts.append("## Parts of messages\n")
    parts += [_part(name, schema) for name, schema in schemas.items() if name not in listed]
    return "\n".join(parts)


def _message(kind: type, schemas: Schema) -> str:
    example = json.dumps(EXAMPLES[kind], ensure_ascii=False)
    lines = [f"### `{tag_of(kind)}`\n", f"{_text(doc_of(kind))}\n", _fields(schemas[kind.__name__])]
    return "\n".join([*lines, f"```json\n{example}\n```\n"])


def _part(name: str, schema: Schema) -> str:
    return f"### {name}\n\n{_text(schema.get('description', ''))}\n\n{_fields(schema)}"


def _fields(schema: Schema) -> str:
    rows = (
        (f"`{name}`{_mark(schema, name)}", _shape(of), _text(of.get("description", "")))
        for name, of in schema.get("properties", {}).items()
    )
    return _rows(("field", "type", ""), rows) if "properties" in schema else f"{_shape(schema)}\n"


def _kinds(kinds: Iterable[type], schemas: Schema) -> Iterator[tuple[str, str, str]]:
    for kind in kinds:
        schema = schemas[kind.__name__]
        fields = (
            f"`{name}`{_mark(schema, name)} {_shape(of)}"
            for name, of in schema["properties"].items()
            if name != "type"
        )
        yield f"`{tag_of(kind)}`", ", ".join(fields), _text(doc_of(kind))


def _mark(schema: Schema, name: str) -> str:
    return "" if name in schema.get("required", ()) else "?"


def _rows(heading: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [_row(heading), "|---" * len(heading) + "|", *map(_row, rows)]
    return "\n".join(lines) + "\n"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def _shape(schema: Schema) -> str:
    if "$ref" in schema:
        return str(schema["$ref"])
    for several in ("anyOf", "oneOf"):
        if several in schema:
            shapes = [_shape(one) for one in schema[several]]
            return " or ".join(shapes) if len(shapes) < 6 else "one of several, by `type`"
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    if "prefixItems" in schema:
        return f"[{', '.join(_shape(one) for one in schema['prefixItems'])}]"
    kind = str(schema.get("type", "anything"))
    if kind == "array" and isinstance(schema.get("items"), Mapping):
        return f"list of {_shape(schema['items'])}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), Mapping):
        return f"by name, {_shape(schema['additionalProperties'])}"
    return kind


def _text(text: str) -> str:
    return re.sub(r"\bNone\b", "null", " ".join(text.split()))


if __name__ == "__main__":
    print(message_tables(), end="")

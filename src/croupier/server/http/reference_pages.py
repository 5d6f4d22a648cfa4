"""Reference pages that work offline: made here from the documents, without any script."""

import json
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, Final

Schema = Mapping[str, Any]

_METHODS: Final = ("get", "post", "put", "patch", "delete")

STYLE: Final = """\
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body.reference {
  display: grid; grid-template-columns: 17rem minmax(0, 60rem); gap: 2rem; margin: 0; padding: 1.5rem;
}
body.reference > main:only-child { grid-column: 1 / -1; }
nav { position: sticky; top: 1.5rem; align-self: start; max-height: calc(100vh - 3rem); overflow: auto; }
nav ul { list-style: none; margin: 0 0 1rem; padding: 0; font-size: .9rem; }
h1 { margin-top: 0; }
section { border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent); padding: 1rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; }
th { font-weight: 600; border-bottom: 1px solid color-mix(in srgb, currentColor 25%, transparent); }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
pre { overflow: auto; padding: .75rem; background: color-mix(in srgb, currentColor 8%, transparent); }
.method { font-weight: 700; text-transform: uppercase; }
@media (max-width: 60rem) {
  body.reference { grid-template-columns: minmax(0, 1fr); }
  nav { position: static; }
}
body.ticket {
  width: 72mm; margin: 4mm; font: 12px/1.4 ui-monospace, monospace; color: #000; background: #fff;
}
body.ticket p { margin: 0 0 1mm; }
body.ticket svg { width: 100%; height: 16mm; }
@page { margin: 0; }
"""


def openapi_page(document: Schema) -> str:
    """The HTTP API, operation by operation, then type by type."""
    groups: dict[str, list[tuple[str, str, Schema]]] = {}
    for path, item in document["paths"].items():
        for method in _METHODS:
            if method in item:
                tag = (item[method].get("tags") or ["Other"])[0]
                groups.setdefault(tag, []).append((method, path, item[method]))
    menu = "".join(
        f"<strong>{escape(tag)}</strong>{_list((of['operationId'], of['summary']) for _, _, of in group)}"
        for tag, group in groups.items()
    )
    body = "".join(
        f"<h2>{escape(tag)}</h2>{''.join(_operation(*one) for one in group)}" for tag, group in groups.items()
    )
    return _page(document, menu, body)


def asyncapi_page(document: Schema) -> str:
    """The live protocol: messages up, messages down, then type by type."""
    messages = document["components"]["messages"]
    parts, menu = [], []
    for action, heading in (("receive", "What a client sends"), ("send", "What a client is told")):
        names = [name.partition("-")[2] for name in document["operations"] if name.startswith(f"{action}-")]
        menu.append(f"<strong>{heading}</strong>{_list((f'message-{name}', name) for name in names)}")
        parts.append(f"<h2>{heading}</h2>{''.join(_message(name, messages[name]) for name in names)}")
    rejections = "".join(
        f"<tr><td><code>{escape(code)}</code></td><td>{escape(known['kind'])}</td>"
        f"<td>{escape(known['meaning'])}</td></tr>"
        for code, known in document["x-rejections"].items()
    )
    parts.append(
        "<h2>Why a command is refused</h2><table><tr><th>code</th><th>kind</th><th>meaning</th></tr>"
        f"{rejections}</table>"
    )
    return _page(document, "".join(menu), "".join(parts))


def _page(document: Schema, menu: str, body: str) -> str:
    info, schemas = document["info"], document["components"]["schemas"]
    types = "".join(_type(name, schema) for name, schema in schemas.items())
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(info["title"])}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/api/style.css">
</head>
<body class="reference">
<nav>{menu}<strong>Types</strong>{_list((f"type-{name}", name) for name in schemas)}</nav>
<main>
<h1>{escape(info["title"])}</h1>
<p>Version {escape(info["version"])}. {_text(info["description"])}</p>
{body}
<h2>Types</h2>
{types}
</main>
</body>
</html>
"""


def _list(links: Iterable[tuple[str, str]]) -> str:
    items = "".join(f'<li><a href="#{escape(to)}">{escape(text)}</a></li>' for to, text in links)
    return f"<ul>{items}</ul>"


def _operation(method: str, path: str, of: Schema) -> str:
    parameters = "".join(
        f"<tr><td><code>{escape(one['name'])}</code></td><td>{escape(one['in'])}</td>"
        f"<td>{_shape(one.get('schema', {}))}</td><td>{_text(one.get('description', ''))}</td></tr>"
        for one in of.get("parameters", ())
    )
    if parameters:
        heading = "<tr><th>parameter</th><th>in</th><th>type</th><th></th></tr>"
        parameters = f"<table>{heading}{parameters}</table>"
    body = "".join(_content("Body", one.get("content", {})) for one in [of.get("requestBody", {})])
    answers = "".join(
        _content(f"Answer {status}", response["content"])
        for status, response in of["responses"].items()
        if "content" in response
    )
    statuses = ", ".join(status for status, response in of["responses"].items() if "$ref" in response)
    refused = f'<p>Refused with {statuses}: <a href="#type-Refused">Refused</a></p>'
    return (
        f'<section id="{escape(of["operationId"])}"><h3>{escape(of["summary"])}</h3>'
        f'<p><code><span class="method">{method}</span> {escape(path)}</code></p>'
        f"<p>{_text(of['description'])}</p>{parameters}{body}{answers}{refused}</section>"
    )


def _content(heading: str, content: Schema) -> str:
    return "".join(
        f"<p>{heading} (<code>{escape(media)}</code>): {_shape(one.get('schema', {}))}</p>"
        for media, one in content.items()
    )


def _message(name: str, of: Schema) -> str:
    example = json.dumps(of["examples"][0]["payload"], indent=2, ensure_ascii=False)
    return (
        f'<section id="message-{escape(name)}"><h3>{escape(name)}</h3><p>{_text(of["summary"])} '
        f"{_shape(of['payload'])}</p><pre>{escape(example)}</pre></section>"
    )


def _type(name: str, schema: Schema) -> str:
    required = schema.get("required", ())
    rows = "".join(
        f"<tr><td><code>{escape(field)}</code>{'' if field in required else ' (may be missing)'}</td>"
        f"<td>{_shape(of)}</td><td>{_text(of.get('description', ''))}</td></tr>"
        for field, of in schema.get("properties", {}).items()
    )
    table = f"<table><tr><th>field</th><th>type</th><th></th></tr>{rows}</table>" if rows else _shape(schema)
    return (
        f'<section id="type-{escape(name)}"><h3>{escape(name)}</h3>'
        f"<p>{_text(schema.get('description', ''))}</p>{table}</section>"
    )


def _shape(schema: Schema) -> str:
    """A schema in a few words, with links to the types that it names."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        return f'<a href="#type-{escape(name)}">{escape(name)}</a>'
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " or ".join(_shape(one) for one in schema[several])
    if "enum" in schema:
        return " or ".join(f"<code>{escape(str(value))}</code>" for value in schema["enum"])
    if "prefixItems" in schema:
        return f"[{', '.join(_shape(one) for one in schema['prefixItems'])}]"
    kind = schema.get("type", "anything")
    if kind == "array" and isinstance(schema.get("items"), Mapping):
        return f"list of {_shape(schema['items'])}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), Mapping):
        return f"by name, {_shape(schema['additionalProperties'])}"
    return escape(" or ".join(kind) if isinstance(kind, list) else str(kind))


def _text(text: str) -> str:
    """Words with `code` in them."""
    parts = escape(text, quote=False).split("`")
    return "".join(f"<code>{part}</code>" if place % 2 else part for place, part in enumerate(parts)).replace(
        "\n\n", "<br>"
    )

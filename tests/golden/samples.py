"""Made-up events, and every way to change one fact of them: what the rendering has to show."""

from collections.abc import Iterator
from typing import Any, Final

import msgspec
from msgspec import inspect

from table.rig import START_MS

_SHAPED: Final[dict[str, tuple[Any, Any]]] = {
    "code": ("bets-closed", "no-round"),
    "began_ms": (START_MS, START_MS + 1000),
    "ended_ms": (START_MS, START_MS + 1000),
    "closes_ms": (START_MS, START_MS + 1000),
    "since_ms": (START_MS, START_MS + 1000),
    "expires_ms": (START_MS, START_MS + 1000),
}
"""Two values each of the facts that cannot be just any text or number."""


def sample(kind: type) -> Any:
    """An event of the kind with every field filled."""
    return msgspec.convert(_fill(inspect.type_info(kind), ""), kind)


def changed(event: Any) -> Iterator[tuple[str, Any]]:
    """The event with one fact changed, for each fact in it however deep, with the way to the fact."""
    for way, content in _changed(msgspec.to_builtins(event), inspect.type_info(type(event)), ""):
        yield way, msgspec.convert(content, type(event))


def _fill(info: inspect.Type, name: str) -> Any:
    """Content for a type; the name of the field decides where the type allows too much."""
    if name in _SHAPED:
        return _SHAPED[name][0]
    match info:
        case inspect.StructType(fields=fields, tag=tag):
            content = {field.name: _fill(field.type, field.name) for field in fields}
            return content if tag is None else {"type": tag, **content}
        case inspect.UnionType(types=types):
            return _fill(next(kind for kind in types if not isinstance(kind, inspect.NoneType)), name)
        case inspect.VarTupleType(item_type=item):
            return [_fill(item, "")]
        case inspect.DictType(value_type=value):
            return {"here": _fill(value, "")}
        case inspect.BoolType():
            return False
        case inspect.IntType():
            return 100 + 7 * len(name)
        case inspect.StrType():
            return f"some-{name}"
    raise TypeError(f"{info} is a new type of field: say what an example of it looks like")


def _changed(content: Any, info: inspect.Type, way: str) -> Iterator[tuple[str, Any]]:
    name = way.rpartition(".")[2]
    if isinstance(info, inspect.UnionType):
        if any(isinstance(kind, inspect.NoneType) for kind in info.types):
            yield f"{way} (none)", None
        info = next(kind for kind in info.types if not isinstance(kind, inspect.NoneType))
    match info:
        case inspect.StructType(fields=fields):
            for field in fields:
                for inner, value in _changed(content[field.name], field.type, f"{way}.{field.name}"):
                    yield inner, {**content, field.name: value}
        case inspect.VarTupleType(item_type=item):
            yield f"{way} (empty)", []
            for inner, value in _changed(content[0], item, f"{way}.each"):
                yield inner, [value]
        case inspect.DictType(value_type=value_type):
            for inner, value in _changed(content["here"], value_type, f"{way}.here"):
                yield inner, {"here": value}
        case inspect.BoolType():
            yield way, not content
        case _ if name in _SHAPED:
            yield way, _SHAPED[name][1]
        case inspect.IntType():
            yield way, content + 1
        case inspect.StrType():
            yield way, f"{content}-changed"
        case _:
            raise TypeError(f"{info} is a new type of field: say how it can change")

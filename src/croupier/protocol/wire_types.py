"""Every type that goes over the wire, with what its source says about each field."""

import ast
import functools
import inspect
import textwrap
from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Final, get_args

import msgspec

from croupier.protocol import asking, facts, telling
from croupier.protocol.book_view import BookView

UP: Final[tuple[type, ...]] = get_args(asking.Asked)
"""What a client sends."""
COMMANDS: Final[tuple[type, ...]] = get_args(asking.Do)
"""What an order can hold."""
DOWN: Final[tuple[type, ...]] = get_args(telling.Message)
"""What a client is told."""
ASKED_ONCE: Final[tuple[type, ...]] = (BookView,)
"""What screens fetch over HTTP and draw from."""

EVENT_OF_TOLD: Final = (telling.Told, "event")
"""The field that holds one of the events; its own type cannot say so, because it depends on the audience."""


@functools.cache
def events() -> Mapping[str, type[msgspec.Struct]]:
    """By tag, each event as a client may see it."""
    return facts.shapes()


_SOURCES: Final = {str(kind.__struct_config__.tag): kind for kind in facts.FACTS}


def tag_of(kind: type) -> str:
    """The value of the field `type`."""
    return str(kind.__struct_config__.tag)  # type: ignore[attr-defined]  # only asked of tagged structs


def doc_of(kind: type) -> str:
    """What a type is, in a sentence or two; empty where nothing says it."""
    return inspect.cleandoc(kind.__doc__ or "")


@functools.cache
def notes_of(kind: type) -> Mapping[str, str]:
    """What the source says about the fields of a type: the text that stands under each.

    >>> from croupier.protocol.views import Outcome
    >>> dict(notes_of(Outcome))
    {'result': 'None where the round is void.'}
    """
    source = _source_of(kind)
    if source is None:
        return {}
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(source))).body
    notes: dict[str, str] = {}
    body: list[Any] = getattr(definition, "body", [])
    for field, below in pairwise(body):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
            and isinstance(below.value.value, str)
        ):
            notes[field.target.id] = inspect.cleandoc(below.value.value)
    return notes


def _source_of(kind: type) -> type | None:
    """Where a type is written down: an event as it is told is made from the event itself."""
    if kind in events().values():
        return _SOURCES[tag_of(kind)]
    return kind

"""Reading what the boxes outside the numbers cover, each checked by what its kind means.

A slip in such a list changes no house edge and no count of bets: `dozen:1` with 14 for 4 pays like any other
dozen, and nobody sees it before the table has paid it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Final

from croupier.rulebook.model import Box, Rect, Wheel
from croupier.rulebook.reader import Node, listed
from croupier.rulebook.vocabulary import INSIDE_KINDS, KINDS, NUMBERED_BOXES

_PARITY: Final = {"even": 0, "odd": 1}
_RUNS: Final = ("dozen", "low", "high")
"""Kinds of boxes whose numbers follow each other, without a zero."""
_APART: Final = (("dozen",), ("low", "high"))
"""Kinds of boxes that have no number in common; columns have none because they are lines of the layout."""


def read_boxes(node: Node, wheel: Wheel) -> dict[str, tuple[str, ...]]:
    """What each box outside the numbers covers."""
    boxes: dict[str, tuple[str, ...]] = {}
    sound: dict[str, tuple[str, ...]] = {}
    box_kinds = [kind for kind in KINDS if kind not in INSIDE_KINDS]
    for bet_id in node.names():
        kind, colon, rest = bet_id.partition(":")
        if kind not in box_kinds or bool(colon) != (kind in NUMBERED_BOXES):
            sentence = f"{bet_id!r} is not a box; kinds of boxes are {listed(box_kinds)}."
            node.fault("unknown-box", sentence, bet_id)
            node.raw(bet_id)
            continue  # a bet of no known kind has no place in the list of bets
        if colon:
            node.check_name(rest or " ", bet_id)
        numbers = node.texts(bet_id)
        for number, count in Counter(numbers).items():
            if number not in wheel.outcomes:
                at = numbers.index(number)
                node.fault("unknown-pocket", f"{number!r} is not on the wheel.", bet_id, at)
            if count > 1:
                node.fault("double-number", f"{number!r} stands here {count} times.", bet_id)
        _check_colour(node, bet_id, numbers, wheel)
        boxes[bet_id] = tuple(numbers)
        if _are_right(node, bet_id, numbers, wheel):
            sound[bet_id] = boxes[bet_id]
    for kinds in _APART:
        _check_apart(node, {box: sound[box] for box in sound if box.partition(":")[0] in kinds})
    return boxes


def _check_colour(node: Node, bet_id: str, numbers: Sequence[str], wheel: Wheel) -> None:
    if bet_id not in ("red", "black"):
        return
    if wheel.kind != "ball":
        sentence = f"a wheel with symbols has no colours; a box for a symbol is called symbol:{bet_id}."
        node.fault("colour-differs", sentence, bet_id)
    elif set(numbers) != {n for n, c in wheel.colours.items() if c == bet_id}:
        sentence = f"{bet_id} covers other numbers than the wheel colours {bet_id}."
        node.fault("colour-differs", sentence, bet_id)


def _are_right(node: Node, bet_id: str, numbers: Sequence[str], wheel: Wheel) -> bool:
    """Whether odd and even are what they say, dozens and halves have no gap, and none of these has a zero."""
    kind = bet_id.partition(":")[0]
    wrong = [
        (index, f"{number} is not {kind}.")
        for index, number in enumerate(numbers)
        if kind in _PARITY and number.isdecimal() and int(number) % 2 != _PARITY[kind]
    ]
    wrong += [
        (index, f"{number} is green, and no {kind} covers it.")
        for index, number in enumerate(numbers)
        if kind in _RUNS and wheel.colours.get(number) == "green"
    ]
    for index, sentence in wrong:
        node.fault("number-differs", sentence, bet_id, index)
    if wrong or not all(number in wheel.outcomes for number in numbers):
        return False
    if kind in _RUNS and (gap := _first_gap(numbers)) is not None:
        sentence = f"the numbers of {bet_id} do not follow each other: {gap[1]} comes behind {gap[0]}."
        node.fault("number-differs", sentence, bet_id)
        return False
    return True


def _first_gap(numbers: Sequence[str]) -> tuple[int, int] | None:
    """Two numbers between which others are left out, where all of them are numbers."""
    if not all(number.isdecimal() for number in numbers):
        return None
    return next(((a, b) for a, b in pairwise(sorted(map(int, numbers))) if b > a + 1), None)


def _check_apart(node: Node, boxes: Mapping[str, Sequence[str]]) -> None:
    """Reports boxes that have a number in common, and a low that is higher than the high."""
    for (first, some), (second, others) in combinations(boxes.items(), 2):
        if shared := [number for number in others if number in some]:
            node.fault("double-number", f"{first} covers {listed_numbers(shared)} as well.", second)
        elif {first, second} == {"low", "high"} and _least(boxes["low"]) > _least(boxes["high"]):
            node.fault("number-differs", "low covers higher numbers than high.", "low")


def _least(numbers: Sequence[str]) -> int:
    return min((int(number) for number in numbers if number.isdecimal()), default=0)


def check_columns(
    node: Node,
    boxes: Mapping[str, Sequence[str]],
    placed: Iterable[Box],
    numbers: Mapping[str, Rect],
    wheel: Wheel,
) -> None:
    """Reports columns of a layout that are not the numbers of one line along the table."""
    lines: dict[tuple[int, int], set[str]] = {}
    for number, rect in numbers.items():
        if wheel.colours.get(number) != "green":
            lines.setdefault((rect.across, rect.across_to), set()).add(number)
    drawn: dict[frozenset[str], str] = {}
    for box in placed:
        covered = frozenset(boxes[box.bet])
        if not box.bet.startswith("column:") or not lines:
            continue
        if (other := drawn.setdefault(covered, box.bet)) != box.bet:
            node.fault("double-number", f"{box.bet} covers the same as {other}.", "boxes", box.bet)
        elif covered <= wheel.outcomes.keys() and covered not in lines.values():
            nearest = max(lines.values(), key=lambda line: len(line & covered))
            lacks, besides = listed_numbers(nearest - covered), listed_numbers(covered - nearest)
            parts = [lacks and f"lacks {lacks}", besides and f"has {besides} besides"]
            sentence = (
                f"{box.bet} is not a line of numbers along the table: it {' and '.join(filter(None, parts))}."
            )
            node.fault("number-differs", sentence, "boxes", box.bet)


def listed_numbers(numbers: Iterable[str]) -> str:
    """Numbers for a sentence, the first few of them.

    >>> listed_numbers({"10", "2"})
    '2, 10'
    """
    first = sorted(numbers, key=lambda number: (len(number), number))
    return ", ".join(first[:6]) + (", ..." if len(first) > 6 else "")

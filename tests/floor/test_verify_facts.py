"""How much an attacker can change unseen who makes the whole chain anew: fact by fact, command by command."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from croupier.floor.codec import entry_of
from croupier.floor.verify.evidence import ClaimRow
from croupier.floor.verify.journal import Misfit
from croupier.journal import Record
from croupier.table import claims
from floor.audit_journal import Event, MemoryEvidence, edit, first_misfit, records_of, relink
from floor.audit_scenes import interrupted, money_wheel, roulette, shortfall
from table.rig import Play

Scene = Callable[[], Play]
Path = tuple[str | int, ...]

TEXTS = {"notice", "reason", "announced", "voucher"}
"""What people read, and what only names something: another text contradicts nothing."""
SETTINGS = {
    "answers_kept",
    "grace_seconds",
    "lock_up_cents",
    "rounds_kept",
    "voucher_limit_cents",
    "warning_seconds",
    "wheel",
}
"""Settings of a table that are a little different and would have led to the same."""


TIMES = {"began_ms", "length_known"}
"""When an interruption began, a little later with the same consequence: nobody else was there."""


def facts(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every single fact in an event, and where it stands."""
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from facts(inner, (*path, key))
    elif value is not None:
        yield path, value


def something_else(value: Any) -> Any:
    """Another value of the same kind, as near as can be."""
    if isinstance(value, bool):
        return not value
    return value + 1 if isinstance(value, int) else f"{value}x"


def put_at(path: Path) -> Callable[[Event, Event], None]:
    def change(event: Event, cause: Event) -> None:
        place: Any = event
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = something_else(place[path[-1]])

    return change


def name_of(path: Path) -> str:
    return str(path[-1])


@pytest.mark.parametrize("scene", [roulette, shortfall, interrupted, money_wheel])
def test_no_fact_that_counts_can_be_changed_unseen(scene: Scene) -> None:
    play = scene()
    records, tried, unseen = records_of(play), 0, set()
    for index, record in enumerate(records):
        if record.kind == "command-refused":
            continue  # a refusal moves nothing; what it says is only told
        for path, _ in facts(json.loads(record.payload)["event"]):
            if path == ("type",):
                continue
            tried += 1
            changed = [*records[:index], edit(record, put_at(path)), *records[index + 1 :]]
            if judged(play, changed) is None:
                unseen.add(name_of(path))
    assert tried > 100
    assert unseen <= TEXTS | SETTINGS | TIMES


def judged(play: Play, records: list[Record]) -> Misfit | None:
    """What is found in forged records whose chain, head and claims were all made to fit."""
    evidence = MemoryEvidence(play)
    evidence.put(relink(records))
    evidence.claimed = [
        ClaimRow(key, "T1", record.sequence)
        for record in evidence.rows["T1"]
        if record.kind in ("credits-bought", "credits-paid-out")
        for key in claims(entry_of(record).event)
    ]
    return first_misfit(evidence)


def commands(records: list[Record]) -> list[list[Record]]:
    found: list[list[Record]] = []
    for record in records:
        if record.part == 0:
            found.append([])
        found[-1].append(record)
    return found


@pytest.mark.parametrize(
    ("scene", "unseen"),
    [
        # A released seat, the last payout, a refusal: nothing else rests on them.
        (roulette, ["seat-unlocked", "credits-paid-out", "command-refused"]),
        # The last decision, which gives back what covers the shortfall of the correction before it.
        (shortfall, ["decision-recorded"]),
        # The last act of each; without it the table just waits.
        (interrupted, ["outcome-stated"]),
        (money_wheel, ["result-confirmed"]),
    ],
)
def test_a_command_that_others_rest_on_cannot_be_left_out_unseen(scene: Scene, unseen: list[str]) -> None:
    play = scene()
    all_of_them = commands(records_of(play))
    found = []
    for index, command in enumerate(all_of_them):
        rest = [record for other in (*all_of_them[:index], *all_of_them[index + 1 :]) for record in other]
        if judged(play, rest) is None:
            found.append(command[0].kind)
    assert found == unseen


@pytest.mark.parametrize(
    ("scene", "unseen"),
    [
        # More cash bought in, and a refusal: only the cash box and the head outside can tell.
        (roulette, {"credits-bought", "command-refused"}),
        (shortfall, set()),
        (interrupted, {"credits-bought", "table-interrupted"}),
        (money_wheel, {"credits-bought"}),
    ],
)
def test_a_command_cannot_be_put_in_twice_unseen(scene: Scene, unseen: set[str]) -> None:
    def with_a_new_number(event: Event, cause: Event) -> None:
        cause["number"] += 10_000

    play = scene()
    all_of_them = commands(records_of(play))
    found = set()
    for index, command in enumerate(all_of_them):
        again = [edit(record, with_a_new_number) for record in command]
        forged = [*all_of_them[: index + 1], again, *all_of_them[index + 1 :]]
        if judged(play, [record for one in forged for record in one]) is None:
            found.add(command[0].kind)
    assert found == unseen

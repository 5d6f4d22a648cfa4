"""What is written about the wire says what the types say: TypeScript, AsyncAPI, the tables of messages."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from croupier.protocol import asking, facts, telling
from croupier.protocol.describing import asyncapi
from croupier.protocol.examples import EXAMPLES, MESSAGES
from croupier.protocol.message_tables import message_tables
from croupier.protocol.typescript import typescript
from croupier.protocol.views import SeatView
from croupier.protocol.wire_types import COMMANDS, DOWN, UP, events, notes_of, tag_of
from croupier.table import commands as c

ROOT = Path(__file__).parent.parent.parent
AGAIN = "run python -m croupier.protocol.{module} again"


def test_the_types_of_the_screens_are_those_of_the_server() -> None:
    committed = (ROOT / "web/src/lib/live/wire.ts").read_text(encoding="utf-8")
    assert committed == typescript(), AGAIN.format(module="typescript")


def test_the_tables_of_messages_are_those_of_the_types() -> None:
    committed = (ROOT / "docs/protocol-messages.md").read_text(encoding="utf-8")
    assert committed == message_tables(), AGAIN.format(module="message_tables")


def interface(name: str) -> list[str]:
    """The lines of an interface without comments."""
    body = typescript().split(f"export interface {name} {{\n")[1].split("}\n")[0]
    return [line.strip() for line in body.splitlines() if not line.strip().startswith(("/**", "*"))]


def test_a_view_has_every_field_with_its_type() -> None:
    lines = interface("SeatView")
    assert [line.partition(":")[0] for line in lines] == list(SeatView.__struct_fields__)
    assert "stakes: Record<string, number>;" in lines
    assert "lock: string | null;" in lines


def test_what_a_client_may_leave_out_is_optional() -> None:
    assert "second?: Second | null;" in interface("Order")
    assert interface("Order")[-1] == "round?: number | null;"
    assert interface("Order")[:2] == ["type: 'command';", "number: number;"]
    assert "table?: string | null;" in interface("Hello")


def test_what_a_server_leaves_out_is_optional_and_nothing_else_is() -> None:
    assert "refused?: Rejection | null;" in interface("Answer")
    assert "again_seconds: number | null;" in interface("Bye")
    assert "facts: Record<string, string | number>;" in interface("Rejection")
    assert "event: TableEvent;" in interface("Told")


def test_what_only_some_see_of_an_event_is_optional() -> None:
    assert "voucher?: string | null;" in interface("CreditsPaidOutTold")
    assert "cents: number;" in interface("CreditsPaidOutTold")
    assert "reason?: string;" in interface("TableHaltedTold")


def test_pairs_and_places_are_tuples() -> None:
    assert "export type Point = [along_halves: number, across_halves: number];" in typescript()


def test_every_command_and_every_event_is_in_the_unions() -> None:
    text = typescript()
    for union, kinds in (
        ("Do", COMMANDS),
        ("TableEvent", events().values()),
        ("Message", DOWN),
        ("Asked", UP),
    ):
        body = text.split(f"export type {union} =\n")[1].split(";")[0]
        assert [line.removeprefix("  | ") for line in body.splitlines()] == [kind.__name__ for kind in kinds]


def test_the_system_s_own_commands_are_not_a_client_s() -> None:
    for own in (c.Interrupt, c.HaltTable, c.LoseSeat, c.RestoreSeat, c.CashOut):
        assert own not in COMMANDS
    assert "interface HaltTable" not in typescript()


def test_notes_of_fields_come_from_the_source() -> None:
    assert notes_of(telling.Answer)["voucher"] == "The number of the voucher that a cash-out gave."
    assert notes_of(events()["round-opened"]) == notes_of(
        next(k for k in facts.FACTS if tag_of(k) == "round-opened")
    )


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: tag_of(type(message)))
def test_every_example_is_read_back_as_it_was(message: msgspec.Struct) -> None:
    raw = msgspec.json.encode(EXAMPLES[type(message)])
    read = asking.read_asked(raw) if type(message) in UP else telling.read(raw)
    assert read == message


def test_every_message_has_an_example() -> None:
    assert set(EXAMPLES) == {*UP, *DOWN}


def references(document: Any) -> Iterator[str]:
    if isinstance(document, dict):
        for key, value in document.items():
            if key == "$ref":
                yield value
            else:
                yield from references(value)
    elif isinstance(document, list):
        for value in document:
            yield from references(value)


def found(document: Any, reference: str) -> Any:
    for part in reference.removeprefix("#/").split("/"):
        document = document[part]
    return document


def test_every_reference_of_the_document_leads_somewhere() -> None:
    document = asyncapi()
    assert document["asyncapi"] == "3.0.0"
    leads_to = [found(document, reference) for reference in references(document)]
    assert len(leads_to) > 100


def test_every_message_of_the_document_is_sent_or_received() -> None:
    document = asyncapi()
    actions = {
        operation["messages"][0]["$ref"].rpartition("/")[2]: operation["action"]
        for operation in document["operations"].values()
    }
    assert actions == {tag_of(kind): "receive" for kind in UP} | {tag_of(kind): "send" for kind in DOWN}


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: tag_of(type(message)))
def test_every_example_is_valid_by_the_schema_of_its_message(message: msgspec.Struct) -> None:
    schema = {
        "$ref": f"#/components/schemas/{type(message).__name__}",
        "components": asyncapi()["components"],
    }
    jsonschema_rs.validator_for(schema).validate(EXAMPLES[type(message)])


def test_an_event_with_facts_that_do_not_belong_to_it_is_not_valid() -> None:
    schema = {"$ref": "#/components/schemas/Told", "components": asyncapi()["components"]}
    example = EXAMPLES[telling.Told] | {"event": {"type": "round-opened", "round": "seven"}}
    assert not jsonschema_rs.validator_for(schema).is_valid(example)

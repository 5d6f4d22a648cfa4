"""The OpenAPI document: whole, true to the table of rights, and the same as the written page."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from croupier.server.http.app import HANDLERS, describe
from croupier.server.http.authority import DEMONSTRATION_TOO, LOOPBACK_TOO, RIGHTS
from croupier.server.http.refusing import STATUSES, Refused
from server.server_rig import LiveServer

ROOT = Path(__file__).parent.parent.parent


def operations() -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in describe()["paths"].items():
        for method, operation in item.items():
            yield method.upper(), path, operation


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


def found(reference: str) -> Any:
    document: Any = describe()
    for part in reference.removeprefix("#/").split("/"):
        document = document[part]
    return document


def test_every_handler_is_described_but_pages_and_documents() -> None:
    described = {operation["operationId"] for _, _, operation in operations()}
    hidden = {"page", "asset", "icon", "style", "openapi", "asyncapi", "reference", "reference-live"}
    assert described == {str(handler.name) for handler in HANDLERS} - hidden


def test_every_reference_leads_somewhere() -> None:
    assert all(found(reference) for reference in references(describe()))


def test_every_schema_is_one() -> None:
    components = describe()["components"]
    for name in components["schemas"]:
        schema = {"$ref": f"#/components/schemas/{name}", "components": components}
        jsonschema_rs.validator_for(schema)


def test_the_document_says_who_may() -> None:
    for _, path, operation in operations():
        name = operation["operationId"]
        right = RIGHTS[name]
        assert f"For {right.words}" in operation["description"], path
        assert operation["summary"], path
        needs_token = operation["security"] != []
        assert needs_token != right.everybody, path
        assert ({} in operation["security"]) == (name in LOOPBACK_TOO | DEMONSTRATION_TOO), path


def test_every_refusal_has_the_same_shape() -> None:
    for _, path, operation in operations():
        for status, response in operation["responses"].items():
            if int(status) >= 400 and (path, status) != ("/ready", "503"):
                content = found(response["$ref"])["content"]
                assert content == {"application/json": {"schema": {"$ref": "#/components/schemas/Refused"}}}
    assert set(found("#/components/schemas/Refused")["properties"]) == set(Refused.__struct_fields__)


def test_every_status_of_a_refusal_is_described() -> None:
    described = {response.removeprefix("refused-") for response in describe()["components"]["responses"]}
    assert {str(status) for status in STATUSES.values()} <= described


def test_fields_are_described_in_the_words_of_the_source() -> None:
    seat = found("#/components/schemas/RecalledSeat")
    assert seat["properties"]["credits_before_cents"]["description"] == "Before its first bet of the round."
    assert seat["description"] == "One seat's part in a round."


def test_nothing_that_a_handler_is_given_is_in_the_document() -> None:
    assert not {"Caller", "Session", "House"} & set(describe()["components"]["schemas"])
    assert not any(
        parameter["name"] in ("house", "caller")
        for _, _, o in operations()
        for parameter in o.get("parameters", ())
    )


def test_the_page_about_the_api_lists_every_operation_and_who_may() -> None:
    page = (ROOT / "docs/http-api.md").read_text(encoding="utf-8")
    listed = [line for line in page.splitlines() if line.startswith(("| `GET", "| `POST", "| `PATCH"))]
    expected = []
    for method, path, operation in operations():
        name = operation["operationId"]
        more = ", or this machine itself" if name in LOOPBACK_TOO else ""
        if name in DEMONSTRATION_TOO:
            more = ", or everybody at a demonstration floor"
        expected.append(f"| `{method} {path}` | {operation['summary']} | {RIGHTS[name].words}{more} |")
    assert listed == expected, "\n".join(expected)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with LiveServer(tmp_path_factory.mktemp("floor"), tables={"R1": "mbs-roulette"}) as live:
        yield live


def test_the_server_gives_its_documents_away(server: LiveServer) -> None:
    with server.client() as client:
        openapi = client.get("/api/openapi.json")
        asyncapi = client.get("/api/asyncapi.json")
    assert openapi.headers["content-type"] == asyncapi.headers["content-type"] == "application/json"
    assert openapi.json() == msgspec.json.decode(msgspec.json.encode(describe()))
    assert asyncapi.json()["asyncapi"] == "3.0.0"

"""Schemathesis over the OpenAPI document: whatever is sent by whomever, the answer is a described one."""

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from schemathesis.checks import CHECKS, load_all_checks

from croupier.server.access import AccessPolicy, LockOutPolicy
from croupier.server.http.app import describe
from croupier.server.http.refusing import MALFORMED, STATUSES
from server.floor_rig import QUICK
from server.server_rig import LiveServer

SCHEMA = schemathesis.openapi.from_dict(describe())
CALLERS = ("nobody", "terminal", "display", "dealer", "pit-supervisor", "shift-manager", "cage", "operator")

load_all_checks()
CHECKED = CHECKS.get_by_names(
    [
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_schema_conformance",
    ]
)

PATIENT = AccessPolicy(
    hash_cost=QUICK.hash_cost, lock_out=LockOutPolicy(failures=10_000, address_failures=100_000)
)
"""A door that looks at every attempt, however many there were."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with LiveServer(tmp_path_factory.mktemp("floor"), tables={"R1": "mbs-roulette"}, policy=PATIENT) as live:
        live.play("R1", {"1": {"red": 1_000}}, "7")
        yield live


Tokens = dict[str, str | None]


@pytest.fixture(scope="module")
def tokens(server: LiveServer) -> Tokens:
    staff = {caller: server.staff_token(caller) for caller in CALLERS[3:]}
    return {
        "nobody": None,
        "terminal": server.device_token("terminal", "R1", "1"),
        "display": server.device_token("display", "R1", None),
        **staff,
    }


@pytest.fixture(scope="module")
def may(server: LiveServer, tokens: Tokens) -> dict[str, list[str]]:
    """By operation, which of the callers may use it."""
    found: dict[str, list[str]] = {}
    for caller, token in tokens.items():
        if token is not None:
            with server.client(token) as client:
                for operation in client.get("/api/session").json()["may"]:
                    found.setdefault(operation, []).append(caller)
    return found


@SCHEMA.given(data=st.data())
@SCHEMA.parametrize()
@settings(
    max_examples=15,
    phases=[Phase.generate],
    derandomize=True,
    deadline=None,
    suppress_health_check=[*HealthCheck],
)
def test_every_answer_is_one_that_the_document_describes(
    case: Any, data: st.DataObject, server: LiveServer, tokens: Tokens, may: dict[str, list[str]]
) -> None:
    operation = case.operation.definition.raw["operationId"]
    # Mostly somebody who may, or hardly anything would get past the door; signing out would end the others.
    callers = CALLERS[:3] if operation == "sign-out" else (*CALLERS, *3 * may.get(operation, []))
    token = tokens[data.draw(st.sampled_from(callers))]
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    if data.draw(st.booleans()):  # or hardly anything that is asked for would be there
        known = {name: value for name, value in KNOWN.items() if name in case.path_parameters}
        case.path_parameters |= known
    answer = case.call(base_url=server.base_url, headers=headers)
    case.validate_response(answer, checks=CHECKED)
    if answer.status_code >= 400 and not (case.path == "/ready" and answer.status_code == 503):
        refused = answer.json()
        assert set(refused) in ({"code", "sentence"}, {"code", "sentence", "facts"})
        assert refused["sentence"].endswith(".")
        assert STATUSES.get(refused["code"], MALFORMED) == answer.status_code or refused["code"] in OTHER


KNOWN = {"table": "R1", "book": "mbs-roulette", "number": 1, "name": "max"}
OTHER = ("wrong-method", "too-large", "malformed", "wrong-media-type")
"""Refusals of requests that reach no handler; they have statuses of their own."""

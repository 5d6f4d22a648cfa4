"""Logs: lines that programs read, and no secret in any of them."""

import asyncio
import io
import json
import logging
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.floor.cage.numbers import new_voucher_number
from croupier.server.access.tokens import new_code, new_token
from croupier.server.logs import BY_ANYBODY, FIELDS, mask, start_logging
from floor.sim_live import played
from server.floor_rig import a_floor

LOG = logging.getLogger("croupier.server")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def kept() -> Iterator[None]:
    """Leaves the process's loggers as they were."""
    names = [None, "uvicorn", "uvicorn.error", "uvicorn.access", "websockets", "litestar"]
    before = [
        (logger, logger.handlers[:], logger.filters[:], logger.level, logger.propagate)
        for logger in map(logging.getLogger, names)
    ]
    yield
    for logger, handlers, filters, level, propagate in before:
        logger.handlers[:], logger.filters[:], logger.propagate = handlers, filters, propagate
        logger.setLevel(level)


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_says_when_how_bad_who_and_what() -> None:
    out = io.StringIO()
    start_logging(out)
    LOG.warning(
        "table %s: %d commands wait", "T1", 12, extra={"table": "T1", "round": 7, "device": "terminal-4"}
    )
    (line,) = lines(out)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", line.pop("time"))
    assert line == {
        "level": "warning",
        "logger": "croupier.server",
        "message": "table T1: 12 commands wait",
        "table": "T1",
        "round": 7,
        "device": "terminal-4",
    }


def test_a_message_of_several_lines_and_a_failure_stay_on_one_line() -> None:
    out = io.StringIO()
    start_logging(out)
    try:
        raise ValueError("password=hunter2")
    except ValueError:
        LOG.exception("first\nsecond")
    (line,) = lines(out)
    assert line["message"] == "first\nsecond"
    assert "ValueError: password=***" in line["trace"]


def test_people_get_short_lines() -> None:
    out = Terminal()
    start_logging(out)
    LOG.info("table opens", extra={"table": "T1"})
    assert re.fullmatch(r"\d\d:\d\d:\d\d info     table opens table=T1\n", out.getvalue())


def test_debugging_is_left_out_unless_asked_for() -> None:
    out = io.StringIO()
    start_logging(out)
    LOG.debug("detail")
    assert out.getvalue() == ""
    start_logging(out, logging.DEBUG)
    LOG.debug("detail")
    assert lines(out)[0]["level"] == "debug"


def test_only_listed_fields_are_shown() -> None:
    out = io.StringIO()
    start_logging(out)
    LOG.info("hello", extra={"token": "t", "stakes": "s", "seat": "4"})
    (line,) = lines(out)
    assert {*line} - {"time", "level", "logger", "message"} == {"seat"}
    assert {*line} - {"time", "level", "logger", "message"} <= {*FIELDS}


@pytest.mark.parametrize("name", ["uvicorn.error", "uvicorn", "websockets", "litestar", "anything"])
def test_what_others_log_goes_the_same_way(name: str) -> None:
    other = logging.getLogger(name)
    own = io.StringIO()
    other.addHandler(handler := logging.StreamHandler(own))
    out = io.StringIO()
    try:
        start_logging(out)
        other.error("Authorization: Bearer abcdef123456")
    finally:
        other.removeHandler(handler)
    assert "abcdef123456" not in out.getvalue()
    assert lines(out)[0]["logger"] == name
    if name != "anything":
        assert own.getvalue() == ""


def test_starting_twice_does_not_write_twice() -> None:
    out = io.StringIO()
    start_logging(out)
    start_logging(out)
    LOG.info("once")
    assert len(lines(out)) == 1


# Secrets


class Asked(msgspec.Struct):
    name: str
    password: str


def spellings(secret: str) -> list[str]:
    """Ways in which a secret might get into a message."""
    return [
        f"password={secret}",
        f"password = '{secret}'",
        f"new_password: {secret}, name: ann",
        f'{{"name": "ann", "password": "{secret}"}}',
        str({"token": secret}),
        repr(Asked("ann", secret)),
        f"GET /api/x?token={secret}&table=T1",
        f"Authorization: Bearer {secret}",
        f"authorization=Basic {secret}",
        f"Cookie: session={secret}; other=1",
        f"api_key={secret}",
        f"postgresql://pit:{secret}@db.example/casino",
    ]


@given(st.text("abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789", min_size=8, max_size=24))
def test_no_named_secret_gets_through(secret: str) -> None:
    secret = f"q{secret}q"
    for text in spellings(secret):
        assert secret not in mask(text), text


def test_no_token_code_hash_or_voucher_gets_through_wherever_it_stands() -> None:
    for _ in range(300):
        token, _ = new_token("terminal-k2m9x4pq")
        number, code = new_voucher_number(), new_code()
        grouped = " ".join(number[start : start + 4] for start in range(0, 18, 4))
        argon = f"$argon2id$v=19$m=65536,t=3,p=4${secrets.token_urlsafe(12)}${secrets.token_urlsafe(16)}"
        said = f"sent {token.reveal()} and {code} for {number} or {grouped} by {argon}"
        shown = mask(said)
        assert token.reveal().partition(".")[2] not in shown
        assert code not in shown
        assert argon.split("$")[-1] not in shown
        assert number[:14] not in shown.replace(" ", "")
        assert shown.count(number[-4:]) >= 2  # what staff may see of it


def test_ordinary_messages_stay_as_they_are() -> None:
    for text in (
        "table T1: another process writes to it, or its journal lacks what was written; stepping down",
        "round 48213 is void (no-spin): seen on camera",
        "1700000000000 ms, 123456789 bytes free",
        "seat 4 is locked (win, 12500.00)",
        "http://127.0.0.1:8000/health answered 200",
        "12345678901234567890 is a number of twenty digits",
        f"The software is NOT as recorded: table/decide.py was changed. (SHA-256 {'0a' * 32}).",
    ):
        assert mask(text) == text


@given(st.text(max_size=200))
def test_any_text_can_be_masked_and_nothing_is_revealed_by_masking_again(text: str) -> None:
    once = mask(text)
    assert mask(once) == mask(mask(once))


def test_fields_and_arguments_are_masked_too() -> None:
    out = io.StringIO()
    start_logging(out)
    number = new_voucher_number()
    LOG.info("refused %s", {"voucher": number}, extra={"device": f"token={number}"})
    assert number not in out.getvalue()


def test_what_anybody_can_cause_is_said_once_a_minute_with_how_often_it_came() -> None:
    out = io.StringIO()
    start_logging(out)
    at = logging.getLogger("uvicorn.error")
    for seconds in (0, 1, 59, 60, 61):
        for sentence in (*BY_ANYBODY, "another line"):
            made = {"name": at.name, "levelno": logging.WARNING, "levelname": "WARNING", "msg": sentence}
            at.handle(logging.makeLogRecord(made | {"created": 1_700_000_000 + seconds}))
    said = [line["message"] for line in lines(out)]
    assert said.count("another line") == 5
    for sentence in BY_ANYBODY:
        assert [each for each in said if each.startswith(sentence)] == [
            sentence,
            f"{sentence} (So were 2 more before.)",
        ]


@played
async def test_whoever_sends_what_is_no_request_fills_no_log(tmp_path: Path) -> None:
    out = io.StringIO()
    async with a_floor(tmp_path) as rig:
        start_logging(out)
        upgrade = b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: upgrade\r\n\r\n"
        for sent, status in ((b"\x16\x03\x01\r\n\r\n", b"400"), (upgrade, b"404")):
            for _ in range(3):
                reader, writer = await asyncio.open_connection("127.0.0.1", urlsplit(rig.socket_url).port)
                writer.write(sent)
                assert (await reader.readline()).split()[1] == status
                writer.close()
        warned = [line["message"] for line in lines(out) if line["level"] == "warning"]
        assert warned == [*BY_ANYBODY]

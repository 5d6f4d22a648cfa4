"""Every language of the screens has words for whatever the house can say."""

import ast
import itertools
import json
import re
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from croupier.floor.house import log as house_log
from croupier.floor.office import records as office_records
from croupier.floor.office import rows as office_rows
from croupier.floor.refusals import CODES as OF_FLOOR
from croupier.floor.significant.telling import tell
from croupier.rulebook import Book, load_book
from croupier.server.access.refusals import CODES as OF_ACCESS
from croupier.server.http.refusing import STATUSES
from croupier.table import Event
from croupier.table.calls import CALL_REASONS
from croupier.table.commands import Do
from croupier.table.events import BetsRejected, RoundSettled
from croupier.table.rejections import CODES as OF_TABLE
from croupier.table.ruling import RULINGS
from croupier.table.wheel_faults import WHEEL_FAULTS
from floor.sim_entries import EVENTS
from table.refusals import REFUSALS

ROOT: Final = Path(__file__).parents[2]
MESSAGES: Final = ROOT / "web" / "messages"
LANGUAGES: Final = sorted(path.stem for path in MESSAGES.glob("*.json") if path.stem != "en")
BOOKS: Final = ("mbs-roulette", "rws-roulette-00", "rws-roulette-000", "rws-money-wheel")
NO_SCREEN: Final = (
    "config",
    "backup",
    "integrity",
    "office_command",
    "running",
    "serving",
    "demonstration.py",
    "joining.py",
    "voucher_key.py",
)
"""What the files are called that only the command line is refused by."""
NO_SCREENS: Final = frozenset({"simulation", "backup", "command.py"})
"""The same of whole packages, and of a file that has a common name."""

BLANK: Final = re.compile(r"\{(\w+)(?::\w+)?\}")
LATIN: Final = re.compile(r"[A-Za-z]{3,}")


def read(language: str, part: str = "") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((MESSAGES / part / f"{language}.json").read_text(encoding="utf-8"))
    return found


def blanks(sentence: str) -> set[str]:
    return set(BLANK.findall(sentence))


def fits(english: str, sentence: str) -> bool:
    """Whether a sentence is one of those that a pair is for; the screens go by the same rule."""
    parts = re.split(r"\{\w+\}", english)
    return re.fullmatch("(.+?)".join(map(re.escape, parts)), sentence, re.DOTALL) is not None


def told_by(pairs: list[list[str]], sentence: str) -> bool:
    return any(fits(english, sentence) for english, _ in pairs)


def refusals_in_sources() -> Iterator[str]:
    """Every code that the floor or the server writes out where it refuses something."""
    for path in itertools.chain(*(ROOT.glob(f"src/croupier/{part}/**/*.py") for part in ("floor", "server"))):
        if any(name in path.name for name in NO_SCREEN) or {*path.parts} & NO_SCREENS:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                yield from _codes(node)


def _codes(call: ast.Call) -> Iterator[str]:
    name = getattr(call.func, "id", "") or getattr(call.func, "attr", "")
    if name not in ("refuse", "BadInput", "refusal", "_refusal", "_problem", "end", "Refused"):
        return
    named = [each.value for each in call.keywords if each.arg == "code"] + call.args[:1]
    for each in named:
        if (
            isinstance(each, ast.Constant)
            and isinstance(each.value, str)
            and re.fullmatch("[a-z-]+", each.value)
        ):
            yield each.value


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_refusal_has_its_sentence(language: str) -> None:
    sentences = {*read(language, "refusals")}
    told = {*OF_TABLE, *OF_FLOOR, *OF_ACCESS, *STATUSES, *refusals_in_sources()}
    assert told >= {"unknown-bet", "busy", "locked-out", "too-fast", "bad-cursor", "unknown-audience"}
    assert told - sentences - {"usage"} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_says_its_facts_and_can_do_without_them(language: str) -> None:
    for code, sentences in read(language, "refusals").items():
        several = [sentences] if isinstance(sentences, str) else sentences
        if code not in REFUSALS:
            assert not blanks(several[-1]), code
            continue
        facts = {*REFUSALS[code].facts} if REFUSALS[code].facts is not None else set()
        for sentence in several:
            assert blanks(sentence) <= facts, (code, sentence)
        if len(several) > 1:
            assert not blanks(several[-1]), code


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", BOOKS)
def test_a_book_is_told_whole(language: str, name: str) -> None:
    book = load_book(name)
    words, sentences, clauses = read(language), read(language, "sentences"), read(language, "clauses")
    for step, notice in book.notices.items():
        for text in notice.texts:
            assert [pair for pair in sentences["notices"] if pair[0] == text], (step, text)
    titles = {english for english, _ in sentences["titles"]}
    assert {book.title, book.operator, *(each.title for each in book.irregularities.values())} <= titles
    for irregularity in book.irregularities.values():
        assert f"irregularity.{irregularity.cause}" in words
        assert f"consequence.{irregularity.consequence}" in words
    assert {f"bet.{kind}" for kind in book.kind_names} <= {*words}
    assert {each.id for each in book.clauses.values()} == {
        clause for clause in clauses if clause.startswith(f"{name}:")
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_clause_keeps_its_figures(language: str) -> None:
    clauses = read(language, "clauses")
    for book in map(load_book, BOOKS):
        for clause in book.clauses.values():
            told = clauses[clause.id]
            assert _bets(told) == _bets(clause.summary), clause.id
    assert _bets("splits 0/3, 12/15 and 26/29") == {"0/3", "12/15", "26/29"}


def _bets(text: str) -> set[str]:
    return set(re.findall(r"\d+(?:/\d+)+", text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_pairs_have_the_same_facts(language: str) -> None:
    records = {kind: pairs for kind, pairs in read(language, "records").items() if kind != "values"}
    for pairs in (*read(language, "sentences").values(), *records.values()):
        for english, own in pairs:
            assert blanks(own) == blanks(english), english


RULED: Final = frozenset(
    re.findall(r"\w+", "notice title reason irregularity fault result refusal bets lines device work")
)
"""Kinds of facts that the screens have a rule of their own for; see docs/languages.md."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_fact_has_its_names(language: str) -> None:
    records = read(language, "records")
    told = json.dumps([records, read(language, "sentences")], ensure_ascii=False)
    kinds = {*re.findall(r"\{\w+:(\w+)\}", told)}
    assert kinds >= {"notice", "hand"}
    assert kinds - RULED <= {*records["values"]}


def variants(event: Any) -> Iterator[Any]:
    """An event, and what it would be with each fact left out that may be missing, or turned round."""
    yield event
    hints = typing.get_type_hints(type(event))
    for name, kind in hints.items():
        value = getattr(event, name)
        if type(None) in typing.get_args(kind):
            yield msgspec.structs.replace(event, **{name: None})
        elif isinstance(value, bool):
            yield msgspec.structs.replace(event, **{name: not value})
        elif isinstance(value, int):
            yield msgspec.structs.replace(event, **{name: -value})
            yield msgspec.structs.replace(event, **{name: 0})


def sample(kind: type[Any]) -> Any:
    """An event of a kind with something in every field."""
    given = {
        field.name: _value(typing.get_type_hints(kind)[field.name], field.name)
        for field in msgspec.structs.fields(kind)
    }
    return kind(**given)


def _value(kind: Any, name: str) -> Any:
    if kind is int:
        return 7
    if kind is bool:
        return True
    origin = typing.get_origin(kind)
    if origin is tuple:
        return ("cage",) if "duties" in name else ("R1",)
    if origin is dict:
        return {"R1": 3}
    return {"why": "wrong-password", "purpose": "sign-in", "position": "dealer"}.get(name, "something")


def kinds_of(union: Any) -> tuple[type[Any], ...]:
    kinds: tuple[type[Any], ...] = typing.get_args(union)
    assert kinds
    return kinds


def tag(kind: type[Any]) -> str:
    return str(kind.__struct_config__.tag)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_of_a_table_is_told(language: str) -> None:
    records = read(language, "records")
    assert {type(event) for event in EVENTS} == {*kinds_of(Event)}
    for event in itertools.chain(*map(variants, EVENTS), map(outside_limits, EVENTS)):
        assert told_by(records[tag(type(event))], tell(event)), tell(event)


def outside_limits(event: Event) -> Event:
    """An event as it is where a box or the table is outside its limits, if that makes it another one."""
    if isinstance(event, BetsRejected):
        return msgspec.structs.replace(event, cause="box-under-minimum")
    if isinstance(event, RoundSettled):
        return msgspec.structs.replace(event, excess_clause="assumption:table-excess")
    return event


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_of_the_office_and_the_house_is_told(language: str) -> None:
    records = read(language, "records")
    for event in itertools.chain.from_iterable(
        variants(sample(kind)) for kind in kinds_of(house_log.HouseEvent)
    ):
        assert told_by(records[tag(type(event))], house_log.tell_house(event)), event
    for event in itertools.chain.from_iterable(
        variants(sample(kind)) for kind in kinds_of(office_records.OfficeEvent)
    ):
        entry = office_records.OfficeEntry(event=event, actor="sue", position="pit-supervisor", address="")
        assert told_by(records[tag(type(event))], office_rows.tell_office(entry)), event
    assert told_by(records["voucher-voided"], "Voucher …1234 for 5.00 is voided: torn.")
    assert told_by(records["voucher-expired"], "Voucher …1234 for 5.00 is expired.")
    assert told_by(records["voucher-reinstated"], "Voucher …1234 for 5.00 is reinstated: a wrong clock.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_facts_are_called(language: str) -> None:
    words, values = read(language), read(language, "records")["values"]
    assert {f"fault.{fault}" for fault in WHEEL_FAULTS} <= {*words}
    assert {*values["command"]} >= {tag(kind) for kind in kinds_of(Do)}
    assert {*values["call"]} == {*CALL_REASONS}
    assert {*values["ruling"]} == {*RULINGS}
    assert {*values["why"]} == {*office_rows._WHY.values()}
    assert {*values["purpose"]} == {*office_rows._PURPOSES.values()}


def test_chinese_is_chinese() -> None:
    """What was copied over and never said in Chinese would stand out."""
    names = (
        "Rapid Select Fusion Alfastreet Tiers Orphelins Spiel Grand Series Voisins Zero Black Red Odd Even"
    )
    names += " SGD Crockfords"
    brands = {*names.split()}
    for part in ("refusals", "clauses"):
        for key, sentence in read("zh", part).items():
            for text in [sentence] if isinstance(sentence, str) else sentence:
                assert set(LATIN.findall(BLANK.sub("", text))) <= brands, key


def test_the_glossary_is_kept_to() -> None:
    """One word for each thing: of those that mean the same, the glossary has chosen one."""
    left = ("监场", "牌桌", "桌台", "兑换券", "赌场优势", "公布投注", "当值经理", "荷官台")
    left += (
        "兑出",
        "留存率",
        "赢注",
        "滚珠",
        "会话",
        "损失上限",
        "无效旋转",
        "购买余额",
        "筹码额",
        "正在局中",
    )
    texts = [path.read_text(encoding="utf-8") for path in MESSAGES.rglob("zh.json")]
    assert [word for word in left for text in texts if word in text] == []


def test_a_rejected_bet_goes_back_and_is_not_refused() -> None:
    """A bet over the limit is accepted first and rejected later, which players must not read as a refusal."""
    words, records = read("zh"), read("zh", "records")
    told = (
        words["news.rejected"],
        words["con.reject"],
        words["consequence.reject-excess"],
        words["command.reject-excess"],
        records["values"]["command"]["reject-excess"],
        records["bets-rejected"][0][1],
        read("zh", "clauses")["rws-money-wheel:5.1"],
    )
    assert [sentence for sentence in told if "退回" not in sentence or "拒绝" in sentence] == []


def test_there_is_a_book_for_the_figures() -> None:
    """The books here are those that come with the package."""
    folder = ROOT / "src" / "croupier" / "rulebook" / "books"
    assert {path.stem for path in folder.glob("*.toml")} == {*BOOKS}
    assert all(isinstance(load_book(name), Book) for name in BOOKS)

"""Each fault that a book can have is found alone, under its own code, on the line where it stands."""

import ast
from pathlib import Path
from typing import NamedTuple

import pytest

import croupier.rulebook
from rulebook.edited_books import edit, faults_of, line_of, shipped_text

MBS, RWS_00, RWS_000, MONEY_WHEEL = "mbs-roulette", "rws-roulette-00", "rws-roulette-000", "rws-money-wheel"


NEIGHBOURS_00 = '[neighbours]\nlabel = "Neighbours"\nclause = "App.C"'


class Case(NamedTuple):
    """A book with one fault: its code, the edits that make it, and where it is reported."""

    code: str
    book: str
    edits: list[tuple[str, str]]
    at: str
    """A passage of the edited text with a caret at the line of the fault."""


def announced(name: str) -> str:
    """One more announced bet on the layout of MBS, in front of the neighbours."""
    return (
        f'[[announced]]\nname = "{name}"\nlabel = "Again"\nlayouts = ["main"]\nclause = "App.D"\n'
        "pieces = 1\n\n"
        '[announced.bets]\n"split:5/8" = 1\n\n[neighbours]\n'
    )


CASES = [
    Case("format", MBS, [("format = 1", "format = 2")], "^format = 2"),
    Case("missing", MBS, [('operator = "Marina Bay Sands"\n', "")], "^[book]"),
    Case(
        "missing",
        MBS,
        [('settled = { texts = ["Bets are settled"], assumption = "notice-words" }\n', "")],
        "^[notices]",
    ),
    Case("wrong-type", MBS, [("revolutions = 4", 'revolutions = "four"')], "^revolutions"),
    Case("wrong-type", MBS, [("revolutions = 4", "revolutions = true")], "^revolutions"),
    Case("wrong-type", MBS, [("effective = 2020-03-18", "effective = 2020")], "^effective"),
    Case("wrong-type", MBS, [("reaches = [2]", 'reaches = [\n2,\n"3",\n]')], '2,\n^"3"'),
    Case("too-small", MBS, [("revolutions = 4", "revolutions = 0")], "^revolutions"),
    Case("too-small", MBS, [('"split:5/8" = 1', '"split:5/8" = 0')], '^"split:5/8" = 0'),
    Case("too-large", MBS, [("revolutions = 4", "revolutions = 1_000_001")], "^revolutions"),
    Case("empty", MBS, [('title = "Electronic Roulette"', 'title = " "')], '^title = " "'),
    Case("empty", MBS, [('aliases = ["orphans"]', "aliases = []")], "^aliases = []"),
    Case("empty", MBS, [('["No more bets"', '["No more bets",\n " "')], '^ " "'),
    Case("bad-name", MBS, [('id = "rapid-select"', 'id = "rapid select"')], '^id = "rapid select"'),
    Case("bad-name", MBS, [('aliases = ["orphans"]', 'aliases = ["the:orphans"]')], '^aliases = ["the'),
    Case("bad-name", MBS, [("[neighbours]\n", announced("neighbours"))], '^name = "neighbours"'),
    Case("double-id", MBS, [("[neighbours]\n", announced("tiers"))], '^name = "tiers"\nlabel = "Again"'),
    Case(
        "double-id",
        RWS_000,
        [('green = "street:0/00/000"', 'green = "street:0/00/000"\nred = "black"')],
        '^red = "black"',
    ),
    Case("unknown-word", MBS, [('kind = "ball"', 'kind = "cube"')], '^kind = "cube"'),
    Case("unknown-word", MBS, [("[citations]\n", '[citations]\nweather = "3.3"\n')], "^weather"),
    Case("unknown-word", MBS, [('9 = ["9"', '10 = ["9"')], '^10 = ["9"'),
    Case("unknown-fact", MBS, [("{result} wins", "{number} wins")], '^result = { texts = ["{number}'),
    Case("unknown-fact", MBS, [("{result} wins", "{result wins")], '^result = { texts = ["{result wins'),
    Case("unknown-fact", MBS, [("{result} wins", "{result}} wins")], '^result = { texts = ["{result}}'),
    Case("control-character", MBS, [('"Electronic Roulette"', '"Electronic\\nRoulette"')], "^title ="),
    Case("control-character", MBS, [('"Electronic Roulette"', '"Electronic\\u001b[2J"')], "^title ="),
    Case("control-character", MBS, [("{result} wins", "{result}\\u0000 wins")], "^result = { texts"),
    Case("control-character", MBS, [('summary = "Opens', 'summary = "\\u0000Opens')], '^summary = "'),
    Case("wrong-type", MBS, [("corner = 8", 'corner = "3:2"')], '^corner = "3:2"'),
    Case("wrong-type", MBS, [("corner = 8", "corner = 1.5")], "^corner = 1.5"),
    Case("unknown-key", MBS, [('currency = "SGD"', 'currency = "SGD"\nweight = 1')], "^weight"),
    Case("unknown-key", MBS, [("[neighbours]\n", "[neighbours]\nweight = 1\n")], "^weight"),
    Case("unknown-key", MBS, [("[finales]\n", "[finales]\nweight = 1\n")], "^weight"),
    Case("currency", MBS, [('currency = "SGD"', 'currency = "sgd"')], "^currency"),
    Case("currency", MBS, [('currency = "SGD"', 'currency = "Singapore dollars"')], "^currency"),
    Case("currency", MBS, [('currency = "SGD"', 'currency = "JPY"')], "^currency"),
    Case("not-a-pair", MBS, [("from = [0, 0]", "from = [0]")], "^from = [0]\n"),
    Case("not-a-pair", MBS, [("from = [0, 0]", "from = [10.0, 0]")], "^from = [10.0, 0]\n"),
    Case("not-a-pair", MBS, [("from = [2, 0]\ncell", "from = [2, true]\ncell")], "^from = [2, true]\n"),
    Case("too-large", MBS, [("from = [2, 0]\ncell", "from = [2, 2000000]\ncell")], "^from = [2, 2000000]\n"),
    Case("missing", MBS, [("cell = [2, 2]\n", "")], "^[[layout.main.block]]"),
    Case("no-area", MBS, [("cell = [2, 2]", "cell = [2, 0]")], "^cell = [2, 0]"),
    Case("too-small", MBS, [("pockets = 37", "pockets = 0")], "^pockets = 0"),
    Case("too-small", MBS, [("pieces = 6", "pieces = 0")], "^pieces = 0"),
    Case("too-small", MONEY_WHEEL, [("20 = { segments = 2", "20 = { segments = 0")], "^20 = { segments"),
    Case("no-zone", RWS_00, [("08:00:00+08:00", "08:00:00")], "^effective"),
    Case("clause-not-listed", MBS, [('clause = "3.7" }', 'clause = "3.77" }')], "^bets_close"),
    Case("assumption-not-listed", MBS, [('assumption = "limits" }', 'assumption = "limit" }')], "^limits"),
    Case("no-source", MBS, [(', assumption = "limits" }', " }")], "^limits = {"),
    Case(
        "double-id",
        MBS,
        [('id = "1.1.4"', 'id = "1.1.3"')],
        '^id = "1.1.3"\nkind = "definition"\nsummary = "A round',
    ),
    Case("double-id", MBS, [('id = "colours"', 'id = "pocket-order"')], '^id = "pocket-order"\ntext = "Red'),
    Case(
        "double-id",
        MBS,
        [('cause = "ball-dropped"', 'cause = "same-direction"')],
        '^cause = "same-direction"\ntitle = "Ball dropped',
    ),
    Case(
        "double-id",
        MBS,
        [('id = "rapid-fusion"', 'id = "rapid-select"')],
        '^id = "rapid-select"\ntitle = "Rapid Fusion"',
    ),
    Case("double-id", MBS, [('aliases = ["orphans"]', 'aliases = ["tiers"]')], '^aliases = ["tiers"]'),
    Case(
        "double-id",
        MBS,
        [('aliases = ["orphans"]', 'aliases = ["small-series"]')],
        '^aliases = ["small-series"]\nlayouts = ["main"]\nclause = "App.E"',
    ),
    Case("segments-do-not-add-up", MBS, [("pockets = 37", "pockets = 36")], "^order = ["),
    Case(
        "segments-do-not-add-up",
        MONEY_WHEEL,
        [("20 = { segments = 2", "20 = { segments = 3")],
        "^20 = { segments",
    ),
    Case(
        "unknown-symbol",
        MONEY_WHEEL,
        [("pockets = 52", "pockets = 53"), ("order = [\n", 'order = [\n"7",')],
        "^[wheel.symbols]",
    ),
    Case(
        "double-number",
        MBS,
        [("pockets = 37", "pockets = 38"), ('"3", "26",\n]', '"3", "26", "26",\n]')],
        "^order = [",
    ),
    Case(
        "double-number",
        MBS,
        [('"column:1" = ["1", "4"', '"column:1" = ["1", "1", "4"')],
        '^"column:1" = ["1"',
    ),
    Case(
        "double-number",
        MBS,
        [
            (
                "[[layout.main.block]]",
                '[[layout.main.rect]]\nnumber = "0"\nfrom = [0, 0]\nto = [2, 6]\n\n[[layout.main.block]]',
            )
        ],
        '[2, 6]\n\n[[layout.main.rect]]\n^number = "0"',
    ),
    Case(
        "two-colours", MBS, [('red = [\n    "1", "3"', 'red = [\n    "1", "2", "3"')], 'black = [\n^    "2"'
    ),
    Case("no-colour", MBS, [('green = ["0"]\n', "")], "^[wheel.colours]"),
    Case(
        "colour-differs",
        MBS,
        [('"36",\n]\nred = [\n    "1", "3"', '"36",\n]\nred = [\n    "1"')],
        '"36",\n]\n^red = [',
    ),
    Case("number-differs", MBS, [('odd = [\n    "1"', 'odd = [\n    "2", "1"')], '^    "2", "1"'),
    Case("number-differs", MBS, [('0 = ["0", "10"', '0 = ["0",\n"11", "10"')], '^"11", "10"'),
    Case("unknown-pocket", MBS, [('green = ["0"]', 'green = ["0", "00"]')], "^green"),
    Case("unknown-pocket", MBS, [('"dozen:1" = ["1"', '"dozen:1" = ["37"')], '^"dozen:1"'),
    Case(
        "unknown-pocket",
        MBS,
        [
            (
                "[[layout.main.block]]",
                '[[layout.main.rect]]\nnumber = "00"\nfrom = [-4, 0]\nto = [-2, 6]\n\n[[layout.main.block]]',
            ),
        ],
        '^number = "00"',
    ),
    Case("unknown-pocket", MBS, [('0 = ["0", "10"', '0 = ["0",\n"00", "10"')], '^"00", "10"'),
    Case(
        "number-differs", MBS, [('"3", "4", "5", "6", "7"', '"3", "14", "5", "6", "7"')], '^"dozen:1" = ["1"'
    ),
    Case("number-differs", MBS, [('"3", "4", "5", "6", "7"', '"3", "5", "6", "7"')], '^"dozen:1" = ["1"'),
    Case("number-differs", MBS, [('low = [\n    "1",', 'low = [\n    "0", "1",')], '^    "0", "1",'),
    Case("number-differs", MBS, [('["1", "4", "7"', '["1", "5", "7"')], '^"column:1" = { label'),
    Case("number-differs", MBS, [('["1", "4", "7"', '["0", "1", "4", "7"')], '^"column:1" = { label'),
    Case(
        "number-differs",
        MBS,
        [("\nlow = [", "\nmiddle = ["), ("\nhigh = [", "\nlow = ["), ("\nmiddle = [", "\nhigh = [")],
        "^low = [",
    ),
    Case("double-number", MBS, [('"dozen:2" = ["13"', '"dozen:2" = ["12", "13"')], '^"dozen:2" = ["12"'),
    Case("double-number", MBS, [('high = [\n    "19"', 'high = [\n    "18", "19"')], "^high = ["),
    Case(
        "double-number",
        MBS,
        [
            (
                '["2", "5", "8", "11", "14", "17", "20", "23", "26", "29", "32", "35"]\n',
                '["1", "4", "7", "10", "13", "16", "19", "22", "25", "28", "31", "34"]\n',
            )
        ],
        '^"column:2" = { label',
    ),
    Case("colour-differs", MONEY_WHEEL, [("[boxes]\n", '[boxes]\nred = ["20"]\n')], '^red = ["20"]'),
    Case("unknown-box", MBS, [("[boxes]\n", '[boxes]\nmiddle = ["13"]\n')], "^middle"),
    Case(
        "unknown-box",
        MBS,
        [
            (
                "[layout.main.boxes]\n",
                '[layout.main.boxes]\n"dozen:4" = { label = "4th", from = [50, 0], to = [51, 1] }\n',
            )
        ],
        '^"dozen:4"',
    ),
    Case(
        "number-not-on-layout",
        MBS,
        [
            ("pockets = 37", "pockets = 38"),
            ('"3", "26",\n]', '"3", "26", "00",\n]'),
            ('green = ["0"]', 'green = ["0", "00"]'),
        ],
        "^[layout.main]",
    ),
    Case(
        "no-area",
        MBS,
        [("from = [26, 0], to = [28, 2]", "from = [26, 0], to = [26, 2]")],
        '^"column:1" = { label',
    ),
    Case(
        "overlap",
        MBS,
        [("from = [2, -4], to = [6, -2]", "from = [2, -4], to = [7, -2]")],
        '^"even" = { label',
    ),
    Case("no-name", MBS, [('corner = "Corner"\n', "")], "^[layout.main]"),
    Case("no-pay", MBS, [("corner = 8\n", "")], "^[layout.main.pays]"),
    Case("pay-without-bet", MBS, [("corner = 8\n", "corner = 8\ntop-line = 6\n")], "^top-line = 6"),
    Case(
        "unknown-bet",
        RWS_000,
        [('green = "street:0/00/000"', 'green = "street:0/00/001"')],
        '^green = "street',
    ),
    Case("unknown-layout", MBS, [('layouts = ["main"]', 'layouts = ["main", "other"]')], "^layouts"),
    Case(
        "unknown-layout",
        MBS,
        [
            (
                '[neighbours]\nlabel = "Neighbours"\nclause = "7"',
                '[neighbours]\nlabel = "N"\nclause = { main = "7", B = "7" }',
            )
        ],
        '^clause = { main = "7", B',
    ),
    Case(
        "missing",
        RWS_00,
        [(NEIGHBOURS_00, '[neighbours]\nlabel = "Neighbours"\nclause = { A = "App.C" }')],
        '^clause = { A = "App.C" }',
    ),
    Case("piece-is-no-bet", MBS, [('"split:5/8" = 1', '"split:5/9" = 1')], '^"split:5/9"'),
    Case("pieces-do-not-add-up", MBS, [("pieces = 6", "pieces = 7")], "^pieces = 7"),
    Case("unknown-announced", MBS, [('tiers = "Tiers"\n', 'tiers = "Tiers"\nsnake = "Snake"\n')], "^snake"),
    Case("double-number", MBS, [("reaches = [2]", "reaches = [2,\n2]")], "[2,\n^2]"),
    Case("reach", MBS, [("reaches = [2]\n", "")], "^[[terminal.offer]]"),
    Case("reach", MBS, [("reaches = [2]", "reaches = [2,\n0]")], "[2,\n^0]"),
    Case("reach", MBS, [("reaches = [2]", "reaches = [18,\n19]")], "[18,\n^19]"),
    Case(
        "player-acts-alone",
        MBS,
        [('cash-out = { position = "player"', 'cash-out = { position = "player", people = 2')],
        "^cash-out",
    ),
    Case(
        "too-many-people",
        MBS,
        [
            (
                'change-limits = { position = "pit-manager", people = 2',
                'change-limits = { position = "pit-manager", people = 3',
            )
        ],
        "^change-limits",
    ),
    Case("not-toml", MBS, [("revolutions = 4", "revolutions = four")], "^revolutions"),
    Case("not-toml", MBS, [("[[assumption]]", "[[assumption")], "^[[assumption"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.code} at {case.at.partition('^')[2]!r}")
def test_a_fault_is_found_alone_on_its_line(case: Case) -> None:
    text = shipped_text(case.book)
    for old, new in case.edits:
        text = edit(text, old, new)

    faults = faults_of(text)

    assert [(fault.code, fault.line) for fault in faults] == [(case.code, line_of(text, case.at))], faults
    assert faults[0].place
    assert faults[0].sentence.endswith((".", "?"))


def test_a_layout_has_a_name_that_a_file_could_have() -> None:
    text = edit(shipped_text(MBS), "[layout.main]", '[layout."a/../b"]\n[layout.main]')
    assert ("bad-name", "layout.a/../b") in [(fault.code, fault.place) for fault in faults_of(text)]


def test_a_summary_may_have_several_lines() -> None:
    assert faults_of(edit(shipped_text(MBS), 'summary = "Opens', 'summary = "Opens\\n')) == []


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("true", "true"),
        ("{ commission = 5 }", "a table"),
        ("2026-01-01", "2026-01-01"),
        ('"3:2"', "'3:2'"),
        ("[true]", "[true]"),
    ],
)
def test_a_value_of_another_type_is_shown_as_a_file_has_it(value: str, shown: str) -> None:
    (fault,) = faults_of(edit(shipped_text(MBS), "revolutions = 4", f"revolutions = {value}"))
    assert fault.sentence == f"{shown} is not a whole number."


def test_a_text_that_is_not_utf_8_is_refused_on_the_line_of_the_first_wrong_byte() -> None:
    content = shipped_text(MBS).encode().replace(b'"Marina Bay Sands"', b'"Marina Bay \xff"')

    faults = faults_of(content)

    assert [(fault.code, fault.line) for fault in faults] == [("not-utf-8", 7)]


def test_a_text_that_breaks_off_is_refused_on_its_last_line() -> None:
    text = shipped_text(MBS).partition('"23", "10"')[0]

    faults = faults_of(text)

    assert [(fault.code, fault.line) for fault in faults] == [("not-toml", text.count("\n") + 1)]


def test_every_code_of_the_sources_has_a_test() -> None:
    sources = [Path(folder).glob("*.py") for folder in croupier.rulebook.__path__]
    calls = [
        node
        for files in sources
        for path in files
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
    ]
    reported = {
        argument.value
        for call in calls
        for argument in (
            call.args[:1]
            if ast.unparse(call.func).endswith(".fault")
            else call.args[2:3]
            if ast.unparse(call.func) == "Fault"
            else []
        )
        if isinstance(argument, ast.Constant)
    }

    assert "overlap" in reported
    assert "not-utf-8" in reported
    assert reported == {case.code for case in CASES} | {"not-utf-8"}

"""What the table acts on by itself a book has to say; where it does not, the fault says what to write."""

import re

import pytest

from croupier.rulebook.required import CAUSES, EVERY_GAME
from croupier.rulebook.vocabulary import CONSEQUENCES, SINCE
from rulebook.edited_books import edit, faults_of, line_of, shipped_text

MBS, MONEY_WHEEL, RWS_00 = "mbs-roulette", "rws-money-wheel", "rws-roulette-00"

NEEDED = [
    (MBS, "too-few-revolutions", "wheel.revolutions", "^revolutions = 4"),
    (MBS, "no-compartment", "authority.spin", "^spin = { position"),
    (MBS, "same-direction", "wheel.opposite_direction", "^opposite_direction"),
    (MBS, "no-spin", "authority.call-no-spin", "^call-no-spin = {"),
    (MBS, "wrong-result", "authority.correct-result", "^correct-result = {"),
    (MBS, "not-covered", "authority.decide", "^decide = {"),
    (MBS, "interruption-no-outcome", "irregularity", "^[[irregularity]]"),
    (MBS, "interruption-outcome", "irregularity", "^[[irregularity]]"),
    (MONEY_WHEEL, "box-over-maximum", "play.limits", '^limits = { value = "mark-box"'),
]


def irregularity(text: str, cause: str) -> str:
    """What a book says of a cause, from the heading to the blank line."""
    (found,) = re.findall(rf'\[\[irregularity\]\]\ncause = "{cause}"\n(?:.+\n)+\n', text)
    return str(found)


def line(text: str, action: str) -> str:
    """The line of an action."""
    (found,) = re.findall(rf"^{action} = \{{ position.*\n", text, re.MULTILINE)
    return str(found)


@pytest.mark.parametrize(("book", "cause", "place", "at"), NEEDED, ids=lambda value: str(value))
def test_a_cause_is_missed_at_what_needs_it(book: str, cause: str, place: str, at: str) -> None:
    text = shipped_text(book)
    text = edit(text, irregularity(text, cause), "")

    (fault,) = faults_of(text)

    assert (fault.code, fault.place, fault.line) == ("missing", place, line_of(text, at))
    assert f'[[irregularity]] that cites its clause, with cause = "{cause}", ' in fault.sentence


@pytest.mark.parametrize(("book", "cause"), [needed[:2] for needed in NEEDED])
def test_what_the_fault_says_to_write_is_right(book: str, cause: str) -> None:
    text = shipped_text(book)
    entry = irregularity(text, cause)
    missing = edit(text, entry, "")
    (fault,) = faults_of(missing)

    words = dict(re.findall(r'(\w+) = "([^"]+)"', fault.sentence))
    (clause,) = re.findall(r'clause = ".+"', entry)
    said = "\n".join(f'{key} = "{word}"' for key, word in words.items())
    written = f'[[irregularity]]\n{said}\ntitle = "Something"\n{clause}\n\n'

    assert {*words} == {"cause", "consequence", "since"}
    assert faults_of(edit(missing, "[[irregularity]]", f"{written}[[irregularity]]")) == []


@pytest.mark.parametrize(
    ("book", "cause", "edits"),
    [
        (MBS, "same-direction", [("opposite_direction = true", "opposite_direction = false")]),
        (MBS, "no-spin", ["call-no-spin"]),
        (MBS, "not-covered", ["decide"]),
        (MBS, "wrong-result", ["correct-result", "correct-settled-result"]),
        (MONEY_WHEEL, "box-over-maximum", [('value = "mark-box"', 'value = "refuse"')]),
        (MBS, "wheel-still", []),
        (MONEY_WHEEL, "excess-not-rejected", []),
        (RWS_00, "terminal-lost", []),
    ],
)
def test_a_cause_that_nothing_needs_may_be_left_out(
    book: str, cause: str, edits: list[str | tuple[str, str]]
) -> None:
    text = shipped_text(book)
    text = edit(text, irregularity(text, cause), "")
    for change in edits:
        old, new = (line(text, change), "") if isinstance(change, str) else change
        text = edit(text, old, new)

    assert faults_of(text) == []


def test_a_wrong_result_is_missed_where_only_settled_ones_are_corrected() -> None:
    text = shipped_text(MBS)
    text = edit(edit(text, irregularity(text, "wrong-result"), ""), line(text, "correct-result"), "")

    assert [fault.place for fault in faults_of(text)] == ["authority.correct-settled-result"]


def test_a_book_without_any_irregularity_misses_each_that_it_needs() -> None:
    text = re.sub(r"\[\[irregularity\]\]\n(?:.+\n)+\n", "", shipped_text(MBS))

    faults = faults_of(text)

    assert {fault.code for fault in faults} == {"missing"}
    assert len(faults) == len([needed for needed in NEEDED if needed[0] == MBS])


@pytest.mark.parametrize("action", EVERY_GAME)
def test_an_action_that_every_game_has_is_missed(action: str) -> None:
    text = shipped_text(MONEY_WHEEL)
    text = edit(text, line(text, action), "")

    faults = [fault for fault in faults_of(text) if fault.place == "authority"]

    assert [(fault.code, fault.line) for fault in faults] == [("missing", line_of(text, "^[authority]"))]
    (example,) = re.findall(r"write for example (.*)\.$", faults[0].sentence)
    assert faults_of(edit(text, "[authority]\n", f"[authority]\n{example.replace('...', '3.2')}\n")) == []


def test_nothing_is_too_much_in_a_box_where_nobody_rejects_it() -> None:
    text = shipped_text(MONEY_WHEEL)
    text = edit(text, line(text, "reject-bets"), "")

    (fault,) = faults_of(text)

    assert (fault.code, fault.place) == ("missing", "authority")
    assert fault.sentence.startswith(
        "what is too much in a marked box is rejected; write for example reject-bets"
    )


def test_settled_rounds_are_not_voided_where_nothing_is_declared() -> None:
    text = shipped_text(MBS)
    text = edit(text, line(text, "declare-irregularity"), "")

    (fault,) = faults_of(text)

    assert (fault.code, fault.place) == ("missing", "authority.void-settled-rounds")
    text = edit(text, 'settled = { value = "void", assumption = "settled-rounds" }', SETTLED_STAND)
    assert faults_of(edit(text, line(text, "void-settled-rounds"), "")) == []


SETTLED_STAND = 'settled = { value = "stand", clause = "6.3" }'


def test_settled_rounds_that_are_void_by_what_is_found_later_need_the_action() -> None:
    text = shipped_text(MBS)
    text = edit(text, line(text, "void-settled-rounds"), "")

    (fault,) = faults_of(text)

    assert (fault.code, fault.place) == ("missing", "authority")
    assert "void-settled-rounds" in fault.sentence


@pytest.mark.parametrize("book", [MBS, RWS_00, MONEY_WHEEL])
def test_a_book_has_to_say_what_becomes_of_settled_rounds(book: str) -> None:
    text = shipped_text(book)
    text = re.sub(r"^settled = \{ value.*\n", "", text, flags=re.MULTILINE)

    fault, *_ = faults_of(text)

    assert (fault.code, fault.place) == ("missing", "play")
    assert "settled" in fault.sentence


def test_a_book_without_authority_is_not_told_of_each_action() -> None:
    before, _, rest = shipped_text(MBS).partition("[authority]\n")
    text = before + rest[rest.index("[[assumption]]") :]

    assert [fault.code for fault in faults_of(text)] == ["missing"]


@pytest.mark.parametrize("cause", CAUSES)
@pytest.mark.parametrize("key", ["consequence", "since"])
def test_what_follows_from_a_cause_that_the_table_acts_on_is_not_a_choice(cause: str, key: str) -> None:
    text = shipped_text(MONEY_WHEEL if cause == "box-over-maximum" else MBS)
    entry = irregularity(text, cause)
    fit, every = (
        (CAUSES[cause].consequences, CONSEQUENCES) if key == "consequence" else (CAUSES[cause].since, SINCE)
    )
    for word in (*fit, *[word for word in every if word not in fit][:2]):
        changed = re.sub(rf'(?m)^{key} = ".*"$', f'{key} = "{word}"', entry)
        faults = faults_of(text.replace(entry, changed))
        assert [fault.code for fault in faults] == ([] if word in fit else ["unknown-word"]), word


def test_a_terminal_is_not_called_like_a_seat_without_one() -> None:
    text = edit(shipped_text(MBS), 'id = "rapid-select"', 'id = "place"')

    assert [(fault.code, fault.place) for fault in faults_of(text)] == [("bad-name", "terminal[0].id")]


@pytest.mark.parametrize("name", ["red", "green"])
def test_an_announced_bet_is_not_called_like_an_ordinary_one(name: str) -> None:
    """`red` is a box of the layout, and `green` another name of a street on it."""
    text = shipped_text("rws-roulette-000")
    (first, *_) = re.findall(r'\[\[announced\]\]\nname = "(.*)"', text)
    text = text.replace(f'name = "{first}"', f'name = "{name}"').replace(f"\n{first} = ", f"\n{name} = ")

    assert ("double-id", "announced[0].name") in [(fault.code, fault.place) for fault in faults_of(text)]


def test_finales_need_numbers_that_can_be_bet_on() -> None:
    terminal = (
        '[[terminal]]\nid = "poste"\ntitle = "Poste"\n[[terminal.offer]]\nlayout = "main"\nclause = "3.2"\n'
    )
    terminal += '[terminal.offer.labels]\nfinales = "Finales"\n'
    finales = '[finales]\nlabel = "Finales"\nclause = "3.2"\n[finales.digits]\n1 = ["1"]\n'
    text = edit(shipped_text(MONEY_WHEEL), "[notices]\n", f"{finales}{terminal}\n[notices]\n")

    assert [(fault.code, fault.place) for fault in faults_of(text)] == [("piece-is-no-bet", "finales")]


def test_a_layout_needs_something_to_bet_on() -> None:
    text = re.sub(r'"symbol:.*from = .*\n', "", shipped_text(MONEY_WHEEL))
    text = re.sub(r'(?m)^"?symbol.* = \d+\n', "", text)

    assert [(fault.code, fault.place) for fault in faults_of(text)] == [("empty", "layout.main")]

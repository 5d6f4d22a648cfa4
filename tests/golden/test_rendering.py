"""Transcripts show everything: no event, no field of one, and no command can go unseen."""

from typing import get_args

import pytest
from msgspec import inspect

from croupier.rulebook import load_book
from croupier.table import COMMANDS, Event, Rules
from golden import command_words
from golden.rendering import show_event
from golden.samples import changed, sample
from golden.setting_words import DEFAULTS, read_limits, read_settings, show_limits
from golden.transcript import FOLDER, differences, play_script, played, read_script

EVENTS = [*get_args(Event)]
FILES = sorted(path.relative_to(FOLDER).as_posix() for path in FOLDER.glob("*/*.txt"))


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.__name__)
def test_a_change_of_any_fact_of_an_event_changes_what_is_shown(kind: type) -> None:
    event = sample(kind)
    shown = show_event(event, "")
    unseen = [way for way, other in changed(event) if show_event(other, "") == shown]
    assert unseen == []


def test_the_hash_of_the_book_is_shown_where_it_is_another_one() -> None:
    created = played("mbs-roulette/ordinary-round.txt").play.entries[0].event
    sha256 = load_book("mbs-roulette").sha256
    assert "hash of the book as it is now" in show_event(created, sha256)[0]
    assert sha256 in show_event(created, "another")[0]


def test_every_command_has_its_words() -> None:
    tags = [str(inspect.type_info(kind).tag) for kind in COMMANDS]  # type: ignore[attr-defined]  # all are structs
    assert [*command_words.COMMANDS] == tags


@pytest.mark.parametrize(
    ("book", "limited"),
    [("mbs-roulette", "straight"), ("rws-roulette-00", "split:17/20"), ("rws-money-wheel", "symbol:20")],
)
def test_limits_read_as_they_are_shown(book: str, limited: str) -> None:
    own = f"{limited}=2.00..20.00 all-seats/{limited}=30.00"
    words = f"every-bet=1.00..1000.00 {own} seat=1.00 table=2.00 exposure=3.00"
    assert show_limits(read_limits(Rules(load_book(book)), words.split())) == words


def test_a_heading_changes_the_settings_that_it_names_and_no_other() -> None:
    rules = Rules(load_book("mbs-roulette"))
    usual, other = read_settings(rules, ""), read_settings(rules, "lock-up=5.00 betting-seconds=none")
    assert usual == read_settings(rules, DEFAULTS)
    assert other == {**usual, "lock_up_cents": 500, "betting_seconds": None}


def test_a_difference_is_shown_line_by_line() -> None:
    text = played("mbs-roulette/zero.txt").text
    other = text.replace("straight:0 1.00 won, returned 36.00", "straight:0 1.00 won, returned 35.00")
    lines = [line.split() for line in differences("zero.txt", text, other) if line[:1] in ("+", "-")]
    assert lines[2:] == [
        ["-", "straight:0", "1.00", "won,", "returned", "36.00"],
        ["+", "straight:0", "1.00", "won,", "returned", "35.00"],
    ]
    assert differences("zero.txt", text, text) == []


@pytest.mark.parametrize("file", FILES)
def test_a_test_plays_every_transcript(file: str) -> None:
    tests = "".join(path.read_text("utf-8") for path in FOLDER.glob("test_*.py"))
    assert f'"{file}"' in tests


HEADING = "# A title\nbook: mbs-roulette  layout: main\nclauses: none\n\n"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (HEADING.replace("clauses", "rules: none\nclauses"), "not understood: rules"),
        (HEADING + "20:00:00 open-table\n", "not understood: 20:00:00 open-table"),
        (HEADING + "20:00:00  somebody-1  open-table\n", "'somebody-1' is nobody"),
        (HEADING + "20:00:00  dealer-1  open-sesame\n", "'open-sesame' is not a command"),
        (HEADING + "20:00:00  dealer-1  open-round now\n", "not written like the command open-round"),
        (HEADING + "20:00:05  dealer-1  open-round\n20:00:04  dealer-1  open-round\n", "goes back in time"),
    ],
)
def test_a_transcript_that_is_not_understood_is_not_played(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        play_script(read_script(text))

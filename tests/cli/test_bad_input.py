"""Bad input: status 2, nothing on standard output, one clear sentence and what would have been right."""

from pathlib import Path

import pytest

from cli.running import refusal, run
from croupier.cli.entry import COMMANDS

SETTLE = ("settle", "mbs-roulette", "--result", "17")


@pytest.mark.parametrize("command", ["bets", "announced", "odds", "clauses", "wheel"])
def test_an_unknown_book(command: str) -> None:
    assert refusal(command, "roulette") == (
        "There is no book 'roulette'. Use one of mbs-roulette, rws-money-wheel, rws-roulette-00, "
        "rws-roulette-000, or the path of a .toml file."
    )


@pytest.mark.parametrize("command", ["bets", "announced", "odds", "wheel"])
def test_an_unknown_layout(command: str) -> None:
    said = refusal(command, "rws-roulette-00", "--layout", "C")
    assert said == "rws-roulette-00 has no layout 'C'. Its layouts are A, B."


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ((*SETTLE, "--result", "18", "--bet", "red=5"), "--result"),
        (("report", "journal.db", "--by", "dealer", "--by", "shift"), "--by"),
        (("lab", "odds", "mbs-roulette", "--layout", "main", "--layout", "main"), "--layout"),
    ],
)
def test_an_option_with_one_value_is_not_taken_twice(words: tuple[str, ...], option: str) -> None:
    assert refusal(*words).startswith(f"{option} is given twice, and takes one value. Write croupier ")


def test_an_unknown_terminal() -> None:
    said = refusal("announced", "mbs-roulette", "--terminal", "rapid")
    assert (
        said
        == "mbs-roulette has no terminal 'rapid'. Its terminals are rapid-select, rapid-fusion, alfastreet."
    )


def test_a_terminal_in_a_game_without_terminals() -> None:
    assert "without terminals" in refusal("announced", "rws-money-wheel", "--terminal", "rapid")


def test_a_bet_that_does_not_exist_on_this_layout() -> None:
    said = refusal(*SETTLE, "--bet", "split:1/9=5")
    assert said.startswith("There is no bet 'split:1/9' on layout main. Near it are ")


@pytest.mark.parametrize(
    ("book", "bet"),
    [("mbs-roulette", "green"), ("rws-money-wheel", "red"), ("mbs-roulette", "straight:00")],
)
def test_a_bet_of_another_game(book: str, bet: str) -> None:
    said = refusal("settle", book, "--result", "1", "--bet", f"{bet}=5")
    assert said.startswith(f"There is no bet '{bet}' on layout main. ")


def test_an_announced_bet_that_this_layout_does_not_offer() -> None:
    said = refusal("settle", "rws-roulette-00", "--layout", "B", "--result", "1", "--bet", "tiers=1")
    assert said.startswith("There is no bet 'tiers' on layout B. ")


def test_a_bet_that_is_not_written_like_one() -> None:
    assert refusal(*SETTLE, "--bet", "=5").startswith("'' is not written like a bet. Write for example ")


@pytest.mark.parametrize(
    "amount", ["5.123", "-5", "+5", "", " ", "five", "1e3", "1,000", "\u0665", "5=5", "0x10", "1" * 14]
)
def test_an_amount_that_is_none(amount: str) -> None:
    assert refusal(*SETTLE, "--bet", f"red={amount}") == (
        f"{amount!r} is not an amount. "
        "Write dollars with at most two decimals and no sign, for example 5 or 12.50."
    )


@pytest.mark.parametrize("amount", ["0", "0.00", "00.0"])
def test_a_stake_of_nothing(amount: str) -> None:
    said = refusal(*SETTLE, "--bet", "black=1", "--bet", f"red={amount}")
    assert said == f"'red={amount}' stakes nothing. Write an amount of 0.01 or more."


def test_a_bet_without_an_amount() -> None:
    said = refusal(*SETTLE, "--bet", "red")
    assert said == "'red' names no amount. Write ID=AMOUNT, for example red=5 or split:17/20=2.50."


@pytest.mark.parametrize(
    ("book", "result"),
    [
        ("mbs-roulette", "00"),
        ("mbs-roulette", "37"),
        ("mbs-roulette", "-1"),
        ("rws-roulette-00", "000"),
        ("rws-money-wheel", "2"),
    ],
)
def test_a_result_that_is_not_on_the_wheel(book: str, result: str) -> None:
    bet = "symbol:1=1" if book == "rws-money-wheel" else "red=1"
    said = refusal("settle", book, f"--result={result}", "--bet", bet)
    assert said.startswith(f"'{result}' is not on the wheel of {book}. It shows ")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (SETTLE, "The following arguments are required: --bet."),
        ((*SETTLE, "--bet"), "Argument --bet: expected at least one argument."),
        (("settle", "mbs-roulette", "--bet", "red=1"), "The following arguments are required: --result."),
        (("settle", "--result", "1", "--bet", "red=1"), "The following arguments are required: BOOK."),
        ((*SETTLE, "--bet", "red=1", "--layout=--"), "--layout has no value."),
        ((*SETTLE, "--bet", "red=1", "--stake", "5"), "Unrecognized arguments: --stake 5."),
    ],
)
def test_a_command_that_is_not_whole(words: tuple[str, ...], sentence: str) -> None:
    written = "Write croupier settle BOOK [--layout L] --result R --bet ID=AMOUNT ... [--json]"
    assert refusal(*words) == f"{sentence} {written}"


def test_an_option_is_written_in_full() -> None:
    assert refusal("bets", "mbs-roulette", "--lay", "main").startswith("Unrecognized arguments: --lay main.")


@pytest.mark.parametrize("word", ["bet", "", "--json", "-x", "--"])
def test_an_unknown_command(word: str) -> None:
    assert refusal(word) == (f"There is no command {word!r}. Use one of {', '.join(COMMANDS)}.")


@pytest.mark.parametrize("command", ["bets", "check"])
def test_a_file_that_cannot_be_opened(command: str, tmp_path: Path) -> None:
    for path in (tmp_path / "absent.toml", tmp_path):
        said = refusal(command, str(path))
        assert said.startswith(f"The book '{path}' cannot be opened: ")
        assert said.endswith("Give the path of a .toml file.")


@pytest.mark.parametrize("content", [b"\xff\xfe", b"= 5", b"[book", b""])
def test_a_file_that_is_no_book(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_bytes(content)
    ran = run("bets", str(path))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"croupier: {path} has ")
    assert "\nline 1, " in ran.err

"""`croupier lab` with bad input: status 2, nothing on standard output, a sentence and what would be right."""

import inspect
from pathlib import Path

import pytest

from cli.running import refusal, run, run_process
from croupier.lab import SYSTEMS
from croupier.lab.systems.parameters import BUILDERS, PARAMETERS

SESSION = ("lab", "session", "mbs-roulette", "--bankroll", "100", "--system")
OWN = """
from croupier.lab import LEAVE, System, step

@step
def _negative(memory, net_cents, outcome):
    return -3

@step
def _three_wins(memory, net_cents, outcome):
    if net_cents > 0:
        memory[1] += 1
    return LEAVE if memory[1] == 3 else 1

@step
def _dividing(memory, net_cents, outcome):
    return 1 // memory[1]

@step
def _sitting(memory, net_cents, outcome):
    return 0

def _plain(memory, net_cents, outcome):
    return 1

def dividing(slip):
    return System(name="dividing", slips=(slip,), step=_dividing, start=(0, 0))

def sitting(slip):
    return System(name="sitting", slips=(slip,), step=_sitting, start=(0,))

def plain(slip):
    return System(name="plain", slips=(slip,), step=_plain, start=(0,))

def blank(slip):
    return System(name="blank", slips=(slip,), step=_sitting, start=())

def aimless(slip):
    return System(name="aimless", slips=(), step=_sitting, start=(0,))

def negative(slip):
    return System(name="negative", slips=(slip,), step=_negative, start=(0, 0))

def three_wins(slip):
    return System(name="three wins", slips=(slip,), step=_three_wins, start=(0, 0))

def nothing(slip):
    return None

def broken(slip):
    return slip.no_such_thing

number = 7
"""


@pytest.fixture
def own(tmp_path: Path) -> str:
    path = tmp_path / "own.py"
    path.write_text(OWN, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["flat", "--goal", "90"],
            "The goal of 9000 cents is not above the bankroll of 10000. Set a goal above",
        ),
        (["flat", "--goal", "100"], "The goal of 10000 cents is not above the bankroll of 10000. "),
        (["flat", "--stop", "100"], "The stop of 10000 cents is not under the bankroll of 10000. "),
        (["flat", "--maximum", "0.50"], "One unit puts 100 cents on a bet, and the table's maximum is 50. "),
        (["flat", "--minimum", "5"], "One unit puts 100 cents on a bet, and the table's minimum is 500. "),
        (["flat", "--rounds", "10000000"], "10000000 is not a number of rounds the lab computes. "),
        (["flat", "--rounds", "0"], "0 is not a number of rounds the lab computes. "),
        (
            ["flat", "--rounds", "many"],
            "Argument --rounds: invalid int value: 'many'. Write croupier lab session",
        ),
        (["flat", "--unit", "200"], "The first stake takes 20000 cents, and the bankroll is 10000. "),
        (
            ["flat", "--unit", "-1"],
            "'-1' is not an amount. Write dollars with at most two decimals and no sign",
        ),
        (["flat", "--unit", "one"], "'one' is not an amount. Write dollars"),
        (["flat", "--bet", "red=0"], "'red=0' stakes nothing. Write an amount of 0.01 or more."),
        (["flat", "--bet", "purple"], "There is no bet 'purple' on layout main. "),
        (["flat", "--beyond", "cry"], "Argument --beyond: invalid choice: 'cry' "),
        (["flat", "--set", "units=0"], "0 is not a number a system can use. Give 1 to "),
        (["flat", "--set", "units=x"], "'x' is not a whole number above zero. Write for example 8."),
        (["flat", "--set", "most=3"], "flat has no parameter 'most'. It knows units."),
        (["1-3-2-6", "--set", "most=3"], "1-3-2-6 has no parameter 'most'. It has nothing to set."),
        (["flat", "--set", "units"], "'units' sets nothing. Write KEY=VALUE, for example most=8."),
        (["labouchere", "--set", "line=1,,2"], "'' is not a whole number above zero. "),
        (
            ["kelly", "--set", "belief=1/0"],
            "'1/0' is not a chance or a share. Write for example 0.51 or 19/37.",
        ),
        (["kelly", "--set", "belief=1e99999999"], "'1e99999999' is not a chance or a share. "),
        (["kelly", "--set", "belief=0.4"], "A belief of 2/5 and a share of 1 give nothing to stake. "),
        (["kelly", "--set", "share=1/2"], "kelly cannot be set without belief. Set belief too."),
        (["lucky"], "There is no system 'lucky'. The systems are flat, martingale, "),
        (["james-bond", "--bet", "red"], "james-bond chooses its bets itself. Leave --bet out; "),
        (["absent.py:mine"], "The file 'absent.py' cannot be opened: No such file or directory. "),
        (["flat", "--json", "--csv"], "Argument --csv: not allowed with argument --json. "),
    ],
)
def test_a_session_that_cannot_be_played(words: list[str], said: str) -> None:
    assert refusal(*SESSION, *words).startswith(said)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "The following arguments are required: WHAT. Write croupier lab odds|session|"),
        (["luck"], "Argument WHAT: invalid choice: 'luck' "),
        (
            ["odds", "mbs-roulette"],
            "The following arguments are required: --bet. Write croupier lab odds BOOK ",
        ),
        (["odds", "roulette", "--bet", "red=1"], "There is no book 'roulette'. "),
        (["odds", "mbs-roulette", "--bet", "red"], "'red' names no amount. Write ID=AMOUNT"),
        (["odds", "mbs-roulette", "--bet", "=5"], "'' is not written like a bet. "),
        (["odds", "mbs-roulette", "--bet", "red=1.234"], "'1.234' is not an amount. "),
        (["odds", "mbs-roulette", "--bet", "red=9999999999999"], "The stake 999999999999900 on red is not "),
        (
            ["odds", "mbs-roulette", "--bet", "red=1", "--rounds", "10000000"],
            "10000000 is not a number of rounds",
        ),
        (
            ["odds", "rws-roulette-00", "--layout", "C", "--bet", "red=1"],
            "rws-roulette-00 has no layout 'C'. ",
        ),
        (
            ["session", "mbs-roulette", "--system", "flat"],
            "The following arguments are required: --bankroll. ",
        ),
        (["report", "mbs-roulette"], "The following arguments are required: --out. "),
        (
            ["compare", "rws-money-wheel", "--bankroll", "10", "--system", "andrucci"],
            "Tracking needs a bet on",
        ),
        (
            ["compare", "mbs-roulette", "--bankroll", "10", "--minimum", "5"],
            "No system can be played: One unit puts 100 cents on a bet",
        ),
        (
            ["compare", "mbs-roulette", "--bankroll", "10", "--goal", "5"],
            "The goal of 500 cents is not above",
        ),
    ],
)
def test_a_question_that_makes_no_sense(words: list[str], said: str) -> None:
    assert refusal("lab", *words).startswith(said)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--sessions", "0"], "0 is not a number of sessions. "),
        (["--sessions", "9999999999999"], "9999999999999 is not a number of sessions. "),
        (["--cores", "0"], "0 threads are no use. "),
        (["--seed", "-1"], "-1 is not a seed"),
    ],
)
def test_a_simulation_that_cannot_be_run(words: list[str], said: str) -> None:
    assert refusal("lab", "simulate", *SESSION[2:], "flat", *words).startswith(said)


def test_a_system_of_ones_own_plays(own: str) -> None:
    figures = run(*SESSION, f"{own}:three_wins", "--rounds", "500", "--json").json["figures"]
    assert figures["left"] == pytest.approx(1, abs=1e-6)
    words = ("lab", "simulate", *SESSION[2:], f"{own}:three_wins", "--sessions", "3000", "--json")
    assert abs(run(*words).json["figures"]["rounds"]["z"]) < 5


def test_a_system_of_ones_own_plays_again_in_another_process(own: str) -> None:
    words = (*SESSION, f"{own}:three_wins", "--csv")
    first, second = run_process(*words), run_process(*words)
    assert (first.status, first.err) == (0, "")
    assert second == first


def test_a_system_that_sits_every_round_out_loses_nothing(own: str) -> None:
    figures = run(*SESSION, f"{own}:sitting", "--rounds", "20", "--json").json["figures"]
    assert (figures["turnover_cents"], figures["loss_by_turnover"], figures["mean_cents"]) == (0, 0, 10_000)
    words = ("lab", "simulate", *SESSION[2:], f"{own}:sitting", "--rounds", "20", "--sessions", "10")
    assert run(*words).status == 0


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("dividing", "The step of the system dividing cannot be run: ZeroDivisionError: "),
        ("plain", "The step of the system plain is no step yet. Write @step above the function."),
        ("blank", "The system blank starts with () as its memory. Give whole numbers"),
        ("aimless", "The system aimless has no slip. Give it at least one to bet on."),
    ],
)
@pytest.mark.parametrize("command", ["session", "simulate", "compare"])
def test_a_system_of_ones_own_that_is_wrong(own: str, command: str, name: str, said: str) -> None:
    assert refusal("lab", command, *SESSION[2:], f"{own}:{name}").startswith(said)


@pytest.mark.parametrize("command", ["session", "simulate"])
def test_a_system_that_asks_for_a_negative_stake(own: str, command: str) -> None:
    said = refusal("lab", command, *SESSION[2:], f"{own}:negative")
    assert said.startswith("The system negative asks for -3 units. A step returns 0 to sit out, ")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("absent", "has no function 'absent'. Name a function that takes a slip and returns a System."),
        ("number", "has no function 'number'. "),
        ("nothing", "returns NoneType. Return a System"),
        ("broken", "cannot be run: AttributeError: "),
    ],
)
def test_a_system_of_ones_own_that_is_none(own: str, name: str, said: str) -> None:
    assert said in refusal(*SESSION, f"{own}:{name}")


def test_a_file_that_is_no_python(tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text("def (:", encoding="utf-8")
    assert "cannot be run: SyntaxError: " in refusal(*SESSION, f"{path}:mine")


def test_a_system_of_ones_own_is_set_inside_its_file(own: str) -> None:
    said = refusal(*SESSION, f"{own}:three_wins", "--set", "wins=4")
    assert said == "A system of your own has nothing to set. Set it inside its file."


def test_what_can_be_set_is_what_the_systems_take() -> None:
    assert [*PARAMETERS] == [*SYSTEMS] == [*BUILDERS]
    for name, parameters in PARAMETERS.items():
        taken = [*inspect.signature(BUILDERS[name]).parameters]
        own = [each for each in taken if each not in ("slip", "book", "layout", "unit_cents", "chip_cents")]
        assert own == [parameter.name for parameter in parameters]


def test_a_machine_without_the_libraries_of_the_lab(tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text("raise ModuleNotFoundError('none', name='numba')\n", encoding="utf-8")
    ran = run_process("lab", "systems", PYTHONPATH=str(tmp_path))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "croupier: The lab needs numba, which is not installed. Install croupier[lab].\n"


def test_a_machine_without_the_libraries_of_a_cluster(tmp_path: Path) -> None:
    refuse = "raise ModuleNotFoundError('none', name='distributed')\n"
    (tmp_path / "distributed.py").write_text(refuse, encoding="utf-8")
    words = ("lab", "simulate", *SESSION[2:], "flat", "--cluster", "tcp://127.0.0.1:1")
    ran = run_process(*words, PYTHONPATH=str(tmp_path))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("croupier: A cluster needs the package distributed, which is not installed. ")


def test_the_other_commands_load_nothing_of_the_lab() -> None:
    ran = run_process("lab", "-h", PYTHONPROFILEIMPORTTIME="1")
    loaded = {line.rpartition("|")[2].strip() for line in ran.err.splitlines()}
    assert "croupier.cli.lab" in loaded
    assert not loaded & {"numpy", "scipy", "numba", "matplotlib", "distributed", "croupier.lab"}

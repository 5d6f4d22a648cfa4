"""The command line: finds the command, writes what it says, and refuses in one sentence."""

import os
import sys
from collections.abc import Sequence
from typing import Final

from croupier import __version__
from croupier.cli.admin import ADMIN
from croupier.cli.backup import BACKUP
from croupier.cli.bets import ANNOUNCED, BETS, ODDS
from croupier.cli.books import BOOKS
from croupier.cli.bots import BOTS
from croupier.cli.check import CHECK
from croupier.cli.clauses import CLAUSES
from croupier.cli.command import Command, Output, Parser
from croupier.cli.events import EVENTS
from croupier.cli.export import EXPORT
from croupier.cli.fair import FAIR
from croupier.cli.integrity import INTEGRITY
from croupier.cli.lab import LAB
from croupier.cli.project import PROJECT
from croupier.cli.report import REPORT
from croupier.cli.restore import RESTORE
from croupier.cli.serving import DEMO, SERVE
from croupier.cli.settle import SETTLE
from croupier.cli.verify import VERIFY
from croupier.cli.wheel import WHEEL
from croupier.cli.wheel_emulator import WHEEL_EMULATOR
from croupier.cli.wheel_monitor import WHEEL_MONITOR
from croupier.cli.wheel_watch import WHEEL_WATCH
from croupier.rulebook import BadInput, BookFaults

BAD_INPUT: Final = 2
CANNOT_WRITE: Final = 74
"""As other programs say it (EX_IOERR): 1 would be the verdict of a command that checks something."""
INTERRUPTED: Final = 130

COMMANDS: Final = {
    command.name: command
    for command in (
        BOOKS,
        BETS,
        ANNOUNCED,
        SETTLE,
        ODDS,
        CLAUSES,
        WHEEL,
        WHEEL_WATCH,
        WHEEL_EMULATOR,
        WHEEL_MONITOR,
        CHECK,
        VERIFY,
        EXPORT,
        PROJECT,
        REPORT,
        EVENTS,
        BACKUP,
        RESTORE,
        INTEGRITY,
        FAIR,
        ADMIN,
        SERVE,
        DEMO,
        BOTS,
        LAB,
    )
}

_HELP: Final = """\
Electronic casino tables for wheel games: the approved rules as data.

usage: croupier COMMAND ...

commands:
{commands}

options:
  -h, --help     print this; 'croupier COMMAND -h' explains a command
  -V, --version  print the version

examples:
  croupier books
  croupier bets rws-roulette-00 --layout B
  croupier announced mbs-roulette --terminal alfastreet
  croupier settle mbs-roulette --result 17 --bet straight:17=5 --bet tiers=2.50
  croupier odds rws-money-wheel --json
  croupier wheel mbs-roulette --svg wheel.svg
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and gives its exit status: 0 done, 1 a fault was found, 2 the input was bad.

    >>> main(["settle", "mbs-roulette", "--result", "17", "--bet", "red=5"])
    mbs-roulette (Electronic Roulette), layout main: result 17 black
    <BLANKLINE>
    BET       STAKE        RETURNED
    red        5.00  lost      0.00
    all bets   5.00            0.00
    <BLANKLINE>
    Net -5.00 SGD, settled by clause mbs-roulette:4.1.
    0
    """
    try:
        output = _run(sys.argv[1:] if argv is None else argv)
    except (BadInput, BookFaults) as refusal:
        _say(str(refusal))
        return BAD_INPUT
    except BrokenPipeError:
        raise
    except OSError as error:  # whatever no command has a better sentence for
        _say(f"{_system_says(error)}.")
        return BAD_INPUT
    except KeyboardInterrupt:
        _say("Stopped.")
        return INTERRUPTED
    status = _write(output.text)
    for note in output.notes:
        _say(note)
    return status or output.status


def _run(words: Sequence[str]) -> Output:
    if any("\0" in word for word in words):  # no shell passes one on; a program might try
        raise BadInput("null-character", "A word has a null character in it, which no path and no name has.")
    name = words[0] if words else "--help"
    if name in ("-h", "--help"):
        width = max(map(len, COMMANDS))
        lines = (f"  {command.name:{width}}  {command.summary}" for command in COMMANDS.values())
        return Output(text=_HELP.format(commands="\n".join(lines)))
    if name in ("-V", "--version"):
        return Output(text=f"croupier {__version__}\n")
    if name not in COMMANDS:
        raise BadInput(
            "unknown-command", f"There is no command {name!r}.", f"Use one of {', '.join(COMMANDS)}."
        )
    return _run_command(COMMANDS[name], words[1:])


def _run_command(command: Command, words: Sequence[str]) -> Output:
    parser = Parser(
        prog=f"croupier {command.name}",
        usage=f"croupier {command.name} {command.usage}",
        description=f"{command.summary[:1].upper()}{command.summary[1:]}.",
        allow_abbrev=False,
    )
    command.arguments(parser)
    try:
        parser.refuse_no_values(words)
        args = parser.parse_args(words)
    except SystemExit:  # argparse has printed the help
        return Output(text="")
    return command.run(args)


def _write(text: str) -> int:
    """Writes to standard output, with a stand-in for each character that it cannot show."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    is_svg = text.startswith("<")
    shown = text.encode(encoding, "xmlcharrefreplace" if is_svg else "replace").decode(encoding)
    try:
        print(shown, end="", flush=True)
    except BrokenPipeError:  # the reader, `head` for one, has seen enough
        _let_go_of_stdout()
    except OSError as error:
        _let_go_of_stdout()
        _say(f"The output cannot be written: {error.strerror}.")
        return CANNOT_WRITE
    return 0


def _system_says(error: OSError) -> str:
    """Why the system refused something, in one line."""
    reason = " ".join((error.strerror or str(error) or type(error).__name__).split())
    return reason if error.filename is None else f"{str(error.filename)!r} cannot be used: {reason}"


def _say(sentence: str) -> None:
    """Writes to standard error, where there is one: print() would take standard output instead."""
    if sys.stderr is not None:
        print(f"croupier: {sentence}", file=sys.stderr)


def _let_go_of_stdout() -> None:
    """Keeps Python from trying, and failing, to write what is left when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

"""`python -m croupier.floor.simulation`: one seed, or as many as a time allows."""

import argparse
import itertools
import logging
import secrets
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NoReturn

from croupier.floor.simulation.soaking import Soaked, describe, soak
from croupier.floor.simulation.world import simulate
from croupier.rulebook import BadInput

USAGE: Final = (
    "python -m croupier.floor.simulation (--seed N [--journal FILE] | --minutes M [--first-seed N])"
)
FAULT_FOUND: Final = 1
BAD_INPUT: Final = 2
INTERRUPTED: Final = 130


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise BadInput("usage", f"{message[:1].upper()}{message[1:]}.", f"Write {USAGE}")


def main(argv: Sequence[str] | None = None) -> int:
    """Plays and audits; the exit status is 0 where all books were right, 1 where not, 2 for bad input."""
    logging.disable(logging.CRITICAL)  # what goes wrong here goes wrong on purpose
    try:
        arguments = _read(argv)
        if arguments.seed is not None:
            return _play_one(arguments.seed, arguments.journal)
        return _soak(arguments.minutes, arguments.first_seed)
    except BadInput as refusal:
        print(f"simulation: {refusal}", file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("\nsimulation: Stopped.", file=sys.stderr)
        return INTERRUPTED
    finally:
        logging.disable(logging.NOTSET)


def _read(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = _Parser(usage=USAGE, description="Whole floors on simulated time, audited.", allow_abbrev=False)
    parser.add_argument("--seed", type=int, help="plays the history of one seed")
    parser.add_argument("--journal", type=Path, help="where to keep its journal")
    parser.add_argument("--minutes", type=float, help="plays one seed after another for so long")
    parser.add_argument(
        "--first-seed", type=int, help="where to begin; somewhere else each time if not given"
    )
    arguments = parser.parse_args(argv)
    if (arguments.seed is None) == (arguments.minutes is None):
        parser.error("give a seed or a number of minutes")
    if arguments.minutes is not None and not 0 < arguments.minutes < 1_000_000:
        parser.error(f"{arguments.minutes} is not a number of minutes to play for")
    if arguments.journal is not None and (arguments.seed is None or arguments.journal.exists()):
        parser.error("a journal is kept of one seed, in a file that is not there yet")
    return arguments


def _play_one(seed: int, journal: Path | None) -> int:
    outcome = simulate(seed, journal)
    print(describe(outcome))
    return FAULT_FOUND if outcome.faults else 0


def _soak(minutes: float, first_seed: int | None) -> int:
    first = secrets.randbelow(10**9) if first_seed is None else first_seed
    soaked = soak(itertools.count(first), minutes, _tell)
    print(file=sys.stderr)
    print(f"from seed {first}: {soaked.line()}")
    if soaked.failed is None:
        return 0
    print(describe(soaked.failed))
    return FAULT_FOUND


def _tell(soaked: Soaked) -> None:
    print(f"\r{soaked.line()}", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())

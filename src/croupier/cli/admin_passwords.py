"""Passwords on the command line: typed without being shown, or read from a pipe; never an argument."""

import getpass
import sys

from croupier.rulebook import BadInput


def ask_password(prompt: str) -> str:
    """A password from the terminal, or the next line of standard input where that is no terminal."""
    if sys.stdin is not None and sys.stdin.isatty():
        return getpass.getpass(f"{prompt}: ")
    return next_line(prompt)


def next_line(what: str) -> str:
    """The next line of standard input."""
    line = sys.stdin.readline() if sys.stdin is not None else ""
    if not line:
        raise BadInput(
            "no-password", f"{what} is missing on standard input.", "Send it as a line of its own."
        )
    return line.rstrip("\r\n")

"""Commands for people."""

from croupier.cli.entry import main

__all__ = ["main"]

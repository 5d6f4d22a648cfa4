"""Commands for people."""

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command, see `croupier.cli.entry`; whoever stops it while it is loaded is heard."""
    try:
        from croupier.cli import entry
    except KeyboardInterrupt:
        print("croupier: Stopped.", file=sys.stderr)
        return 130
    return entry.main(argv)


__all__ = ["main"]

"""Lets `python -m croupier` do what the `croupier` command does."""

from croupier.cli import main

if __name__ == "__main__":
    raise SystemExit(main())

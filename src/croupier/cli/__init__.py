"""Commands for people."""


def main() -> int:
    """Runs the command line."""
    return 0

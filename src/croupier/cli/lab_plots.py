"""Small plots in plain text: blocks where the terminal can show them, signs of ASCII where it cannot."""

import sys
from collections.abc import Sequence
from typing import Final

_BLOCKS: Final = " ▏▎▍▌▋▊▉█"
_LEVELS: Final = "▁▂▃▄▅▆▇█"
_ASCII_LEVELS: Final = "_.-=+*%#"
_WIDTH: Final = 44


def draw_bars(labels: Sequence[str], shares: Sequence[float], blocks: bool | None = None) -> str:
    """A bar for each share, the largest as wide as the plot, with the share in percent behind it.

    >>> print(draw_bars(["lost", "won"], [0.75, 0.25], blocks=False), end="")
    lost  ############################################  75.00 %
     won  ###############                               25.00 %
    """
    blocks = shows_blocks() if blocks is None else blocks
    most = max(shares) or 1.0
    width = max(map(len, labels))
    lines = []
    for label, share in zip(labels, shares, strict=True):
        bar = _bar(share / most, blocks).ljust(_WIDTH)
        lines.append(f"{label.rjust(width)}  {bar}  {100 * share:5.2f} %\n")
    return "".join(lines)


def draw_line(shares: Sequence[float], blocks: bool | None = None) -> str:
    """A course in one line, a sign for each share between 0 and 1.

    >>> draw_line([1.0, 0.5, 0.0], blocks=False)
    '#+_'
    """
    levels = _LEVELS if (shows_blocks() if blocks is None else blocks) else _ASCII_LEVELS
    return "".join(levels[min(int(share * len(levels)), len(levels) - 1)] for share in shares)


def shows_blocks() -> bool:
    """Whether standard output can show the blocks."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        (_BLOCKS + _LEVELS).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def _bar(part: float, blocks: bool) -> str:
    if not blocks:
        return "#" * round(part * _WIDTH)
    whole, eighths = divmod(round(part * _WIDTH * 8), 8)
    return "█" * whole + (_BLOCKS[eighths] if eighths else "")

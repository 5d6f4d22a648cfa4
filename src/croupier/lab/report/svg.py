"""A plot as a part of a page: no head, no origin, and ids that no other plot has."""

import io
import re
from typing import Final

from matplotlib import rc_context
from matplotlib.figure import Figure

from croupier.lab.report.document import WIDTH_INCHES, Plot

_HEAD: Final = re.compile(r"^.*?(?=<svg)", re.DOTALL)
_METADATA: Final = re.compile(r"<metadata>.*?</metadata>\s*", re.DOTALL)
_NAMED: Final = re.compile(r'(\bid="|xlink:href="#|href="#|url\(#)')
_SIZE: Final = re.compile(r'(<svg[^>]*?) width="[^"]*"([^>]*?) height="[^"]*"')


def inline_svg(plot: Plot, name: str) -> str:
    """The plot as an `svg` element whose ids begin with a name."""
    drawn = io.StringIO()
    # The salt makes the ids the same every time, and outlines for letters look the same everywhere.
    with rc_context({"svg.hashsalt": "croupier", "svg.fonttype": "path"}):
        figure = Figure(figsize=(WIDTH_INCHES, plot.height_inches))
        plot.draw(figure)
        figure.savefig(drawn, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    text = _METADATA.sub("", _HEAD.sub("", drawn.getvalue()))
    text = _SIZE.sub(r"\1\2", text, count=1)
    return _NAMED.sub(rf"\g<1>{name}-", text).strip()

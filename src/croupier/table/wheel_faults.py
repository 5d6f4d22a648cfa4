"""What can be wrong with a wheel, by the code under which it is reported and recorded."""

from collections.abc import Mapping
from typing import Final

WHEEL_FAULTS: Final[Mapping[str, str]] = {
    "line-lost": "Nothing is heard from the wheel.",
    "line-garbled": "What the wheel sends cannot be read.",
    "line-repeated": "The wheel sends the same line again and again.",
    "line-stuck": "The wheel has said the same for longer than a spin can last.",
    "wrong-order": "The wheel's states do not follow one another.",
    "counter-jumped": "The wheel's count of spins has jumped.",
    "restarted": "The wheel has started again in the middle of a spin.",
    "shut": "The wheel says that it is closed.",
    "ball-missing": "The wheel does not find the ball.",
    "launch-failed": "The ball was not launched.",
    "sensor-fault": "A sensor or the motor of the wheel is out of order.",
    "results-differ": "The wheel has given two results for one spin.",
    "wrong-wheel": "The wheel is not the one of the book.",
    "spun-before-close": "The ball was spun while bets were open, and the book closes them first.",
    "source-failed": "What makes the spins has stopped.",
}
"""Every fault with its sentence."""

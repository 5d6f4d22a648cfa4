"""What a browser's trace says about an interaction: the work until its frame, and when that was shown."""

import bisect
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

CATEGORIES = ["devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing"]
MARK = "croupier:"
"""Begins the name of a mark that is set before an interaction and says which one comes."""
STEPS = {
    "script": ("EventDispatch",),
    "style": ("UpdateLayoutTree",),
    "layout": ("Layout",),
    "paint": ("PrePaint", "Paint", "Layerize"),
    "commit": ("Commit",),
}
"""The steps of a frame, by the names that the browser gives them."""
POINT = "point"
"""The interaction that is a move of the pointer; every other one ends with lifting it."""
RASTER_US = 40_000
"""A frame's picture is drawn by other threads within this time after the page has handed it over."""
SAME_US = 2_000
"""Two ways of the browser to tell of the same input are no further apart."""

Event = dict[str, Any]


@dataclass(frozen=True)
class Answered:
    """One interaction with the frame that answered it."""

    kind: str
    work_ms: float
    """Time of the processor on the page's thread, from the first handler until the frame is handed over."""
    took_ms: float
    """The same by the clock, without the time in which the page had nothing to do."""
    shown_ms: float | None
    """From the input's own time to the picture on the screen, as the browser tells it."""
    raster_ms: float
    """Time of the processor for drawing the picture, on threads beside the page's."""
    steps: dict[str, float]


class Trace:
    """What a page did, in order; times are microseconds."""

    def __init__(self, trace: bytes) -> None:
        events: list[Event] = json.loads(trace)["traceEvents"]
        events.sort(key=lambda each: float(each.get("ts", 0)))
        self.marks = [
            (each["ts"], each["name"].removeprefix(MARK)) for each in events if each["name"].startswith(MARK)
        ]
        spans = [each for each in events if each["ph"] == "X"]
        self.inputs = [each for each in spans if each["name"] == "EventDispatch"]
        page = {(each["pid"], each["tid"]) for each in self.inputs}
        processes = {process for process, _ in page}
        self._page = [each for each in spans if (each["pid"], each["tid"]) in page]
        self._times = [each["ts"] for each in self._page]
        self._commits = [each for each in self._page if each["name"] == "Commit"]
        self._raster = [each for each in spans if each["name"] == "RasterTask" and each["pid"] in processes]
        self._shown = dict(_shown(events, processes))

    def answers(self) -> Iterator[Answered]:
        """Every interaction that was marked and answered."""
        for number, (at, kind) in enumerate(self.marks):
            until = self.marks[number + 1][0] if number + 1 < len(self.marks) else float("inf")
            wanted = "pointermove" if kind == POINT else "pointerup"
            times = (
                each["ts"]
                for each in self.inputs
                if at < each["ts"] < until and each["args"]["data"]["type"] == wanted
            )
            start = next(times, None)
            frame = next((each for each in self._commits if start is not None and each["ts"] >= start), None)
            if start is not None and frame is not None:
                yield self._answered(kind, start, frame["ts"] + frame["dur"])

    def _answered(self, kind: str, start: float, end: float) -> Answered:
        # A task that the input came in the middle of has begun before it, and is not long.
        first = max(0, bisect.bisect_left(self._times, start) - 1_000)
        around = self._page[first : bisect.bisect_right(self._times, end)]
        tasks = [(each, _share(each, start, end)) for each in around if each["name"] == "RunTask"]
        drawn = (each for each in self._raster if end <= each["ts"] < end + RASTER_US)
        return Answered(
            kind=kind,
            work_ms=sum(_processor(each) * share for each, share in tasks) / 1000,
            took_ms=sum(each["dur"] * share for each, share in tasks) / 1000,
            shown_ms=next((ms for at, ms in self._shown.items() if abs(at - start) < SAME_US), None),
            raster_ms=sum(map(_processor, drawn)) / 1000,
            steps={
                step: sum(
                    _processor(each) for each in around if each["name"] in names and each["ts"] >= start
                )
                / 1000
                for step, names in STEPS.items()
            },
        )


def _processor(event: Event) -> float:
    """The processor's time of a span; that of the clock where the system tells no other."""
    used: float = event["tdur"] if "tdur" in event else event["dur"]
    return used


def _share(event: Event, start: float, end: float) -> float:
    """How much of a span lies between two times."""
    inside: float = min(event["ts"] + event["dur"], end) - max(event["ts"], start)
    return max(0.0, inside) / event["dur"] if event["dur"] else 0.0


def _shown(events: list[Event], processes: set[int]) -> Iterator[tuple[float, float]]:
    """When each input of the page was handled, and how many milliseconds after it came it was shown."""
    for each in events:
        if each["name"] == "EventTiming" and each["ph"] == "b" and each["pid"] in processes:
            told = each["args"]["data"]
            if told["type"] in ("pointerup", "pointerover"):
                yield each["ts"] + 1000 * (told["processingStart"] - told["timeStamp"]), told["duration"]

"""Where the lines and dots of the report’s charts stand.

The report must be whole without a script, so its charts are drawn on the server; points and intervals on a
line are all it needs, which is less than any library for charts brings with it.
"""

from collections.abc import Sequence
from typing import NamedTuple

WIDTH = 760
LABELS = 250
RIGHT = 60
ROW = 24
TOP = 26
BOTTOM = 48
TICKS = (0, 20, 40, 60, 80, 100)


class Mark(NamedTuple):
    """A share from 0 to 1 with its interval; kind: "main" or "other"."""

    kind: str
    value: float
    low: float | None = None
    high: float | None = None


class PlacedMark(NamedTuple):
    """A mark in the chart's points."""

    kind: str
    x: float
    low: float | None
    high: float | None


class Line(NamedTuple):
    """What a line of a chart shows; the first mark's number is printed."""

    label: str
    marks: tuple[Mark, ...]


class PlacedLine(NamedTuple):
    """A line in the chart's points; start, end: from the first to the last mark."""

    label: str
    y: float
    marks: tuple[PlacedMark, ...]
    start: float
    end: float
    text: str


class Tick(NamedTuple):
    """A number under the chart."""

    x: float
    text: str


class BarChart(NamedTuple):
    """A chart of shares, in points."""

    width: int
    height: int
    top: int
    bottom: int
    axis_y: int
    axis_middle: float
    axis_name_y: int
    lines: tuple[PlacedLine, ...]
    ticks: tuple[Tick, ...]


def lay_out(lines: Sequence[Line]) -> BarChart:
    """Return where everything stands, the scale from 0 to 100 %; lines without marks are left out."""
    shown = [line for line in lines if line.marks]
    bottom = TOP + ROW * len(shown)
    return BarChart(
        width=WIDTH,
        height=bottom + BOTTOM,
        top=TOP,
        bottom=bottom,
        axis_y=bottom + 16,
        axis_middle=_x(0.5),
        axis_name_y=bottom + 36,
        lines=tuple(_placed(line, number) for number, line in enumerate(shown)),
        ticks=tuple(Tick(_x(tick / 100), str(tick)) for tick in TICKS),
    )


def _x(share: float) -> float:
    return round(LABELS + share * (WIDTH - LABELS - RIGHT), 1)


def _placed(line: Line, number: int) -> PlacedLine:
    marks = tuple(
        PlacedMark(
            mark.kind,
            _x(mark.value),
            None if mark.low is None else _x(mark.low),
            None if mark.high is None else _x(mark.high),
        )
        for mark in line.marks
    )
    places = [mark.x for mark in marks]
    text = f"{100 * line.marks[0].value:.1f}"
    y = TOP + ROW * number + ROW / 2
    return PlacedLine(_short(line.label), y, marks, min(places), max(places), text)


def _short(label: str) -> str:
    return label if len(label) <= 36 else f"{label[:35]}…"

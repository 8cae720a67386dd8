"""What single replies hold: projects, imports, runs, boards and exports."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class ProjectInfo:
    """A project in a list, with your role in it."""

    slug: str
    name: str
    state: str
    role: str
    question_count: int


@dataclass(frozen=True)
class Problem:
    """Something that an import found: `severity` is error or warning; line 0 is the whole file."""

    file: str
    line: int
    column: str
    severity: str
    code: str
    message: str

    def __str__(self) -> str:
        """Return place and message in one line."""
        place = ":".join(str(part) for part in (self.file, self.line) if part)
        return f"{place}: {self.message}" if place else self.message


@dataclass(frozen=True)
class Import:
    """An import as far as it is; `problems` holds the first of `problem_count`."""

    id: str
    format: str
    state: str
    counts: dict[str, int]
    problems: list[Problem]
    problem_count: int
    message: str


@dataclass(frozen=True)
class Run:
    """A run of a judge as far as it is: `done` of `total` answers, of which some are unscored or failed."""

    id: str
    judge: str
    name: str
    signature: str
    state: str
    total: int
    done: int
    unscored: int
    failed: int
    message: str


@dataclass(frozen=True)
class Figure:
    """A number with its 95% interval, or the code of why there is none."""

    value: float | None
    low: float | None
    high: float | None
    why: str | None


@dataclass(frozen=True)
class Column:
    """A way of judging on the leaderboard: people, exact match, or a run of a judge."""

    key: str
    name: str
    kind: str
    signature: str


@dataclass(frozen=True)
class Row:
    """A system on the leaderboard: its scores by key of a column, None where it has none."""

    system: str
    label: str
    n: int
    scores: dict[str, Figure | None]


@dataclass(frozen=True)
class Leaderboard:
    """Systems by ways of judging."""

    columns: list[Column]
    rows: list[Row]
    signature: str

    def __str__(self) -> str:
        """Return a table for a terminal: a line a system, scores in percent."""
        head = ["system", *(column.name for column in self.columns)]
        lines = [head, *([row.label, *map(_percent, self._scores(row))] for row in self.rows)]
        widths = [max(map(len, cells)) for cells in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in lines
        )

    def _scores(self, row: Row) -> Iterable[Figure | None]:
        return (row.scores.get(column.key) for column in self.columns)


@dataclass(frozen=True)
class Agreement:
    """How far raters agree: figures by name, such as `fleiss_kappa`."""

    items: int
    raters: int
    figures: dict[str, Figure]
    signature: str


@dataclass(frozen=True)
class Export:
    """An export as far as it is."""

    id: str
    format: str
    file_name: str
    state: str
    rows: int
    size: int
    sha256: str
    message: str


def _percent(score: Figure | None) -> str:
    return "–" if score is None or score.value is None else f"{100 * score.value:.1f}"

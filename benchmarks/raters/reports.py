"""What a measurement under load came to, as lines and as a table in Markdown."""

import os
import platform
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

import numpy as np

from benchmarks.raters.load import Measured

OURS = "Assay"
HEAD = (
    *("database", "answers", "sheets", "raters", "think s", "judgments/s", "hand-ins/s", "requests/s"),
    *("p50 ms", "p95 ms", "p99 ms", "errors", "over k"),
    *("CPU server, database, load", "core ms a hand-in: server, database", "load of the machine"),
)


@dataclass(frozen=True)
class Row:
    """One measurement. `over`: items with more judgments than raters were wanted."""

    platform: str
    database: str
    answers: int
    sheets: str
    raters: int
    think_seconds: float
    measured: Measured
    server_seconds: float
    database_seconds: float
    load: float
    over: int

    @property
    def rate(self) -> float:
        """Return judgments a second."""
        return self.measured.judgments / self.measured.seconds

    def ratios(self, others: Sequence["Row"]) -> dict[str, float]:
        """Return how many times as many judgments a second these are as each peer's, by its name.

        Of the peer's measurement with as many raters who think as long, on the same database or, where it
        was not measured on that one, on its own.
        """
        if not self.platform.startswith(OURS):
            return {}
        like = [
            other
            for other in others
            if not other.platform.startswith(OURS)
            and (other.raters, other.think_seconds) == (self.raters, self.think_seconds)
            and other.rate > 0
        ]
        like.sort(key=lambda other: other.database == self.database)
        return {other.platform: self.rate / other.rate for other in like}

    def cells(self) -> list[str]:
        """Return the measurement as text, in the order of `HEAD`."""
        measured = self.measured
        middle, most, nearly_all = (
            np.percentile(measured.milliseconds, (50, 95, 99)) if measured.milliseconds else (0.0, 0.0, 0.0)
        )
        cores = (self.server_seconds, self.database_seconds, measured.processor_seconds)
        done = max(1, len(measured.milliseconds))
        return [
            *(self.database, f"{self.answers:,}", self.sheets, str(self.raters), f"{self.think_seconds:g}"),
            f"{self.rate:.0f}" if self.rate >= 10 else f"{self.rate:.1f}",
            f"{len(measured.milliseconds) / measured.seconds:.1f}",
            f"{measured.requests / measured.seconds:.1f}",
            *(f"{value:.0f}" for value in (middle, most, nearly_all)),
            str(sum(measured.errors.values())),
            str(self.over),
            ", ".join(f"{100 * seconds / measured.seconds:.0f}%" for seconds in cores),
            ", ".join(f"{1_000 * seconds / done:.1f}" for seconds in cores[:2]),
            f"{self.load:.1f}",
        ]

    def line(self, others: Sequence["Row"]) -> str:
        """Return the measurement on a line of its own, ratios first, and which errors there were."""
        ratios = [f"{ratio:.1f}× {peer}" for peer, ratio in self.ratios(others).items()]
        named = [f"{name} {cell}" for name, cell in zip(HEAD, self.cells(), strict=True)]
        errors = [f"{count} × {error}" for error, count in self.measured.errors.items()]
        ended = ["work ran out"] if self.measured.ran_out else []
        return " | ".join([*ratios, self.platform, *named, *ended, *errors[:3]])


def table(rows: Sequence[Row], *, command: str) -> str:
    """Return the rows as a table in Markdown below what they were measured with."""
    peers = list(dict.fromkeys(row.platform for row in rows if not row.platform.startswith(OURS)))
    head = [*(f"× {peer}" for peer in peers), "platform", *HEAD]
    lines = [f"`{command}`", "", f"{_setting()}.", "", _line(head), _line("---:" for _ in head)]
    for row in rows:
        ratios = row.ratios(rows)
        shown = [f"{ratios[peer]:.1f}" if peer in ratios else "" for peer in peers]
        lines.append(_line([*shown, row.platform, *row.cells()]))
    return "\n".join(lines)


def _line(cells: object) -> str:
    return f"| {' | '.join(cells)} |"  # type: ignore[arg-type]


def _setting() -> str:
    names = re.findall(r"^model name\s*: (.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    now = datetime.now(UTC)
    processor = names[0] if names else platform.machine()
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=False
    )
    return (
        f"Measured on {now:%Y-%m-%d}, {os.cpu_count()} cores of {processor}, "
        f"Python {platform.python_version()}, Django {version('django')}, "
        f"Assay at {commit.stdout.strip() or '?'}"
    )


def write_between(path: Path, *, mark: str, text: str) -> None:
    """Put the text between `<!-- mark -->` and `<!-- /mark -->`; raises `ValueError` where they are not."""
    document = path.read_text(encoding="utf-8")
    begin, end = f"<!-- {mark} -->", f"<!-- /{mark} -->"
    before, found, rest = document.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"{path.name} has no place marked {mark}")
    path.write_text(f"{before}{begin}\n{text}\n{end}{after}", encoding="utf-8")

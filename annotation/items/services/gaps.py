"""Rows of a file without an answer, and answers without a word, told once a file."""

from collections.abc import Iterator
from typing import NamedTuple

from annotation.items.formats.records import ItemRecord, Problem, Severity


class Gap(NamedTuple):
    """How many rows of a file lack something, and the first of them."""

    rows: int
    first_line: int


class Gaps:
    """Remembers by file how many rows have answers, how many none, and how many an empty one."""

    def __init__(self) -> None:
        self._answered: set[str] = set()
        self._without: dict[str, Gap] = {}
        self._empty: dict[str, Gap] = {}

    def take(self, record: ItemRecord, *, file: str) -> None:
        """Note what a row has; lists of decided answers are answers, too."""
        if not record.predictions and not record.listed:
            _add(self._without, file, record.line)
            return
        self._answered.add(file)
        if any(not prediction.text.strip() for prediction in record.predictions):
            _add(self._empty, file, record.line)

    def problems(self) -> Iterator[Problem]:
        """Yield what is worth saying: a file that holds questions alone lacks nothing."""
        for file, gap in self._without.items():
            if file in self._answered:
                rows = "1 row has" if gap.rows == 1 else f"{gap.rows:,} rows have"
                message = f"{rows} a question and no answer, from line {gap.first_line:,} on; none is stored."
                yield Problem(file, gap.first_line, "", Severity.WARNING, "rows_without_answer", message)
        for file, gap in self._empty.items():
            rows = "1 answer is" if gap.rows == 1 else f"{gap.rows:,} answers are"
            message = f"{rows} empty, from line {gap.first_line:,} on; people judge them like any other."
            yield Problem(file, gap.first_line, "", Severity.WARNING, "empty_answers", message)


def _add(gaps: dict[str, Gap], file: str, line: int) -> None:
    found = gaps.get(file, Gap(0, line))
    gaps[file] = found._replace(rows=found.rows + 1)

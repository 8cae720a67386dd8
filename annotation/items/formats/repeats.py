"""Rows of one file that have the same question and yet are questions of their own."""

from collections import Counter
from dataclasses import replace

from analysis.text import question_key
from annotation.items.formats.records import ItemRecord, OptionSpec

OPTION = OptionSpec(
    "keep_duplicate_rows",
    "yes",
    ("yes", "no"),
    "Whether a question that stands twice in a file is two questions; no: the first row counts.",
)


class Repeats:
    """Numbers the rows of each question of a file; released figures are over rows."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def numbered(self, record: ItemRecord) -> ItemRecord:
        """Return the record with how many rows of the file had its question before."""
        key = question_key(record.question.text)
        question = replace(record.question, repeat=self._seen[key])
        self._seen[key] += 1
        return replace(record, question=question)

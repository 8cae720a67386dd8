"""TREC answer patterns: a question's id and a regular expression a line, CuratedTREC's with the question."""

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.items.formats.golds import BadGold, require_pattern
from annotation.items.formats.records import OPTION as KEEP_DUPLICATES
from annotation.items.formats.records import (
    Format,
    Gold,
    ItemRecord,
    Kind,
    Problem,
    QuestionRecord,
    Repeats,
    Source,
)
from annotation.items.formats.tables import Line, file_problems, read_lines

LONGEST_ID = 200


def read(source: Source, options: Mapping[str, Any]) -> Iterator[ItemRecord | Problem]:
    """Yield one record a line: an id and a pattern, or between tabs an id, perhaps a type, question, pattern.

    Questions of lines that have only their id must be known, from this import or before.
    """
    keeps_duplicates = options.get("keep_duplicate_rows", "yes") == "yes"
    repeats = Repeats()
    problems = file_problems(source)
    yield from problems
    if problems:
        return
    for line in read_lines(source):
        if isinstance(line, Problem):
            yield line
        elif line.text.strip():
            found = _record(source, line)
            if isinstance(found, ItemRecord) and found.question.text and keeps_duplicates:
                found = repeats.numbered(found)
            yield found


def _record(source: Source, line: Line) -> ItemRecord | Problem:
    external_id, question, pattern = _cells(line.text)
    if not pattern:
        return source.error("missing_pattern", "The line has an id, but no pattern.", line=line.number)
    if len(external_id) > LONGEST_ID:
        return source.error(
            "id_too_long", f"The id is longer than {LONGEST_ID} characters.", line=line.number
        )
    try:
        require_pattern(pattern)
    except BadGold as error:
        return source.error(error.code, error.message, line=line.number)
    gold = Gold(pattern, is_regex=True)
    return ItemRecord(line.number, QuestionRecord(text=question, external_id=external_id, golds=(gold,)))


def _cells(text: str) -> tuple[str, str, str]:
    """Return id, question and pattern; the question is empty where the line has none."""
    cells = [cell.strip() for cell in text.split("\t")]
    if len(cells) > 2:
        return cells[0], cells[-2], cells[-1]
    external_id, *rest = text.split(maxsplit=1)
    return external_id, "", rest[0].strip() if rest else ""


FORMAT = Format(
    key="trec-patterns",
    name="TREC answer patterns",
    summary="Lines of a question's id and a regular expression that right answers match; CuratedTREC's have "
    "the question between them.",
    kind=Kind.ITEMS,
    read=read,
    options=(KEEP_DUPLICATES,),
)

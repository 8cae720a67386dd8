"""TREC answer patterns: one line a pattern, the question's id, white space, a regular expression."""

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.items.formats.golds import BadGold, require_pattern
from annotation.items.formats.lines import Line, file_problems, read_lines
from annotation.items.formats.records import Format, Gold, ItemRecord, Kind, Problem, QuestionRecord, Source


def read(source: Source, _options: Mapping[str, Any]) -> Iterator[ItemRecord | Problem]:
    """Yield one record a line; the questions must be known by id, from this import or before."""
    problems = file_problems(source)
    yield from problems
    if problems:
        return
    for line in read_lines(source):
        if isinstance(line, Problem):
            yield line
        elif line.text.strip():
            yield _record(source, line)


def _record(source: Source, line: Line) -> ItemRecord | Problem:
    external_id, *rest = line.text.split(maxsplit=1)
    if not rest:
        return source.error("missing_pattern", "The line has an id, but no pattern.", line=line.number)
    pattern = rest[0].strip()
    try:
        require_pattern(pattern)
    except BadGold as error:
        return source.error(error.code, error.message, line=line.number)
    gold = Gold(pattern, is_regex=True)
    return ItemRecord(line.number, QuestionRecord(text="", external_id=external_id, golds=(gold,)))


FORMAT = Format(
    key="trec-patterns",
    name="TREC answer patterns",
    summary="Lines of a question's id and a regular expression that right answers match.",
    kind=Kind.ITEMS,
    read=read,
)

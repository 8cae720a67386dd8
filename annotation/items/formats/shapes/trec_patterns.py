"""TREC answer patterns: a question's id and a regular expression a line, CuratedTREC's with the question."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from annotation.items.formats.columns import MEANING_BY_NAME
from annotation.items.formats.golds import BadGold, require_pattern
from annotation.items.formats.records import OPTION as KEEP_DUPLICATES
from annotation.items.formats.records import (
    Format,
    Gold,
    ItemRecord,
    Kind,
    Look,
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
    external_id, question, pattern, tags = _cells(line.text)
    if not pattern:
        return source.error("missing_pattern", "The line has an ID but no pattern.", line=line.number)
    if len(external_id) > LONGEST_ID:
        return source.error(
            "id_too_long", f"The ID is longer than {LONGEST_ID} characters.", line=line.number
        )
    try:
        require_pattern(pattern)
    except BadGold as error:
        return source.error(error.code, error.message, line=line.number)
    gold = Gold(pattern, is_regex=True)
    said = QuestionRecord(text=question, external_id=external_id, golds=(gold,), tags=tags)
    return ItemRecord(line.number, said)


def _cells(text: str) -> tuple[str, str, str, tuple[str, ...]]:
    """Return id, question, pattern and tags; the question is empty where the line has none."""
    cells = [cell.strip() for cell in text.split("\t")]
    if len(cells) > 2:
        return cells[0], cells[-2], cells[-1], tuple(cell for cell in cells[1:-2] if cell)
    external_id, *rest = text.split(maxsplit=1)
    return external_id, "", rest[0].strip() if rest else "", ()


_NUMBERED = re.compile(r"[0-9]++[ \t]++\S")
_TREC = re.compile("trec", re.IGNORECASE)
_TABLES = frozenset({".csv", ".tsv", ".json", ".jsonl", ".ndjson"})


def _recognizes(look: Look) -> bool:
    """Say whether the lines have an id and a pattern, or id, question and pattern of a file called TREC."""
    lines = [line for line in look.lines if line.strip()]
    if not lines or look.layout not in {"csv", "tsv"}:
        return False
    if all("\t" not in line or line.count("\t") == 1 for line in lines):
        is_table = Path(look.source.name).suffix.lower() in _TABLES
        return not is_table and all(map(_NUMBERED.match, lines))
    cells = lines[0].split("\t")
    has_header = any(cell.strip().lower() in MEANING_BY_NAME for cell in cells)
    is_trec = bool(_TREC.search(cells[0]) or _TREC.search(look.source.stem))
    return not has_header and is_trec and all(line.count("\t") in (2, 3) for line in lines)


FORMAT = Format(
    key="trec-patterns",
    name="TREC answer patterns",
    summary=(
        "Each line has a question’s ID and a regular expression that correct answers match; "
        "in CuratedTREC, the question is between them."
    ),
    kind=Kind.ITEMS,
    read=read,
    recognizes=_recognizes,
    recognized_by=(
        "lines with a number and a pattern, unless the file has a table’s extension (such as `.csv`); or "
        "three or four cells separated by tabs, no header, and “TREC” in the first cell or the file’s name"
    ),
    options=(KEEP_DUPLICATES,),
)

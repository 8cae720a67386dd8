"""OpenQA-eval's model outputs: JSONL with question, answer list and prediction, one system a file."""

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.items.formats import generic
from annotation.items.formats.records import Format, ItemRecord, Kind, Problem, Source

COLUMNS = frozenset({"question", "answer", "prediction"})


def read(source: Source, options: Mapping[str, Any]) -> Iterator[ItemRecord | Problem]:
    """Yield one record a line; the system is named after the file unless `system` says otherwise."""
    fixed = {"gold_separator": "none", "unknown_columns": "refuse", "map": {}}
    yield from generic.read(source, {**options, **fixed})


FORMAT = Format(
    key="openqa-eval-outputs",
    name="OpenQA-eval: model outputs",
    summary="JSONL with question, answer, and prediction; one system per file, named after the file.",
    kind=Kind.ITEMS,
    read=read,
    recognizes=lambda look: look.first.keys() == COLUMNS and look.layout == "jsonl",
    recognized_by="JSONL with exactly `question`, `answer`, and `prediction`",
    options=generic.READING_OPTIONS,
)

"""GPT3QA's files: a JSON list of questions with gold answers, and one with predictions for each prompt."""

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.items.formats import generic
from annotation.items.formats.records import OPTION as KEEP_DUPLICATES
from annotation.items.formats.records import Format, ItemRecord, Kind, Problem, Repeats, Source

COLUMNS = frozenset({"question", "gold_answer", "prediction", "confidence"})
PREDICTIONS = "_preds"
TEST = "_test"


def read(source: Source, options: Mapping[str, Any]) -> Iterator[ItemRecord | Problem]:
    """Yield one record an object; system and data set are named after the file unless options say so.

    “NQ_test_GPT_preds.json” holds the answers of the system “NQ_test_GPT” to questions of “NQ”.
    """
    system = options.get("system") or source.stem.removesuffix(PREDICTIONS)
    dataset = options.get("dataset") or dataset_of(source)
    fixed = {"gold_separator": "none", "unknown_columns": "refuse", "map": {}}
    repeats = Repeats()
    for found in generic.read(source, {**options, **fixed, "system": system, "dataset": dataset}):
        if isinstance(found, ItemRecord) and options.get("keep_duplicate_rows", "yes") == "yes":
            found = repeats.numbered(found)
        yield found


def dataset_of(source: Source) -> str:
    """Return the data set a file is named after, or nothing."""
    name, found, _ = source.stem.partition(TEST)
    return name if found else ""


FORMAT = Format(
    key="gpt3qa",
    name="GPT3QA: questions and predictions",
    summary="JSON lists with question, gold_answer, prediction, and confidence; one system per file.",
    kind=Kind.ITEMS,
    read=read,
    recognizes=lambda look: look.first.keys() == COLUMNS and look.source.stem.endswith(PREDICTIONS),
    recognized_by=(
        "exactly `question`, `gold_answer`, `prediction`, and `confidence`, in a file named `…_preds.json`"
    ),
    options=(KEEP_DUPLICATES, *generic.READING_OPTIONS),
)

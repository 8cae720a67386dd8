"""EVOUNA's file: a question with its gold answers, several systems' answers, and people's verdict on each."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple, TypeVar

from analysis.text import normalize_answer
from annotation.items.formats.columns import WIDE_PREFIX
from annotation.items.formats.generic import READING_OPTIONS, RowReader
from annotation.items.formats.records import OPTION as KEEP_DUPLICATES
from annotation.items.formats.records import (
    Format,
    ItemRecord,
    Kind,
    Look,
    OptionSpec,
    PredictionRecord,
    Problem,
    Repeats,
    Row,
    Source,
    Vote,
)
from annotation.items.formats.tables import BadCell, read_rows

GOLD_COLUMN = "golden_answer"
IMPROPER_COLUMN = "improper"
VOTE_PREFIX = "judge_"
# Published: one rater judged the short and closed-book systems, one GPT-4, one Bing.
GROUPS = "fid+gpt35+chatgpt,gpt4,newbing"
# Digits; no file has more rows.
LONGEST_COUNT = 9
LABELS = {"true": "Yes", "false": "No", "none": "", "nan": "", "": ""}
MARKS = {"true": True, "false": False, "none": False, "nan": False, "": False}

Meaning = TypeVar("Meaning", str, bool)


class _Judged(NamedTuple):
    """What a row says besides its items: votes by system, and whether the question is improper."""

    labels: dict[str, str]
    is_improper: bool


def read(source: Source, options: Mapping[str, Any]) -> Iterator[ItemRecord | Problem]:
    """Yield one record a row.

    options: `groups`, `gold_separator`, `keep_duplicate_rows`, `first_rows`, `dataset` and `mojibake`.
    """
    reading = _Reading(source, options)
    if reading.first_rows is None:
        message = "first_rows must be a number from 1 to 999,999,999."
        yield source.error("bad_option", message)
        return
    for row in islice(read_rows(source), reading.first_rows or None):
        if isinstance(row, Problem):
            yield row
            continue
        yield from reading.read(row)


class _Reading:
    """One file being read: its groups of systems, and which questions it had already."""

    def __init__(self, source: Source, options: Mapping[str, Any]) -> None:
        self._source = source
        self._group_of = groups_of(str(options.get("groups") or GROUPS))
        self._keeps_duplicates = options.get("keep_duplicate_rows", "yes") == "yes"
        self._repeats = Repeats()
        fixed = {"gold_separator": options.get("gold_separator", "slash"), "map": {}, "system": ""}
        self._rows = RowReader(source, {**options, **fixed, "unknown_columns": "refuse"})
        self.first_rows = _count(str(options.get("first_rows") or "0"))

    def read(self, row: Row) -> Iterator[ItemRecord | Problem]:
        """Yield the row's record, its problems before it."""
        if GOLD_COLUMN not in row.values:
            message = f"“{GOLD_COLUMN}” is missing from the row."
            yield self._source.error("missing_column", message, line=row.line, column=GOLD_COLUMN)
            return
        try:
            judged = _judged(row)
            items = _items(row, judged)
            yield from self._rows.column_problems(items)
            record = self._rows.record(items)
        except BadCell as error:
            yield self._source.error(error.code, error.message, line=row.line, column=error.column)
            return
        yield from self._rows.take_warnings()
        record = self._repeats.numbered(record)
        yield from self._warnings(row, record, judged)
        yield self._complete(record, judged)

    def _complete(self, record: ItemRecord, judged: _Judged) -> ItemRecord:
        predictions = tuple(self._with_vote(each, judged) for each in record.predictions)
        marked_by = dict.fromkeys(each.group for each in predictions) if judged.is_improper else ()
        question = record.question if self._keeps_duplicates else replace(record.question, repeat=0)
        return ItemRecord(record.line, question, predictions, tuple(marked_by))

    def _with_vote(self, prediction: PredictionRecord, judged: _Judged) -> PredictionRecord:
        # The group's only rater goes by its name.
        group = self._group_of.get(prediction.system, prediction.system)
        label = judged.labels.get(prediction.system, "")
        return replace(prediction, group=group, votes=(Vote(group, label),) if label else ())

    def _warnings(self, row: Row, record: ItemRecord, judged: _Judged) -> Iterator[Problem]:
        for system, label in judged.labels.items():
            if label and row.values.get(WIDE_PREFIX + system) is None:
                message = (
                    f"“{system}” has a verdict but no answer in this row, so its answer is "
                    "read as empty. If the system did give an answer, add it to the file."
                )
                yield self._warning(row, WIDE_PREFIX + system, "verdict_without_answer", message)
        if not record.question.golds:
            yield self._warning(
                row,
                GOLD_COLUMN,
                "missing_gold",
                (
                    "The question has no gold answer. Add one, because most judges cannot judge "
                    "its answers without it."
                ),
            )
        for gold in record.question.golds:
            if not normalize_answer(gold.text):
                message = (
                    f"The gold answer “{gold.text}” is empty after normalization. Lexical "
                    "judges ignore it, except containment with empty_gold=match, where it "
                    "matches every answer. Make sure that the question has another gold "
                    "answer."
                )
                yield self._warning(row, GOLD_COLUMN, "empty_gold", message)
        if record.question.repeat:
            kept = (
                "this row is kept as a separate question"
                if self._keeps_duplicates
                else "both rows count as one question"
            )
            yield self._warning(row, "question", "repeated_question", f"The question appears twice; {kept}.")

    def _warning(self, row: Row, column: str, code: str, message: str) -> Problem:
        return self._source.warning(code, message, line=row.line, column=column)


def groups_of(text: str) -> dict[str, str]:
    """Return each system's group: groups are parted by commas and named by their systems joined by “+”."""
    groups = [group.strip() for group in text.split(",") if group.strip()]
    return {system.strip(): group[:60] for group in groups for system in group.split("+")}


def _judged(row: Row) -> _Judged:
    labels = {
        name[len(VOTE_PREFIX) :]: _word(value, name, LABELS)
        for name, value in row.values.items()
        if name.startswith(VOTE_PREFIX)
    }
    return _Judged(labels, _word(row.values.get(IMPROPER_COLUMN), IMPROPER_COLUMN, MARKS))


def _word(value: Any, column: str, meanings: Mapping[str, Meaning]) -> Meaning:
    word = str(value).strip().lower()
    if word not in meanings:
        message = f"“{str(value)[:60]}” is not valid here. Use true or false, or leave it empty."
        raise BadCell(column, "unknown_label", message)
    return meanings[word]


def _items(row: Row, judged: _Judged) -> Row:
    """Return the row without people's columns; an answer that was judged although it is null is empty."""
    values = {
        name: "" if value is None and judged.labels.get(name.removeprefix(WIDE_PREFIX)) else value
        for name, value in row.values.items()
        if name != IMPROPER_COLUMN and not name.startswith(VOTE_PREFIX)
    }
    return Row(row.line, values)


def _count(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= LONGEST_COUNT else None


def _recognizes(look: Look) -> bool:
    return look.has(GOLD_COLUMN) and any(name.startswith(VOTE_PREFIX) for name in look.first)


FORMAT = Format(
    key="evouna",
    name="EVOUNA: answers with verdicts",
    summary="JSON with question, golden_answer, and answer_<system> with judge_<system> for each system.",
    kind=Kind.JUDGED_ITEMS,
    read=read,
    recognizes=_recognizes,
    recognized_by="`golden_answer`, and `answer_<system>` with `judge_<system>`",
    options=(
        OptionSpec(
            "groups",
            GROUPS,
            (),
            "Systems that one annotator judged together: join them with “+”; separate groups with commas.",
        ),
        OptionSpec(
            "gold_separator",
            "slash",
            ("slash", "none"),
            "What separates several gold answers in golden_answer: “/” or, if “/” is part of an "
            "answer, none.",
        ),
        KEEP_DUPLICATES,
        OptionSpec(
            "first_rows", "", (), "Number of rows to read, from the first. If empty, all rows are read."
        ),
        *(spec for spec in READING_OPTIONS if spec.name in {"dataset", "mojibake"}),
    ),
)

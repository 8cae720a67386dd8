"""EfficientQA's release: a question with its gold answers, and other answers listed by what people said."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from typing import Any

from annotation.items.formats.records import (
    Format,
    Gold,
    ItemRecord,
    Kind,
    ListedAnswer,
    Problem,
    QuestionRecord,
    Repeats,
    Row,
    Source,
)
from annotation.items.formats.tables import BadCell, read_rows

QUESTION = "question"
GOLD = "answer"
ACCEPTED = "def_correct_predictions"
TOGETHER = "answer_and_def_correct_predictions"
# What being on a list says of an answer, in words that a protocol's labels are found by.
WORDS = {
    ACCEPTED: "definitely correct",
    "poss_correct_predictions": "possibly correct",
    "def_incorrect_predictions": "definitely incorrect",
}
COLUMNS = (QUESTION, GOLD, *WORDS, TOGETHER)
# Far more than any number of systems gives; a chunk of such lines still fits into memory.
MAX_ANSWERS = 1_000


def read(source: Source, _options: Mapping[str, Any]) -> Iterator[ItemRecord | Problem]:
    """Yield one record a line; a question that stands twice is two questions, and no text is changed."""
    repeats = Repeats()
    for row in read_rows(source):
        if isinstance(row, Problem):
            yield row
            continue
        try:
            record = repeats.numbered(_record(row))
        except BadCell as error:
            yield source.error(error.code, error.message, line=row.line, column=error.column)
            continue
        yield from _warnings(source, record)
        yield record


def _record(row: Row) -> ItemRecord:
    _require_columns(row)
    lists = {name: _list(row, name) for name in COLUMNS[1:]}
    _require_few(lists)
    _require_joined(together=lists[TOGETHER], parts=[*lists[GOLD], *lists[ACCEPTED]])
    return ItemRecord(
        line=row.line,
        question=QuestionRecord(text=_question(row), golds=tuple(map(Gold, lists[GOLD]))),
        listed=tuple(ListedAnswer(text, word) for name, word in WORDS.items() for text in lists[name]),
    )


def _require_columns(row: Row) -> None:
    for name in COLUMNS:
        if name not in row.values:
            raise BadCell(name, "missing_column", f"“{name}” is missing from the line.")
    for name in row.values:
        if name not in COLUMNS:
            raise BadCell(name, "unknown_column", f"“{name}” is not one of the six keys of this format.")


def _question(row: Row) -> str:
    text = row.values[QUESTION]
    if not isinstance(text, str):
        raise BadCell(QUESTION, "not_text", f"“{QUESTION}” must be text here.")
    if not text.strip():
        raise BadCell(QUESTION, "missing_question", "The line has no question.")
    return text


def _list(row: Row, name: str) -> list[str]:
    value = row.values[name]
    if not isinstance(value, list):
        raise BadCell(
            name, "not_a_list", f"“{name}” must be a list. If there are no answers, use an empty list."
        )
    for element in value:
        if not isinstance(element, str):
            raise BadCell(
                name, "answer_not_text", (f"“{name}” contains {str(element)[:60]}, which is not text.")
            )
    return value


def _require_few(lists: Mapping[str, list[str]]) -> None:
    for name, answers in lists.items():
        if len(answers) > MAX_ANSWERS:
            message = f"“{name}” contains {len(answers):,} answers; at most {MAX_ANSWERS:,} are allowed."
            raise BadCell(name, "too_many_answers", message)


def _require_joined(*, together: list[str], parts: list[str]) -> None:
    for place, (found, expected) in enumerate(zip_longest(together, parts), 1):
        if found != expected:
            message = (
                f"“{TOGETHER}” must list what “{GOLD}” and then “{ACCEPTED}” contain, but position {place} "
                f"contains {_quoted(found)} where {_quoted(expected)} is expected."
            )
            raise BadCell(TOGETHER, "lists_differ", message)


def _quoted(text: str | None) -> str:
    return "nothing" if text is None else f"“{text[:60]}”"


def _warnings(source: Source, record: ItemRecord) -> Iterator[Problem]:
    words: dict[str, list[str]] = {}
    for text, word in record.listed:
        words.setdefault(text, []).append(word)
    for text, said in words.items():
        if len(said) > 1:
            message = (
                f"“{text[:60]}” is listed {len(said)} times "
                f"({', '.join(dict.fromkeys(said))}); each is kept as a separate answer. To "
                "keep only one, remove the others from the file."
            )
            yield source.warning("repeated_answer", message, line=record.line)
    for text, count in Counter(gold.text for gold in record.question.golds).items():
        if count > 1:
            message = (
                f"The gold answer “{text[:60]}” is listed {count} times. To keep only one, "
                "remove the others from the file."
            )
            yield source.warning("repeated_gold", message, line=record.line, column=GOLD)
    if record.question.repeat:
        message = (
            "The question appears twice; this row is kept as a separate question. To import "
            "it only once, remove this row from the file."
        )
        yield source.warning("repeated_question", message, line=record.line, column=QUESTION)


FORMAT = Format(
    key="efficientqa-release",
    name="EfficientQA: released decisions",
    summary="JSON Lines with a question, its gold answers, and other answers grouped by people’s decisions.",
    kind=Kind.DECIDED_ITEMS,
    read=read,
    recognizes=lambda look: look.first.keys() == set(COLUMNS),
    recognized_by="exactly the six keys of EfficientQA’s release",
)

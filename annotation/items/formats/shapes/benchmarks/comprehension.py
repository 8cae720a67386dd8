"""Benchmarks of reading: answers that are yes or no, a number, a date, or several spans together."""

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.items.formats.columns import SYNONYMS
from annotation.items.formats.documents.streaming import NAMED
from annotation.items.formats.records import Look
from annotation.items.formats.shapes.shape import (
    IDS,
    Cells,
    Shape,
    given,
    id_in,
    is_objects,
    list_in,
    object_in,
    objects_in,
)
from annotation.items.formats.tables import BadCell

# How such questions are answered, be it by people or systems.
_WORDS = {True: "yes", False: "no"}


def _worded(value: Any) -> Any:
    return _WORDS[value] if isinstance(value, bool) else value


def _yes_or_no(values: Cells) -> Iterator[dict[str, Any]]:
    answer = values.get("answer")
    if not isinstance(answer, bool):
        raise BadCell("answer", "gold_not_text", "“answer” must be true or false here.")
    said = {name: _worded(values[name]) for name in SYNONYMS["prediction"] if values.get(name) is not None}
    yield given(
        question=values.get("question"),
        id=id_in(values),
        gold=[_worded(answer)],
        passages=values.get("passage"),
        **said,
    )


YES_OR_NO = Shape(
    key="yes-or-no",
    name="BoolQ and StrategyQA",
    summary="Questions answered by true or false, which become the gold answers “yes” and “no.”",
    recognized_by="`question`, `answer` that is `true` or `false`, and `passage` or `facts`",
    recognizes=lambda look: (
        look.has("question")
        and isinstance(look.first.get("answer"), bool)
        and (look.has("passage") or look.has("facts"))
    ),
    items=_yes_or_no,
    reads=("question", "answer", "passage", *IDS),
)


def _answer_of_drop(answer: Cells) -> str:
    """Return a number, a date, or spans, of which all together are the answer; empty where there is none."""
    number = answer.get("number")
    if number not in (None, ""):
        return _text_of(number)
    date = object_in(answer, "date")
    said = [_text_of(date[part]) for part in ("day", "month", "year") if date.get(part)]
    return " ".join(said) or ", ".join(_text_of(span) for span in list_in(answer, "spans"))


def _text_of(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        message = "A number, a part of a date, or a span is neither text nor a number."
        raise BadCell("qa_pairs", "gold_not_text", message)
    return str(value)


def _drop(values: Cells) -> Iterator[dict[str, Any]]:
    passage = values.get("passage")
    if "qa_pairs" not in values:
        raise BadCell("qa_pairs", "missing_question", "The passage has no questions.")
    for asked in objects_in(values, "qa_pairs"):
        answers = [object_in(asked, "answer"), *objects_in(asked, "validated_answers")]
        golds = [text for answer in answers if (text := _answer_of_drop(answer))]
        yield given(
            question=asked.get("question"),
            id=asked.get("query_id"),
            gold=golds,
            passages=[{"text": passage}] if passage else None,
        )


def _is_drop(look: Look) -> bool:
    return any(
        isinstance(value, Mapping) and is_objects(value.get("qa_pairs"), "question", "answer")
        for value in look.document.values()
    )


DROP = Shape(
    key="drop",
    name="DROP",
    summary=(
        "DROP as released: numbers, dates, and spans. Several spans are one gold answer, joined by commas, "
        "because the question asks for all of them."
    ),
    recognized_by="a JSON object of passages, each with `qa_pairs[]` that have `question` and `answer`",
    recognizes=_is_drop,
    items=_drop,
    reads=(
        "passage",
        *(f"qa_pairs.{name}" for name in ("question", "query_id", "answer", "validated_answers")),
    ),
    path=(NAMED,),
)

FORMATS = (YES_OR_NO.format, DROP.format)

"""Questions with several choices: the gold answer is a choice’s text, not its letter or number."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from annotation.items.formats.columns import SYNONYMS
from annotation.items.formats.generic import READING_OPTIONS
from annotation.items.formats.records import ItemRecord, Look, OptionSpec, Problem, Row, Source
from annotation.items.formats.shapes.shape import (
    IDS,
    Cells,
    Shape,
    given,
    id_in,
    is_objects,
    is_texts,
    object_in,
)
from annotation.items.formats.tables import BadCell, read_rows

_QUESTIONS = ("question", "question_stem", "query", "problem", "prompt", "input", "text")
_CHOICES = ("choices", "options", "choice", "endings")
_ANSWERS = (
    "answerKey",
    "answer_key",
    "answer_idx",
    "answer_index",
    "answer_letter",
    "answer",
    "label",
    "gold",
)
_LABELS_OR_TEXTS = frozenset({"answer", "gold"})
_LETTERS = "ABCDEFGHIJ"
NUMBERS = OptionSpec(
    "choice_numbers",
    "auto",
    ("auto", "from_0", "from_1", "none"),
    "What a number says that names the right choice. From 0: the first choice is 0. From 1: it is 1. None: "
    "the number is the text of the choice. Auto: the file shows it; if not, you are asked.",
)
_ASKED = (
    "The right choices are numbers, but the file does not show whether {doubt}. Set “Choice numbers” to "
    "{ways}."
)
_FIRST = (
    "the first choice is 0 or 1",
    "“from 0” (choice_numbers=from_0) or “from 1” (choice_numbers=from_1)",
)
_TEXTS = (
    "these count the choices or are their texts",
    "“from 0” (choice_numbers=from_0), “from 1” (choice_numbers=from_1) or “none” (choice_numbers=none)",
)


def _choices_of(values: Cells) -> dict[str, str]:
    """Return the choices of a question, each text by its letter; empty where there are none."""
    held: Any = next((values[name] for name in _CHOICES if values.get(name)), None)
    if held is None and isinstance(values.get("question"), Mapping):
        # As ARC was released: {"stem": …, "choices": […]}.
        held = values["question"].get("choices")
    if is_objects(held, "text", "label"):
        return {str(each.get("label")): str(each.get("text")) for each in held}
    if isinstance(held, Mapping) and is_texts(held.get("text")) and is_texts(held.get("label")):
        return dict(zip(held["label"], held["text"], strict=False))
    if isinstance(held, Mapping) and all(isinstance(each, str) for each in held.values()):
        return {str(letter): text for letter, text in held.items()}
    if is_texts(held) and len(held) <= len(_LETTERS):
        return dict(zip(_LETTERS, held, strict=False))
    return {}


def _right_choice(values: Cells, choices: Mapping[str, str], first: int | None) -> str | None:
    """Return the text of the right choice, which a row names by text, letter or number; or None.

    first: the number of the first choice; None where numbers are texts.
    """
    for name in _ANSWERS:
        said = values.get(name)
        if isinstance(said, bool) or said in (None, ""):
            continue
        if (text := _numbered(said, choices, first)) is not None:
            return text
        word = str(said).strip()
        # Labels and texts may both be numbers: “answer” may be either, all else is a label.
        if word in choices and (_is_number(said) or name not in _LABELS_OR_TEXTS):
            return choices[word]
        if word in choices.values():
            return word
        if word in choices:
            return choices[word]
        if word.upper() in choices:
            return choices[word.upper()]
    return None


def _numbered(said: Any, choices: Mapping[str, str], first: int | None) -> str | None:
    """Return the text of the choice with a number, unless choices are labeled with numbers; or None."""
    if not _is_number(said) or first is None or str(said) in choices:
        return None
    place = said - first
    return list(choices.values())[place] if 0 <= place < len(choices) else None


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _number_in(values: Cells, choices: Mapping[str, str]) -> int | None:
    """Return the number that may count the choices of a row; None where it names the right one otherwise."""
    for name in _ANSWERS:
        said: Any = values.get(name)
        if _is_number(said):
            return None if str(said) in choices else said
        if isinstance(said, str) and said and _right_choice({name: said}, choices, None) is not None:
            return None
    return None


def _first_number(source: Source, way: str) -> int | Problem | None:
    """Return the number of the first choice of each row, None where numbers are texts, or what is unclear."""
    if way != NUMBERS.default:
        return {"from_0": 0, "from_1": 1}.get(way)
    line, lowest, is_last, are_texts, is_beyond = 0, 1, False, True, False
    for row in read_rows(source):
        choices = _choices_of(row.values) if isinstance(row, Row) else {}
        if isinstance(row, Problem) or (number := _number_in(row.values, choices)) is None:
            continue
        line = line or row.line
        lowest = min(lowest, number)
        is_last = is_last or number == len(choices)
        is_beyond = is_beyond or not 0 <= number <= len(choices)
        are_texts = are_texts and str(number) in choices.values()
    if not line or (is_beyond and are_texts):
        return None if line else 0
    is_unclear = lowest == 1 and not is_last
    if not is_unclear and not are_texts:
        return 0 if lowest < 1 else 1
    doubt, ways = _TEXTS if are_texts else _FIRST
    return source.error("choice_numbers_unclear", _ASKED.format(doubt=doubt, ways=ways), line=line)


def _question_of(values: Cells) -> Any:
    asked = next((values[name] for name in _QUESTIONS if values.get(name)), None)
    return asked.get("stem") if isinstance(asked, Mapping) else asked


def _items(values: Cells, first: int | None = 0) -> Iterator[dict[str, Any]]:
    choices = _choices_of(values)
    right = _right_choice(values, choices, first)
    if right is None:
        message = "None of the choices is the answer, be it by its text, its letter, or its number."
        raise BadCell("answer", "gold_not_text", message)
    answers = {
        name: _numbered(values[name], choices, first) or choices.get(str(values[name]).strip(), values[name])
        for name in SYNONYMS["prediction"]
        if values.get(name) is not None
    }
    yield given(question=_question_of(values), id=id_in(values), gold=[right], **answers)


def _is_choices(look: Look) -> bool:
    choices = _choices_of(look.first)
    is_named = any(_right_choice(look.first, choices, first) is not None for first in (0, 1))
    return len(choices) > 1 and bool(_question_of(look.first)) and is_named


CHOICES = Shape(
    key="choices",
    name="Questions with choices",
    summary=(
        "Multiple-choice questions, such as those of MMLU, ARC, and MedQA. The gold answer is the text of "
        "the right choice."
    ),
    recognized_by=(
        "a question, its `choices` or `options`, and the right one by its text, letter, or number "
        "(`answer`, `answerKey`, `answer_idx` …)"
    ),
    recognizes=_is_choices,
    items=_items,
    reads=(*_QUESTIONS, *_CHOICES, *_ANSWERS, *IDS),
)


def _read(source: Source, options: Mapping[str, Any]) -> Iterator[ItemRecord | Problem]:
    """Yield the records of a file, once it is clear from which number its choices are counted."""
    first = _first_number(source, str(options.get(NUMBERS.name) or NUMBERS.default))
    if isinstance(first, Problem):
        yield first
    else:
        yield from replace(CHOICES, items=partial(_items, first=first)).read(source, options)


def _scored(values: Cells) -> Iterator[dict[str, Any]]:
    scores = {text: score for text, score in object_in(values, "target_scores").items() if _is_score(score)}
    best = max(scores.values(), default=0)
    golds = [text for text, score in scores.items() if score == best and best > 0]
    if not golds:
        message = "“target_scores” gives no choice more than 0, so no answer is right."
        raise BadCell("target_scores", "gold_not_text", message)
    yield given(question=values.get("input"), gold=golds)


def _is_score(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


SCORED_CHOICES = Shape(
    key="scored-choices",
    name="BIG-bench: scored choices",
    summary="BIG-bench’s tasks with choices. Gold answers are the choices with the highest target score.",
    recognized_by="`input`, and an object `target_scores` with the score of each choice",
    recognizes=lambda look: look.has("input") and isinstance(look.first.get("target_scores"), Mapping),
    items=_scored,
    reads=("input", "target_scores"),
)

FORMATS = (
    replace(CHOICES.format, read=_read, options=(*READING_OPTIONS, NUMBERS)),
    SCORED_CHOICES.format,
)

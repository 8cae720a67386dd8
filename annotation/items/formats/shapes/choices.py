"""Questions with several choices: the gold answer is a choice’s text, not its letter or number."""

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.items.formats.columns import SYNONYMS
from annotation.items.formats.records import Look
from annotation.items.formats.shapes.shape import Cells, Shape, given, is_objects, is_texts
from annotation.items.formats.tables import BadCell

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
_IDS = ("id", "question_id", "qid")
_LETTERS = "ABCDEFGHIJ"


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


def _right_choice(values: Cells, choices: Mapping[str, str]) -> str | None:
    """Return the text of the right choice, which a row names by text, letter or number from 0; or None."""
    for name in _ANSWERS:
        said = values.get(name)
        if isinstance(said, bool) or said in (None, ""):
            continue
        word = str(said).strip()
        if word in choices.values():
            return word
        if word in choices:
            return choices[word]
        if word.upper() in choices:
            return choices[word.upper()]
        if isinstance(said, int) and 0 <= said < len(choices):
            return list(choices.values())[said]
    return None


def _question_of(values: Cells) -> Any:
    asked = next((values[name] for name in _QUESTIONS if values.get(name)), None)
    return asked.get("stem") if isinstance(asked, Mapping) else asked


def _items(values: Cells) -> Iterator[dict[str, Any]]:
    choices = _choices_of(values)
    right = _right_choice(values, choices)
    if right is None:
        message = "None of the choices is the answer, be it by its text, its letter or its number from 0."
        raise BadCell("answer", "gold_not_text", message)
    answers = {
        name: choices.get(str(values[name]).strip(), values[name])
        for name in SYNONYMS["prediction"]
        if values.get(name) is not None
    }
    named = next((values[name] for name in _IDS if values.get(name) is not None), None)
    yield given(question=_question_of(values), id=named, gold=[right], **answers)


def _is_choices(look: Look) -> bool:
    choices = _choices_of(look.first)
    return (
        len(choices) > 1 and bool(_question_of(look.first)) and _right_choice(look.first, choices) is not None
    )


CHOICES = Shape(
    key="choices",
    name="Questions with choices",
    summary=(
        "Multiple-choice questions, such as those of MMLU, ARC, and MedQA. The gold answer is the text of "
        "the right choice."
    ),
    recognized_by=(
        "a question, its `choices` or `options`, and the right one by its text, letter, or number from 0 "
        "(`answer`, `answerKey`, `answer_idx` …)"
    ),
    recognizes=_is_choices,
    items=_items,
    reads=(*_QUESTIONS, *_CHOICES, *_ANSWERS, *_IDS),
)

"""Exports of Toloka and Prodigy, and rows that hold a list of votes, each beside who gave it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from annotation.items.formats.columns import key_of, meaning_of
from annotation.items.formats.judged.crowd import REJECTED, Said, Task, format_of, under
from annotation.items.formats.records import Look
from annotation.items.formats.shapes.shape import Cells, is_objects, list_in, objects_in

_WORKER = "ASSIGNMENT:worker_id"


def _toloka_task(values: Cells) -> Task:
    shown = under("INPUT:", values)
    if str(values.get("ASSIGNMENT:status") or "").strip().lower() == REJECTED:
        return Task(shown, [], left_out=1)
    return Task(shown, [Said(values.get(_WORKER), _WORKER, under("OUTPUT:", values))])


def _is_toloka(look: Look) -> bool:
    return look.has(_WORKER) and all(
        any(name.startswith(prefix) for name in look.first) for prefix in ("INPUT:", "OUTPUT:")
    )


# What annotators press in Prodigy.
_PRESSED = frozenset({"accept", "reject", "ignore"})
_HASHES = ("_task_hash", "_input_hash", "_session_id")
_OF_PRODIGY = frozenset({"answer", "accept", "options", "html", "config", "style", "label", "meta"})


def _prodigy_task(values: Cells) -> Task:
    shown = {
        name: value for name, value in values.items() if name not in _OF_PRODIGY and not name.startswith("_")
    }
    pressed = values.get("answer")
    column = "_annotator_id" if values.get("_annotator_id") else "_session_id"
    if "accept" in values:
        # With choices, “reject” and “ignore” say that none was made.
        chosen = list_in(values, "accept") if pressed == "accept" else []
        return Task(shown, [Said(values.get(column), column, {"accept": chosen})] if chosen else [])
    if pressed == "ignore":
        return Task(shown, [], left_out=1)
    return Task(shown, [Said(values.get(column), column, {"answer": pressed})])


def _is_prodigy(look: Look) -> bool:
    pressed = look.first.get("answer")
    return isinstance(pressed, str) and pressed in _PRESSED and any(map(look.has, _HASHES))


_LISTS = ("annotations", "votes", "judgments", "judgements", "labels", "ratings", "verdicts", "responses")
_RATERS = frozenset({"user", "user_id", "username", "created_by", "annotated_by", "by", "email"})
_VOTES = frozenset(
    {
        *("label", "vote", "verdict", "judgment", "judgement", "rating", "decision", "value"),
        *("correct", "is_correct"),
    }
)


def _listed_task(values: Cells) -> Task:
    column = _list_of_votes(values)
    shown = {name: value for name, value in values.items() if name != column}
    said = []
    for each in objects_in(values, column):
        rater, vote = _one_named(each, _is_rater), _one_named(each, _is_vote)
        comments = {name: value for name, value in each.items() if name not in (rater, vote)}
        said.append(Said(each.get(rater), f"{column}.{rater}", {vote: each.get(vote), **_texts(comments)}))
    return Task(shown, said)


def _texts(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: value for name, value in fields.items() if key_of(name) in ("comment", "comments", "reason")
    }


def _is_rater(name: str) -> bool:
    return meaning_of(name) == "rater" or key_of(name) in _RATERS


def _is_vote(name: str) -> bool:
    return meaning_of(name) == "vote" or key_of(name) in _VOTES


def _one_named(names: Iterable[str], fits: Callable[[str], bool]) -> str:
    """Return the only one of these names that fits; empty where none does, or several."""
    found = [name for name in names if fits(name)]
    return found[0] if len(found) == 1 else ""


def _list_of_votes(values: Cells) -> str:
    """Return the column with a list of objects that say who voted and how; empty where none is."""
    for name, value in values.items():
        is_list = key_of(name) in _LISTS and is_objects(value)
        if is_list and _one_named(value[0], _is_rater) and _one_named(value[0], _is_vote):
            return name
    return ""


FORMATS = (
    format_of(
        "toloka",
        "Toloka: assignments",
        summary=(
            "A pool’s assignments as TSV: the question and the answer in INPUT columns, and what each worker "
            "chose in OUTPUT columns."
        ),
        recognizes=_is_toloka,
        recognized_by="`ASSIGNMENT:worker_id`, and columns that begin with `INPUT:` and `OUTPUT:`",
        task_of=_toloka_task,
        shown_in="INPUT",
        rejected="rejected assignments",
    ),
    format_of(
        "prodigy",
        "Prodigy: annotated tasks",
        summary=(
            "Prodigy’s tasks as JSONL: a question, an answer (such as model_answer), and what each annotator "
            "pressed or chose."
        ),
        recognizes=_is_prodigy,
        recognized_by="`_task_hash` or `_input_hash`, and `answer` with accept, reject, or ignore",
        task_of=_prodigy_task,
        shown_in="task",
        rejected="ignored tasks",
    ),
    format_of(
        "listed-votes",
        "Answers with a list of votes",
        summary="A question, an answer, and a list of votes, each with its annotator, in every row.",
        recognizes=lambda look: bool(_list_of_votes(look.first)),
        recognized_by=(
            "a list such as `annotations` or `votes` of objects with an annotator (`annotator`, `user` …) "
            "and a `label`, `vote`, or the like"
        ),
        task_of=_listed_task,
        shown_in="row",
        rejected="empty votes",
    ),
)

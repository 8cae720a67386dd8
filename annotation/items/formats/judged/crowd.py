"""Exports of Mechanical Turk and Argilla: tasks with a system's answer, and what annotators chose for it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from annotation.items.formats.columns import key_of
from annotation.items.formats.generic import json_in
from annotation.items.formats.judged.rows import JUDGED_OPTIONS, Judged, read_judged
from annotation.items.formats.records import Format, ItemRecord, Kind, Look, Problem, Source, Vote
from annotation.items.formats.shapes.shape import (
    Cells,
    is_object,
    is_objects,
    list_in,
    object_in,
    objects_in,
)
from annotation.items.formats.tables import BadCell
from annotation.items.formats.voting import meanings_in, rater_in, word_in

# Fields in which annotators explain themselves.
COMMENTS = frozenset(
    {"comment", "comments", "reason", "reasons", "explanation", "rationale", "note", "notes", "feedback"}
)
SUBMITTED = "submitted"
REJECTED = "rejected"


class Said(NamedTuple):
    """What one annotator said of a task, by field. column: where the file names the annotator."""

    rater: Any
    column: str
    fields: Mapping[str, Any]


class Task(NamedTuple):
    """A row: what annotators saw, and what they said. left_out: how many of them count no more."""

    shown: Cells
    said: list[Said]
    left_out: int = 0


Tasks = Callable[[Cells], Task]


def _read(
    source: Source, options: Mapping[str, Any], *, task_of: Tasks, shown_in: str, rejected: str
) -> Iterator[ItemRecord | Problem]:
    """Yield one record an answer, with the votes of all rows on it.

    options: `choice` (the field that holds votes), `labels` (what these mean), and those of
    `READING_OPTIONS`.
    """
    choice, labels = str(options.get("choice") or ""), meanings_in(str(options.get("labels") or ""))
    count = 0

    def judged_in(values: Cells) -> Iterator[Judged]:
        nonlocal count
        task = task_of(values)
        count += task.left_out
        yield Judged(task.shown, _votes(task, choice, labels))

    yield from read_judged(source, options, judged_in, shown_in=shown_in, unread={})
    if count:
        votes_are = "1 vote is" if count == 1 else f"{count:,} votes are"
        yield source.warning("votes_not_counted", f"{votes_are} not imported: {rejected}.")


def _votes(task: Task, choice: str, labels: Mapping[str, str]) -> Iterator[Vote]:
    for said in task.said:
        name = _field_of_votes(said.fields, choice)
        word = word_in(said.fields[name], name) if name else ""
        if word:
            yield Vote(
                rater_in(said.rater, said.column),
                labels.get(word.casefold(), word),
                comment="\n".join(
                    str(value)
                    for field, value in said.fields.items()
                    if key_of(field) in COMMENTS and isinstance(value, str) and value.strip()
                ),
            )


def _field_of_votes(fields: Mapping[str, Any], choice: str) -> str:
    if choice:
        return choice if choice in fields else ""
    names = [
        name
        for name, value in fields.items()
        if key_of(name) not in COMMENTS and value not in ("", None, [], {})
    ]
    if len(names) > 1:
        listed = ", ".join(f"“{name[:60]}”" for name in names[:6])
        message = (
            f"Annotators gave responses in several fields ({listed}). Set “Field with votes” to the field "
            "that says whether the answer is correct."
        )
        raise BadCell(names[1], "several_choices", message)
    return names[0] if names else ""


def _mturk_task(values: Cells) -> Task:
    shown = under("Input.", values)
    if str(values.get("AssignmentStatus") or "").strip().lower() == REJECTED:
        return Task(shown, [], left_out=1)
    answered = under("Answer.", values)
    fields = {name: value for name, value in answered.items() if name != "taskAnswers"}
    opened = json_in(str(answered.get("taskAnswers") or ""))
    for each in opened if isinstance(opened, list) else (opened,):
        fields.update(each if isinstance(each, Mapping) else {})
    return Task(shown, [Said(values.get("WorkerId"), "WorkerId", _chosen(fields))])


def under(prefix: str, values: Cells) -> dict[str, Any]:
    """Return the columns whose names begin so, under the rest of their names."""
    return {name.removeprefix(prefix): value for name, value in values.items() if name.startswith(prefix)}


def _chosen(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was chosen by field, where each choice may have a column that says true or false."""
    found: dict[str, Any] = {}
    for name, value in fields.items():
        holder, point, choice = name.rpartition(".")
        # As Crowd HTML elements answer: {"label": "Correct"}, or {"no": false, "yes": true}.
        if isinstance(value, Mapping):
            chosen = [key for key, is_chosen in value.items() if is_chosen is True]
            found[name] = value.get("label", chosen)
        elif point and choice == "label":
            found[holder] = value
        elif point and str(value).strip().lower() in ("true", "false"):
            chosen = found.setdefault(holder, [])
            chosen += [choice] if str(value).strip().lower() == "true" else []
        else:
            found[name] = value
    return found


def _is_mturk(look: Look) -> bool:
    return look.has("HITId", "AssignmentId", "WorkerId") and any(
        name.startswith("Input.") for name in look.first
    )


OF_RESPONSES = ".responses"
OF_RECORD = frozenset({"id", "_server_id", "external_id", "status", "inserted_at", "updated_at"})


def _argilla_task(values: Cells) -> Task:
    if "fields" not in values:
        return _flat_argilla_task(values)
    shown = {**object_in(values, "metadata"), **object_in(values, "fields")}
    named = {} if "id" in shown or values.get("id") is None else {"id": values["id"]}
    by_rater: dict[str, Said] = {}
    count = 0
    responses = values.get("responses")
    if isinstance(responses, Mapping):
        for field in responses:
            for each in objects_in(responses, field):
                count += not _say(by_rater, each, {field: each.get("value")})
    else:
        for each in objects_in(values, "responses"):
            said = object_in(each, "values")
            fields = {name: value.get("value") for name, value in said.items() if isinstance(value, Mapping)}
            count += not _say(by_rater, each, fields)
    return Task({**named, **shown}, list(by_rater.values()), left_out=count)


def _say(by_rater: dict[str, Said], response: Cells, fields: Mapping[str, Any]) -> bool:
    """Add a response to what its annotator said, and say whether it was submitted."""
    if response.get("status", SUBMITTED) != SUBMITTED:
        return False
    rater = rater_in(response.get("user_id"), "user_id")
    said = by_rater.get(rater)
    by_rater[rater] = Said(rater, "user_id", {**(said.fields if said else {}), **fields})
    return True


def _flat_argilla_task(values: Cells) -> Task:
    fields = [name.removesuffix(OF_RESPONSES) for name in values if name.endswith(OF_RESPONSES)]
    shown = {
        name: value
        for name, value in values.items()
        if name not in OF_RECORD - {"id"} and not name.startswith(tuple(f"{field}." for field in fields))
    }
    by_rater: dict[str, Said] = {}
    count = 0
    for field in fields:
        users = list_in(values, f"{field}{OF_RESPONSES}.users")
        said = list_in(values, f"{field}{OF_RESPONSES}")
        status = list_in(values, f"{field}{OF_RESPONSES}.status") or [SUBMITTED] * len(said)
        if not len(said) == len(users) == len(status):
            column = f"{field}{OF_RESPONSES}.users"
            raise BadCell(column, "no_rater", f"“{column[:60]}” must name one annotator for each response.")
        for value, user, state in zip(said, users, status, strict=True):
            count += not _say(by_rater, {"user_id": user, "status": state}, {field: value})
    return Task(shown, list(by_rater.values()), left_out=count)


def _is_argilla(look: Look) -> bool:
    first = look.first
    responses = first.get("responses")
    if is_object(first.get("fields")) and "responses" in first:
        is_filled = isinstance(responses, Mapping) and any(
            is_objects(each, "value", "user_id") for each in responses.values()
        )
        return is_filled or is_objects(responses, "values") or look.has("suggestions")
    return any(
        name.endswith(OF_RESPONSES) and f"{name}.users" in first and isinstance(first[name], list)
        for name in first
    )


def format_of(
    key: str,
    name: str,
    *,
    summary: str,
    recognizes: Callable[[Look], bool],
    recognized_by: str,
    task_of: Tasks,
    shown_in: str,
    rejected: str,
) -> Format:
    """Return the format of a program’s files; rejected: which votes in them are left out."""

    def read(source: Source, options: Mapping[str, Any]) -> Iterator[ItemRecord | Problem]:
        return _read(source, options, task_of=task_of, shown_in=shown_in, rejected=rejected)

    return Format(
        key=key,
        name=name,
        summary=summary,
        kind=Kind.JUDGED_ITEMS,
        read=read,
        recognizes=recognizes,
        recognized_by=recognized_by,
        options=JUDGED_OPTIONS,
    )


FORMATS = (
    format_of(
        "mturk",
        "Mechanical Turk: batch results",
        summary=(
            "A batch’s results as CSV: the question and the answer in Input columns, and what each worker "
            "chose in Answer columns."
        ),
        recognizes=_is_mturk,
        recognized_by="`HITId`, `AssignmentId`, `WorkerId`, and columns that begin with `Input.`",
        task_of=_mturk_task,
        shown_in="Input",
        rejected="rejected assignments",
    ),
    format_of(
        "argilla",
        "Argilla: records with responses",
        summary="Argilla’s records: a question and an answer in fields, and each annotator’s responses.",
        recognizes=_is_argilla,
        recognized_by=(
            "`fields`, and `responses` with `value` and `user_id`; or a column `….responses` beside "
            "`….responses.users`"
        ),
        task_of=_argilla_task,
        shown_in="fields",
        rejected="drafts and discarded responses",
    ),
)

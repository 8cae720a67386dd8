"""Label Studio's export: tasks with a system's answer, and what annotators chose for it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from annotation.items.formats.columns import SYNONYMS
from annotation.items.formats.generic import READING_OPTIONS, RowReader
from annotation.items.formats.records import (
    Format,
    ItemRecord,
    Kind,
    Look,
    OptionSpec,
    Problem,
    Row,
    Source,
    Vote,
    left_out,
)
from annotation.items.formats.shapes.shape import Cells, given, is_object, is_objects, object_in, objects_in
from annotation.items.formats.tables import BadCell, file_problems, read_rows
from annotation.items.formats.voting import LABELS, Together, meanings_in

JUDGED = "answer"
# In a task's data, by meaning: what stands under the first of these names.
NAMES = {
    "question": SYNONYMS["question"],
    "prediction": SYNONYMS["prediction"],
    "gold": tuple(name for name in (*SYNONYMS["gold"], "correct_answer") if name != JUDGED),
    "system": SYNONYMS["system"],
    "id": SYNONYMS["id"],
    "dataset": SYNONYMS["dataset"],
}
CHOICE = OptionSpec(
    "choice",
    "",
    (),
    "Name of the field whose choices are votes, if annotators made choices in several fields.",
)
NOT_ONE_CHOICE = "An annotation must have exactly one choice to be a vote."
READ_OF_ANNOTATIONS = frozenset({"result", "completed_by", "was_cancelled", "id"})


def read(source: Source, options: Mapping[str, Any]) -> Iterator[ItemRecord | Problem]:
    """Yield one record a task: its question, the answer that was judged, and a vote of each annotator.

    options: `choice` (the control whose choices are votes), `labels` (what these mean), and those of
    `READING_OPTIONS`.
    """
    problems = file_problems(source)
    yield from problems
    if problems:
        return
    fixed = {"map": {}, "gold_separator": "none", "unknown_columns": "refuse"}
    reading = RowReader(source, {**options, **fixed, "samples": None})
    choices = _Choices(str(options.get("choice") or ""), meanings_in(str(options.get("labels") or "")))
    together = Together(source)
    for row in read_rows(source):
        if isinstance(row, Problem):
            yield row
            continue
        try:
            data = object_in(row.values, "data")
            cells, read_names = judged_cells(data, "data")
            choices.note(row.values, data, read_names)
            record = reading.record(Row(row.line, cells))
            votes = choices.votes_on(row.values)
        except BadCell as error:
            yield source.error(error.code, error.message, line=row.line, column=error.column)
            continue
        yield from reading.take_warnings()
        predictions = tuple(replace(each, votes=votes) for each in record.predictions)
        yield from together.add(replace(record, predictions=predictions))
    yield from together.records()
    yield from left_out(source, choices.passed_by)


def judged_cells(data: Cells, shown_in: str) -> tuple[dict[str, Any], set[str | None]]:
    """Return what was shown, under the usual names, and what was read for that; raises `BadCell`."""
    named = {
        meaning: next((name for name in names if name in data), None) for meaning, names in NAMES.items()
    }
    if JUDGED in data:
        # What was judged is a system's answer, unless another field is.
        named["gold" if named["prediction"] else "prediction"] = JUDGED
    if named["prediction"] is None:
        message = (
            f"“{shown_in}” has no field with the answer that was judged (answer, prediction, output, "
            "response)."
        )
        raise BadCell(shown_in, "missing_answer", message)
    cells = given(**{meaning: data[name] for meaning, name in named.items() if name is not None})
    return cells, set(named.values())


class _Choices:
    """Finds what annotators chose, and remembers what stays out."""

    def __init__(self, control: str, meanings: Mapping[str, str]) -> None:
        self.passed_by: dict[str, None] = {}
        self._control = control
        self._meanings = meanings

    def note(self, values: Cells, data: Cells, read: set[str | None]) -> None:
        """Remember the fields of a task that hold something and are not read."""
        for name, value in values.items():
            if name not in ("data", "annotations", "id") and value not in (None, "", [], {}, 0, False):
                self.passed_by.setdefault(name)
        self.passed_by.update((f"data.{name}", None) for name in data if name not in read)

    def votes_on(self, values: Cells) -> tuple[Vote, ...]:
        """Return the votes on a task, in the order of its annotations; raises `BadCell`."""
        votes: dict[str, Vote] = {}
        for annotation in objects_in(values, "annotations"):
            if annotation.get("was_cancelled") is True:
                continue
            rater = _rater(annotation.get("completed_by"))
            if rater in votes:
                message = f"“{rater}” has two annotations of this task. Delete one of them."
                raise BadCell("annotations", "two_votes", message)
            if vote := self._vote(rater, annotation):
                votes[rater] = vote
        return tuple(votes.values())

    def _vote(self, rater: str, annotation: Cells) -> Vote | None:
        results = objects_in(annotation, "result")
        choices = [
            each
            for each in results
            if each.get("type") == "choices" and self._control in ("", each.get("from_name"))
        ]
        chosen = {str(each.get("from_name")): _only_choice(each) for each in choices}
        if len(chosen) > 1:
            message = (
                f"Annotators made choices in several fields ({', '.join(chosen)}). Set “Field with votes” to "
                "the field that says whether the answer is correct."
            )
            raise BadCell("annotations", "several_choices", message)
        if len(choices) > len(chosen):
            raise BadCell("annotations", "not_one_choice", NOT_ONE_CHOICE)
        self._pass_by(annotation, results, chosen)
        texts = [each["value"]["text"] for each in results if _is_comment(each)]
        comment = "\n".join(
            str(part) for text in texts for part in (text if isinstance(text, list) else [text])
        )
        for word in chosen.values():
            return Vote(rater, self._meanings.get(word.casefold(), word), comment=comment)
        return None

    def _pass_by(self, annotation: Cells, results: list[Cells], chosen: Mapping[str, str]) -> None:
        unread = [name for name, value in annotation.items() if value and name not in READ_OF_ANNOTATIONS]
        self.passed_by.update((f"annotations.{name}", None) for name in unread)
        for each in results:
            name = str(each.get("from_name"))
            if name not in chosen and not _is_comment(each):
                self.passed_by.setdefault(name)


def _rater(completed_by: Any) -> str:
    """Return what an annotator is called: by number, as names and addresses stay where they are."""
    number = completed_by.get("id") if isinstance(completed_by, Mapping) else completed_by
    if isinstance(number, bool) or not isinstance(number, int | str) or not str(number).strip():
        raise BadCell("annotations", "no_rater", "“completed_by” must say who made the annotation.")
    return f"annotator {str(number)[:60]}"


def _is_comment(result: Cells) -> bool:
    # What annotators mark in a text comes with that text, too.
    return result.get("type") == "textarea" and is_object(result.get("value"), "text")


def _only_choice(result: Cells) -> str:
    value = result.get("value")
    choices = value.get("choices") if isinstance(value, Mapping) else None
    if not isinstance(choices, list) or len(choices) != 1 or not isinstance(choices[0], str):
        raise BadCell("annotations", "not_one_choice", NOT_ONE_CHOICE)
    return choices[0]


def _recognizes(look: Look) -> bool:
    return is_object(look.first.get("data")) and is_objects(look.first.get("annotations"), "result")


FORMAT = Format(
    key="label-studio",
    name="Label Studio: tasks with annotations",
    summary=("Label Studio’s JSON export: a question and an answer in data, and each annotator’s choice."),
    kind=Kind.JUDGED_ITEMS,
    read=read,
    recognizes=_recognizes,
    recognized_by="`data`, and `annotations[]` with a `result`",
    options=(
        CHOICE,
        LABELS,
        *(spec for spec in READING_OPTIONS if spec.name != "list_prediction"),
    ),
)

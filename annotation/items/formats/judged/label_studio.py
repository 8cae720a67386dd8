"""Label Studio's export: tasks with a system's answer, and what annotators chose for it."""

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.items.formats.judged.rows import JUDGED_OPTIONS, Judged, read_judged
from annotation.items.formats.records import Format, ItemRecord, Kind, Look, Problem, Source, Vote
from annotation.items.formats.shapes.shape import (
    Cells,
    is_object,
    is_objects,
    object_in,
    objects_in,
)
from annotation.items.formats.tables import BadCell
from annotation.items.formats.voting import meanings_in

NOT_ONE_CHOICE = "An annotation must have exactly one choice to be a vote."
READ_OF_ANNOTATIONS = frozenset({"result", "completed_by", "was_cancelled", "id"})


def read(source: Source, options: Mapping[str, Any]) -> Iterator[ItemRecord | Problem]:
    """Yield one record a task: its question, the answer that was judged, and a vote of each annotator.

    options: `choice` (the control whose choices are votes), `labels` (what these mean), and those of
    `READING_OPTIONS`.
    """
    choices = _Choices(str(options.get("choice") or ""), meanings_in(str(options.get("labels") or "")))
    yield from read_judged(source, options, choices.judged, shown_in="data", unread=choices.passed_by)


class _Choices:
    """Finds what annotators chose, and remembers what stays out."""

    def __init__(self, control: str, meanings: Mapping[str, str]) -> None:
        self.passed_by: dict[str, None] = {}
        self._control = control
        self._meanings = meanings

    def judged(self, values: Cells) -> Iterator[Judged]:
        """Yield a task, and remember the fields beside it that hold something and are not read."""
        for name, value in values.items():
            if name not in ("data", "annotations", "id") and value not in (None, "", [], {}, 0, False):
                self.passed_by.setdefault(name)
        yield Judged(object_in(values, "data"), self._votes_on(values))

    def _votes_on(self, values: Cells) -> Iterator[Vote]:
        """Yield the votes on a task, in the order of its annotations."""
        raters = set()
        for annotation in objects_in(values, "annotations"):
            if annotation.get("was_cancelled") is True:
                continue
            rater = _rater(annotation.get("completed_by"))
            if rater in raters:
                message = f"“{rater}” has two annotations of this task. Delete one of them."
                raise BadCell("annotations", "two_votes", message)
            if vote := self._vote(rater, annotation):
                raters.add(rater)
                yield vote

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
    options=JUDGED_OPTIONS,
)

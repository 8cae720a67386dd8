"""Read a rater at the judging page: what does not change between two requests, and what lies before them."""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple, TypeVar

from django.db import connection
from django.db.models import Exists, FilteredRelation, Model, OuterRef, Q, QuerySet, Subquery

from annotation.assignments.models import UNFINISHED, Assignment, Pilot, PlannedRater, Sheet
from annotation.assignments.selectors.open_work import Desk, SheetNotFound, desk_of
from annotation.items.models.questions import Candidate, Question
from annotation.known_answers.models import KnownAnswer, QualityPlan, TrainingAnswer
from annotation.projects.models import GuidelinesReading, Membership
from annotation.projects.selectors import memberships_in, only_membership
from common.database.prepared import prepared
from common.memory import know

BESIDE = ("project__quality_plan", "project__work_plan", "planned")


def find_rater(*, user: int, slug: str) -> Membership:
    """Return the membership of an account; plans, pilot, training and guidelines are then known to `once`.

    All of it is one row, read anew by each request: nothing has to be told to other processes. What a study
    mostly lacks (a pilot, hidden known answers, answers told in training) is only known to be lacking, and
    is read where it is there. Raises `ProjectNotFound`.
    """
    rater = only_membership(_with_all_that_stands_still(user=user, slug=slug))
    _know(rater, **{name: vars(rater)[name] for name in ("text_read", "in_pilot", "has_hidden", "was_told")})
    return rater


@prepared
def _with_all_that_stands_still(*, user: int, slug: str) -> QuerySet[Membership]:
    readings = GuidelinesReading.objects.filter(member=OuterRef("pk")).order_by("-read_at", "-pk")
    pilots = Pilot.objects.filter(project=OuterRef("project"), ended_at=None)
    hidden = KnownAnswer.objects.filter(
        project=OuterRef("project"), use=KnownAnswer.Use.HIDDEN, withdrawn_at=None
    )
    found = memberships_in(user=user, slug=slug).select_related("project__protocol", *BESIDE)
    return found.annotate(
        text_read=Subquery(readings.values("text")[:1]),
        in_pilot=Exists(pilots),
        has_hidden=Exists(hidden),
        was_told=Exists(TrainingAnswer.objects.filter(attempt__rater=OuterRef("pk"))),
    )


def _know(
    rater: Membership, *, text_read: str | None, in_pilot: bool, has_hidden: bool, was_told: bool
) -> None:
    project = rater.project
    know(("work plan", project.pk), getattr(project, "work_plan", None))
    know(
        ("quality plan", project.pk),
        getattr(project, "quality_plan", None) or QualityPlan(project=project),
    )
    know(("planned", rater.pk), getattr(rater, "planned", None) or PlannedRater(rater=rater))
    reading = None if text_read is None else GuidelinesReading(member=rater, text=text_read)
    know(("reading", rater.pk), reading)
    if not in_pilot:
        know(("pilot", project.pk), None)
    if not has_hidden:
        know(("hidden", rater.pk), False)
    if not was_told:
        know(("told", rater.pk), [])


class Before(NamedTuple):
    """A rater's sheet, their other ones of its question in order, and all that they have yet to hand in.

    `is_lagging`: the states of the question's answers lag behind what its raters did.
    """

    sheet: Sheet
    beside: list[Sheet]
    is_lagging: bool
    desk: Desk


def read_before(*, rater: Membership, public_id: str, ahead: int, at: datetime) -> Before:
    """Read a sheet that is handed in, and the desk; raises `SheetNotFound`.

    `Sheet.on_it` are the answers that wait to be judged on it, in order: read of this sheet and of the first
    `ahead` others in the rater's hands, None elsewhere. To be called under the rater's turn and the lock of
    the sheet's question.
    """
    rows = _before(rater=rater.pk, project=rater.project_id, at=at, public_id=public_id)
    grouped = {key: list(each) for key, each in groupby(rows, key=lambda row: row[0])}
    found = [_sheet(rater, each[0]) for each in grouped.values()]
    own = [each for each in found if each.rater_id == rater.pk]
    held = [each for each in own if each.state == Sheet.State.OPEN and each.public_id != public_id]
    # Not of all: a rater may hold 24 sheets, of which the reply brings the first few.
    for each in (*held[:ahead], *(each for each in own if each.public_id == public_id)):
        each.on_it = _answers(each, grouped[each.pk])
    sheet = next((each for each in own if each.public_id == public_id), None)
    if sheet is None:
        raise SheetNotFound
    beside = [each for each in own if each.question_id == sheet.question_id and each != sheet]
    return Before(
        sheet=sheet,
        beside=sorted(beside, key=lambda each: each.pk),
        is_lagging=bool(grouped[sheet.pk][0][len(SHEET)]),
        desk=desk_of(rater=rater, found=found, at=at),
    )


def _columns(model: type[Model]) -> tuple[str, ...]:
    return tuple(field.attname for field in model._meta.concrete_fields)


SHEET, QUESTION = _columns(Sheet), ("id", "public_id", "text")
ANSWER, CANDIDATE = _columns(Assignment), ("id", "public_id", "question_id", "text", "state")
WAITING = (Assignment.State.LIVE, Assignment.State.FILLER, Assignment.State.EXPIRED)


@prepared
def _before(*, rater: int, project: int, at: datetime, public_id: str) -> QuerySet[Sheet, Any]:
    named = Sheet.objects.filter(rater=rater, public_id=public_id).values("question")
    mine = Q(rater=rater, state__in=UNFINISHED) | Q(rater=rater, question=Subquery(named[:1]))
    overdue = Q(project=project, state=Sheet.State.OPEN, lease_expires_at__lte=at)
    due = Sheet.objects.filter(project=project, question=OuterRef("question"), settling_due=True)
    waiting = FilteredRelation("assignments", condition=Q(assignments__state__in=WAITING))
    found = Sheet.objects.filter(mine | overdue).annotate(waiting=waiting, is_lagging=Exists(due))
    return found.order_by("handed_out_at", "pk", "waiting__position", "waiting__pk").values_list(
        *SHEET,
        "is_lagging",
        *(f"question__{name}" for name in QUESTION),
        *(f"waiting__{name}" for name in ANSWER),
        *(f"waiting__candidate__{name}" for name in CANDIDATE),
        "waiting__judgment",
    )


Row = TypeVar("Row", bound=Model)


def _sheet(rater: Membership, row: Sequence[Any]) -> Sheet:
    sheet, rest = _take(Sheet, SHEET, row)
    sheet.question, _ = _take(Question, QUESTION, rest[1:])
    if sheet.rater_id == rater.pk:
        sheet.rater = rater
    if rater.project.protocol is not None and sheet.protocol_version_id == rater.project.protocol_id:
        sheet.protocol_version = rater.project.protocol
    return sheet


def _answers(sheet: Sheet, rows: Sequence[Sequence[Any]]) -> list[Assignment]:
    parts = [row[len(SHEET) + 1 + len(QUESTION) :] for row in rows]
    return [_answer(sheet, part) for part in parts if part[0] is not None]


def _answer(sheet: Sheet, part: Sequence[Any]) -> Assignment:
    answer, rest = _take(Assignment, ANSWER, part)
    answer.candidate, (judgment,) = _take(Candidate, CANDIDATE, rest)
    answer.sheet = sheet
    if judgment is None:
        # So that whoever looks for it asks no more.
        answer._state.fields_cache["judgment"] = None
    return answer


def _take(model: type[Row], names: tuple[str, ...], values: Sequence[Any]) -> tuple[Row, Sequence[Any]]:
    """Return a row of these columns, and the values after them."""
    return model.from_db(connection.alias, names, values[: len(names)]), values[len(names) :]

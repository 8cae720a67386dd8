"""Plan who judges what, and draw a second pass."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from annotation.assignments.events import PlanSaved
from annotation.assignments.models import Pilot, PlannedRater, PriorityQuestion, Purpose, Sheet, WorkPlan
from annotation.assignments.rules import PlannedPart, pieces_of, problem_of_plan, problem_of_stand_ins
from annotation.assignments.selectors.second_pass import (
    has_second_pass,
    lapsed_second_sheets,
    second_pass_candidates,
    second_pass_questions,
)
from annotation.assignments.services.hidden import make_sheet, reopen_sheet
from annotation.assignments.services.slots import (
    in_own_order,
    lock_due_questions,
    take_turn,
    try_lock_question,
)
from annotation.items.models import Candidate, Question
from annotation.projects.models import Membership, Project, ProtocolVersion
from annotation.projects.services.members import MemberNotFound
from annotation.projects.services.upkeep import ask_upkeep, do_upkeep
from common.clock import now
from common.database.rows import in_chunks
from common.errors import Invalid


class UnusablePlan(Invalid):
    """The plan would leave everybody without work, or names what is not there."""


@dataclass(frozen=True)
class RaterWish:
    """What the lead wants of one rater; `None`: no limit. `stand_in`: who judges their part instead."""

    member_id: str
    takes_part: bool = False
    stand_in: str = ""
    first_question: int | None = None
    last_question: int | None = None
    share: int = 0
    answers_at_most: int | None = None
    questions_at_most: int | None = None


def save_plan(
    *,
    project: Project,
    sharing: str = WorkPlan.Sharing.EVERYONE,
    order: str = WorkPlan.Order.IMPORTED,
    goes_first: Sequence[str] = (),
    raters: Sequence[RaterWish] = (),
    at: datetime | None = None,
) -> WorkPlan:
    """Make this the project's work plan, from the next sheet on; sheets at hand stay where they are.

    Raters not named are left without limit, part or share. Raises `UnusablePlan`, `MemberNotFound`.
    """
    _require_usable(sharing, raters)
    lines = [line for line in dict.fromkeys(" ".join(line.split()) for line in goes_first) if line]
    named = _questions_by_name(project) if lines else {}
    unknown = [line for line in lines if line not in named]
    if unknown:
        raise _unusable("goes_first", f"No question has “{unknown[0]}” as its ID, data set, or tag.")
    with transaction.atomic():
        # The project's row is the lock: two leads who save at once must take turns.
        Project.objects.locked(project.pk)
        plan, _ = WorkPlan.objects.update_or_create(
            project=project,
            defaults={"sharing": sharing, "order": order, "goes_first": lines, "saved_at": at or now()},
        )
        _store_raters(project, raters)
        ask_upkeep(PlanSaved(project_id=project.pk))
    do_upkeep(project_id=project.pk)
    return plan


def renew_priorities(*, project_id: int) -> None:
    """Look again which questions go first, after questions came or went, or the plan changed.

    Chunk by chunk, each in a transaction of its own; safe to repeat.
    """
    plan = WorkPlan.objects.filter(project=project_id).first()
    if plan is None:
        return
    by_name = _questions_by_name(plan.project) if plan.goes_first else {}
    chosen = dict.fromkeys(pk for line in plan.goes_first for pk in by_name.get(line, []))
    wanted = {pk: place for place, pk in enumerate(chosen)}
    had = dict(
        PriorityQuestion.objects.filter(question__project=project_id).values_list("question_id", "place")
    )
    for gone in in_chunks([pk for pk in had if pk not in wanted]):
        PriorityQuestion.objects.filter(question__in=gone).delete()
    for moved in in_chunks([pk for pk, place in wanted.items() if had.get(pk) != place]):
        PriorityQuestion.objects.bulk_create(
            [PriorityQuestion(question_id=pk, place=wanted[pk]) for pk in moved],
            update_conflicts=True,
            unique_fields=["question"],
            update_fields=["place"],
        )


def put_first(*, project_id: int, candidate_ids: Collection[int]) -> None:
    """Let these answers of a project go first, and no others of it: raters are handed them before all else.

    Chunk by chunk, each in a transaction of its own; safe to repeat.
    """
    of_project = Candidate.objects.filter(project=project_id).order_by("question", "pk")
    had = set(of_project.filter(goes_first=True).values_list("pk", flat=True))
    for goes_first, moved in ((False, had.difference(candidate_ids)), (True, set(candidate_ids) - had)):
        for chunk in in_chunks(sorted(moved)):
            rows = of_project.filter(pk__in=chunk)
            with transaction.atomic():
                # Whoever changes answers has their questions, so that nobody waits for each other.
                lock_due_questions(
                    question_ids=rows.values_list("question_id", flat=True).distinct(), waits=True
                )
                rows.order_by().update(goes_first=goes_first)


def set_first_only(*, project_id: int, hands_out_first_only: bool) -> None:
    """Hand out only answers that go first, from the next sheet on; or all again. Sheets at hand stay."""
    Project.objects.filter(pk=project_id).update(hands_out_first_only=hands_out_first_only)


def _require_usable(sharing: str, raters: Sequence[RaterWish]) -> None:
    problem = problem_of_plan(
        sharing=sharing,
        parts=[
            PlannedPart(wish.takes_part, wish.first_question, wish.last_question, wish.share)
            for wish in raters
        ],
    ) or problem_of_stand_ins({wish.member_id: wish.stand_in for wish in raters if wish.stand_in})
    if problem is not None:
        raise _unusable(*problem)


def _unusable(field: str, words: str) -> UnusablePlan:
    return UnusablePlan(words, details={"fields": {field: [words]}})


def _questions_by_name(project: Project) -> dict[str, list[int]]:
    by_name: dict[str, list[int]] = {}
    rows = Question.objects.filter(project=project).order_by("position", "pk")
    for pk, public_id, external_id, dataset, tags in rows.values_list(
        "pk", "public_id", "external_id", "dataset", "tags"
    ):
        for name in {public_id, external_id, dataset, *map(str, tags)}:
            by_name.setdefault(name, []).append(pk)
    return by_name


def _store_raters(project: Project, raters: Sequence[RaterWish]) -> None:
    members = Membership.objects.filter(project=project, role=Membership.Role.ANNOTATOR)
    known = dict(members.values_list("public_id", "pk"))
    named = {wish.member_id for wish in raters} | {wish.stand_in for wish in raters if wish.stand_in}
    if named - known.keys():
        raise MemberNotFound("This project has no such annotator.")
    # In an order that does not change, so that the same shares give the same pieces.
    ordered = sorted(raters, key=lambda wish: known[wish.member_id])
    pieces = pieces_of(shares=[wish.share for wish in ordered])
    PlannedRater.objects.filter(rater__project=project).delete()
    PlannedRater.objects.bulk_create(
        PlannedRater(
            rater_id=known[wish.member_id],
            takes_part=wish.takes_part,
            stand_in_id=known.get(wish.stand_in),
            first_question=wish.first_question,
            last_question=wish.last_question,
            share=wish.share,
            piece_start=piece.start,
            piece_length=piece.length,
            answers_at_most=wish.answers_at_most,
            questions_at_most=wish.questions_at_most,
        )
        for wish, piece in zip(ordered, pieces, strict=True)
    )


def hand_out_second_pass(
    *, rater: Membership, version: ProtocolVersion, room: int, at: datetime
) -> list[Sheet]:
    """Return up to `room` sheets of the second pass; a question that somebody holds comes another time."""
    if not has_second_pass(project=rater.project):
        return []
    # While a pilot goes on nothing else is handed out.
    if Pilot.objects.open_in(project_id=rater.project_id) is not None:
        return []
    made: list[Sheet] = []
    with transaction.atomic():
        take_turn(rater=rater)
        made += [
            reopen_sheet(sheet, version, at=at)
            for sheet in list(lapsed_second_sheets(rater=rater)[:room])
            if try_lock_question(question_id=sheet.question_id) is not None
        ]
        for question_id in second_pass_questions(rater=rater):
            if len(made) >= room:
                break
            made += _try_question(rater, version, question_id, at=at)
    return made


def _try_question(
    rater: Membership, version: ProtocolVersion, question_id: int, *, at: datetime
) -> list[Sheet]:
    question = try_lock_question(question_id=question_id)
    if question is None:
        return []
    # Looked up anew under the lock: another rater may just have been handed them.
    candidates = list(second_pass_candidates(rater=rater).filter(question=question))
    if not candidates:
        return []
    chosen = in_own_order(rater, _of_one_group(candidates))[: version.rules.sheet_size]
    return [make_sheet(rater, version, question, Purpose.SECOND, chosen, at=at)]


def _of_one_group(candidates: list[Candidate]) -> list[Candidate]:
    # Equal answers are pooled within a group only: two groups on one sheet would show one answer twice.
    return [item for item in candidates if item.group == candidates[0].group]

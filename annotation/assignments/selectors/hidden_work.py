"""Read what may come to a rater unmarked among the work: known answers, and sheets judged before."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from annotation.assignments.models import Purpose, Sheet
from annotation.assignments.rules import own_order
from annotation.items.models import Candidate, Question
from annotation.known_answers.models import KnownAnswer, QualityPlan
from annotation.known_answers.rules import LONGEST_FORESIGHT, Turn, hidden_ahead, turn_of
from annotation.known_answers.selectors import plan_of, told_answers
from annotation.projects.models import Membership

HIDDEN = (Purpose.KNOWN_ANSWER, Purpose.REPEAT)
# A pilot's sheet that was never handed in; such a question comes again as work.
OVER_WITH_PILOT = Q(purpose=Purpose.PILOT, state=Sheet.State.EXPIRED)
NOBODY_IS_ASKED = (Candidate.State.DECIDED, Candidate.State.UNASKED)


def hidden_plan(*, rater: Membership) -> QualityPlan | None:
    """Return the plan by which hidden sheets come to a rater, or None where none can come."""
    plan = plan_of(project=rater.project)
    if plan.repeat_share > 0:
        return plan
    return plan if plan.known_share > 0 and _hidden_known(rater).exists() else None


def turn_number(*, rater: Membership) -> int:
    """Return how many sheets a rater was handed, hidden ones among them; what is asked again is none."""
    return _turns(rater).count()


def known_candidates(*, rater: Membership, question_id: int) -> list[Candidate]:
    """Return the hidden known answers to a question that the rater may be handed."""
    known = _hidden_known(rater).filter(candidate__question=question_id).select_related("candidate")
    return [item.candidate for item in known.order_by("candidate")]


def known_questions(*, rater: Membership) -> list[int]:
    """Return the questions with hidden known answers that the rater has never met, in an own order.

    One that people still judge is left out: it may come to the rater as work.
    """
    known = _hidden_known(rater).filter(candidate__question=OuterRef("pk"))
    met = Sheet.objects.filter(rater=rater, question=OuterRef("pk"))
    in_work = Candidate.objects.filter(question=OuterRef("pk"), state=Candidate.State.OPEN)
    told = told_answers(project=rater.project).filter(
        attempt__rater=rater, known__candidate__question=OuterRef("pk")
    )
    rows = Question.objects.filter(
        Exists(known), ~Exists(met), ~Exists(in_work), ~Exists(told), project=rater.project_id
    )
    names = {name: pk for pk, name in rows.values_list("pk", "public_id")}
    order = own_order(seed=rater.project.seed, rater=rater.public_id, names=names)
    return [names[name] for name in order]


def repeatable_sheets(*, rater: Membership, plan: QualityPlan, at: datetime) -> list[int]:
    """Return the rater's sheets that may come a second time, each once, in an own order.

    Enough sheets and hours lie between, and nothing else of the question is in the rater's hands.
    """
    turns = list(_turns(rater).order_by("handed_out_at", "pk").values_list("pk", flat=True))
    far = turns[: max(0, len(turns) - plan.repeat_distance)]
    same = Sheet.objects.filter(rater=rater, question=OuterRef("question"))
    busy = same.exclude(state__in=(Sheet.State.SUBMITTED, Sheet.State.SKIPPED)).exclude(OVER_WITH_PILOT)
    again = same.filter(Q(purpose=Purpose.REPEAT) | ~Q(asks_again=Sheet.Again.NOTHING))
    rows = Sheet.objects.votes().filter(
        Q(question__corrected_at=None) | Q(question__corrected_at__lt=F("closed_at")),
        ~Exists(busy),
        ~Exists(again),
        pk__in=far,
        state=Sheet.State.SUBMITTED,
        closed_at__lte=at - timedelta(hours=plan.repeat_hours),
    )
    names = {name: pk for pk, name in rows.values_list("pk", "public_id")}
    order = own_order(seed=rater.project.seed, rater=rater.public_id, names=names)
    return [names[name] for name in order]


def lapsed_hidden_sheets(*, rater: Membership) -> QuerySet[Sheet]:
    """Return hidden sheets whose lease ended: they come back as any other does."""
    held = Sheet.objects.filter(rater=rater, question=OuterRef("question"), state=Sheet.State.OPEN)
    lapsed = Sheet.objects.filter(~Exists(held), rater=rater, purpose__in=HIDDEN, state=Sheet.State.EXPIRED)
    return lapsed.order_by("handed_out_at", "pk")


def next_turn(*, rater: Membership, plan: QualityPlan) -> Turn:
    """Return what the next sheet of the rater is to be."""
    return _turn(rater, plan, turn_number(rater=rater))


def count_hidden_ahead(*, rater: Membership, work_left: int) -> int:
    """Return how many hidden sheets will come among so many questions of work.

    Repeats are foreseen wherever the distance allows one; one that does not come makes less be left.
    """
    plan = hidden_plan(rater=rater) if work_left else None
    if plan is None:
        return 0
    known_left = len(known_questions(rater=rater)) if plan.known_share else 0
    lapsed = lapsed_hidden_sheets(rater=rater).count()
    if known_left == 0 and plan.repeat_share == 0:
        return lapsed
    return lapsed + hidden_ahead(
        turns=_turns_ahead(rater, plan),
        work_left=work_left,
        known_left=known_left,
        repeats_left=LONGEST_FORESIGHT,
    )


def _hidden_known(rater: Membership) -> QuerySet[KnownAnswer]:
    known = KnownAnswer.objects.filter(
        project=rater.project_id,
        use=KnownAnswer.Use.HIDDEN,
        withdrawn_at=None,
        candidate__state__in=NOBODY_IS_ASKED,
    )
    return known.filter(candidate__group=rater.group) if rater.group else known


def _turns(rater: Membership) -> QuerySet[Sheet]:
    purposes = (Purpose.VOTE, *HIDDEN)
    return Sheet.objects.filter(rater=rater, purpose__in=purposes, asks_again=Sheet.Again.NOTHING)


def _turn(rater: Membership, plan: QualityPlan, number: int) -> Turn:
    return turn_of(
        seed=rater.project.seed,
        rater=rater.public_id,
        number=number,
        known_share=plan.known_share,
        repeat_share=plan.repeat_share,
    )


def _turns_ahead(rater: Membership, plan: QualityPlan) -> Iterator[Turn]:
    first = turn_number(rater=rater)
    for number in range(first, first + LONGEST_FORESIGHT):
        turn = _turn(rater, plan, number)
        too_early = turn is Turn.REPEAT and number <= plan.repeat_distance
        yield Turn.WORK if too_early else turn

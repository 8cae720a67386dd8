"""Read what may come to a rater unmarked among the work: known answers, and sheets judged before."""

from collections import Counter
from collections.abc import Collection, Iterator
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, F, Max, OuterRef, Q, QuerySet, Subquery

from annotation.assignments.models import Assignment, Purpose, Sheet
from annotation.assignments.rules import own_order
from annotation.items.models import Candidate, Question
from annotation.known_answers.models import KnownAnswer, QualityPlan
from annotation.known_answers.rules import LONGEST_FORESIGHT, Turn, hidden_ahead, turn_of
from annotation.known_answers.selectors import plan_of, told_answers
from annotation.projects.models import Membership
from common.memory import once

HIDDEN = (Purpose.KNOWN_ANSWER, Purpose.REPEAT)
# A pilot's sheet that was never handed in; such a question comes again as work.
OVER_WITH_PILOT = Q(purpose=Purpose.PILOT, state=Sheet.State.EXPIRED)
NOBODY_IS_ASKED = (Candidate.State.DECIDED, Candidate.State.UNASKED)


def hidden_plan(*, rater: Membership) -> QualityPlan | None:
    """Return the plan by which hidden sheets come to a rater, or None where none can come."""
    plan = plan_of(project=rater.project)
    if plan.repeat_share > 0:
        return plan
    can_come = plan.known_share > 0 and once(("hidden", rater.pk), lambda: _hidden_known(rater).exists())
    return plan if can_come else None


def turn_number(*, rater: Membership) -> int:
    """Return how many sheets a rater was handed, hidden ones among them; what is asked again is none."""
    return _turns(rater).count()


def known_candidates(*, rater: Membership, question_id: int) -> list[Candidate]:
    """Return the hidden known answers to a question that the rater may be handed."""
    known = _hidden_known(rater).filter(candidate__question=question_id).select_related("candidate")
    return [item.candidate for item in known.order_by("candidate")]


def hidden_candidates(*, rater: Membership) -> QuerySet[Candidate]:
    """Return the answers that a hidden sheet may hold: known ones, and those that fill it up.

    As the sheets of work others had, or would have: what people judged, and outside the sample all that
    they would be asked. What a machine settled was on nobody's sheet.
    """
    known = _hidden_known(rater).filter(candidate=OuterRef("pk"))
    judged = Q(state=Candidate.State.DECIDED, taken__gt=0)
    unasked = Q(state=Candidate.State.UNASKED, is_judgeable=True)
    answers = Candidate.objects.filter(Exists(known) | judged | unasked, project=rater.project_id)
    return answers.filter(group=rater.group) if rater.group else answers


def known_questions(*, rater: Membership, size: int = 1) -> list[int]:
    """Return the questions with hidden known answers that the rater has never met, in an own order.

    `size`: how many answers the sheet is to hold. One that people still judge is left out: it may come to
    the rater as work.
    """
    rows = _unmet(rater)
    if size > 1:
        rows = _sized(rows, rater).filter(size__gte=size)
    names = {name: pk for pk, name in rows.values_list("pk", "public_id")}
    order = own_order(seed=rater.project.seed, rater=rater.public_id, names=names)
    return [names[name] for name in order]


def longest_known_sheet(*, rater: Membership) -> int:
    """Return how many answers a sheet of known answers can hold for a rater now; 0 where none can come."""
    longest: int | None = _sized(_unmet(rater), rater).aggregate(longest=Max("size"))["longest"]
    return longest or 0


def _unmet(rater: Membership) -> QuerySet[Question]:
    known = _hidden_known(rater).filter(candidate__question=OuterRef("pk"))
    met = Sheet.objects.filter(rater=rater, question=OuterRef("pk"))
    in_work = Candidate.objects.filter(question=OuterRef("pk"), state=Candidate.State.OPEN)
    told = told_answers(project=rater.project).filter(
        attempt__rater=rater, known__candidate__question=OuterRef("pk")
    )
    return Question.objects.filter(
        Exists(known), ~Exists(met), ~Exists(in_work), ~Exists(told), project=rater.project_id
    )


def _sized(questions: QuerySet[Question], rater: Membership) -> QuerySet[Any]:
    answers = hidden_candidates(rater=rater).filter(question=OuterRef("pk")).order_by().values("question")
    return questions.annotate(size=Subquery(answers.annotate(n=Count("pk")).values("n")))


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


def next_turn(*, rater: Membership, plan: QualityPlan) -> Turn:
    """Return what the next sheet of the rater is to be."""
    return _turn(rater, plan, turn_number(rater=rater))


def count_hidden_ahead(
    *, rater: Membership, plan: QualityPlan, waiting: Collection[tuple[int, bool]], sizes: Collection[int]
) -> int:
    """Return how many hidden sheets come among the work.

    `waiting`: what is not yet handed out, at least one sheet. `sizes`: how many answers each would hold.

    Foreseen for all of the rater's work since the plan stands, handed out or not, and less what came: so
    the number moves with hidden sheets alone. One that cannot come at its turn is owed until the work is
    done, for a count that fell just then would say that the sheet in its place is work. A known question
    shorter than all of the work never comes, so it is not foreseen.
    """
    begun_at = _begun_at(rater, plan)
    turns = _turns(rater)
    before = turns.filter(handed_out_at__lt=begun_at).count() if begun_at else 0
    since = list(
        (turns.filter(handed_out_at__gte=begun_at) if begun_at else turns)
        .annotate(size=Count("assignments", filter=_own_answers(rater)))
        .values_list("purpose", "question", "goes_first", "size")
    )
    came = Counter(purpose for purpose, *_ in since)
    work = {(question, first): size for purpose, question, first, size in since if purpose == Purpose.VOTE}
    shortest = min((size for size in (*work.values(), *sizes) if size), default=None)
    known_left = len(known_questions(rater=rater, size=shortest)) if plan.known_share and shortest else 0
    foreseen = hidden_ahead(
        turns=_turns_from(before, rater, plan),
        work_left=len({*waiting, *work}),
        known_left=came[Purpose.KNOWN_ANSWER] + known_left,
        repeats_left=LONGEST_FORESIGHT,
    )
    return max(0, foreseen - came[Purpose.KNOWN_ANSWER] - came[Purpose.REPEAT])


def _own_answers(rater: Membership) -> Q:
    """Return which answers of a sheet make its size, as work that waits is measured."""
    own = ~Q(assignments__state=Assignment.State.FILLER)
    protocol = rater.project.protocol
    if protocol is not None and protocol.rules.fill_tie_break_sheets:
        own &= ~Q(assignments__round=Assignment.Round.TIE_BREAK)
    return own


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


def _begun_at(rater: Membership, plan: QualityPlan) -> datetime | None:
    """Return since when hidden sheets come as they do: the plan, or a mark, was changed last."""
    marks = KnownAnswer.objects.filter(project=rater.project_id, use=KnownAnswer.Use.HIDDEN)
    changes = marks.aggregate(marked=Max("marked_at"), withdrawn=Max("withdrawn_at"))
    return max((at for at in (plan.saved_at, *changes.values()) if at is not None), default=None)


def _turns_from(first: int, rater: Membership, plan: QualityPlan) -> Iterator[Turn]:
    for number in range(first, first + LONGEST_FORESIGHT):
        turn = _turn(rater, plan, number)
        too_early = turn is Turn.REPEAT and number <= plan.repeat_distance
        yield Turn.WORK if too_early else turn

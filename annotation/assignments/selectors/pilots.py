"""Read pilots: what is still to be judged in one, how far each rater is, which questions could serve."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, QuerySet

from annotation.assignments.models import Assignment, Pilot, Purpose, Sheet
from annotation.assignments.selectors.planning import raters_of_plan
from annotation.items.models import Candidate, Question
from annotation.known_answers.selectors import told_answers
from annotation.projects.models import Membership, Project

HAD = (Assignment.State.SURPLUS, Assignment.State.SKIPPED)


@dataclass(frozen=True)
class PilotRater:
    """How many of a pilot’s answers an annotator has judged or skipped, and how many are left."""

    member_id: str
    name: str
    judged: int
    left: int


@dataclass(frozen=True)
class PilotStanding:
    """A pilot and its annotators: those who are asked to judge, and those who have judged.

    `seed`: null if the pilot uses the first questions. `ended_by`, `outcome`: empty while the pilot is
    running.
    """

    id: str
    questions: int
    seed: int | None
    begun_by: str
    begun_at: datetime
    ended_by: str
    ended_at: datetime | None
    outcome: str
    raters: list[PilotRater]


@dataclass(frozen=True)
class PilotsRead:
    """The pilots, newest first, and the number of questions left for another pilot."""

    untouched_questions: int
    pilots: list[PilotStanding]


def piloted_questions(*, pilot: Pilot) -> QuerySet[Question]:
    """Return the questions of a pilot in the project's order."""
    return Question.objects.filter(in_pilot__pilot=pilot).order_by("position", "pk")


def pilot_candidates(*, rater: Membership, pilot: Pilot) -> QuerySet[Candidate]:
    """Return the answers of a pilot that this rater is still to be handed; none to who takes no part."""
    if not raters_of_plan(rater.project).filter(pk=rater.pk).exists():
        return Candidate.objects.none()
    mine = Assignment.objects.filter(rater=rater, candidate=OuterRef("pk"), purpose=Purpose.PILOT)
    told = told_answers(project=rater.project).filter(attempt__rater=rater, known__candidate=OuterRef("pk"))
    free = Candidate.objects.filter(
        ~Exists(mine.exclude(state=Assignment.State.EXPIRED)),
        ~Exists(told),
        question__in_pilot__pilot=pilot,
        state=Candidate.State.OPEN,
    )
    return free.filter(group=rater.group) if rater.group else free


def rank_pilot_questions(*, rater: Membership, pilot: Pilot) -> list[int]:
    """Return the questions of a pilot that hold something for a rater who has none of them in hand."""
    held = Sheet.objects.filter(rater=rater, state=Sheet.State.OPEN)
    rows = pilot_candidates(rater=rater, pilot=pilot).exclude(question__in=held.values("question"))
    ranked = rows.order_by("question__position", "question").values_list("question", flat=True)
    return list(dict.fromkeys(ranked))


def count_pilot_questions_left(*, rater: Membership, pilot: Pilot) -> int:
    """Return how many questions of a pilot a rater has in hand or is still to be handed."""
    held = Sheet.objects.filter(
        rater=rater, state=Sheet.State.OPEN, purpose=Purpose.PILOT, question__in_pilot__pilot=pilot
    )
    return len(rank_pilot_questions(rater=rater, pilot=pilot)) + held.values("question").distinct().count()


def untouched_questions(*, project: Project) -> QuerySet[Question]:
    """Return the sampled questions with open answers that nobody was ever handed, as imported."""
    answers = Candidate.objects.filter(question=OuterRef("pk"))
    handed_out = Assignment.objects.filter(candidate__question=OuterRef("pk"))
    return Question.objects.filter(
        Exists(answers.filter(state=Candidate.State.OPEN)),
        ~Exists(handed_out),
        project=project,
        in_sample=True,
        in_pilot=None,
    ).order_by("position", "pk")


def read_pilots(*, project: Project) -> PilotsRead:
    """Return the project's pilots with how far their raters are."""
    pilots = Pilot.objects.filter(project=project).select_related("begun_by", "ended_by")
    standings = [
        PilotStanding(
            id=pilot.public_id,
            questions=pilot.questions.count(),
            seed=pilot.seed,
            begun_by=pilot.begun_by.name,
            begun_at=pilot.begun_at,
            ended_by=pilot.ended_by.name if pilot.ended_by else "",
            ended_at=pilot.ended_at,
            outcome=pilot.outcome,
            raters=_raters(project, pilot),
        )
        for pilot in pilots.order_by("-begun_at", "-pk")
    ]
    return PilotsRead(untouched_questions(project=project).count(), standings)


def _raters(project: Project, pilot: Pilot) -> list[PilotRater]:
    had = Assignment.objects.filter(
        rater=OuterRef("pk"),
        purpose=Purpose.PILOT,
        candidate__question__in_pilot__pilot=pilot,
        state__in=HAD,
    )
    judged = Membership.objects.filter(Exists(had), project=project)
    asked = raters_of_plan(project) if pilot.ended_at is None else Membership.objects.none()
    members = Membership.objects.filter(
        pk__in={*judged.values_list("pk", flat=True), *asked.values_list("pk", flat=True)}
    )
    return [
        _standing(member, pilot)
        for member in members.select_related("user", "project").order_by("joined_at", "pk")
    ]


def _standing(member: Membership, pilot: Pilot) -> PilotRater:
    mine = Assignment.objects.filter(
        rater=member, purpose=Purpose.PILOT, candidate__question__in_pilot__pilot=pilot
    )
    left = 0
    if pilot.ended_at is None:
        left = pilot_candidates(rater=member, pilot=pilot).count()
        left += mine.filter(state=Assignment.State.LIVE).count()
    return PilotRater(member.public_id, member.user.name, mine.filter(state__in=HAD).count(), left)

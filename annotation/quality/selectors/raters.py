"""Read who judges in a project, and how well each rater works."""

from collections import defaultdict
from collections.abc import Hashable

from django.db.models import Count, Max, QuerySet

from annotation.adjudication.models import Decision
from annotation.assignments.models import IS_VOTE, Assignment, Purpose
from annotation.judgments.models import Judgment, JudgmentRevision
from annotation.judgments.selectors import improper_questions
from annotation.known_answers.models import KnownAnswer
from annotation.projects.models import Membership, Project
from annotation.projects.selectors import name_sample
from annotation.quality.rules import Ballots, KnownVote, Rater, RaterReport, Repeat, measure_raters
from annotation.quality.rules.signs import SHUFFLES
from annotation.quality.selectors.ballots import STANDING, labels_of_protocol, read_ballots_of
from common.columns import changes_by, last_change
from common.errors import NotFound
from common.memory import Memory
from common.signatures import sign_figures

_reports: Memory[list[RaterReport]] = Memory(size=4)


class RaterNotFound(NotFound):
    """The project has no such rater."""

    code = "rater_not_found"


def list_raters(*, project: Project) -> list[RaterReport]:
    """Return a report on everybody who judges or has judged, in the order in which they joined.

    Measured once for as long as nothing that it is made of changes; shared, so nobody may write to it.
    """
    votes = _states_of_votes(project)
    raters = _read_raters(project, has_voted={rater for rater, _ in votes})
    return _reports.get(
        project.pk,
        state=(tuple(raters), frozenset(votes.items()), *_state_beside_votes(project)),
        make=lambda: measure_raters(read_ballots_of(raters, project=project)),
    )


def get_rater(*, project: Project, public_id: str) -> RaterReport:
    """Return the report on one rater; raises `RaterNotFound`."""
    for report in list_raters(project=project):
        if report.rater.public_id == public_id:
            return report
    raise RaterNotFound("This project has no such rater.")


def sign_raters(project: Project, *, rater: str | None = None) -> str:
    """Return in one line what produced raters' figures, or those of one, by their pseudonym."""
    return sign_figures(
        "raters",
        rater=rater,
        votes="all that stand on sampled answers",
        shuffles=SHUFFLES,
        sample=name_sample(project),
        protocol=project.protocol and project.protocol.number,
        has_intervals=True,
    )


def read_ballots(*, project: Project) -> Ballots:
    """Return the votes that stand on sampled answers; questions that raters took out have no part."""
    raters = _read_raters(project, has_voted={rater for rater, _ in _states_of_votes(project)})
    return read_ballots_of(raters, project=project)


def _states_of_votes(project: Project) -> dict[tuple[int, str], tuple[int, ...]]:
    """Return by rater and round what changes whenever such a vote or its slot does."""
    # By way of raters: answers are many more, and would all be looked up.
    votes = Judgment.objects.votes().filter(rater__project=project, state__in=STANDING)
    return changes_by(votes, "rater_id", "round", sums=("pk", "slot"))


def _state_beside_votes(project: Project) -> tuple[Hashable, ...]:
    """Return what changes whenever a label, a time, a decision, the sample or the protocol's labels do.

    A label that changes leaves a revision; the newest one of all projects is found at once.
    """
    decisions = Decision.objects.filter(candidate__project=project)
    return (
        JudgmentRevision.objects.aggregate(newest=Max("pk"))["newest"],
        last_change(decisions),
        last_change(decisions.filter(is_current=True, is_reopening=False), "pk"),
        last_change(project.questions.filter(in_sample=True), "pk"),
        improper_questions(project),
        labels_of_protocol(project),
    )


def _read_raters(project: Project, *, has_voted: set[int]) -> list[Rater]:
    """Return everybody who judges or whose votes stand."""
    members = Membership.objects.filter(project=project).select_related("user").order_by("joined_at", "pk")
    repeats, known, skipped = _read_repeats(project), _read_known(project), _count_skipped(project)
    return [
        Rater(
            id=member.pk,
            public_id=member.public_id,
            pseudonym=member.pseudonym,
            name=member.user.name,
            state=member.state,
            skipped=skipped.get(member.pk, 0),
            has_order=not member.user.is_imported,
            repeats=tuple(repeats.get(member.pk, ())),
            known=tuple(known.get(member.pk, ())),
        )
        for member in members
        if member.pk in has_voted or _judges(member)
    ]


def _judges(member: Membership) -> bool:
    return member.role == Membership.Role.ANNOTATOR and member.state != Membership.State.LEFT


def _count_skipped(project: Project) -> dict[int, int]:
    skipped = Assignment.objects.votes().filter(rater__project=project, state=Assignment.State.SKIPPED)
    return dict(skipped.order_by().values_list("rater_id").annotate(Count("pk")))


def _standing(project: Project) -> QuerySet[Judgment]:
    return Judgment.objects.filter(rater__project=project, state__in=STANDING).order_by("judged_at", "pk")


def _read_repeats(project: Project) -> dict[int, list[Repeat]]:
    """Return what each rater said twice; the first vote is read as it stands now."""
    again = _standing(project).filter(purpose=Purpose.REPEAT)
    said = again.values_list("rater_id", "candidate_id", "candidate__question_id", "label")
    votes = _standing(project).filter(IS_VOTE, candidate__in=again.order_by().values("candidate"))
    first = {
        (rater, of): label for rater, of, label in votes.values_list("rater_id", "candidate_id", "label")
    }
    repeats: dict[int, list[Repeat]] = defaultdict(list)
    for rater, candidate, question, label in said:
        if (rater, candidate) in first:
            repeats[rater].append(Repeat(question, first[rater, candidate], label))
    return repeats


def _read_known(project: Project) -> dict[int, list[KnownVote]]:
    """Return what each rater said of hidden answers whose label is known, in the order it was said."""
    rows = _standing(project).filter(
        purpose=Purpose.KNOWN_ANSWER,
        candidate__known__use=KnownAnswer.Use.HIDDEN,
        candidate__known__withdrawn_at=None,
    )
    known: dict[int, list[KnownVote]] = defaultdict(list)
    for rater, candidate, label, right, at in rows.values_list(
        "rater_id", "candidate_id", "label", "candidate__known__label", "judged_at"
    ):
        known[rater].append(KnownVote(candidate, label, right, at))
    return known

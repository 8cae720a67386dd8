"""Read what is known of a project's raters: their votes, the time they took, and what was decided."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from sys import intern
from typing import Any

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import Basis
from annotation.assignments.models import IS_VOTE, Assignment, Purpose
from annotation.items.models import Candidate
from annotation.judgments.models import Judgment, JudgmentRevision
from annotation.judgments.selectors import improper_questions
from annotation.known_answers.models import KnownAnswer
from annotation.projects.models import Membership, Project
from annotation.projects.rules import Credit
from annotation.quality.rules import (
    Ballots,
    Decided,
    KnownVote,
    Rater,
    RaterReport,
    Repeat,
    Vote,
    measure_raters,
)
from common.columns import last_change
from common.errors import NotFound
from common.memory import Memory

# Rows at once: all together would lie in memory beside what is made of them.
CHUNK = 20_000
_reports: Memory[list[RaterReport]] = Memory(size=4)

# A withdrawn vote is none, and "cannot judge" says nothing of the answer.
STANDING = (Judgment.State.COUNTED, Judgment.State.SURPLUS)


class RaterNotFound(NotFound):
    """The project has no such rater."""

    code = "rater_not_found"


def list_raters(*, project: Project) -> list[RaterReport]:
    """Return a report on everybody who judges or has judged, in the order in which they joined.

    Measured once for as long as nothing that it is made of changes; shared, so nobody may write to it.
    """
    raters, labels = _read_raters(project)
    return _reports.get(
        project.pk,
        state=(raters, labels, *_state_of_votes(project)),
        make=lambda: measure_raters(_read_ballots(project, raters, labels)),
    )


def _state_of_votes(project: Project) -> tuple[object, ...]:
    """Return what changes whenever a vote, its place, its time, a decision or the sample does.

    A label that changes leaves a revision; the newest one of all projects is found at once.
    """
    votes = Judgment.objects.votes().filter(candidate__project=project, state__in=STANDING)
    decisions = Decision.objects.filter(candidate__project=project)
    return (
        JudgmentRevision.objects.aggregate(newest=Max("pk"))["newest"],
        last_change(votes, "pk", "slot"),
        last_change(votes.filter(round=Assignment.Round.TIE_BREAK), "pk"),
        last_change(decisions),
        last_change(decisions.filter(is_current=True, is_reopening=False), "pk"),
        last_change(project.questions.filter(in_sample=True), "pk"),
        improper_questions(project),
    )


def get_rater(*, project: Project, public_id: str) -> RaterReport:
    """Return the report on one rater; raises `RaterNotFound`."""
    if not _raters(project).filter(public_id=public_id).exists():
        raise RaterNotFound("This project has no such rater.")
    reports = list_raters(project=project)
    return next(report for report in reports if report.rater.public_id == public_id)


def read_ballots(*, project: Project) -> Ballots:
    """Return the votes that stand on sampled answers; questions that raters took out have no part."""
    return _read_ballots(project, *_read_raters(project))


def _read_ballots(project: Project, raters: list[Rater], labels: tuple[str, ...]) -> Ballots:
    return Ballots(raters, _read_votes(project), _read_decisions(project), labels)


def _read_raters(project: Project) -> tuple[list[Rater], tuple[str, ...]]:
    """Return who judges or has judged, and the labels that are votes."""
    labels = _labels_of(project)
    repeats, known = _read_repeats(project, labels), _read_known(project, labels)
    raters = [
        _rater(member)._replace(repeats=repeats.get(member.pk, ()), known=known.get(member.pk, ()))
        for member in _raters(project)
    ]
    return raters, labels


def answers_named(*, project: Project, candidate_ids: Iterable[int]) -> dict[int, Candidate]:
    """Return answers with their questions, by id."""
    rows = Candidate.objects.filter(project=project).select_related("question")
    return rows.in_bulk(list(candidate_ids))


def drawable(*, project: Project, only_unanimous: bool) -> QuerySet[Decision]:
    """Return the decisions by people on sampled answers that are not known ones, in the project's order.

    What a machine settled is left out: it would measure raters against the machine.
    """
    sources = {Decision.Source.UNANIMOUS}
    if not only_unanimous:
        sources |= {Decision.Source.MAJORITY, Decision.Source.ADJUDICATED, Decision.Source.IMPORTED}
    known = KnownAnswer.objects.filter(candidate=OuterRef("candidate"), withdrawn_at=None)
    return (
        Decision.objects.filter(
            ~Exists(known),
            candidate__project=project,
            candidate__state=Candidate.State.DECIDED,
            candidate__is_judgeable=True,
            is_current=True,
            is_reopening=False,
            source__in=sources,
        )
        .exclude(candidate__question__in=improper_questions(project))
        .select_related("candidate")
        .order_by("candidate__question__position", "candidate__position", "candidate")
    )


def _raters(project: Project) -> QuerySet[Membership]:
    return (
        Membership.objects.filter(project=project)
        .select_related("user")
        .annotate(
            judged=_count(Judgment.objects.votes().filter(state__in=STANDING)),
            skipped=_count(Assignment.objects.votes().filter(state=Assignment.State.SKIPPED)),
        )
        .filter(Q(role=Membership.Role.ANNOTATOR) | Q(judged__gt=0))
        .exclude(state=Membership.State.LEFT, judged=0)
        .order_by("joined_at", "pk")
    )


def _count(rows: QuerySet[Any]) -> Coalesce:
    """Count these rows of a rater by themselves: two tables joined at once make a row of every pair."""
    of_the_rater = rows.filter(rater=OuterRef("pk")).order_by().values("rater")
    return Coalesce(Subquery(of_the_rater.annotate(n=Count("pk")).values("n")), 0)


def _rater(membership: Membership) -> Rater:
    return Rater(
        id=membership.pk,
        public_id=membership.public_id,
        pseudonym=membership.pseudonym,
        name=membership.user.name,
        state=membership.state,
        skipped=getattr(membership, "skipped", 0),
        has_order=not membership.user.is_imported,
    )


def _votes(project: Project) -> QuerySet[Judgment]:
    rows = Judgment.objects.votes().filter(
        state__in=STANDING, candidate__project=project, candidate__question__in_sample=True
    )
    return rows.exclude(candidate__question__in=improper_questions(project))


def _read_votes(project: Project) -> list[Vote]:
    seconds = _read_seconds(project)
    rows = (
        _votes(project)
        .order_by("judged_at", "assignment__position", "pk")
        .values_list(
            "pk",
            "candidate_id",
            "candidate__question_id",
            "rater_id",
            "label",
            "slot",
            "judged_at",
            "assignment__position",
            "round",
        )
    )
    return [
        Vote(
            candidate,
            question,
            rater,
            # One text for equal labels: of 300,000 votes they are two or three.
            intern(label),
            slot,
            at,
            position,
            seconds.get(pk),
            breaks_tie=round_name == Assignment.Round.TIE_BREAK,
        )
        for pk, candidate, question, rater, label, slot, at, position, round_name in rows.iterator(CHUNK)
    ]


def _read_repeats(project: Project, labels: Sequence[str]) -> dict[int, list[Repeat]]:
    """Return what each rater said twice; the first vote is read as it stands now."""
    standing = Judgment.objects.filter(candidate__project=project, state__in=STANDING, label__in=labels)
    again = standing.filter(purpose=Purpose.REPEAT).order_by("judged_at", "pk")
    votes = standing.filter(IS_VOTE, candidate__in=again.order_by().values("candidate"))
    first = {
        (rater, of): label for rater, of, label in votes.values_list("rater_id", "candidate_id", "label")
    }
    repeats: dict[int, list[Repeat]] = defaultdict(list)
    for rater, candidate, question, label in again.values_list(
        "rater_id", "candidate_id", "candidate__question_id", "label"
    ):
        if (rater, candidate) in first:
            repeats[rater].append(Repeat(question, first[rater, candidate], label))
    return repeats


def _read_known(project: Project, labels: Sequence[str]) -> dict[int, list[KnownVote]]:
    """Return what each rater said of hidden answers whose label is known, in the order it was said."""
    rows = (
        Judgment.objects.filter(
            candidate__project=project,
            purpose=Purpose.KNOWN_ANSWER,
            state__in=STANDING,
            label__in=labels,
            candidate__known__use=KnownAnswer.Use.HIDDEN,
            candidate__known__withdrawn_at=None,
        )
        .order_by("judged_at", "pk")
        .values_list("rater_id", "candidate_id", "label", "candidate__known__label", "judged_at")
    )
    known: dict[int, list[KnownVote]] = defaultdict(list)
    for rater, candidate, label, right, at in rows:
        known[rater].append(KnownVote(candidate, label, right, at))
    return known


def _read_seconds(project: Project) -> dict[int, float]:
    """Return the active seconds of each judgment's last submit, where they were measured."""
    rows = (
        JudgmentRevision.objects.filter(
            judgment__candidate__project=project, action=JudgmentRevision.Action.SUBMIT, seconds__gt=0
        )
        .order_by("number")
        .values_list("judgment_id", "seconds")
    )
    return {judgment: seconds for judgment, seconds in rows.iterator(CHUNK) if seconds is not None}


def _read_decisions(project: Project) -> dict[int, Decided]:
    by_votes = frozenset(Basis)
    rows = (
        Decision.objects.filter(candidate__project=project, is_current=True, is_reopening=False)
        .order_by("candidate_id")
        .values_list("candidate_id", "label", "source")
    )
    return {
        candidate: Decided(intern(label), by_votes=source in by_votes)
        for candidate, label, source in rows.iterator(CHUNK)
    }


def _labels_of(project: Project) -> tuple[str, ...]:
    """Return the labels that are votes, in the protocol's order; those of older protocols follow."""
    protocol = project.protocol.rules if project.protocol else None
    known = [label.key for label in protocol.labels if label.credit is not Credit.MISSING] if protocol else []
    given = _votes(project).order_by().values_list("label", flat=True).distinct()
    return (*known, *sorted(set(given) - set(known)))

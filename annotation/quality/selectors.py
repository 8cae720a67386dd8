"""Read what is known of a project's raters, and the decisions that known answers are drawn from."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime

import numpy as np
from django.db.models import Case, Count, Exists, IntegerField, OuterRef, QuerySet, Value, When

from analysis.arrays import Floats
from annotation.adjudication.models import Decision
from annotation.adjudication.rules import Basis
from annotation.assignments.models import IS_VOTE, Assignment, Purpose
from annotation.items.models import Candidate
from annotation.judgments.models import Judgment, JudgmentRevision
from annotation.judgments.selectors import improper_questions
from annotation.known_answers.models import KnownAnswer
from annotation.projects.models import Membership, Project
from annotation.projects.rules import Credit
from annotation.projects.selectors import kept, name_sample
from annotation.quality.rules.figures import FEWEST
from annotation.quality.rules.measuring import measure_raters
from annotation.quality.rules.reports import RaterFigures, RaterReport, RaterRow
from annotation.quality.rules.signs import SHUFFLES
from annotation.quality.rules.votes import NONE, Ballots, Decisions, Integers, KnownVote, Rater, Repeat, Votes
from common.clock import is_measured
from common.database.rows import Microseconds, read_integers, read_numbers, read_rows
from common.errors import NotFound
from common.identifiers import sign_figures

# A withdrawn vote is none, and "cannot judge" says nothing of the answer.
STANDING = (Judgment.State.COUNTED, Judgment.State.SURPLUS)


def read_ballots_of(raters: Sequence[Rater], *, project: Project) -> Ballots:
    """Return these raters' votes that stand on sampled answers.

    Questions that raters took out have no part.
    """
    labels = _labels_of(project)
    votes = _read_votes(project, raters, labels)
    decisions, further_labels = _read_decisions(project, labels)
    return Ballots([_among(rater, labels) for rater in raters], votes, decisions, labels, further_labels)


def labels_of_protocol(project: Project) -> tuple[str, ...]:
    """Return the protocol's labels that are votes, in its order."""
    labels = project.protocol.rules.labels if project.protocol else ()
    return tuple(label.key for label in labels if label.credit is not Credit.MISSING)


def _labels_of(project: Project) -> tuple[str, ...]:
    """Return the labels that are votes; those of older protocols come last."""
    known = labels_of_protocol(project)
    given = set(_votes(project).order_by().values_list("label", flat=True).distinct())
    return (*known, *sorted(given - set(known)))


def _among(rater: Rater, labels: Sequence[str]) -> Rater:
    """Leave out what a rater said of repeats and known answers with a label that is no vote."""
    repeats = [each for each in rater.repeats if each.first in labels and each.second in labels]
    return rater._replace(repeats=repeats, known=[vote for vote in rater.known if vote.label in labels])


def _votes(project: Project) -> QuerySet[Judgment]:
    rows = Judgment.objects.votes().filter(
        state__in=STANDING, candidate__project=project, candidate__question__in_sample=True
    )
    return rows.exclude(candidate__question__in=improper_questions(project))


def _number(field: str, values: Sequence[str]) -> Case:
    """Return the place of a field's value among these, NONE where it is not among them."""
    whens = [When(**{field: value}, then=Value(place)) for place, value in enumerate(values)]
    return Case(*whens, default=Value(NONE), output_field=IntegerField())


def _read_votes(project: Project, raters: Sequence[Rater], labels: Sequence[str]) -> Votes:
    """Return votes in the order of their keys."""
    rows = read_integers(
        _votes(project)
        .annotate(
            number=_number("label", labels),
            tie_break=_number("round", [Assignment.Round.TIE_BREAK]),
            moment=Microseconds("judged_at"),
        )
        .order_by(),
        "pk",
        "rater_id",
        "number",
        "tie_break",
        "candidate_id",
        "candidate__question_id",
        "slot",
        "moment",
        "assignment__position",
    )
    places = {rater.id: place for place, rater in enumerate(raters)}
    # What was voted between two of these queries belongs to the next state.
    rows = rows[np.isin(rows[:, 1], list(places)) & (rows[:, 2] != NONE)]
    keys, people, numbers, tie_breaks, candidates, questions, slots, moments, positions = rows[
        np.argsort(rows[:, 0])
    ].T
    people, place = np.unique(people, return_inverse=True)
    return Votes(
        candidates=candidates,
        questions=questions,
        raters=np.array([places[person] for person in people.tolist()], dtype=np.int64)[place],
        labels=numbers,
        slots=slots,
        moments=moments,
        positions=positions,
        seconds=_read_seconds(project, keys),
        breaks_tie=tie_breaks != NONE,
    )


def _read_seconds(project: Project, keys: Integers) -> Floats:
    """Return the active seconds of each judgment's last submit, NaN where they were not measured."""
    rows = JudgmentRevision.objects.filter(
        is_measured("seconds"), protocol_version__project=project, action=JudgmentRevision.Action.SUBMIT
    )
    found = read_numbers(rows.order_by(), "number", "judgment_id", "seconds")
    _, judgments, measured = found[np.argsort(found[:, 0], kind="stable")].T
    places = np.searchsorted(keys, judgments)
    is_known = np.append(keys, NONE)[places] == judgments
    seconds = np.full(len(keys), np.nan)
    # Of several submits the last is written last.
    seconds[places[is_known]] = measured[is_known]
    return seconds


def _read_decisions(project: Project, labels: Sequence[str]) -> tuple[Decisions, tuple[str, ...]]:
    """Return the decisions in force, and the labels that they alone have."""
    numbers = {label: number for number, label in enumerate(labels)}
    by_votes = frozenset(Basis)
    rows = Decision.objects.in_force().filter(candidate__project=project).order_by("candidate_id")
    flat = np.fromiter(
        (
            value
            for candidate, label, source in read_rows(rows, "candidate_id", "label", "source")
            for value in (candidate, numbers.setdefault(label, len(numbers)), source in by_votes)
        ),
        dtype=np.int64,
    )
    candidates, decided, is_of_votes = flat.reshape(-1, 3).T
    return Decisions(candidates, decided, is_of_votes.astype(bool)), tuple(numbers)[len(labels) :]


@dataclass(frozen=True)
class Raters:
    """The statistics of all annotators.

    `fewest`: a share based on fewer cases than this is given only as counts, in words.
    """

    signature: str
    fewest: int
    raters: Sequence[RaterRow]


@dataclass(frozen=True)
class Difference:
    """An answer on which the annotator’s label differs from the decision that would have been made without
    that label.

    `without`: that decision.
    """

    answer: str
    question: str
    text: str
    label: str
    without: str
    at: datetime


@dataclass(frozen=True)
class KnownMiss:
    """A hidden known answer that the annotator labeled incorrectly."""

    answer: str
    question: str
    text: str
    label: str
    known: str
    at: datetime


@dataclass(frozen=True)
class RaterDetail(RaterFigures):
    """One annotator, with the details behind their statistics."""

    signature: str
    differences: list[Difference]
    known_misses: list[KnownMiss]


def read_raters(*, project: Project) -> Raters:
    """Return a row a rater, with the uncertainty that few votes have."""
    return Raters(sign_raters(project), FEWEST, list_raters(project=project))


def read_rater(*, project: Project, public_id: str) -> RaterDetail:
    """Return what the figures of one rater are made of; raises `RaterNotFound`."""
    report = get_rater(project=project, public_id=public_id)
    rows = Candidate.objects.filter(project=project).select_related("question")
    told = {row.candidate for row in report.differences} | {row.candidate for row in report.known_misses}
    answers = rows.in_bulk(told)
    named = {pk: (answer.public_id, answer.question.text, answer.text) for pk, answer in answers.items()}
    return RaterDetail(
        **{field.name: getattr(report, field.name) for field in fields(RaterFigures)},
        signature=sign_raters(project, rater=report.pseudonym),
        differences=[
            Difference(*named[row.candidate], row.label, row.without, row.at) for row in report.differences
        ],
        known_misses=[
            KnownMiss(*named[row.candidate], row.label, row.known, row.at) for row in report.known_misses
        ],
    )


BY_PEOPLE = (
    Decision.Source.UNANIMOUS,
    Decision.Source.MAJORITY,
    Decision.Source.ADJUDICATED,
    Decision.Source.IMPORTED,
)


def knowable(*, project: Project) -> QuerySet[Decision]:
    """Return the decisions by which an answer's label can be known, in the project's order.

    People made them, on answers to proper questions, with a label that the protocol still has. What a
    program settled is left out: it would measure raters against the program.
    """
    labels = project.protocol.rules.labels if project.protocol else ()
    return (
        Decision.objects.in_force()
        .filter(
            candidate__project=project,
            candidate__state=Candidate.State.DECIDED,
            candidate__is_judgeable=True,
            source__in=BY_PEOPLE,
            label__in=[label.key for label in labels if label.credit is not Credit.MISSING],
        )
        .exclude(candidate__question__in=improper_questions(project))
        .select_related("candidate")
        .order_by("candidate__question__position", "candidate__position", "candidate")
    )


def drawable(*, project: Project, only_unanimous: bool) -> QuerySet[Decision]:
    """Return those of `knowable` whose answers are not known ones yet."""
    known = KnownAnswer.objects.filter(candidate=OuterRef("candidate"), withdrawn_at=None)
    found = knowable(project=project).filter(~Exists(known))
    return found.filter(source=Decision.Source.UNANIMOUS) if only_unanimous else found


class RaterNotFound(NotFound):
    """The project has no such rater."""


def list_raters(*, project: Project) -> list[RaterReport]:
    """Return a report on everybody who judges or has judged, in the order in which they joined.

    What people are called is read anew: their accounts belong to no project.
    """
    users = Membership.objects.filter(project=project).values_list("pk", "user__name")
    names = dict(users)
    return [replace(report, name=names[report.member]) for report in _measure_raters(project)]


@kept()
def _measure_raters(project: Project) -> list[RaterReport]:
    return measure_raters(read_ballots(project=project))


def get_rater(*, project: Project, public_id: str) -> RaterReport:
    """Return the report on one rater; raises `RaterNotFound`."""
    for report in list_raters(project=project):
        if report.id == public_id:
            return report
    raise RaterNotFound("This project has no such annotator.")


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
    voted = Judgment.objects.votes().filter(rater__project=project, state__in=STANDING)
    raters = _read_raters(project, has_voted=set(voted.order_by().values_list("rater", flat=True).distinct()))
    return read_ballots_of(raters, project=project)


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

"""Read votes and decisions into arrays: what raters are measured by."""

from collections.abc import Sequence

import numpy as np
from django.db.models import Case, IntegerField, QuerySet, Value, When

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import Basis
from annotation.assignments.models import Assignment
from annotation.judgments.models import Judgment, JudgmentRevision
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Project
from annotation.projects.rules import Credit
from annotation.quality.rules import Ballots, Decisions, Rater, Votes
from annotation.quality.rules.votes import NONE, Floats, Integers
from common.columns import Microseconds, read_integers, read_numbers, read_rows
from common.seconds import is_measured

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
    rows = Decision.objects.filter(candidate__project=project, is_current=True, is_reopening=False).order_by(
        "candidate_id"
    )
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

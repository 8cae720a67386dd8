"""Read what was said in a pilot."""

from collections import defaultdict
from typing import NamedTuple

import numpy as np

from analysis.agreement import NOT_RATED
from annotation.agreement.rules import FirstRound
from annotation.assignments.models import Pilot, Purpose
from annotation.items.models import Candidate
from annotation.judgments.models import Judgment
from annotation.projects.rules import Credit, Protocol


class Said(NamedTuple):
    """What one rater said of one answer."""

    candidate: int
    question: int
    rater: int
    name: str
    label: str


class Difference(NamedTuple):
    """An answer to which a pilot's raters gave different labels, with each rater's pseudonym and label."""

    candidate: Candidate
    votes: list[tuple[str, str]]


def read_pilot(*, pilot: Pilot) -> FirstRound:
    """Return what was said in a pilot: a row an answer, a column a rater, -1 where somebody gave no vote."""
    protocol = pilot.project.protocol.rules if pilot.project.protocol else None
    labels = _votes_of(protocol)
    said = _read_said(pilot, labels)
    people = {each.rater: each.name for each in said}
    question_of = {each.candidate: each.question for each in said}
    row_of = {candidate: row for row, candidate in enumerate(question_of)}
    column_of = {rater: column for column, rater in enumerate(people)}
    votes = np.full((len(row_of), len(people)), NOT_RATED, dtype=np.int64)
    for each in said:
        votes[row_of[each.candidate], column_of[each.rater]] = labels.index(each.label)
    return FirstRound(
        votes=votes,
        raters=np.broadcast_to(np.arange(len(people)), votes.shape),
        items=np.array(list(question_of), dtype=np.int64),
        questions=np.array(list(question_of.values()), dtype=np.int64),
        labels=tuple(labels),
        names=tuple(people.values()),
        correct=0,
        incorrect=0,
        has_turns=False,
    )


def find_differences(*, pilot: Pilot) -> list[Difference]:
    """Return the answers of a pilot on which its raters differ, in the project's order."""
    protocol = pilot.project.protocol.rules if pilot.project.protocol else None
    said: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for each in _read_said(pilot, _votes_of(protocol)):
        said[each.candidate].append((each.name, each.label))
    differing = [pk for pk, votes in said.items() if len({label for _, label in votes}) > 1]
    rows = Candidate.objects.filter(pk__in=differing).select_related("question")
    ordered = rows.order_by("question__position", "question", "position", "pk")
    return [Difference(candidate, said[candidate.pk]) for candidate in ordered]


def _votes_of(protocol: Protocol | None) -> list[str]:
    """Return the labels that are votes: "cannot judge" is none."""
    return [label.key for label in protocol.labels if label.credit is not Credit.MISSING] if protocol else []


def _read_said(pilot: Pilot, labels: list[str]) -> list[Said]:
    rows = (
        Judgment.objects.filter(
            candidate__question__in_pilot__pilot=pilot,
            purpose=Purpose.PILOT,
            state=Judgment.State.SURPLUS,
            label__in=labels,
        )
        .order_by("candidate_id", "rater_id")
        .values_list("candidate_id", "candidate__question_id", "rater_id", "rater__pseudonym", "label")
    )
    return [Said(*row) for row in rows]

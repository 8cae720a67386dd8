"""Read the first-round votes of a project: what agreement is computed from."""

from collections.abc import Iterable, Sequence

import numpy as np
from django.db.models import QuerySet

from analysis.agreement import NOT_RATED
from analysis.agreement.votes import Integers
from annotation.agreement.rules import FirstRound, first_turns
from annotation.assignments.models import Assignment
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Membership, Project
from annotation.projects.rules import Credit, Protocol
from annotation.projects.selectors import kept
from common.database.columns import read_rows

# A turn that has ended with a counted vote, or without one. Surplus judgments came too late for a place.
ENDED = (Assignment.State.DONE, Assignment.State.SKIPPED)


@kept()
def read_first_round(*, project: Project) -> FirstRound:
    """Return the votes of the first raters of every sampled answer whose first round is complete.

    Tie-breaks, replacements and surplus votes never count; a skip, or a label that is no vote, is a
    missing vote. Questions that raters found improper have no part. Shared, so nobody may write to it.
    """
    protocol = project.protocol.rules if project.protocol else None
    width = protocol.raters_per_answer if protocol else 0
    said: dict[str | None, int] = {None: NOT_RATED}
    turns = _read_turns(project, said)
    turns = turns[~np.isin(turns[:, 1], list(improper_questions(project)))]
    places = first_turns(items=turns[:, 0], raters_per_item=width)
    labels = _labels_of(protocol, said)
    number_of = {label: number for number, label in enumerate(labels)}
    numbers = np.array([number_of.get(label, NOT_RATED) for label in said if label is not None] + [NOT_RATED])
    people, raters = np.unique(turns[places, 2], return_inverse=True)
    return FirstRound(
        votes=numbers[turns[places, 3]],
        raters=raters.reshape(places.shape),
        items=turns[places[:, :1].reshape(-1), 0],
        questions=turns[places[:, :1].reshape(-1), 1],
        labels=labels,
        names=read_pseudonyms(people),
        correct=_number_worth(Credit.DEFINITE, protocol, number_of),
        incorrect=_number_worth(Credit.NONE, protocol, number_of),
        credits=_credits_of(protocol, labels),
    )


def _turns(project: Project) -> QuerySet[Assignment]:
    # By way of raters: answers are many more, and would all be looked up.
    return Assignment.objects.votes().filter(
        rater__project=project, round=Assignment.Round.FIRST, state__in=ENDED
    )


def _read_turns(project: Project, said: dict[str | None, int]) -> Integers:
    """Return turns × (answer, question, rater, label), sorted by answer; labels are numbered in `said`."""
    rows = read_rows(
        _turns(project).filter(candidate__question__in_sample=True).order_by("candidate_id", "pk"),
        "candidate_id",
        "candidate__question_id",
        "rater_id",
        "state",
        "judgment__label",
    )
    numbered = (
        (answer, question, rater, _number(label if state == Assignment.State.DONE else None, said))
        for answer, question, rater, state, label in rows
    )
    flat = np.fromiter((value for row in numbered for value in row), dtype=np.int64)
    return flat.reshape(-1, 4)


def _number(label: str | None, said: dict[str | None, int]) -> int:
    # "Not given" is -1, which is also the last place of the array that translates these numbers.
    return said.setdefault(label, len(said) - 1)


def read_pseudonyms(raters: Iterable[int]) -> tuple[str, ...]:
    """Return the raters' pseudonyms, in their order."""
    ids = [int(rater) for rater in raters]
    names = dict(Membership.objects.filter(pk__in=ids).values_list("pk", "pseudonym"))
    return tuple(names[rater] for rater in ids)


def _labels_of(protocol: Protocol | None, said: Iterable[str | None]) -> tuple[str, ...]:
    """Return the labels that are votes, in the protocol's order; those of older protocols follow."""
    known = [label.key for label in protocol.labels if label.credit is not Credit.MISSING] if protocol else []
    older = sorted({label for label in said if label is not None} - set(known))
    return (*known, *older)


def _credits_of(protocol: Protocol | None, labels: Sequence[str]) -> tuple[Credit, ...]:
    worth = {label.key: label.credit for label in protocol.labels} if protocol else {}
    return tuple(worth.get(label, Credit.NONE) for label in labels)


def _number_worth(credit: Credit, protocol: Protocol | None, number_of: dict[str, int]) -> int:
    keys = [label.key for label in protocol.labels if label.credit is credit] if protocol else []
    return number_of[keys[0]] if keys else 0

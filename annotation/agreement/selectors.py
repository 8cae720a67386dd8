"""Read the first-round votes of a project: what agreement is computed from."""

from collections import defaultdict
from typing import NamedTuple

import numpy as np

from analysis.agreement import NOT_RATED
from annotation.agreement.rules import FirstRound, complete_rounds
from annotation.assignments.models import Assignment
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Project
from annotation.projects.rules import Credit, Protocol

# A turn that has ended with a counted vote, or without one. Surplus judgments came too late for a place.
ENDED = (Assignment.State.DONE, Assignment.State.SKIPPED)


class Turn(NamedTuple):
    """One first-round rater's turn at one answer; the label is None where no vote was given."""

    candidate: int
    question: int
    rater: int
    name: str
    label: str | None


def read_first_round(*, project: Project) -> FirstRound:
    """Return the votes of the first raters of every sampled answer whose first round is complete.

    Tie-breaks, replacements and surplus votes never count; a skip, or a label that is no vote, is a
    missing vote. Questions that raters found improper have no part.
    """
    protocol = project.protocol.rules if project.protocol else None
    turns = _read_turns(project)
    labels = _labels_of(protocol, turns)
    by_item: dict[int, list[Turn]] = defaultdict(list)
    for turn in turns:
        by_item[turn.candidate].append(turn)
    rounds = list(by_item.values())
    raters_per_answer = protocol.raters_per_answer if protocol else 0
    complete = complete_rounds(
        turns=[[turn.rater for turn in each] for each in rounds], raters_per_answer=raters_per_answer
    )
    kept = [rounds[position][:raters_per_answer] for position in complete]
    return _arrange(kept, labels=labels, protocol=protocol, width=raters_per_answer)


def _read_turns(project: Project) -> list[Turn]:
    rows = (
        Assignment.objects.votes()
        .filter(
            candidate__project=project,
            candidate__question__in_sample=True,
            round=Assignment.Round.FIRST,
            state__in=ENDED,
        )
        .exclude(candidate__question__in=improper_questions(project))
        .order_by("candidate_id", "pk")
        .values_list(
            "candidate_id",
            "candidate__question_id",
            "rater_id",
            "rater__pseudonym",
            "state",
            "judgment__label",
        )
    )
    return [
        Turn(candidate, question, rater, name, label if state == Assignment.State.DONE else None)
        for candidate, question, rater, name, state, label in rows
    ]


def _labels_of(protocol: Protocol | None, turns: list[Turn]) -> tuple[str, ...]:
    """Return the labels that are votes, in the protocol's order; those of older protocols follow."""
    known = [label.key for label in protocol.labels if label.credit is not Credit.MISSING] if protocol else []
    older = sorted({turn.label for turn in turns if turn.label is not None} - set(known))
    return (*known, *older)


def _arrange(
    rounds: list[list[Turn]], *, labels: tuple[str, ...], protocol: Protocol | None, width: int
) -> FirstRound:
    number_of = {label: number for number, label in enumerate(labels)}
    people = {turn.rater: turn.name for each in rounds for turn in each}
    place_of = {rater: place for place, rater in enumerate(sorted(people))}
    votes = [[NOT_RATED if turn.label is None else number_of[turn.label] for turn in each] for each in rounds]
    raters = [[place_of[turn.rater] for turn in each] for each in rounds]
    return FirstRound(
        votes=np.array(votes, dtype=np.int64).reshape(len(rounds), width),
        raters=np.array(raters, dtype=np.int64).reshape(len(rounds), width),
        items=np.array([each[0].candidate for each in rounds], dtype=np.int64),
        questions=np.array([each[0].question for each in rounds], dtype=np.int64),
        labels=labels,
        names=tuple(people[rater] for rater in sorted(people)),
        correct=_number_worth(Credit.DEFINITE, protocol, number_of),
        incorrect=_number_worth(Credit.NONE, protocol, number_of),
    )


def _number_worth(credit: Credit, protocol: Protocol | None, number_of: dict[str, int]) -> int:
    keys = [label.key for label in protocol.labels if label.credit is credit] if protocol else []
    return number_of[keys[0]] if keys else 0

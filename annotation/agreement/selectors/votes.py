"""Read what agreement is computed from: first-round votes on answers, on checks, and in a pilot."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from django.db.models import Case, Exists, F, OuterRef, QuerySet, When

from analysis.arrays import Integers
from analysis.raters.agreement import NOT_RATED
from annotation.agreement.ports import routed_unequally
from annotation.agreement.rules.votes import FirstRound, first_turns
from annotation.assignments.models import Assignment, Pilot, Purpose
from annotation.items.models import Candidate
from annotation.judgments.models import CheckAnswer, Judgment
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Membership, Project
from annotation.projects.rules import Area, Credit, Protocol, QuestionCheck
from annotation.projects.selectors import kept
from common.database.rows import read_integers, read_rows
from common.errors import NotFound

# A turn that has ended with a counted vote, or without one. Surplus judgments came too late for a place.
ENDED = (Assignment.State.DONE, Assignment.State.SKIPPED)
CHECK_LABELS = ("yes", "no")


class CheckNotFound(NotFound):
    """The project's protocol asks no such check."""


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


def read_votes(project: Project, check: str) -> FirstRound:
    """Return the votes on answers, or on a check where its key is given; raises `CheckNotFound`."""
    return read_check_round(project=project, key=check) if check else read_first_round(project=project)


@kept()
def read_first_round(*, project: Project) -> FirstRound:
    """Return the votes of the first raters of every sampled answer whose first round is complete.

    Tie-breaks, replacements and surplus votes never count; a skip, or a label that is no vote, is a
    missing vote. Questions that raters found improper have no part, nor answers that got their second rater,
    or none, because of what the first one said. Shared, so nobody may write to it.
    """
    protocol = project.protocol.rules if project.protocol else None
    width = protocol.raters_per_answer if protocol else 0
    said: dict[str | None, int] = {None: NOT_RATED}
    turns = _read_turns(project, said)
    turns = turns[~np.isin(turns[:, 1], list(improper_questions(project)))]
    turns = turns[~np.isin(turns[:, 0], sorted(routed_unequally(project=project)))]
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
    """Return turns × (answer, question, rater, label), sorted by answer; labels are numbered in `said`.

    Votes change, answers do not: they are joined and sorted here, which takes a database twice as long.
    """
    label = Case(When(state=Assignment.State.DONE, then=F("judgment__label")), default=None)
    rows = read_rows(
        _turns(project).order_by().annotate(said=label), "candidate_id", "pk", "rater_id", "said"
    )
    numbered = ((answer, pk, rater, _number(label, said)) for answer, pk, rater, label in rows)
    found = np.fromiter(chain.from_iterable(numbered), dtype=np.int64).reshape(-1, 4)
    sampled = _read_sampled(project)
    answers, pks, raters, labels = found[np.isin(found[:, 0], sampled[:, 0])].T
    questions = sampled[np.searchsorted(sampled[:, 0], answers), 1]
    order = np.lexsort((pks, answers))
    return np.column_stack([answers, questions, raters, labels])[order]


@kept(Area.ITEMS)
def _read_sampled(project: Project) -> Integers:
    """Return answers × (key, question) of the sample, in the order of their keys."""
    rows = Candidate.objects.filter(project=project, question__in_sample=True).order_by("pk")
    return read_integers(rows, "pk", "question_id")


def _number(label: str | None, said: dict[str | None, int]) -> int:
    # "Not given" is -1, which is also the last place of the array that translates these numbers.
    return said.setdefault(label, len(said) - 1)


def read_pseudonyms(raters: Iterable[int]) -> tuple[str, ...]:
    """Return the raters' pseudonyms, in their order."""
    ids = [int(rater) for rater in raters]
    names = dict(Membership.objects.filter(pk__in=ids).values_list("pk", "pseudonym"))
    return tuple(names[rater] for rater in ids)


def _votes_of(protocol: Protocol | None) -> list[str]:
    """Return the labels that are votes: "cannot judge" is none."""
    return [label.key for label in protocol.labels if label.credit is not Credit.MISSING] if protocol else []


def _labels_of(protocol: Protocol | None, said: Iterable[str | None]) -> tuple[str, ...]:
    """Return the labels that are votes, in the protocol's order; those of older protocols follow."""
    known = _votes_of(protocol)
    older = sorted({label for label in said if label is not None} - set(known))
    return (*known, *older)


def _credits_of(protocol: Protocol | None, labels: Sequence[str]) -> tuple[Credit, ...]:
    worth = {label.key: label.credit for label in protocol.labels} if protocol else {}
    return tuple(worth.get(label, Credit.NONE) for label in labels)


def _number_worth(credit: Credit, protocol: Protocol | None, number_of: dict[str, int]) -> int:
    keys = [label.key for label in protocol.labels if label.credit is credit] if protocol else []
    return number_of[keys[0]] if keys else 0


def find_checks(project: Project) -> tuple[QuestionCheck, ...]:
    """Return the checks that the project's protocol asks."""
    return project.protocol.rules.question_checks if project.protocol else ()


def read_check_round(*, project: Project, key: str) -> FirstRound:
    """Return the first answers to a check, of all questions of the sample that two raters answered it for.

    Raters who broke a tie are left out: they met the question because others differed. Where a question was
    asked again, the first answer counts. Raises `CheckNotFound`.
    """
    if key not in {check.key for check in find_checks(project)}:
        raise CheckNotFound(f"The check “{key}” is not in this protocol.")
    rows = first_answers(project).filter(check_key=key).order_by("question_id", "pk")
    found = rows.values_list("question_id", "rater_id", "answer")
    answers = np.array(
        [(question, rater, 0 if answer else 1) for question, rater, answer in found], dtype=np.int64
    ).reshape(-1, 3)
    return _arrange(answers)


def first_answers(project: Project) -> QuerySet[CheckAnswer]:
    """Return the answers to checks that first-round raters gave when first asked."""
    broke_tie = Assignment.objects.filter(sheet=OuterRef("sheet"), round=Assignment.Round.TIE_BREAK)
    return CheckAnswer.objects.votes().filter(
        ~Exists(broke_tie),
        question__project=project,
        question__in_sample=True,
        round=CheckAnswer.Round.FIRST,
    )


def _arrange(answers: Integers) -> FirstRound:
    questions, starts, counts = np.unique(answers[:, 0], return_index=True, return_counts=True)
    shared = counts >= 2
    places = np.arange(counts[shared].max(initial=0))
    is_given = places < counts[shared, np.newaxis]
    rows = np.where(is_given, starts[shared, np.newaxis] + places, 0)
    people, raters = np.unique(answers[:, 1], return_inverse=True)
    raters = raters.reshape(-1)
    return FirstRound(
        votes=np.where(is_given, answers[rows, 2], NOT_RATED),
        raters=np.where(is_given, raters[rows], 0),
        items=questions[shared],
        questions=questions[shared],
        labels=CHECK_LABELS,
        names=read_pseudonyms(people),
        correct=0,
        incorrect=1,
        has_turns=False,
    )


def read_pilot(*, pilot: Pilot) -> FirstRound:
    """Return what was said in a pilot: a row an answer, a column a rater, -1 where somebody gave no vote."""
    labels = _votes_of(pilot.project.protocol.rules if pilot.project.protocol else None)
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

"""Read every system's answers with what people decided of them."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from django.db.models import Q

from analysis.text import normalize_answer
from annotation.adjudication.models import Decision
from annotation.items.models import Prediction, Question, System
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Project
from judges.comparison.rules import Scope, SystemFacts


class Answer(NamedTuple):
    """What one system answered to one question; `label` is what people decided, None while they have not.

    is_asked: people are, were, or will be asked about it. golds: those of the answer's own file, where
    they differ from the question's.
    """

    system: int
    question: int
    candidate: int
    text: str
    in_sample: bool
    is_asked: bool
    label: str | None
    golds: tuple[str, ...] | None


class GoldLists(NamedTuple):
    """What answers are compared with: a list a question, and how to amend an answer's own list alike."""

    lists: Mapping[int, tuple[str, ...]]
    amend: Callable[[int, tuple[str, ...]], tuple[str, ...]]


class Facts(NamedTuple):
    """What every score of a project is computed from; `normalize` remembers what it has normalized."""

    project: Project
    scope: Scope
    systems: list[SystemFacts]
    question_ids: frozenset[int]
    improper: frozenset[int]
    is_sampled: bool
    answers: list[Answer]
    accepted_labels: frozenset[str]
    rejected_labels: frozenset[str]


def scored_questions(project: Project, scope: Scope) -> Q:
    """Return the condition under which a question counts in this scope, improper ones apart."""
    return Q(project=project, in_sample=True) if scope is Scope.SAMPLE else Q(project=project)


def read_facts(*, project: Project, scope: Scope) -> Facts:
    """Return systems, questions and answers of the scope, in a handful of queries whatever its size.

    In the entire data a system that answered judged questions only has no place beside the others.
    """
    improper = improper_questions(project)
    questions = dict(Question.objects.filter(scored_questions(project, scope)).values_list("pk", "in_sample"))
    counted = {pk: in_sample for pk, in_sample in questions.items() if pk not in improper}
    is_sampled = not all(counted.values())
    answers = [answer for answer in _read_answers(project, scope) if answer.question in counted]
    if scope is Scope.ENTIRE and is_sampled:
        beyond = {answer.system for answer in answers if not answer.in_sample}
        answers = [answer for answer in answers if answer.system in beyond]
    protocol = project.protocol.rules if project.protocol else None
    return Facts(
        project=project,
        scope=scope,
        systems=_read_systems(project),
        question_ids=frozenset(counted),
        improper=improper,
        is_sampled=is_sampled,
        answers=answers,
        accepted_labels=protocol.accepted_keys if protocol else frozenset(),
        rejected_labels=protocol.rejected_keys if protocol else frozenset(),
    )


def _read_systems(project: Project) -> list[SystemFacts]:
    rows = System.objects.filter(project=project).order_by("pk")
    return [SystemFacts(*row) for row in rows.values_list("pk", "name", "label", "description")]


def _read_answers(project: Project, scope: Scope) -> Iterator[Answer]:
    labels = current_labels(project)
    rows = Prediction.objects.filter(system__project=project).order_by("system_id", "question_id")
    if scope is Scope.SAMPLE:
        rows = rows.filter(question__in_sample=True)
    fields = ("system_id", "question_id", "candidate_id", "text", "golds")
    joined = ("question__in_sample", "candidate__is_judgeable")
    for system, question, candidate, text, golds, in_sample, is_judgeable in rows.values_list(
        *fields, *joined
    ):
        # Outside the sample people may yet be asked; an answer linked to no row of a file never is.
        is_asked = is_judgeable or not in_sample
        own = None if golds is None else tuple(golds)
        yield Answer(system, question, candidate, text, in_sample, is_asked, labels.get(candidate), own)


def current_labels(project: Project) -> Mapping[int, str]:
    """Return what people decided, by candidate id."""
    rows = Decision.objects.filter(candidate__project=project, is_current=True, is_reopening=False)
    return dict(rows.values_list("candidate_id", "label"))


def has_prejudged(project: Project) -> bool:
    """Say whether verdicts settled any answer that counts as decided."""
    settled = Decision.objects.filter(candidate__project=project, source=Decision.Source.PREJUDGED)
    return settled.filter(is_current=True, is_reopening=False).exists()


class ExactMatcher:
    """Exact match against many gold lists, each string normalized once."""

    def __init__(self) -> None:
        self.normalize = cache(normalize_answer)

    def matches(self, *, answers: list[Answer], gold: GoldLists) -> Iterator[tuple[Answer, bool]]:
        """Say of each answer whether it equals a gold answer to its question; an empty list has no match."""
        normalized: dict[int, frozenset[str]] = {}
        for answer in answers:
            golds = normalized.get(answer.question)
            if golds is None:
                golds = self._normalize_all(gold.lists.get(answer.question, ()))
                normalized[answer.question] = golds
            if answer.golds is not None:
                golds = self._normalize_all(gold.amend(answer.question, answer.golds))
            yield answer, self.normalize(answer.text) in golds

    def _normalize_all(self, golds: tuple[str, ...]) -> frozenset[str]:
        return frozenset(map(self.normalize, golds))

"""Read what raters say about questions."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from annotation.judgments.models import CheckAnswer
from annotation.projects.models import Project
from annotation.projects.rules import Protocol, is_improper


def improper_questions(project: Project) -> frozenset[int]:
    """Return the questions that raters took out of every score."""
    protocol = project.protocol.rules if project.protocol else None
    if protocol is None or not protocol.skipping_keys:
        return frozenset()
    answers = CheckAnswer.objects.votes().filter(
        question__project=project, check_key__in=protocol.skipping_keys
    )
    return _improper(
        answers.filter(answer=True).values_list("question_id", "rater_id", "check_key"), protocol
    )


def improper_among(question_ids: Iterable[int], *, protocol: Protocol) -> frozenset[int]:
    """Return those of these questions that raters took out of every score."""
    answers = CheckAnswer.objects.votes().filter(
        question__in=list(question_ids), check_key__in=protocol.skipping_keys
    )
    return _improper(
        answers.filter(answer=True).values_list("question_id", "rater_id", "check_key"), protocol
    )


def marks_on(*, question_id: int) -> dict[int, set[str]]:
    """Return for each rater who answered checks about the question the keys answered yes."""
    marks: dict[int, set[str]] = {}
    answers = CheckAnswer.objects.votes().filter(question=question_id).order_by("pk")
    for rater, key, answer in answers.values_list("rater_id", "check_key", "answer"):
        marks.setdefault(rater, set()).update([key] if answer else [])
    return marks


def _improper(rows: Iterable[tuple[int, int, str]], protocol: Protocol) -> frozenset[int]:
    marks: Mapping[int, dict[int, set[str]]] = defaultdict(dict)
    for question, rater, key in rows:
        marks[question].setdefault(rater, set()).add(key)
    return frozenset(
        question
        for question, by_rater in marks.items()
        if is_improper(protocol=protocol, marks=list(by_rater.values()))
    )

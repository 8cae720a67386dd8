"""Read what raters answered to the checks about questions."""

import numpy as np
from django.db.models import Exists, OuterRef, QuerySet

from analysis.agreement import NOT_RATED
from analysis.agreement.votes import Integers
from annotation.agreement.rules import FirstRound
from annotation.agreement.selectors.votes import read_pseudonyms
from annotation.assignments.models import Assignment
from annotation.judgments.models import CheckAnswer
from annotation.projects.models import Project
from annotation.projects.rules import QuestionCheck
from common.errors import NotFound

LABELS = ("yes", "no")


class CheckNotFound(NotFound):
    """The project's protocol asks no such check."""

    code = "check_not_found"


def find_checks(project: Project) -> tuple[QuestionCheck, ...]:
    """Return the checks that the project's protocol asks."""
    return project.protocol.rules.question_checks if project.protocol else ()


def read_check_round(*, project: Project, key: str) -> FirstRound:
    """Return the first answers to a check, of all questions of the sample that two raters answered it for.

    Raters who broke a tie are left out: they met the question because others differed. Where a question was
    asked again, the first answer counts. Raises `CheckNotFound`.
    """
    if key not in {check.key for check in find_checks(project)}:
        raise CheckNotFound(f"This protocol has no check “{key}”.")
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
        labels=LABELS,
        names=read_pseudonyms(people),
        correct=0,
        incorrect=1,
        has_turns=False,
    )

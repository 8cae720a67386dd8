"""Read what a judge gets of each answer."""

from collections import defaultdict
from collections.abc import Iterable

from annotation.gold.selectors import ORIGINAL_VERSION, gold_lists
from annotation.items.models import Candidate, GoldAnswer
from annotation.projects.models import Project
from judges.protocol import JudgeInput
from judges.runs.models import JudgeRun


def judge_inputs(run: JudgeRun, candidate_ids: Iterable[int]) -> dict[int, JudgeInput]:
    """Return what the judge gets of each answer that still exists, by the answer's id, in order."""
    rows = list(
        Candidate.objects.filter(pk__in=list(candidate_ids), project=run.project_id)
        .order_by("question__position", "question_id", "pk")
        .values_list("pk", "question_id", "question__text", "text")
    )
    question_ids = {question_id for _, question_id, _, _ in rows}
    lists = gold_lists(run.project, run.gold_version != ORIGINAL_VERSION, question_ids=question_ids)
    patterns = _patterns(question_ids)
    return {
        pk: JudgeInput(
            question=question,
            answer=answer,
            golds=tuple(text for text in lists[question_id] if text not in patterns[question_id]),
            patterns=tuple(text for text in lists[question_id] if text in patterns[question_id]),
        )
        for pk, question_id, question, answer in rows
    }


def read_corpus(project: Project, *, is_amended: bool) -> tuple[str, ...]:
    """Return the gold answers of all questions of the project, patterns left out, in one order."""
    lists = gold_lists(project, is_amended)
    patterns = _patterns(set(lists))
    return tuple(
        sorted(text for question_id, golds in lists.items() for text in set(golds) - patterns[question_id])
    )


def has_patterns(project: Project) -> bool:
    """Say whether any gold answer of the project is a regular expression."""
    return GoldAnswer.objects.filter(question__project=project, kind=GoldAnswer.Kind.REGEX).exists()


def _patterns(question_ids: set[int]) -> dict[int, set[str]]:
    patterns: dict[int, set[str]] = defaultdict(set)
    rows = GoldAnswer.objects.filter(question__in=question_ids, kind=GoldAnswer.Kind.REGEX)
    for question_id, text in rows.values_list("question_id", "text"):
        patterns[question_id].add(text)
    return patterns

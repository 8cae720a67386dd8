"""Read the judged sample: questions with gold answers, and answers with votes and decisions."""

from collections import defaultdict
from collections.abc import Mapping

from django.db.models import QuerySet

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import GOLD_EQUAL_RULE, RELEASED_LIST
from annotation.gold.selectors import gold_lists
from annotation.items.models import Candidate, Question
from annotation.judgments.models import Judgment
from annotation.projects.models import Project
from annotation.release.rules import (
    CastVote,
    ReleasedAnswer,
    ReleasedDecision,
    ReleasedQuestion,
    vote_columns,
)
from annotation.release.selectors.rows import question_id_of, raw_answers, standing_votes


def count_questions(project: Project) -> int:
    """Return how many questions leave."""
    return _questions(project).count()


def count_answers(project: Project) -> int:
    """Return how many answers leave."""
    return _answers(project).count()


def released_questions(project: Project, *, limit: int | None = None) -> list[ReleasedQuestion]:
    """Return the judged sample with gold answers and decisions."""
    questions = list(_questions(project)[:limit])
    ids = [question.pk for question in questions]
    original = gold_lists(project, amended=False, question_ids=ids)
    amended = gold_lists(project, amended=True, question_ids=ids)
    decided: Mapping[int, list[ReleasedDecision]] = defaultdict(list)
    judged = _current_decisions(project).exclude(rule=GOLD_EQUAL_RULE)
    for decision in judged.filter(candidate__question__in=ids):
        decided[decision.candidate.question_id].append(_released_decision(decision))
    return [
        ReleasedQuestion(
            id=question_id_of(question),
            text=question.text,
            gold=original[question.pk],
            amended=amended[question.pk],
            decided=tuple(decided[question.pk]),
        )
        for question in questions
    ]


def _released_decision(decision: Decision) -> ReleasedDecision:
    is_listed = decision.source == Decision.Source.IMPORTED and decision.rule == RELEASED_LIST
    return ReleasedDecision(decision.candidate.text, decision.label, is_listed)


def released_answers(project: Project, *, limit: int | None = None) -> list[ReleasedAnswer]:
    """Return the answers with their votes by column and their decision."""
    candidates = list(_answers(project)[:limit])
    raw = raw_answers(project)
    raters = project.protocol.rules.raters_per_answer if project.protocol else 1
    decisions = {decision.candidate_id: decision for decision in _current_decisions(project)}
    cast: Mapping[int, list[CastVote]] = defaultdict(list)
    for vote in standing_votes(project).values_list("candidate_id", "round", "slot", "pk", "label", "state"):
        cast[vote[0]].append(CastVote(*vote[1:5], is_surplus=vote[5] == Judgment.State.SURPLUS))
    return [
        ReleasedAnswer(
            item_id=candidate.public_id,
            question_id=question_id_of(candidate.question),
            question=candidate.question.text,
            answer=candidate.text,
            raw_answer=raw.get(candidate.pk, candidate.text),
            columns=vote_columns(votes=cast[candidate.pk], raters_per_answer=raters),
            counted=vote_columns(
                votes=[vote for vote in cast[candidate.pk] if not vote.is_surplus], raters_per_answer=raters
            ),
            **_decided(decisions.get(candidate.pk)),
        )
        for candidate in candidates
    ]


def _decided(decision: Decision | None) -> dict[str, str]:
    if decision is None:
        return {"label": "", "source": ""}
    # The rule is the project that it came from.
    is_reused = decision.source == Decision.Source.REUSED
    return {
        "label": decision.label,
        "source": f"{decision.source}:{decision.rule}" if is_reused else decision.source,
        "category": decision.category,
        "reason": decision.reason,
    }


def _questions(project: Project) -> QuerySet[Question]:
    return Question.objects.filter(project=project, in_sample=True).order_by("position", "pk")


def _answers(project: Project) -> QuerySet[Candidate]:
    """Return the answers that people were asked about, or judged, or decided."""
    return (
        Candidate.objects.filter(project=project, is_judgeable=True)
        .exclude(state=Candidate.State.UNASKED)
        .select_related("question")
        .order_by("question__position", "question_id", "position", "pk")
    )


def _current_decisions(project: Project) -> QuerySet[Decision]:
    return (
        Decision.objects.filter(candidate__project=project, is_current=True, is_reopening=False)
        .select_related("candidate")
        .order_by("candidate__question_id", "candidate__position", "candidate_id")
    )

"""Read the judged sample: questions with gold answers, and answers with votes and decisions."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import GOLD_EQUAL_RULE, RELEASED_LIST
from annotation.gold.selectors import gold_lists
from annotation.items.models import Candidate, GoldAnswer, Question
from annotation.judgments.models import Judgment
from annotation.projects.models import Project
from annotation.release.rules import (
    CastVote,
    ReleasedAnswer,
    ReleasedDecision,
    ReleasedQuestion,
    vote_columns,
)
from annotation.release.selectors.rows import in_shares, question_name, raw_answers, standing_votes


def count_questions(project: Project) -> int:
    """Return how many questions leave."""
    return _questions(project).count()


def count_answers(project: Project) -> int:
    """Return how many answers leave."""
    return _answers(project).count()


def released_questions(project: Project, *, limit: int | None = None) -> Iterator[ReleasedQuestion]:
    """Yield the judged sample with gold answers and decisions."""
    for share in in_shares(_questions(project)[:limit]):
        yield from _with_gold(project, share)


def _with_gold(project: Project, questions: Sequence[Question]) -> Iterator[ReleasedQuestion]:
    ids = [question.pk for question in questions]
    original = gold_lists(project, amended=False, question_ids=ids)
    amended = gold_lists(project, amended=True, question_ids=ids)
    decided: Mapping[int, list[ReleasedDecision]] = defaultdict(list)
    judged = _current_decisions().exclude(rule=GOLD_EQUAL_RULE).filter(candidate__question__in=ids)
    fields = ("candidate__question_id", "candidate__text", "label", "source", "rule")
    for question_id, text, label, source, rule in judged.values_list(*fields):
        is_listed = source == Decision.Source.IMPORTED and rule == RELEASED_LIST
        decided[question_id].append(ReleasedDecision(text, label, is_listed))
    regexes: dict[int, set[str]] = defaultdict(set)
    rows = GoldAnswer.objects.filter(question__in=ids, kind=GoldAnswer.Kind.REGEX)
    for question_id, text in rows.values_list("question_id", "text"):
        regexes[question_id].add(text)
    for question in questions:
        yield ReleasedQuestion(
            id=question_name(question.external_id, question.position),
            text=question.text,
            gold=original[question.pk],
            amended=amended[question.pk],
            decided=tuple(decided[question.pk]),
            patterns=frozenset(regexes[question.pk]),
        )


@dataclass(frozen=True)
class ReleasedAnswers:
    """The answers with their votes by column and their decision, read anew by each loop over them."""

    project: Project
    limit: int | None

    def __iter__(self) -> Iterator[ReleasedAnswer]:
        for share in in_shares(_answers(self.project)[: self.limit]):
            yield from _with_votes(self.project, share)


def released_answers(project: Project, *, limit: int | None = None) -> ReleasedAnswers:
    """Return the answers that leave; they can be gone through several times, and are read each time."""
    return ReleasedAnswers(project, limit)


def _with_votes(project: Project, candidates: Sequence[Candidate]) -> Iterator[ReleasedAnswer]:
    ids = [candidate.pk for candidate in candidates]
    raw = raw_answers(ids)
    raters = project.protocol.rules.raters_per_answer if project.protocol else 1
    current = _current_decisions().filter(candidate__in=ids)
    decisions = {decision.candidate_id: decision for decision in current}
    cast: Mapping[int, list[CastVote]] = defaultdict(list)
    votes = standing_votes(project).filter(candidate__in=ids)
    for vote in votes.values_list("candidate_id", "round", "slot", "pk", "label", "state"):
        cast[vote[0]].append(CastVote(*vote[1:5], is_surplus=vote[5] == Judgment.State.SURPLUS))
    for candidate in candidates:
        mine = cast[candidate.pk]
        counted = [vote for vote in mine if not vote.is_surplus]
        question = candidate.question
        yield ReleasedAnswer(
            item_id=candidate.public_id,
            question_id=question_name(question.external_id, question.position),
            question=question.text,
            answer=candidate.text,
            raw_answer=raw.get(candidate.pk, candidate.text),
            columns=vote_columns(votes=mine, raters_per_answer=raters),
            counted=vote_columns(votes=counted, raters_per_answer=raters),
            **_decided(decisions.get(candidate.pk)),
        )


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


def _current_decisions() -> QuerySet[Decision]:
    return Decision.objects.filter(is_current=True, is_reopening=False).order_by(
        "candidate__question_id", "candidate__position", "candidate_id"
    )

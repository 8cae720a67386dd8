"""Read everything that is known of one answer."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Q

from annotation.adjudication.models import Decision
from annotation.adjudication.selectors import (
    Skip,
    Vote,
    by_letter,
    current_labels,
    get_candidate,
    shown_states,
    skips_of,
    standing_judgments,
    vote_of,
)
from annotation.gold.models import GoldChange
from annotation.gold.selectors import gold_lists
from annotation.items.models import Candidate, Prediction, Question, QuestionCorrection
from annotation.items.rules import raw_answer
from annotation.judgments.models import Judgment, JudgmentRevision
from annotation.projects.models import Project
from judges.registry import display_name
from judges.runs.models import Verdict


class Revision(NamedTuple):
    """What a rater had said before."""

    label: str
    at: datetime


@dataclass(frozen=True)
class HistoricVote(Vote):
    """A vote, and how it came about."""

    seconds: float | None
    at: datetime
    revisions: list[Revision]


class SourcePrediction(NamedTuple):
    """A system that gave the answer; `raw` is what its file had where that was cleaned or a list."""

    system: str
    text: str
    confidence: float | None
    raw: str | None


class VerdictLine(NamedTuple):
    """What one run said."""

    judge: str
    name: str
    signature: str
    accepted: bool | None
    score: float | None
    reason: str
    raw_reply: str


class QuestionAnswer(NamedTuple):
    """An answer to the same question; `votes_before`: given before the question was last corrected."""

    id: str
    text: str
    state: str
    label: str | None
    votes: int
    votes_before: int


class AnswerHistory(NamedTuple):
    """Everything that is known of one answer."""

    candidate: Candidate
    state: str
    gold: tuple[str, ...]
    amended_gold: tuple[str, ...]
    label: str | None
    corrections: list[QuestionCorrection]
    answers: list[QuestionAnswer]
    predictions: list[SourcePrediction] | None
    votes: list[HistoricVote]
    skips: list[Skip]
    decisions: list[Decision]
    gold_changes: list[GoldChange]
    verdicts: list[VerdictLine]


def read_history(*, project: Project, public_id: str, with_systems: bool = True) -> AnswerHistory:
    """Return everything that is known of one answer; without systems, who gave it is None, not nobody.

    Raises `CandidateNotFound`.
    """
    candidate = get_candidate(project=project, public_id=public_id)
    question = candidate.question_id
    decisions = list(candidate.decisions.select_related("decided_by").order_by("-number"))
    in_force = [row.label for row in decisions if row.is_in_force]
    return AnswerHistory(
        candidate=candidate,
        state=shown_states([candidate])[candidate.pk],
        gold=gold_lists(project, amended=False, question_ids=[question])[question],
        amended_gold=gold_lists(project, amended=True, question_ids=[question])[question],
        label=in_force[0] if in_force else None,
        corrections=list(candidate.question.corrections.select_related("corrected_by").order_by("-number")),
        answers=_answers_to(candidate.question),
        predictions=_predictions_of(candidate) if with_systems else None,
        votes=_votes_of(candidate),
        skips=skips_of(candidate),
        decisions=decisions,
        gold_changes=_gold_changes_of(candidate),
        verdicts=_verdicts_of(candidate),
    )


def _answers_to(question: Question) -> list[QuestionAnswer]:
    candidates = list(
        Candidate.objects.filter(question=question, is_judgeable=True).order_by("position", "pk")
    )
    labels, states = current_labels(candidates), shown_states(candidates)
    votes = Judgment.objects.votes().filter(candidate__in=candidates).exclude(state=Judgment.State.WITHDRAWN)
    corrected_at = question.corrected_at
    told = Counter(votes.values_list("candidate_id", flat=True))
    before = Counter(
        votes.filter(judged_at__lt=corrected_at).values_list("candidate_id", flat=True)
        if corrected_at is not None
        else ()
    )
    return [
        QuestionAnswer(
            item.public_id, item.text, states[item.pk], labels.get(item.pk), told[item.pk], before[item.pk]
        )
        for item in candidates
    ]


def _predictions_of(candidate: Candidate) -> list[SourcePrediction]:
    rows = Prediction.objects.filter(candidate=candidate).order_by("system_id")
    return [
        SourcePrediction(system, text, confidence, raw_answer(raw))
        for system, text, confidence, raw in rows.values_list("system__label", "text", "confidence", "raw")
    ]


def _votes_of(candidate: Candidate) -> list[HistoricVote]:
    judgments = standing_judgments([candidate.pk]).prefetch_related("revisions")
    return [
        _historic(judgment, vote_of(judgment, letter=letter))
        for letter, judgment in by_letter(list(judgments), salt=candidate.public_id)
    ]


def _historic(judgment: Judgment, vote: Vote) -> HistoricVote:
    said = [
        revision
        for revision in sorted(judgment.revisions.all(), key=lambda revision: revision.number)
        if revision.action != JudgmentRevision.Action.WITHDRAW
    ]
    return HistoricVote(
        **vars(vote),
        seconds=said[-1].seconds if said else None,
        at=judgment.judged_at,
        revisions=[Revision(revision.label, revision.at) for revision in said[:-1]],
    )


def _gold_changes_of(candidate: Candidate) -> list[GoldChange]:
    concerns = Q(decision__candidate=candidate) | Q(text=candidate.text)
    changes = GoldChange.objects.filter(concerns, question=candidate.question_id)
    return list(
        changes.select_related("question", "changed_by", "undone_by", "decision__candidate").order_by(
            "-changed_at", "-pk"
        )
    )


def _verdicts_of(candidate: Candidate) -> list[VerdictLine]:
    rows = Verdict.objects.filter(candidate=candidate).select_related("run").order_by("run__created_at", "pk")
    return [
        VerdictLine(
            judge=row.run.judge_key,
            name=display_name(row.run.judge_key),
            signature=row.run.signature,
            accepted=row.accepted,
            score=row.score,
            reason=row.unscored_reason,
            raw_reply=row.raw_reply,
        )
        for row in rows
    ]

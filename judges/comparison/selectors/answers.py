"""Read one answer's whole history, and where judges differ from what votes decided."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from django.db.models import Q

from analysis.arrays import Flags
from annotation.adjudication.rules import NO_CONFLICTS, JudgeConflicts, group_columns
from annotation.adjudication.selectors.dossier import (
    DecisionLine,
    current_labels,
    decisions_of,
    get_candidate,
)
from annotation.adjudication.selectors.queue import (
    Skip,
    Vote,
    by_letter,
    shown_states,
    skips_of,
    standing_judgments,
    vote_of,
)
from annotation.gold.selectors.ledger import LedgerChange, describe_change, gold_lists, list_changes
from annotation.items.models import Candidate, Prediction, Question
from annotation.items.rules import raw_answer
from annotation.items.selectors import QuestionPassage, list_passages
from annotation.judgments.models import Judgment, JudgmentRevision
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from judges.comparison.rules.study import ACCEPTED, REJECTED, Codes, name_columns
from judges.comparison.selectors.leaderboard.standings import read_runs
from judges.comparison.selectors.study import read_decided, read_improper, read_items, read_said
from judges.methods.learned.explanation import Reason, explain
from judges.registry import Needs, display_name, get_entry
from judges.runs.models import Verdict
from judges.runs.selectors.work import golds_of
from judges.runs.selectors.work import read_decided as read_people_decided


@dataclass(frozen=True)
class Revision:
    """A label that the annotator gave before."""

    label: str
    at: datetime


@dataclass(frozen=True)
class HistoricVote(Vote):
    """A vote and its history.

    `seconds`: the time spent on it, or null if unknown. `revisions`: earlier labels.
    """

    seconds: float | None
    at: datetime
    revisions: list[Revision]


@dataclass(frozen=True)
class SourcePrediction:
    """A system that gave the answer.

    `raw`: the text in its file, if the text was cleaned up or is a list; otherwise null.
    """

    system: str
    text: str
    raw: str | None
    confidence: float | None


@dataclass(frozen=True)
class AnswerVerdict:
    """One run’s verdict.

    `accepted`: null if the run could not judge the answer; `reason` then says why.
    """

    judge: str
    name: str
    signature: str
    accepted: bool | None
    score: float | None
    reason: str
    raw_reply: str
    reasons: list[Reason]


@dataclass(frozen=True)
class QuestionAnswer:
    """An answer to the same question.

    `votes`: the number of its votes. `votes_before`: how many of these are from before the question was last
    corrected.
    """

    id: str
    text: str
    state: Candidate.State
    label: str | None
    votes: int
    votes_before: int


@dataclass(frozen=True)
class Correction:
    """The question’s text before a correction, and why it was corrected."""

    former_text: str
    reason: str
    by: str
    at: datetime


@dataclass(frozen=True)
class HistoryQuestion:
    """The question with its gold answers as imported and as amended.

    `corrections`: newest first. `answers`: all answers to it. `passages`: at most 50 of them.
    `passage_count`: the total number of passages.
    """

    id: str
    text: str
    gold: list[str]
    amended_gold: list[str]
    corrections: list[Correction]
    answers: list[QuestionAnswer]
    passages: list[QuestionPassage]
    passage_count: int


# On the page of an answer.
MOST_PASSAGES = 50


@dataclass(frozen=True)
class AnswerHistory:
    """Everything that is known about one answer.

    `predictions`: null if the caller may not see systems.
    """

    id: str
    question: HistoryQuestion
    answer: str
    state: Candidate.State
    label: str | None
    predictions: list[SourcePrediction] | None
    votes: list[HistoricVote]
    skips: list[Skip]
    decisions: list[DecisionLine]
    gold_changes: list[LedgerChange]
    verdicts: list[AnswerVerdict]


def read_history(*, project: Project, public_id: str, with_systems: bool = True) -> AnswerHistory:
    """Return everything that is known of one answer; without systems, who gave it is None, not nobody.

    Raises `CandidateNotFound`.
    """
    candidate = get_candidate(project=project, public_id=public_id)
    decisions = decisions_of(candidate)
    in_force = [row.label for row in decisions if row.is_current and not row.is_reopening]
    return AnswerHistory(
        id=candidate.public_id,
        question=_question_of(candidate, project, with_systems=with_systems),
        answer=candidate.text,
        state=Candidate.State(shown_states([candidate])[candidate.pk]),
        label=in_force[0] if in_force else None,
        predictions=_predictions_of(candidate) if with_systems else None,
        votes=_votes_of(candidate),
        skips=skips_of(candidate),
        decisions=decisions,
        gold_changes=_gold_changes_of(candidate),
        verdicts=_verdicts_of(candidate),
    )


def _question_of(candidate: Candidate, project: Project, *, with_systems: bool) -> HistoryQuestion:
    question = candidate.question
    passages = list_passages(question=question, with_systems=with_systems)
    corrections = question.corrections.select_related("corrected_by").order_by("-number")
    return HistoryQuestion(
        id=question.public_id,
        text=question.text,
        gold=list(gold_lists(project, amended=False, question_ids=[question.pk])[question.pk]),
        amended_gold=list(gold_lists(project, amended=True, question_ids=[question.pk])[question.pk]),
        corrections=[
            Correction(row.former_text, row.reason, row.corrected_by.name, row.corrected_at)
            for row in corrections
        ],
        answers=_answers_to(question),
        passages=passages[:MOST_PASSAGES],
        passage_count=len(passages),
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
            item.public_id,
            item.text,
            Candidate.State(states[item.pk]),
            labels.get(item.pk),
            told[item.pk],
            before[item.pk],
        )
        for item in candidates
    ]


def _predictions_of(candidate: Candidate) -> list[SourcePrediction]:
    rows = Prediction.objects.filter(candidate=candidate).order_by("system_id")
    return [
        SourcePrediction(system, text, raw_answer(raw), confidence)
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


def _gold_changes_of(candidate: Candidate) -> list[LedgerChange]:
    concerns = Q(decision__candidate=candidate) | Q(text=candidate.text)
    changes = list_changes(project=candidate.project).filter(concerns, question=candidate.question_id)
    return [describe_change(change) for change in changes]


def _verdicts_of(candidate: Candidate) -> list[AnswerVerdict]:
    rows = Verdict.objects.filter(candidate=candidate).select_related("run").order_by("run__created_at", "pk")
    return [
        AnswerVerdict(
            judge=row.run.judge_key,
            name=display_name(row.run.judge_key),
            signature=row.run.signature,
            accepted=row.accepted,
            score=row.score,
            reason=row.unscored_reason,
            raw_reply=row.raw_reply,
            reasons=_reasons_of(row, candidate),
        )
        for row in rows
    ]


def _reasons_of(verdict: Verdict, candidate: Candidate) -> list[Reason]:
    """Return what the learned judge went by, as of the gold answers and decisions of now."""
    entry = get_entry(verdict.run.judge_key)
    if not entry.explains or verdict.accepted is None:
        return []
    project, version, question = candidate.project, verdict.run.gold_version, candidate.question_id
    decided = (
        read_people_decided(project, gold_version=version, question_id=question)
        if entry.needs is Needs.DECISIONS
        else ()
    )
    golds = golds_of({question}, project=project, gold_version=version)[question].strings
    return explain(question=candidate.question.text, golds=golds, answer=candidate.text, decided=decided)


@kept()
def find_judge_conflicts(*, project: Project) -> JudgeConflicts:
    """Return which runs that looked at the answers judged them otherwise, by answer.

    Only decisions by votes count: what a person decided was decided in full view of it.
    """
    runs = read_runs(project)
    if not runs or project.protocol is None:
        return NO_CONFLICTS
    items, columns = read_items(project), name_columns(runs)
    decided, said = read_decided(project), read_said(project, [run.id for run in runs])
    proper = items.questions.in_sample & ~read_improper(project)
    counted = decided.is_by_votes & proper[items.candidates.question]
    differs = np.column_stack(
        [counted & _contradicts(said[run.id].verdict, worth=decided.worth) for run in runs]
    )
    names = {run.public_id: columns[run.id].name for run in runs}
    return JudgeConflicts(names, group_columns(items.candidates.ids, list(names), differs))


def _contradicts(verdict: Codes, *, worth: Codes) -> Flags:
    """Say where a run rejects what is definitely correct, or accepts what is wrong."""
    found: Flags = ((worth == ACCEPTED) & (verdict == 0)) | ((worth == REJECTED) & (verdict == 1))
    return found

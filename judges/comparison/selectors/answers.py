"""Read answers: the list, one answer's whole history, and where judges differ from what votes decided."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import numpy as np
from django.db.models import Q, QuerySet

from analysis.arrays import Flags
from annotation.adjudication.models import Decision
from annotation.adjudication.rules import NO_CONFLICTS, JudgeConflicts, group_columns
from annotation.adjudication.selectors.dossier import (
    DecisionLine,
    current_labels,
    decisions_of,
    get_candidate,
)
from annotation.adjudication.selectors.queue import (
    QueueVote,
    Skip,
    Vote,
    by_letter,
    shown_states,
    skips_of,
    standing_judgments,
    systems_of,
    vote_of,
    votes_of,
    waiting_answers,
)
from annotation.agreement.rules.slices import Dimension
from annotation.agreement.selectors.reports import Way, find_disputed, items_in_part
from annotation.assignments.models import QuestionFlag
from annotation.gold.models import GoldChange
from annotation.gold.selectors.ledger import LedgerChange, describe_change, gold_lists, list_changes
from annotation.items.models import Candidate, GoldAnswer, Prediction, Question, QuestionCorrection
from annotation.items.rules import raw_answer
from annotation.judgments.models import Judgment, JudgmentRevision
from annotation.projects.models import Project
from annotation.projects.selectors import kept
from common.database.rows import read_integers
from judges.comparison.rules.study import ACCEPTED, REJECTED, Codes, name_columns
from judges.comparison.selectors.failures import Wanted, answers_behind
from judges.comparison.selectors.judge_board.pairs import find_errors, find_judged_answers
from judges.comparison.selectors.leaderboard.standings import read_runs
from judges.comparison.selectors.study import read_decided, read_improper, read_items, read_said
from judges.methods.learned.explanation import Reason, explain
from judges.registry import Needs, display_name, get_entry
from judges.runs.models import Verdict
from judges.runs.selectors.work import golds_of
from judges.runs.selectors.work import read_decided as read_people_decided


@dataclass(frozen=True)
class AnswerLine:
    """An answer in the list; `state`: its own, or that it waits for the lead, as the queue counts it."""

    id: str
    question: str
    answer: str
    state: Candidate.State
    label: str | None
    source: str | None
    systems: list[str] | None
    votes: list[QueueVote]


class Found(NamedTuple):
    """Which answers were asked for, by key in their order, and to how many questions they are."""

    ids: list[int]
    questions: int


DISAGREEMENT = "disagreement"
CONDITIONS: Mapping[str, Q] = {
    "waiting": Q(state=Candidate.State.OPEN, taken=0),
    "judging": Q(state=Candidate.State.OPEN, taken__gt=0),
    "open": Q(state=Candidate.State.OPEN),
    "decided": Q(state=Candidate.State.DECIDED),
    "unasked": Q(state=Candidate.State.UNASKED),
    "flagged": Q(question__in=QuestionFlag.objects.values("question")),
}
# Whatever waits for the lead, as the queue counts it: raters differ, or none is left who could judge.
FOR_LEAD = "disputed"
AT_RATERS = ("waiting", "judging")
DEFAULT_WAY = Way()
STATES = (*CONDITIONS, FOR_LEAD, DISAGREEMENT)


def find_answers(
    *,
    project: Project,
    search: str = "",
    state: str = "",
    way: Way = DEFAULT_WAY,
    raters: Sequence[str] = (),
    errors_of: str = "",
    accepted_by: str = "",
    rejected_by: str = "",
    unscored_by: str = "",
    by: str = "",
    part: str = "",
    question: str = "",
    cell: tuple[Wanted, str, str] | None = None,
) -> QuerySet[Candidate]:
    """Return the project's answers, judged questions first.

    search: words of the question, its former texts or its own id, a gold answer, the answer as pooled or as
    a system gave it, a comment, evidence, a flag's note, or a decision's reason. state: one of `STATES`.
    way: how votes are read where raters differ; of a check these are the questions' answers. raters: two of
    them, by pseudonym; only where these differ.
    errors_of: a run, by its public id; only answers on which the judge board counts an error of it.
    accepted_by, rejected_by, unscored_by: a run, by its public id, or `people`; only answers that the judge
    board counts. by, part: a way of cutting the study that agreement knows, and one of its parts.
    question: by its public id. cell: a failure board, and the keys of a row and a column; an empty row is
    the column's rate.
    """
    answers = Candidate.objects.filter(project=project)
    if search:
        answers = answers.filter(_mentions(search, project))
    if state:
        answers = answers.filter(_condition(state, project, way=way, raters=raters))
    if errors_of:
        answers = answers.filter(pk__in=find_errors(project=project, run=errors_of))
    if accepted_by or rejected_by or unscored_by:
        ids = find_judged_answers(
            project=project, accepted_by=accepted_by, rejected_by=rejected_by, unscored_by=unscored_by
        )
        answers = answers.filter(pk__in=ids)
    if by and part:
        items = items_in_part(project=project, by=Dimension(by), name=part, check=way.check)
        answers = answers.filter(Q(question__in=items) if way.check else Q(pk__in=items))
    if question:
        answers = answers.filter(question__public_id=question)
    if cell:
        wanted, row, column = cell
        behind = answers_behind(project=project, wanted=wanted, row=row, column=column)
        answers = answers.filter(pk__in=behind)
    return answers.order_by("-question__in_sample", "question__position", "question_id", "position", "pk")


def read_found(answers: QuerySet[Candidate]) -> Found:
    """Return which answers these are, in their order; one query, for a search may look through all texts."""
    ids, questions = read_integers(answers, "pk", "question_id").T
    return Found(ids.tolist(), len(np.unique(questions)))


def _mentions(words: str, project: Project) -> Q:
    """Return where words stand in anything that is written about an answer or its question.

    Rows are found by way of the few systems and raters: answers are many more, and would all be looked up.
    """
    of_question = {"question__project": project}
    said = Q(comment__icontains=words) | Q(evidence_quote__icontains=words) | Q(evidence_url__icontains=words)
    # Most votes say nothing, which is seen at once; a search in three texts of each is not.
    silent = Q(comment="", evidence_quote="", evidence_url="")
    asked = Question.objects.filter(Q(text__icontains=words) | Q(external_id=words), project=project)
    beside_questions = (
        GoldAnswer.objects.filter(text__icontains=words, **of_question),
        GoldChange.objects.filter(text__icontains=words, **of_question),
        QuestionCorrection.objects.filter(former_text__icontains=words, **of_question),
        QuestionFlag.objects.filter(note__icontains=words, **of_question),
    )
    beside_answers = (
        Prediction.objects.filter(text__icontains=words, system__project=project),
        Judgment.objects.votes().filter(~silent, said, rater__project=project),
        Decision.objects.filter(reason__icontains=words, candidate__project=project),
    )
    mentions = Q(text__icontains=words) | Q(question__in=asked.values("pk"))
    for found in beside_questions:
        mentions |= Q(question__in=found.values("question"))
    for rows in beside_answers:
        mentions |= Q(pk__in=rows.values("candidate"))
    return mentions


def _condition(state: str, project: Project, *, way: Way, raters: Sequence[str]) -> Q:
    """Return what a state means; in a disagreement the first raters gave different labels."""
    if state == DISAGREEMENT:
        disputed = find_disputed(project=project, way=way, pair=raters)
        return Q(question__in=disputed) if way.check else Q(pk__in=disputed)
    for_lead = Q(pk__in=waiting_answers(project).values("pk"))
    if state == FOR_LEAD:
        return for_lead
    return CONDITIONS[state] & ~for_lead if state in AT_RATERS else CONDITIONS[state]


def describe_answers(ids: Sequence[int], *, with_systems: bool = True) -> list[AnswerLine]:
    """Return the lines of a page of answers, in a fixed number of queries; one removed since is left out.

    Without systems these are None: not shown, which is not the same as none.
    """
    found = Candidate.objects.select_related("question", "project__protocol").in_bulk(list(ids))
    candidates = [found[answer] for answer in ids if answer in found]
    decisions = {
        row.candidate_id: row for row in Decision.objects.in_force().filter(candidate__in=candidates)
    }
    votes = votes_of(candidates)
    systems = systems_of(candidates) if with_systems else None
    states = shown_states(candidates)
    return [
        AnswerLine(
            id=candidate.public_id,
            question=candidate.question.text,
            answer=candidate.text,
            state=Candidate.State(states[candidate.pk]),
            label=decisions[candidate.pk].label if candidate.pk in decisions else None,
            source=decisions[candidate.pk].source if candidate.pk in decisions else None,
            systems=None if systems is None else systems[candidate.pk],
            votes=[QueueVote(vote.letter, vote.label) for vote in votes[candidate.pk]],
        )
        for candidate in candidates
    ]


@dataclass(frozen=True)
class Revision:
    """What a rater had said before."""

    label: str
    at: datetime


@dataclass(frozen=True)
class HistoricVote(Vote):
    """A vote, and how it came about."""

    seconds: float | None
    at: datetime
    revisions: list[Revision]


@dataclass(frozen=True)
class SourcePrediction:
    """A system that gave the answer; `raw` is what its file had where that was cleaned or a list."""

    system: str
    text: str
    raw: str | None
    confidence: float | None


@dataclass(frozen=True)
class AnswerVerdict:
    """What one run said; `accepted` is null where it could not judge, with the reason."""

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
    """An answer to the same question; `votes_before`: given before the question was last corrected."""

    id: str
    text: str
    state: Candidate.State
    label: str | None
    votes: int
    votes_before: int


@dataclass(frozen=True)
class Correction:
    """What the question said before, and why it was corrected."""

    former_text: str
    reason: str
    by: str
    at: datetime


@dataclass(frozen=True)
class HistoryQuestion:
    """The question with its gold answers as imported and as amended, its corrections, newest first, and all
    answers to it.
    """

    id: str
    text: str
    gold: list[str]
    amended_gold: list[str]
    corrections: list[Correction]
    answers: list[QuestionAnswer]


@dataclass(frozen=True)
class AnswerHistory:
    """Everything that is known of one answer; predictions: null for those who may not see systems."""

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
        question=_question_of(candidate, project),
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


def _question_of(candidate: Candidate, project: Project) -> HistoryQuestion:
    question = candidate.question
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

"""Read answers with every vote, decision and verdict: the list, and one answer's whole history."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import letters_of
from annotation.adjudication.selectors import Vote, get_candidate, votes_of
from annotation.agreement.rules import disagreeing_items
from annotation.agreement.selectors import read_first_round
from annotation.assignments.models import Assignment, QuestionFlag
from annotation.gold.models import GoldChange
from annotation.gold.selectors import gold_lists
from annotation.items.models import Candidate, GoldAnswer, Prediction, QuestionCorrection
from annotation.items.rules import raw_answer
from annotation.judgments.models import Judgment, JudgmentRevision
from annotation.projects.models import Project
from judges.registry import display_name
from judges.runs.models import Verdict


class AnswerLine(NamedTuple):
    """An answer in the list."""

    candidate: Candidate
    label: str | None
    source: str | None
    systems: list[str]
    votes: list[Vote]


class Revision(NamedTuple):
    """What a rater had said before."""

    label: str
    at: datetime


class HistoricVote(NamedTuple):
    """A rater's vote without the rater, and how it came about."""

    letter: str
    label: str
    comment: str
    evidence_url: str
    evidence_quote: str
    round: str
    counted: bool
    seconds: float | None
    at: datetime
    revisions: list[Revision]


class Skip(NamedTuple):
    """A rater who passed the answer over."""

    round: str
    reason: str
    at: datetime | None


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


class AnswerHistory(NamedTuple):
    """Everything that is known of one answer."""

    candidate: Candidate
    gold: tuple[str, ...]
    amended_gold: tuple[str, ...]
    label: str | None
    corrections: list[QuestionCorrection]
    predictions: list[SourcePrediction]
    votes: list[HistoricVote]
    skips: list[Skip]
    decisions: list[Decision]
    gold_changes: list[GoldChange]
    verdicts: list[VerdictLine]


DISAGREEMENT = "disagreement"
CONDITIONS: Mapping[str, Q] = {
    "waiting": Q(state=Candidate.State.OPEN, taken=0),
    "judging": Q(state=Candidate.State.OPEN, taken__gt=0),
    "open": Q(state=Candidate.State.OPEN),
    "disputed": Q(state=Candidate.State.DISPUTED),
    "decided": Q(state=Candidate.State.DECIDED),
    "unasked": Q(state=Candidate.State.UNASKED),
    "flagged": Q(question__in=QuestionFlag.objects.values("question")),
}
STATES = (*CONDITIONS, DISAGREEMENT)


def find_answers(
    *, project: Project, search: str = "", state: str = "", errors_of: str = ""
) -> QuerySet[Candidate]:
    """Return the project's answers, judged questions first.

    search: words of the question, its former texts or its own id, a gold answer, the answer as pooled or as
    a system gave it, a comment, evidence, a flag's note, or a decision's reason. state: one of `STATES`.
    errors_of: a run, by its public id; only answers on which its verdict differs from what people decided.
    """
    answers = Candidate.objects.filter(project=project).select_related("question")
    if search:
        answers = answers.filter(_mentions(search, project))
    if state:
        answers = answers.filter(_condition(state, project))
    if errors_of:
        answers = answers.filter(pk__in=_errors(project, errors_of))
    return answers.order_by("-question__in_sample", "question__position", "question_id", "position", "pk")


def _mentions(words: str, project: Project) -> Q:
    """Return where words stand in anything that is written about an answer or its question."""
    of_question = {"question__project": project}
    of_answer = {"candidate__project": project}
    questions = (
        GoldAnswer.objects.filter(text__icontains=words, **of_question),
        GoldChange.objects.filter(text__icontains=words, **of_question),
        QuestionCorrection.objects.filter(former_text__icontains=words, **of_question),
        QuestionFlag.objects.filter(note__icontains=words, **of_question),
    )
    said = Q(comment__icontains=words) | Q(evidence_quote__icontains=words) | Q(evidence_url__icontains=words)
    answers = (
        Prediction.objects.filter(text__icontains=words, **of_answer),
        Judgment.objects.votes().filter(said, **of_answer),
        Decision.objects.filter(reason__icontains=words, **of_answer),
    )
    mentions = Q(text__icontains=words) | Q(question__text__icontains=words) | Q(question__external_id=words)
    for found in questions:
        mentions |= Q(question__in=found.values("question"))
    for rows in answers:
        mentions |= Q(pk__in=rows.values("candidate"))
    return mentions


def _condition(state: str, project: Project) -> Q:
    """Return what a state means; in a disagreement the first raters gave different labels."""
    if state == DISAGREEMENT:
        return Q(pk__in=disagreeing_items(read_first_round(project=project)))
    return CONDITIONS[state]


def _errors(project: Project, run: str) -> QuerySet[Verdict, Any]:
    accepted = project.protocol.rules.accepted_keys if project.protocol else frozenset()
    decided = Decision.objects.filter(candidate=OuterRef("candidate"), is_current=True, is_reopening=False)
    too_strict = Q(Exists(decided.filter(label__in=accepted)), accepted=False)
    too_lenient = Q(Exists(decided.exclude(label__in=accepted)), accepted=True)
    verdicts = Verdict.objects.filter(run__project=project, run__public_id=run)
    return verdicts.filter(too_strict | too_lenient).values("candidate_id")


def describe_answers(candidates: Iterable[Candidate]) -> list[AnswerLine]:
    """Return the lines of a page of answers, in three queries."""
    candidates = list(candidates)
    decisions = {row.candidate_id: row for row in _current_decisions(candidates)}
    votes = votes_of(candidates)
    systems = _systems_of(candidates)
    return [
        AnswerLine(
            candidate=candidate,
            label=decisions[candidate.pk].label if candidate.pk in decisions else None,
            source=decisions[candidate.pk].source if candidate.pk in decisions else None,
            systems=systems[candidate.pk],
            votes=votes[candidate.pk],
        )
        for candidate in candidates
    ]


def _current_decisions(candidates: list[Candidate]) -> QuerySet[Decision]:
    ids = [candidate.pk for candidate in candidates]
    return Decision.objects.filter(candidate__in=ids, is_current=True, is_reopening=False)


def _systems_of(candidates: list[Candidate]) -> Mapping[int, list[str]]:
    systems: dict[int, list[str]] = defaultdict(list)
    rows = Prediction.objects.filter(candidate__in=[candidate.pk for candidate in candidates])
    for candidate, label in rows.order_by("system_id").values_list("candidate_id", "system__label"):
        systems[candidate].append(label)
    return systems


def read_history(*, project: Project, public_id: str) -> AnswerHistory:
    """Return everything that is known of one answer; raises `CandidateNotFound`."""
    candidate = get_candidate(project=project, public_id=public_id)
    question = candidate.question_id
    decisions = list(candidate.decisions.select_related("decided_by").order_by("-number"))
    in_force = [row.label for row in decisions if row.is_current and not row.is_reopening]
    return AnswerHistory(
        candidate=candidate,
        gold=gold_lists(project, amended=False, question_ids=[question])[question],
        amended_gold=gold_lists(project, amended=True, question_ids=[question])[question],
        label=in_force[0] if in_force else None,
        corrections=list(candidate.question.corrections.select_related("corrected_by").order_by("-number")),
        predictions=_predictions_of(candidate),
        votes=_votes_of(candidate),
        skips=_skips_of(candidate),
        decisions=decisions,
        gold_changes=_gold_changes_of(candidate),
        verdicts=_verdicts_of(candidate),
    )


def _predictions_of(candidate: Candidate) -> list[SourcePrediction]:
    rows = Prediction.objects.filter(candidate=candidate).order_by("system_id")
    return [
        SourcePrediction(system, text, confidence, raw_answer(raw))
        for system, text, confidence, raw in rows.values_list("system__label", "text", "confidence", "raw")
    ]


def _votes_of(candidate: Candidate) -> list[HistoricVote]:
    judgments = list(
        Judgment.objects.votes()
        .filter(candidate=candidate)
        .exclude(state=Judgment.State.WITHDRAWN)
        .prefetch_related("revisions")
        .order_by("pk")
    )
    letters = letters_of(rater_ids=[judgment.rater_id for judgment in judgments], salt=candidate.public_id)
    votes = [_vote(judgment, letters[judgment.rater_id]) for judgment in judgments]
    return sorted(votes, key=lambda vote: vote.letter)


def _vote(judgment: Judgment, letter: str) -> HistoricVote:
    said = [
        revision
        for revision in sorted(judgment.revisions.all(), key=lambda revision: revision.number)
        if revision.action != JudgmentRevision.Action.WITHDRAW
    ]
    return HistoricVote(
        letter=letter,
        label=judgment.label,
        comment=judgment.comment,
        evidence_url=judgment.evidence_url,
        evidence_quote=judgment.evidence_quote,
        round=judgment.round,
        counted=judgment.state == Judgment.State.COUNTED,
        seconds=said[-1].seconds if said else None,
        at=judgment.judged_at,
        revisions=[Revision(revision.label, revision.at) for revision in said[:-1]],
    )


def _skips_of(candidate: Candidate) -> list[Skip]:
    # A label that is no vote leaves a judgment and shows among the votes.
    skipped = Assignment.objects.votes().filter(
        candidate=candidate, state=Assignment.State.SKIPPED, judgment=None
    )
    return [
        Skip(*row) for row in skipped.order_by("pk").values_list("round", "skip_reason", "sheet__closed_at")
    ]


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

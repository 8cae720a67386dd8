"""Read what leaves: questions, answers and votes as plain values in a fixed order, and the exports."""

from collections import defaultdict
from collections.abc import Mapping

from django.db.models import QuerySet
from django.utils.timezone import localtime

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import GOLD_EQUAL_RULE, RELEASED_LIST
from annotation.assignments.models import Purpose
from annotation.gold.selectors import gold_lists, list_changes
from annotation.items.models import Candidate, Prediction, Question
from annotation.items.rules import raw_answer
from annotation.judgments.models import Judgment, JudgmentRevision
from annotation.known_answers.models import TrainingAnswer
from annotation.projects.models import Project
from annotation.release.models import Export
from annotation.release.rules import (
    CastVote,
    ReleasedAnswer,
    ReleasedChange,
    ReleasedDecision,
    ReleasedJudgment,
    ReleasedQuestion,
    ReleasedVote,
    vote_columns,
)
from common.errors import NotFound


class ExportNotFound(NotFound):
    """There is no such export, or this person may not know of it."""

    code = "export_not_found"


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


def _question_id(question: Question) -> str:
    return question.external_id or str(question.position + 1)


def count_questions(project: Project) -> int:
    """Return how many questions leave."""
    return _questions(project).count()


def count_answers(project: Project) -> int:
    """Return how many answers leave."""
    return _answers(project).count()


def count_votes(project: Project) -> int:
    """Return how many votes leave; those taken back do not."""
    return _standing_votes(project).count()


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
            id=_question_id(question),
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


def _current_decisions(project: Project) -> QuerySet[Decision]:
    return (
        Decision.objects.filter(candidate__project=project, is_current=True, is_reopening=False)
        .select_related("candidate")
        .order_by("candidate__question_id", "candidate__position", "candidate_id")
    )


def released_answers(project: Project, *, limit: int | None = None) -> list[ReleasedAnswer]:
    """Return the answers with their votes by column and their decision."""
    candidates = list(_answers(project)[:limit])
    raw = _raw_answers(project)
    raters = project.protocol.rules.raters_per_answer if project.protocol else 1
    decisions = {decision.candidate_id: decision for decision in _current_decisions(project)}
    cast: Mapping[int, list[CastVote]] = defaultdict(list)
    for vote in _standing_votes(project).values_list("candidate_id", "round", "slot", "pk", "label", "state"):
        cast[vote[0]].append(CastVote(*vote[1:5], is_surplus=vote[5] == Judgment.State.SURPLUS))
    return [
        ReleasedAnswer(
            item_id=candidate.public_id,
            question_id=_question_id(candidate.question),
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


def _standing_votes(project: Project) -> QuerySet[Judgment]:
    return (
        Judgment.objects.votes()
        .filter(candidate__project=project)
        .exclude(state=Judgment.State.WITHDRAWN)
        .order_by("candidate__question__position", "candidate__question_id", "candidate__position", "pk")
    )


def released_votes(project: Project, *, limit: int | None = None) -> list[ReleasedVote]:
    """Return the votes that stand, surplus ones included, each under its rater's pseudonym."""
    votes = _standing_votes(project).select_related("candidate__question", "rater")[:limit]
    last, raw = _last_submissions(project), _raw_answers(project)
    return [_released_vote(vote, last[vote.pk], raw) for vote in votes]


def _raw_answers(project: Project) -> dict[int, str]:
    """Return by candidate what the file of the first system that gave it had, where that is another text."""
    rows = Prediction.objects.filter(system__project=project, raw__isnull=False).order_by("-system_id", "-pk")
    # The first system comes last and stays.
    return {candidate: raw_answer(raw) or "" for candidate, raw in rows.values_list("candidate_id", "raw")}


def _last_submissions(project: Project) -> dict[int, JudgmentRevision]:
    """Return by judgment the last act of its rater, which knows time spent and protocol version."""
    acts = [JudgmentRevision.Action.SUBMIT, JudgmentRevision.Action.EDIT]
    revisions = (
        JudgmentRevision.objects.filter(judgment__candidate__project=project, action__in=acts)
        .select_related("protocol_version")
        .order_by("judgment_id", "number")
    )
    return {revision.judgment_id: revision for revision in revisions}


def _released_vote(vote: Judgment, submission: JudgmentRevision, raw: Mapping[int, str]) -> ReleasedVote:
    question = vote.candidate.question
    return ReleasedVote(
        item_id=vote.candidate.public_id,
        question_id=_question_id(question),
        question=question.text,
        answer=vote.candidate.text,
        raw_answer=raw.get(vote.candidate_id, vote.candidate.text),
        rater=vote.rater.pseudonym,
        round=vote.round,
        label=vote.label,
        state=vote.state,
        comment=vote.comment,
        evidence_url=vote.evidence_url,
        evidence_quote=vote.evidence_quote,
        seconds=submission.seconds,
        judged_at=localtime(vote.judged_at).isoformat(),
        protocol_version=submission.protocol_version.number,
        protocol_hash=submission.protocol_version.content_hash,
    )


def count_changes(project: Project) -> int:
    """Return how many changes the gold ledger has, those undone included."""
    return list_changes(project=project).count()


def released_changes(project: Project, *, limit: int | None = None) -> list[ReleasedChange]:
    """Return the gold ledger, the oldest change first; who made a change stays here."""
    return [
        ReleasedChange(
            question_id=change.question.public_id,
            question=change.question.text,
            action=change.action,
            answer=change.text,
            rule=change.rule,
            reason=change.reason,
            changed_at=localtime(change.changed_at).isoformat(),
            undone_at=localtime(change.undone_at).isoformat() if change.undone_at else "",
            undo_reason=change.undo_reason,
        )
        for change in list_changes(project=project).order_by("changed_at", "pk")[:limit]
    ]


def count_judgments(project: Project) -> int:
    """Return how many judgments of any purpose leave."""
    return _standing_judgments(project).count() + _training_answers(project).count()


def released_judgments(project: Project, *, limit: int | None = None) -> list[ReleasedJudgment]:
    """Return what raters said of answers, whatever for; votes as `released_votes` has them."""
    last, raw = _last_submissions(project), _raw_answers(project)
    rows = [
        *(
            (_place(row.candidate), 0, row.pk, row.purpose, _released_vote(row, last[row.pk], raw))
            for row in _standing_judgments(project).select_related("candidate__question", "rater")[:limit]
        ),
        *(
            (_place(row.known.candidate), 1, row.pk, Purpose.TRAINING.value, _released_training(row, raw))
            for row in _training_answers(project)[:limit]
        ),
    ]
    # Within an answer what was said on sheets comes first.
    rows.sort(key=lambda row: row[:3])
    return [ReleasedJudgment(purpose, said) for *_, purpose, said in rows[:limit]]


def _standing_judgments(project: Project) -> QuerySet[Judgment]:
    return (
        Judgment.objects.filter(candidate__project=project)
        .exclude(state=Judgment.State.WITHDRAWN)
        .order_by(
            "candidate__question__position",
            "candidate__question_id",
            "candidate__position",
            "candidate_id",
            "pk",
        )
    )


def _training_answers(project: Project) -> QuerySet[TrainingAnswer]:
    of_answer = [f"known__candidate__{name}" for name in ("question__position", "question_id", "position")]
    return (
        TrainingAnswer.objects.filter(known__project=project)
        .select_related("known__candidate__question", "attempt__rater")
        .order_by(*of_answer, "known__candidate_id", "pk")
    )


def _place(candidate: Candidate) -> tuple[int, int, int, int]:
    return (candidate.question.position, candidate.question_id, candidate.position, candidate.pk)


def _released_training(said: TrainingAnswer, raw: Mapping[int, str]) -> ReleasedVote:
    candidate = said.known.candidate
    return ReleasedVote(
        item_id=candidate.public_id,
        question_id=_question_id(candidate.question),
        question=candidate.question.text,
        answer=candidate.text,
        raw_answer=raw.get(candidate.pk, candidate.text),
        rater=said.attempt.rater.pseudonym,
        round="",
        label=said.label,
        # Kept and never counted, as with every other purpose that is no vote.
        state=Judgment.State.SURPLUS.value,
        comment="",
        evidence_url="",
        evidence_quote="",
        seconds=None,
        judged_at=localtime(said.answered_at).isoformat(),
        protocol_version=None,
        protocol_hash="",
    )


def list_exports(*, project: Project) -> QuerySet[Export]:
    """Return the project's exports, newest first."""
    return project.exports.order_by("-created_at", "-pk")


def get_export(*, public_id: str) -> Export:
    """Return an export with its project; raises `ExportNotFound`."""
    export = Export.objects.select_related("project").filter(public_id=public_id).first()
    if export is None:
        raise ExportNotFound("There is no such export.")
    return export

"""Read what raters said: votes, and judgments of every purpose."""

from collections.abc import Mapping

from django.db.models import QuerySet
from django.utils.timezone import localtime

from annotation.assignments.models import Purpose
from annotation.items.models import Candidate
from annotation.judgments.models import Judgment, JudgmentRevision
from annotation.known_answers.models import TrainingAnswer
from annotation.projects.models import Project
from annotation.release.rules import ReleasedJudgment, ReleasedVote
from annotation.release.selectors.rows import question_id_of, raw_answers, standing_votes


def count_votes(project: Project) -> int:
    """Return how many votes leave; those taken back do not."""
    return standing_votes(project).count()


def released_votes(project: Project, *, limit: int | None = None) -> list[ReleasedVote]:
    """Return the votes that stand, surplus ones included, each under its rater's pseudonym."""
    votes = standing_votes(project).select_related("candidate__question", "rater")[:limit]
    last, raw = _last_submissions(project), raw_answers(project)
    return [_released_vote(vote, last[vote.pk], raw) for vote in votes]


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
        question_id=question_id_of(question),
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


def count_judgments(project: Project) -> int:
    """Return how many judgments of any purpose leave."""
    return _standing_judgments(project).count() + _training_answers(project).count()


def released_judgments(project: Project, *, limit: int | None = None) -> list[ReleasedJudgment]:
    """Return what raters said of answers, whatever for; votes as `released_votes` has them."""
    last, raw = _last_submissions(project), raw_answers(project)
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
        question_id=question_id_of(candidate.question),
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

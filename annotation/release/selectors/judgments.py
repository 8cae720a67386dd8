"""Read what raters said: votes, and judgments of every purpose."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from heapq import merge
from itertools import islice
from typing import NamedTuple

from django.db.models import QuerySet
from django.utils.timezone import localtime

from annotation.assignments.models import Purpose
from annotation.items.models import Candidate
from annotation.judgments.models import Judgment, JudgmentRevision
from annotation.known_answers.models import TrainingAnswer
from annotation.projects.models import Project
from annotation.release.rules import ReleasedJudgment, ReleasedVote
from annotation.release.selectors.rows import in_shares, question_name, raw_answers, standing_votes


def count_votes(project: Project) -> int:
    """Return how many votes leave; those taken back do not."""
    return standing_votes(project).count()


def released_votes(project: Project, *, limit: int | None = None) -> Iterator[ReleasedVote]:
    """Yield the votes that stand, surplus ones included, each under its rater's pseudonym."""
    return (said for *_, said in _read(standing_votes(project)[:limit]))


# The place of the answer, the purpose, and what was said.
_Said = tuple[tuple[int, int, int, int], str, ReleasedVote]
# What is read of a judgment, in the order of the names below.
_FIELDS = (
    "pk",
    "purpose",
    "candidate__question__position",
    "candidate__question_id",
    "candidate__position",
    "candidate_id",
    "candidate__public_id",
    "candidate__question__external_id",
    "candidate__question__text",
    "candidate__text",
    "rater__pseudonym",
    "round",
    "label",
    "state",
    "comment",
    "evidence_url",
    "evidence_quote",
    "judged_at",
)


class _Row(NamedTuple):
    pk: int
    purpose: str
    question_position: int
    question_id: int
    position: int
    candidate_id: int
    item_id: str
    external_id: str
    question: str
    answer: str
    rater: str
    round: str
    label: str
    state: str
    comment: str
    evidence_url: str
    evidence_quote: str
    judged_at: datetime

    @property
    def place(self) -> tuple[int, int, int, int]:
        """Where the answer stands among all of the project."""
        return (self.question_position, self.question_id, self.position, self.candidate_id)


class _Submission(NamedTuple):
    """The last act of a rater on a judgment, which knows time spent and protocol version."""

    seconds: float | None
    version: int
    version_hash: str


def _read(judgments: QuerySet[Judgment]) -> Iterator[_Said]:
    for share in in_shares(judgments.values_list(*_FIELDS)):
        rows = [_Row(*values) for values in share]
        last = _last_submissions([row.pk for row in rows])
        raw = raw_answers(row.candidate_id for row in rows)
        for row in rows:
            yield row.place, row.purpose, _released_vote(row, last[row.pk], raw)


def _last_submissions(judgment_ids: list[int]) -> dict[int, _Submission]:
    acts = [JudgmentRevision.Action.SUBMIT, JudgmentRevision.Action.EDIT]
    revisions = JudgmentRevision.objects.filter(judgment__in=judgment_ids, action__in=acts)
    fields = ("judgment_id", "seconds", "protocol_version__number", "protocol_version__content_hash")
    rows = revisions.order_by("judgment_id", "number").values_list(*fields)
    return {judgment: _Submission(*said) for judgment, *said in rows}


def _released_vote(row: _Row, submission: _Submission, raw: Mapping[int, str]) -> ReleasedVote:
    return ReleasedVote(
        item_id=row.item_id,
        question_id=question_name(row.external_id, row.question_position),
        question=row.question,
        answer=row.answer,
        raw_answer=raw.get(row.candidate_id, row.answer),
        rater=row.rater,
        round=row.round,
        label=row.label,
        state=row.state,
        comment=row.comment,
        evidence_url=row.evidence_url,
        evidence_quote=row.evidence_quote,
        seconds=submission.seconds,
        judged_at=localtime(row.judged_at).isoformat(),
        protocol_version=submission.version,
        protocol_hash=submission.version_hash,
    )


def count_judgments(project: Project) -> int:
    """Return how many judgments of any purpose leave."""
    return _standing_judgments(project).count() + _training_answers(project).count()


def released_judgments(project: Project, *, limit: int | None = None) -> Iterator[ReleasedJudgment]:
    """Yield what raters said of answers, whatever for; votes as `released_votes` has them."""
    on_sheets = _read(_standing_judgments(project)[:limit])
    in_training = _read_training(_training_answers(project)[:limit])
    # Both come in the order of the answers; within an answer what was said on sheets comes first.
    both = merge(on_sheets, in_training, key=lambda said: said[0])
    return (ReleasedJudgment(purpose, said) for *_, purpose, said in islice(both, limit))


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


def _read_training(answers: QuerySet[TrainingAnswer]) -> Iterator[_Said]:
    for share in in_shares(answers):
        raw = raw_answers(said.known.candidate_id for said in share)
        for said in share:
            place = _place(said.known.candidate)
            yield place, Purpose.TRAINING.value, _released_training(said, raw)


def _place(candidate: Candidate) -> tuple[int, int, int, int]:
    return (candidate.question.position, candidate.question_id, candidate.position, candidate.pk)


def _released_training(said: TrainingAnswer, raw: Mapping[int, str]) -> ReleasedVote:
    candidate = said.known.candidate
    question = candidate.question
    return ReleasedVote(
        item_id=candidate.public_id,
        question_id=question_name(question.external_id, question.position),
        question=question.text,
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

"""Read votes and remarks without their raters."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import NamedTuple

from django.db.models import QuerySet

from annotation.adjudication.rules import letters_of
from annotation.assignments.models import Assignment, QuestionFlag
from annotation.items.models import Candidate, Prediction
from annotation.judgments.models import Judgment


@dataclass(frozen=True)
class Vote:
    """A rater's vote without the rater."""

    letter: str
    label: str
    comment: str
    evidence_url: str
    evidence_quote: str
    round: str
    counted: bool


class Skip(NamedTuple):
    """A rater who passed the answer over, without the rater."""

    round: str
    reason: str
    at: datetime | None


class Flag(NamedTuple):
    """A rater's remark about the question, without the rater."""

    kind: str
    note: str


def votes_of(candidates: Iterable[Candidate]) -> dict[int, list[Vote]]:
    """Return the votes that stand on each answer, under letters of the answer's own."""
    salts = {candidate.pk: candidate.public_id for candidate in candidates}
    rows: dict[int, list[Judgment]] = defaultdict(list)
    for judgment in standing_judgments(salts):
        rows[judgment.candidate_id].append(judgment)
    return {
        pk: [vote_of(judgment, letter=letter) for letter, judgment in by_letter(rows[pk], salt=salt)]
        for pk, salt in salts.items()
    }


def standing_judgments(candidate_ids: Iterable[int]) -> QuerySet[Judgment]:
    """Return the judgments on these answers that are votes and were not taken back."""
    votes = Judgment.objects.votes().filter(candidate__in=list(candidate_ids))
    return votes.exclude(state=Judgment.State.WITHDRAWN).order_by("pk")


def by_letter(judgments: Collection[Judgment], *, salt: str) -> list[tuple[str, Judgment]]:
    """Return the judgments on an answer in the order of the letters that stand for their raters."""
    letters = letters_of(rater_ids=[judgment.rater_id for judgment in judgments], salt=salt)
    lettered = [(letters[judgment.rater_id], judgment) for judgment in judgments]
    return sorted(lettered, key=itemgetter(0))


def vote_of(judgment: Judgment, *, letter: str) -> Vote:
    """Return what a rater said as the vote of a letter."""
    return Vote(
        letter=letter,
        label=judgment.label,
        comment=judgment.comment,
        evidence_url=judgment.evidence_url,
        evidence_quote=judgment.evidence_quote,
        round=judgment.round,
        counted=judgment.state == Judgment.State.COUNTED,
    )


def skips_of(candidate: Candidate) -> list[Skip]:
    """Return why raters passed an answer over; a label that is no vote shows among the votes instead."""
    skipped = Assignment.objects.votes().filter(
        candidate=candidate, state=Assignment.State.SKIPPED, judgment=None
    )
    return [
        Skip(*row) for row in skipped.order_by("pk").values_list("round", "skip_reason", "sheet__closed_at")
    ]


def flags_of(question_ids: Iterable[int]) -> dict[int, list[Flag]]:
    """Return what raters remarked about questions, by question."""
    flags: dict[int, list[Flag]] = defaultdict(list)
    for flag in QuestionFlag.objects.filter(question__in=list(question_ids)).order_by("kind", "pk"):
        flags[flag.question_id].append(Flag(kind=flag.kind, note=flag.note))
    return flags


def systems_of(candidates: Iterable[Candidate]) -> dict[int, list[str]]:
    """Return the systems that gave each answer, for those who chose to see them."""
    systems: dict[int, list[str]] = defaultdict(list)
    rows = Prediction.objects.filter(candidate__in=[candidate.pk for candidate in candidates])
    for candidate_id, label in rows.order_by("system_id", "pk").values_list("candidate_id", "system__label"):
        systems[candidate_id].append(label)
    return systems

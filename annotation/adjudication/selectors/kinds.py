"""Sort what is before the lead by what it can be filtered by: many answers, of few kinds."""

from typing import NamedTuple

import numpy as np
from django.db.models import F, Max, QuerySet

from annotation.adjudication.rules import (
    JudgeConflicts,
    QueueKind,
    QueueReason,
    WordsOf,
    group_words,
    pair_name,
    places_of,
)
from annotation.adjudication.rules.queue import Integers
from annotation.adjudication.selectors.waiting import waiting_answers, why_waiting
from annotation.assignments.models import Purpose, QuestionFlag
from annotation.items.models import Candidate
from annotation.judgments.models import Judgment, JudgmentRevision
from annotation.projects.models import Project
from common.columns import last_change, read_integers, read_rows
from common.memory import Memory

REASONS = tuple(QueueReason)
CONFLICT = REASONS.index(QueueReason.CONFLICT)
# As many as one question to any database may name.
MOST_IDS = 500

_differing_pairs: Memory[WordsOf] = Memory(size=4)


class Sorted(NamedTuple):
    """The answers before the lead: first what waits, then conflicts, each in the order of the questions.

    ids: keys. numbers: places in `kinds`.
    """

    ids: Integers
    numbers: Integers
    kinds: list[QueueKind]


def sort_queue(project: Project, conflicts: JudgeConflicts) -> Sorted:
    """Return all that is before the lead by its kind; a fixed number of queries."""
    waiting = _waiting(project)
    rows = np.concatenate([waiting, _conflicting(project, conflicts, waiting)])
    ids, questions, reasons = rows.T
    flags, pairs, judges = _flags(project), _pairs(project, ids), conflicts.judges
    parts = [
        reasons,
        places_of(flags, questions),
        places_of(pairs, ids),
        np.where(reasons == CONFLICT, places_of(judges, ids), 0),
    ]
    sizes = (len(REASONS), len(flags.sets), len(pairs.sets), len(judges.sets))
    codes, numbers = np.unique(np.ravel_multi_index(parts, sizes), return_inverse=True)
    kinds = [
        QueueKind(REASONS[reason], flags.sets[flag], pairs.sets[pair], judges.sets[judge])
        for reason, flag, pair, judge in zip(*np.unravel_index(codes, sizes), strict=True)
    ]
    return Sorted(ids, numbers, kinds)


def _waiting(project: Project) -> Integers:
    """Return answers × (key, question, reason)."""
    found = why_waiting(waiting_answers(project))
    rows = [(answer.id, answer.question_id, REASONS.index(answer.reason)) for answer in found]
    return np.array(rows, dtype=np.int64).reshape(-1, 3)


def _conflicting(project: Project, conflicts: JudgeConflicts, waiting: Integers) -> Integers:
    """Return the same of the answers on which a judge differs, but for those that wait."""
    ids = np.setdiff1d(conflicts.judges.ids, waiting[:, 0])
    if not len(ids):
        return waiting[:0]
    # All of them are read and most left out: their ids may be too many for one question to the database.
    decided = Candidate.objects.filter(project=project, state=Candidate.State.DECIDED).order_by(
        "question__position", "question_id", "position", "pk"
    )
    rows = read_integers(decided, "pk", "question_id")
    rows = rows[np.isin(rows[:, 0], ids)]
    return np.column_stack([rows, np.full(len(rows), CONFLICT)])


def _pairs(project: Project, ids: Integers) -> WordsOf:
    """Return the pairs of raters who differ, under their pseudonyms, of these answers at least.

    Of many answers all of the study's, kept for as long as its votes stay the same.
    """
    counted = Judgment.objects.votes().filter(rater__project=project, state=Judgment.State.COUNTED)
    if len(ids) <= MOST_IDS:
        return _differing(counted.filter(candidate__in=ids.tolist()))
    # A label that changes leaves a revision; the newest one of all projects is found at once.
    newest = JudgmentRevision.objects.aggregate(newest=Max("pk"))["newest"]
    return _differing_pairs.get(
        project.pk, state=(last_change(counted, "pk"), newest), make=lambda: _differing(counted)
    )


def _differing(counted: QuerySet[Judgment]) -> WordsOf:
    other = counted.annotate(
        other=F("candidate__judgments__rater__pseudonym"),
        other_label=F("candidate__judgments__label"),
        other_state=F("candidate__judgments__state"),
        other_purpose=F("candidate__judgments__purpose"),
    )
    differing = other.filter(
        other_state=Judgment.State.COUNTED, other_purpose=Purpose.VOTE, other__gt=F("rater__pseudonym")
    ).exclude(other_label=F("label"))
    rows = read_rows(differing.order_by("candidate_id"), "candidate_id", "rater__pseudonym", "other")
    return group_words((candidate_id, pair_name(one, other)) for candidate_id, one, other in rows)


def _flags(project: Project) -> WordsOf:
    rows = QuestionFlag.objects.filter(question__project=project).order_by("question_id", "pk")
    return group_words(read_rows(rows, "question_id", "kind"))

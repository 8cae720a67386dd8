"""Read the lead's queue: which answers, why, with which votes, and how many each filter would show."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import groupby
from typing import NamedTuple

from django.db.models import F, Q

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import (
    JudgeConflicts,
    QueueEntry,
    QueueFilter,
    QueueReason,
    count_choices,
    keep,
    pair_name,
)
from annotation.adjudication.selectors.votes import Flag, Vote, flags_of, systems_of, votes_of
from annotation.adjudication.selectors.waiting import WaitingAnswer, waiting_answers, why_waiting
from annotation.assignments.models import Assignment, Purpose, QuestionFlag
from annotation.items.models import Candidate
from annotation.judgments.models import Judgment
from annotation.projects.models import Project
from common.facts import ask

EVERYTHING = QueueFilter()
UNDECIDED = Decision(number=0)
# Lines of one reply: more than anybody works through before asking again.
LINES = 200
# As many as one question to any database may name.
MOST_IDS = 500


class QueueItem(NamedTuple):
    """An answer before the lead; `systems` is None where they are not shown, `label` what stands
    decided, `number` of the last row of its history."""

    candidate: Candidate
    reason: QueueReason
    votes: list[Vote]
    waiting_since: datetime | None
    flags: list[Flag]
    label: str | None
    number: int
    systems: list[str] | None


class Choice(NamedTuple):
    """One choice of a filter, its name where it has one of its own, and how many answers it shows."""

    value: str
    name: str
    answers: int


class Queue(NamedTuple):
    """The first lines of what a filter keeps, how many that are in all, and what else could be chosen."""

    items: list[QueueItem]
    total: int
    choices: dict[str, list[Choice]]


def read_queue(*, project: Project, chosen: QueueFilter = EVERYTHING, with_systems: bool = False) -> Queue:
    """Return what a filter keeps of the queue, by question order; a fixed number of queries."""
    conflicts: list[JudgeConflicts] = ask(fact="judge_conflicts", project=project)
    waiting = why_waiting(waiting_answers(project))
    entries = _entries(project, [*waiting, *_conflicting(project, conflicts, waiting)], conflicts)
    kept = [entry for entry in entries if keep(entry, chosen)]
    return Queue(
        items=_items(kept[:LINES], with_systems=with_systems),
        total=len(kept),
        choices=_choices(count_choices(entries=entries, chosen=chosen), conflicts),
    )


def _conflicting(
    project: Project, conflicts: list[JudgeConflicts], waiting: list[WaitingAnswer]
) -> list[WaitingAnswer]:
    """Return the answers on which a judge differs, but for those that wait."""
    ids = frozenset[int]().union(*(each.candidate_ids for each in conflicts))
    ids -= {answer.id for answer in waiting}
    if not ids:
        return []
    # All of them are read and most left out: their ids may be too many for one question to the database.
    rows = Candidate.objects.filter(project=project, state=Candidate.State.DECIDED).order_by(
        "question__position", "question_id", "position", "pk"
    )
    return [
        WaitingAnswer(pk, question_id, QueueReason.CONFLICT)
        for pk, question_id in rows.values_list("pk", "question_id")
        if pk in ids
    ]


def _entries(
    project: Project, answers: Iterable[WaitingAnswer], conflicts: list[JudgeConflicts]
) -> list[QueueEntry]:
    answers = list(answers)
    pairs, flags = _pairs(project, [answer.id for answer in answers]), _flag_kinds(project)
    judges: Mapping[int, set[str]] = defaultdict(set)
    for judge in conflicts:
        for candidate_id in judge.candidate_ids:
            judges[candidate_id].add(judge.key)
    nothing = frozenset[str]()
    return [
        QueueEntry(
            id=answer.id,
            reason=answer.reason,
            flags=flags.get(answer.question_id, nothing),
            pairs=pairs.get(answer.id, nothing),
            judges=frozenset(judges[answer.id]) if answer.reason is QueueReason.CONFLICT else nothing,
        )
        for answer in answers
    ]


def _pairs(project: Project, answer_ids: list[int]) -> dict[int, frozenset[str]]:
    """Return the pairs of raters who differ, under their pseudonyms, of these answers at least."""
    asked = Q(candidate__in=answer_ids) if len(answer_ids) <= MOST_IDS else Q(candidate__project=project)
    counted = (
        Judgment.objects.votes()
        .filter(asked, state=Judgment.State.COUNTED)
        .annotate(
            other=F("candidate__judgments__rater__pseudonym"),
            other_label=F("candidate__judgments__label"),
            other_state=F("candidate__judgments__state"),
            other_purpose=F("candidate__judgments__purpose"),
        )
    )
    rows = (
        counted.filter(
            other_state=Judgment.State.COUNTED,
            other_purpose=Purpose.VOTE,
            other__gt=F("rater__pseudonym"),
        )
        .exclude(other_label=F("label"))
        .order_by("candidate_id")
        .values_list("candidate_id", "rater__pseudonym", "other")
    )
    return {
        candidate_id: frozenset(pair_name(one, other) for _, one, other in each)
        for candidate_id, each in groupby(rows, key=lambda row: row[0])
    }


def _flag_kinds(project: Project) -> dict[int, frozenset[str]]:
    rows = QuestionFlag.objects.filter(question__project=project).order_by("question_id", "pk")
    return {
        question_id: frozenset(kind for _, kind in each)
        for question_id, each in groupby(rows.values_list("question_id", "kind"), key=lambda row: row[0])
    }


def _items(kept: list[QueueEntry], *, with_systems: bool) -> list[QueueItem]:
    found = Candidate.objects.select_related("question").in_bulk([entry.id for entry in kept])
    # One that was removed since it was listed is gone.
    shown = [(found[entry.id], entry.reason) for entry in kept if entry.id in found]
    candidates = [candidate for candidate, _ in shown]
    votes, since, last = votes_of(candidates), _waiting_since(candidates), _last_decisions(candidates)
    flags = flags_of({candidate.question_id for candidate in candidates})
    systems = systems_of(candidates) if with_systems else None
    return [
        QueueItem(
            candidate=candidate,
            reason=reason,
            votes=votes[candidate.pk],
            waiting_since=since.get(candidate.pk),
            flags=flags[candidate.question_id],
            label=last.get(candidate.pk, UNDECIDED).label or None,
            number=last.get(candidate.pk, UNDECIDED).number,
            systems=None if systems is None else systems[candidate.pk],
        )
        for candidate, reason in shown
    ]


def _last_decisions(candidates: list[Candidate]) -> dict[int, Decision]:
    current = Decision.objects.filter(candidate__in=candidates, is_current=True)
    return {decision.candidate_id: decision for decision in current}


def _choices(
    counts: Mapping[str, Mapping[str, int]], conflicts: list[JudgeConflicts]
) -> dict[str, list[Choice]]:
    names = {judge.key: judge.name for judge in conflicts}
    return {
        part: [Choice(value, names.get(value, ""), count) for value, count in sorted(found.items())]
        for part, found in counts.items()
    }


def _waiting_since(candidates: list[Candidate]) -> dict[int, datetime]:
    """Return when each answer last moved: its last vote, the last skip, or its reopening."""
    since: dict[int, datetime] = {}
    ids = [candidate.pk for candidate in candidates]
    moments = [
        Judgment.objects.votes().filter(candidate__in=ids).values_list("candidate_id", "judged_at"),
        Assignment.objects.votes()
        .filter(candidate__in=ids, state=Assignment.State.SKIPPED, sheet__closed_at__isnull=False)
        .values_list("candidate_id", "sheet__closed_at"),
        Decision.objects.filter(candidate__in=ids).values_list("candidate_id", "decided_at"),
    ]
    for candidate_id, moment in (row for rows in moments for row in rows):
        if moment is not None:
            since[candidate_id] = max(moment, since.get(candidate_id, moment))
    return since


def count_decided_since(*, project: Project, since: datetime) -> int:
    """Return how many decisions people made since then."""
    return Decision.objects.filter(
        candidate__project=project,
        source=Decision.Source.ADJUDICATED,
        is_reopening=False,
        decided_at__gte=since,
    ).count()


def shows_systems(*, project: Project, wish: bool | None) -> bool:
    """Whether systems are shown: as wished, else as the protocol says; adjudication is blind by default."""
    if wish is not None:
        return wish
    return project.protocol is not None and project.protocol.rules.adjudication_unblinded

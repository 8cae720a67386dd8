"""Read the lead's queue: which answers, why, with which votes, and how many each filter would show."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

import numpy as np

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import JudgeConflicts, QueueFilter, QueueReason, count_choices, keep
from annotation.adjudication.selectors.kinds import sort_queue
from annotation.adjudication.selectors.votes import Flag, Vote, flags_of, systems_of, votes_of
from annotation.assignments.models import Assignment
from annotation.items.models import Candidate
from annotation.judgments.models import Judgment
from annotation.projects.models import Membership, Project
from annotation.projects.selectors import sees_systems
from common.facts import ask

EVERYTHING = QueueFilter()
UNDECIDED = Decision(number=0)
# Lines of one reply: more than anybody works through before asking again.
LINES = 200


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
    conflicts: JudgeConflicts = ask(fact="judge_conflicts", project=project)
    found = sort_queue(project, conflicts)
    kinds = dict(
        zip(found.kinds, np.bincount(found.numbers, minlength=len(found.kinds)).tolist(), strict=True)
    )
    is_kept = np.array([keep(kind, chosen) for kind in found.kinds], dtype=bool)[found.numbers]
    shown = np.flatnonzero(is_kept)[:LINES]
    reasons = {
        answer: found.kinds[number].reason
        for answer, number in zip(found.ids[shown].tolist(), found.numbers[shown].tolist(), strict=True)
    }
    return Queue(
        items=_items(reasons, with_systems=with_systems),
        total=int(is_kept.sum()),
        choices=_choices(count_choices(kinds=kinds, chosen=chosen), conflicts.names),
    )


def _items(reasons: Mapping[int, QueueReason], *, with_systems: bool) -> list[QueueItem]:
    found = Candidate.objects.select_related("question").in_bulk(list(reasons))
    # One that was removed since it was listed is gone.
    shown = [(found[answer], reason) for answer, reason in reasons.items() if answer in found]
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


def _choices(counts: Mapping[str, Mapping[str, int]], names: Mapping[str, str]) -> dict[str, list[Choice]]:
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


def shows_systems(*, member: Membership, wish: bool | None) -> bool:
    """Whether systems are shown to a member who may see them: as wished, else as the protocol says.

    Adjudication is blind by default, to leads too.
    """
    protocol = member.project.protocol
    is_usual = protocol is not None and protocol.rules.adjudication_unblinded
    return sees_systems(member) and (is_usual if wish is None else wish)

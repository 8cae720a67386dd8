"""What waits for a decision, of which kind, with the votes on it."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from operator import itemgetter
from typing import NamedTuple

import numpy as np
from django.db.models import Exists, F, OuterRef, QuerySet
from django.utils import timezone

from annotation.adjudication.models import Decision
from annotation.adjudication.ports import find_judge_conflicts
from annotation.adjudication.rules import (
    CALLED_BACK,
    SENT_BACK,
    TAKEN_BACK,
    Integers,
    JudgeConflicts,
    QueueFilter,
    QueueKind,
    QueueReason,
    WordsOf,
    count_choices,
    group_words,
    keep,
    letters_of,
    pair_name,
    places_of,
    queue_reason,
)
from annotation.assignments.models import Assignment, Purpose, QuestionFlag
from annotation.assignments.selectors.planning import raters_left
from annotation.items.models import Candidate, Prediction
from annotation.judgments.models import Judgment
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Membership, Project
from annotation.projects.selectors import kept, sees_systems
from common.clock import now
from common.database.rows import read_integers, read_rows
from common.memory import reading_once


class WaitingAnswer(NamedTuple):
    """An answer that waits, its question, and why."""

    id: int
    question_id: int
    reason: QueueReason


def count_waiting(*, project: Project) -> int:
    """Return how many answers wait for the lead."""
    return waiting_answers(project).count()


def waiting_answers(project: Project) -> QuerySet[Candidate]:
    """Return the answers no rule settles.

    Disputed ones, and those with an open slot that no active rater is left to fill.
    """
    asked = Candidate.objects.filter(project=project).exclude(question__in=improper_questions(project))
    disputed = Candidate.objects.filter(project=project, state=Candidate.State.DISPUTED)
    # Either or: PostgreSQL would look through every answer, and every assignment with it.
    return asked.filter(pk__in=disputed.values("pk").union(_out_of_raters(project).values("pk")))


def shown_states(candidates: Sequence[Candidate]) -> dict[int, str]:
    """Return the state that pages name, by key: what waits for the lead is disputed, as in the queue.

    The answers are of one project.
    """
    if not candidates:
        return {}
    ids = [candidate.pk for candidate in candidates]
    waiting = frozenset(
        waiting_answers(candidates[0].project).filter(pk__in=ids).values_list("pk", flat=True)
    )
    return {
        candidate.pk: Candidate.State.DISPUTED if candidate.pk in waiting else candidate.state
        for candidate in candidates
    }


def why_waiting(answers: QuerySet[Candidate]) -> list[WaitingAnswer]:
    """Return why each of these waiting answers waits, in the order of the questions; one query."""
    skipped = Assignment.objects.votes().filter(candidate=OuterRef("pk"), state=Assignment.State.SKIPPED)
    reopened = (
        Decision.objects.current()
        .filter(candidate=OuterRef("pk"), is_reopening=True, decided_by__isnull=False)
        .exclude(rule__in=[TAKEN_BACK, SENT_BACK, CALLED_BACK])
    )
    rows = answers.order_by("question__position", "question_id", "position", "pk").values_list(
        "pk", "question_id", "state", Exists(skipped), Exists(reopened)
    )
    return [
        WaitingAnswer(
            pk,
            question_id,
            queue_reason(
                is_disputed=state == Candidate.State.DISPUTED, unable=unable, is_reopened=is_reopened
            ),
        )
        for pk, question_id, state, unable, is_reopened in rows
    ]


def _out_of_raters(project: Project) -> QuerySet[Candidate]:
    """Answers with an open slot on which everybody who may judge has had a turn, and somebody has."""
    open_slot = Candidate.objects.filter(
        project=project, state=Candidate.State.OPEN, taken__lt=F("wanted")
    ).filter(Exists(Assignment.objects.votes().filter(candidate=OuterRef("pk"))))
    return open_slot.exclude(Exists(raters_left(project)))


REASONS = tuple(QueueReason)
CONFLICT = REASONS.index(QueueReason.CONFLICT)
# As many as one question to any database may name.
MOST_IDS = 500


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

    Of many answers all of the study's, kept.
    """
    if len(ids) <= MOST_IDS:
        return _differing(_counted(project).filter(candidate__in=ids.tolist()))
    return _all_pairs(project)


@kept()
def _all_pairs(project: Project) -> WordsOf:
    return _differing(_counted(project))


def _counted(project: Project) -> QuerySet[Judgment]:
    return Judgment.objects.votes().filter(rater__project=project, state=Judgment.State.COUNTED)


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


@dataclass(frozen=True)
class QueueVote:
    """A vote on an answer in the queue."""

    letter: str
    label: str


@dataclass(frozen=True)
class Vote(QueueVote):
    """A vote, without the annotator’s identity."""

    comment: str
    evidence_url: str
    evidence_quote: str
    round: str
    counted: bool


@dataclass(frozen=True)
class Skip:
    """A skip of this answer, without the annotator’s identity."""

    round: str
    reason: str
    at: datetime | None


@dataclass(frozen=True)
class Flag:
    """A flag on the question, without the annotator’s identity."""

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


EVERYTHING = QueueFilter()
UNDECIDED = Decision(number=0)
# Lines of one reply: more than anybody works through before asking again.
LINES = 200


@dataclass(frozen=True)
class QueueItem:
    """An answer in the queue.

    `decided`: the label of the current decision, or null. `number`: the number of the latest entry in the
    answer’s decision history; 0 if there is none. `systems`: the systems that gave the answer; null if they
    are hidden.
    """

    id: str
    question: str
    answer: str
    reason: QueueReason
    votes: Sequence[QueueVote]
    waiting_since: datetime | None
    flags: list[Flag]
    decided: str | None
    number: int
    systems: list[str] | None


@dataclass(frozen=True)
class Choice:
    """A filter value, its display name if it has one, and the number of matching answers.

    `name`: empty if the value has no name of its own.
    """

    value: str
    name: str
    count: int


@dataclass(frozen=True)
class Choices:
    """The values of each filter, given the current values of the other filters.

    `pair`: an empty list for adjudicators.
    """

    reason: list[Choice]
    flag: list[Choice]
    pair: list[Choice]
    judge: list[Choice]


@dataclass(frozen=True)
class Queue:
    """The first matching answers, the number of all matching answers, and the values of the filters."""

    items: list[QueueItem]
    total: int
    choices: Choices
    decided_today: int
    shows_systems: bool
    may_show_systems: bool = False


@reading_once()
def read_queue(
    *,
    project: Project,
    chosen: QueueFilter = EVERYTHING,
    with_systems: bool = False,
    with_raters: bool = True,
) -> Queue:
    """Return what a filter keeps of the queue, by question order; a fixed number of queries.

    Without raters no pair of them can be chosen.
    """
    conflicts = find_judge_conflicts(project=project)
    found = sort_queue(project, conflicts)
    kinds = dict(
        zip(found.kinds, np.bincount(found.numbers, minlength=len(found.kinds)).tolist(), strict=True)
    )
    is_kept = np.array([keep(kind, chosen) for kind in found.kinds], dtype=bool)[found.numbers]
    shown = np.flatnonzero(is_kept)[:LINES]
    counts: Mapping[str, Mapping[str, int]] = count_choices(kinds=kinds, chosen=chosen)
    reasons = {
        answer: found.kinds[number].reason
        for answer, number in zip(found.ids[shown].tolist(), found.numbers[shown].tolist(), strict=True)
    }
    return Queue(
        items=_items(reasons, with_systems=with_systems),
        total=int(is_kept.sum()),
        choices=_choices(counts if with_raters else {**counts, "pair": {}}, conflicts.names),
        decided_today=_count_decided_today(project),
        shows_systems=with_systems,
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
            id=candidate.public_id,
            question=candidate.question.text,
            answer=candidate.text,
            reason=reason,
            votes=votes[candidate.pk],
            waiting_since=since.get(candidate.pk),
            flags=flags[candidate.question_id],
            decided=last.get(candidate.pk, UNDECIDED).label or None,
            number=last.get(candidate.pk, UNDECIDED).number,
            systems=None if systems is None else systems[candidate.pk],
        )
        for candidate, reason in shown
    ]


def _last_decisions(candidates: list[Candidate]) -> dict[int, Decision]:
    current = Decision.objects.current().filter(candidate__in=candidates)
    return {decision.candidate_id: decision for decision in current}


def _choices(counts: Mapping[str, Mapping[str, int]], names: Mapping[str, str]) -> Choices:
    return Choices(
        **{
            part: [Choice(value, names.get(value, ""), count) for value, count in sorted(found.items())]
            for part, found in counts.items()
        }
    )


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


def _count_decided_today(project: Project) -> int:
    midnight = timezone.localtime(now()).replace(hour=0, minute=0, second=0, microsecond=0)
    return Decision.objects.filter(
        candidate__project=project,
        source=Decision.Source.ADJUDICATED,
        is_reopening=False,
        decided_at__gte=midnight,
    ).count()


def shows_systems(*, member: Membership, wish: bool | None) -> bool:
    """Whether systems are shown to a member who may see them: as wished, else as the protocol says.

    Adjudication is blind by default, to leads too.
    """
    protocol = member.project.protocol
    is_usual = protocol is not None and protocol.rules.adjudication_unblinded
    return sees_systems(member) and (is_usual if wish is None else wish)

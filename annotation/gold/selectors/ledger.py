"""Read gold answers, original and amended, and the ledger of their changes."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime, time
from typing import Any, NamedTuple

import numpy as np
from django.db.models import Case, Count, IntegerField, Q, QuerySet, Value, When
from django.utils.dateparse import parse_date, parse_datetime
from django.utils.timezone import is_naive, localtime, make_aware

from analysis.arrays import Flags, Integers
from analysis.intervals import Figure, Undefined, confidence_sequence
from analysis.text import normalize_answer
from annotation.adjudication.models import Decision
from annotation.adjudication.rules import GOLD_EQUAL_RULE
from annotation.gold.models import GoldChange
from annotation.gold.rules.ledger import (
    Action,
    Change,
    Judged,
    find_conflicts,
)
from annotation.items.models import Candidate, GoldAnswer, Question
from annotation.items.selectors import gold_answers
from annotation.projects.models import Project
from annotation.projects.rules import Area
from annotation.projects.selectors import kept
from common.database.rows import read_integers, read_rows
from common.errors import NotFound

ORIGINAL_VERSION = "original"
# Nobody counts as many changes, and databases count no further.
_MOST_DIGITS = 9


class ChangeNotFound(NotFound):
    """The project's ledger has no such change."""

    code = "gold_change_not_found"


@dataclass(frozen=True)
class JudgedGold:
    """The number of gold answers that people judged, the number that they rejected, and the share
    rejected."""

    judged: int
    rejected: int
    share: Figure


@dataclass(frozen=True)
class GoldConflict:
    """Two answers that exact match treats as equal, of which people accepted one and rejected the other."""

    question: str
    question_id: str
    accepted: str
    accepted_id: str
    rejected: str
    rejected_id: str


@dataclass(frozen=True)
class LedgerChange:
    """An addition to or removal from the gold list, current or undone.

    `answer_id`: the answer whose decision caused it; null if no decision did. `by`: empty if a rule decided
    it. `undone_by`: empty if another decision undid it, or if it is current. `group`: shared by proposals
    accepted together, otherwise empty.
    """

    id: str
    question: str
    question_id: str
    answer_id: str | None
    action: GoldChange.Action
    text: str
    kind: GoldChange.Kind
    reason: str
    rule: str
    by: str
    at: datetime
    undone_at: datetime | None
    undone_by: str
    undo_reason: str
    group: str


class LedgerMoment(NamedTuple):
    """A time as of which the list is read; last: the key of the last change of that time that counts."""

    at: datetime
    last: int | None = None


@dataclass(frozen=True)
class GoldDay:
    """A day on which the gold list changed, with the numbers of changes made and undone."""

    day: date
    made: int
    undone: int


@dataclass(frozen=True)
class GoldCounts:
    """How the gold answers have changed: how many were imported, added, and removed."""

    original: int
    added: int
    removed: int


@dataclass(frozen=True)
class LedgerSummary(GoldCounts):
    """The number of changes to the gold answers, and the ID of the list’s current version."""

    version: str


def gold_lists(
    project: Project,
    amended: bool,
    *,
    question_ids: Iterable[int] | None = None,
    moment: LedgerMoment | None = None,
) -> dict[int, tuple[str, ...]]:
    """Return every question's gold answers by question id, in two or three queries.

    A question without gold answers has an empty tuple. Original answers stand in the order of the
    file; added ones follow in the order of the ledger. Some may be regular expressions (`gold_patterns`).
    moment: amended as of then, not as of now.
    """
    questions = Question.objects.filter(project=project)
    if question_ids is not None:
        questions = questions.filter(pk__in=question_ids)
    originals = _original_lists(questions)
    if not amended:
        return originals
    changes = _changes_in_force(questions, moment)
    return {
        question_id: amended_gold(original=answers, changes=changes[question_id])
        for question_id, answers in originals.items()
    }


def amended_gold(*, original: Sequence[str], changes: Iterable[Change]) -> tuple[str, ...]:
    """Return the gold answers with the changes in force applied: all additions, then all removals.

    Original answers keep their order, added ones follow in the order given. May be empty.
    """
    changes = tuple(changes)
    removed = {change.text for change in changes if change.action is Action.REMOVED}
    added = [change.text for change in changes if change.action is Action.ADDED]
    return tuple(text for text in dict.fromkeys([*original, *added]) if text not in removed)


def _original_lists(questions: QuerySet[Question]) -> dict[int, tuple[str, ...]]:
    texts: dict[int, list[str]] = {pk: [] for pk in questions.values_list("pk", flat=True)}
    rows = GoldAnswer.objects.filter(question__in=questions).order_by("question_id", "position", "pk")
    for question_id, text in rows.values_list("question_id", "text"):
        texts[question_id].append(text)
    return {question_id: tuple(answers) for question_id, answers in texts.items()}


def gold_patterns(
    project: Project,
    amended: bool,
    *,
    question_ids: Iterable[int] | None = None,
    moment: LedgerMoment | None = None,
) -> Mapping[int, set[str]]:
    """Return which gold answers are regular expressions, by question id; questions without any lack."""
    of_question = Q(question__project=project)
    if question_ids is not None:
        of_question = Q(question__in=list(question_ids))
    golds = GoldAnswer.objects.filter(of_question, kind=GoldAnswer.Kind.REGEX)
    rows: QuerySet[Any, tuple[int, str]] = golds.values_list("question_id", "text")
    if amended:
        changes = GoldChange.objects.filter(of_question, _in_force(moment), kind=GoldChange.Kind.REGEX)
        rows = rows.union(changes.values_list("question_id", "text"), all=True)
    found: dict[int, set[str]] = defaultdict(set)
    for question_id, text in rows:
        found[question_id].add(text)
    return found


def changes_undone_by_people(
    project: Project, moment: LedgerMoment | None = None
) -> frozenset[tuple[int, Change]]:
    """Return, by question id, the changes a person took out of force that nothing brought back."""
    rows = GoldChange.objects.filter(question__project=project)
    in_force = rows.filter(_in_force(moment)).values_list("question_id", "action", "text")
    by_people = rows.filter(undone_by__isnull=False)
    if moment:
        by_people = by_people.filter(undone_at__lte=moment.at)
    undone = by_people.values_list("question_id", "action", "text")
    return frozenset(
        (question_id, Change(Action(action), text))
        for question_id, action, text in undone.difference(in_force)
    )


def _in_force(moment: LedgerMoment | None) -> Q:
    if moment is None:
        return Q(undone_at=None)
    same_time = Q(changed_at=moment.at)
    if moment.last is not None:
        # What one decision changed has one time.
        same_time &= Q(pk__lte=moment.last)
    is_made = Q(changed_at__lt=moment.at) | same_time
    return is_made & (Q(undone_at=None) | Q(undone_at__gt=moment.at))


def _changes_in_force(
    questions: QuerySet[Question], moment: LedgerMoment | None = None
) -> Mapping[int, list[Change]]:
    changes: dict[int, list[Change]] = defaultdict(list)
    rows = GoldChange.objects.filter(_in_force(moment), question__in=questions).order_by("question_id", "pk")
    for question_id, action, text in rows.values_list("question_id", "action", "text"):
        changes[question_id].append(Change(Action(action), text))
    return changes


def gold_version(project: Project, amended: bool, *, moment: LedgerMoment | None = None) -> str:
    """Return the name of the project's gold state, now or then; the original's is always "original"."""
    if not amended:
        return ORIGINAL_VERSION
    keys = dict(Question.objects.filter(project=project).values_list("pk", "key_hash"))
    lists = gold_lists(project, amended=True, moment=moment)
    return gold_list_version({keys[question_id]: answers for question_id, answers in lists.items()})


def gold_list_version(gold_lists: Mapping[str, Sequence[str]]) -> str:
    """Return a name for a state of the gold list: equal states have equal names, in any installation.

    `gold_lists` maps a question's key to its gold answers; the order of questions and of answers
    does not matter.
    """
    state = sorted((key, sorted(answers)) for key, answers in gold_lists.items())
    digest = hashlib.sha256(json.dumps(state, ensure_ascii=False).encode()).hexdigest()
    return f"amended-{digest[:16]}"


class GoldVersionNotFound(NotFound):
    """The project has no such version of its gold list."""

    code = "gold_version_not_found"


def find_moment(*, project: Project, version: str) -> LedgerMoment | None:
    """Return as of when a version of the gold list is meant; None for "original", the list of the files.

    version: "original", the number of a change (1 is the ledger's first) or its id: the list right after it;
    a day or a time (ISO 8601, in the installation's time zone where it names none): the list at its end.
    Raises `GoldVersionNotFound`.
    """
    version = version.strip()
    if version == ORIGINAL_VERSION:
        return None
    moment = _moment_of_change(project, version) or _moment_of_time(version)
    if moment is None:
        raise GoldVersionNotFound(
            f"The version “{version}” of this gold list does not exist. A version is the number or ID of a "
            "change, a date such as 2026-11-25, or the word “original” for the list as imported."
        )
    return moment


def _moment_of_change(project: Project, version: str) -> LedgerMoment | None:
    changes = GoldChange.objects.filter(question__project=project).order_by("changed_at", "pk")
    if version.isdecimal():
        # Numbers of more digits than a ledger has changes are none of them.
        number = int(version[:_MOST_DIGITS])
        change = changes[number - 1 : number].first() if number > 0 and len(version) <= _MOST_DIGITS else None
    else:
        change = changes.filter(public_id=version).first()
    return LedgerMoment(change.changed_at, change.pk) if change else None


def _moment_of_time(version: str) -> LedgerMoment | None:
    try:
        day = parse_date(version)
        at = parse_datetime(version)
        if day:
            at = datetime.combine(day, time.max)
        return LedgerMoment(make_aware(at) if at and is_naive(at) else at) if at else None
    except (ValueError, OverflowError):
        # Of the form of a time, but none, as the 30th of February.
        return None


@kept()
def list_gold_days(*, project: Project) -> tuple[GoldDay, ...]:
    """Return the days on which the list changed, newest first, in the installation's time zone."""
    counts: dict[date, list[int]] = defaultdict(lambda: [0, 0])
    rows = GoldChange.objects.filter(question__project=project).values_list("changed_at", "undone_at")
    for changed_at, undone_at in rows:
        counts[localtime(changed_at).date()][0] += 1
        if undone_at:
            counts[localtime(undone_at).date()][1] += 1
    return tuple(GoldDay(day, made, undone) for day, (made, undone) in sorted(counts.items(), reverse=True))


def list_changes(*, project: Project, question: str = "") -> QuerySet[GoldChange]:
    """Return the ledger, newest first, undone changes included; `question` is a public id."""
    changes = GoldChange.objects.filter(question__project=project).select_related(
        "question", "changed_by", "undone_by", "decision__candidate"
    )
    if question:
        changes = changes.filter(question__public_id=question)
    return changes.order_by("-changed_at", "-pk")


def describe_change(change: GoldChange) -> LedgerChange:
    """Return one change of the ledger with who made it, and why."""
    return LedgerChange(
        id=change.public_id,
        question=change.question.text,
        question_id=change.question.public_id,
        answer_id=change.decision.candidate.public_id if change.decision else None,
        action=GoldChange.Action(change.action),
        text=change.text,
        kind=GoldChange.Kind(change.kind),
        reason=change.reason,
        rule=change.rule,
        by=change.changed_by.name if change.changed_by else "",
        at=change.changed_at,
        undone_at=change.undone_at,
        undone_by=change.undone_by.name if change.undone_by else "",
        undo_reason=change.undo_reason,
        group=change.group,
    )


def get_change(*, project: Project, public_id: str) -> GoldChange:
    """Return one change of the ledger; raises `ChangeNotFound`."""
    change = list_changes(project=project).filter(public_id=public_id).first()
    if change is None:
        raise ChangeNotFound("This project’s gold ledger has no such change.")
    return change


@kept()
def count_gold(*, project: Project) -> GoldCounts:
    """Return how many answers the files had, and how many changes of each kind are in force."""
    in_force = GoldChange.objects.filter(question__project=project, undone_at=None).order_by()
    found = dict(in_force.values_list("action").annotate(count=Count("pk")))
    return GoldCounts(
        original=_count_original(project),
        added=found.get(GoldChange.Action.ADDED, 0),
        removed=found.get(GoldChange.Action.REMOVED, 0),
    )


@kept(Area.ITEMS)
def _count_original(project: Project) -> int:
    return GoldAnswer.objects.filter(question__project=project).count()


@kept()
def ledger_summary(*, project: Project) -> LedgerSummary:
    """Return how far the list has moved, and the version it is at."""
    return LedgerSummary(**asdict(count_gold(project=project)), version=gold_version(project, amended=True))


@kept()
def list_conflicts(*, project: Project) -> tuple[GoldConflict, ...]:
    """Return what people accepted and rejected though exact match holds it equal, in project order.

    What they accepted stays on the gold list until they settle it.
    """
    by_question: dict[Question, list[Judged]] = defaultdict(list)
    decided = _read_decided(project)
    is_accepted = dict(zip(decided.ids.tolist(), (decided.said == _ACCEPTED).tolist(), strict=True))
    candidates = Candidate.objects.select_related("question").in_bulk(_contradicting(project, decided))
    for candidate in sorted(candidates.values(), key=lambda each: (each.position, each.pk)):
        judged = Judged(candidate.public_id, candidate.text, is_accepted[candidate.pk])
        by_question[candidate.question].append(judged)
    return tuple(
        GoldConflict(
            question=question.text,
            question_id=question.public_id,
            accepted=between.accepted.text,
            accepted_id=between.accepted.id,
            rejected=between.rejected.text,
            rejected_id=between.rejected.id,
        )
        for question in sorted(by_question, key=lambda each: (each.position, each.pk))
        for between in find_conflicts(by_question[question])
    )


def _contradicting(project: Project, decided: "_Decided") -> list[int]:
    """Return the keys of the answers of which an equal one was decided the other way."""
    equal = _read_equal(project)
    # What was imported between two reads belongs to the next state.
    counts = ~decided.is_gold_equal & np.isin(decided.ids, equal.ids)
    accepted = decided.ids[counts & (decided.said == _ACCEPTED)]
    rejected = decided.ids[counts & (decided.said == _REJECTED)]
    both = np.intersect1d(equal.numbers(accepted), equal.numbers(rejected))
    found = np.concatenate([accepted, rejected])
    ids: list[int] = found[np.isin(equal.numbers(found), both)].tolist()
    return ids


class _Decided(NamedTuple):
    """What people decided, in the order of the answers' keys.

    What one rater and a judge agree on is a person's word, too, which the gold list follows. said: one of
    the numbers below. is_gold_equal: settled because it equals a gold answer.
    """

    ids: Integers
    said: Integers
    is_gold_equal: Flags


_ACCEPTED, _REJECTED, _NEITHER = 1, 0, -1


@kept()
def _read_decided(project: Project) -> _Decided:
    protocol = project.protocol.rules if project.protocol else None
    accepted = protocol.accepted_keys if protocol else frozenset()
    rejected = protocol.rejected_keys if protocol else frozenset()
    said = Case(
        When(label__in=accepted, then=Value(_ACCEPTED)),
        When(label__in=rejected, then=Value(_REJECTED)),
        default=Value(_NEITHER),
        output_field=IntegerField(),
    )
    by_rule = Case(When(rule=GOLD_EQUAL_RULE, then=Value(1)), default=Value(0))
    rows = (
        Decision.objects.in_force()
        .filter(candidate__project=project)
        .exclude(source=Decision.Source.PREJUDGED)
        .order_by("candidate_id")
        .annotate(said=said, by_rule=by_rule)
    )
    ids, numbers, gold_equal = read_integers(rows, "candidate_id", "said", "by_rule").T
    return _Decided(ids, numbers, gold_equal.astype(bool))


class _Equal(NamedTuple):
    """Which answers exact match holds equal, by key: those of one question that have one number."""

    ids: Integers
    number: Integers

    def numbers(self, ids: Integers) -> Integers:
        """Return the numbers of answers that there are."""
        found: Integers = self.number[np.searchsorted(self.ids, ids)]
        return found


@kept(Area.ITEMS)
def _read_equal(project: Project) -> _Equal:
    known: dict[tuple[int, str], int] = {}
    rows = Candidate.objects.filter(project=project).order_by("pk")
    numbered = [
        (pk, known.setdefault((question, normalize_answer(text)), len(known)))
        for pk, question, text in read_rows(rows, "pk", "question_id", "text")
    ]
    return _Equal(*np.array(numbered, dtype=np.int64).reshape(-1, 2).T)


@kept()
def judged_gold(*, project: Project) -> JudgedGold:
    """Return how many gold answers of the files people judged, and how many of these they rejected."""
    decided = _read_decided(project)
    is_gold = np.isin(decided.ids, gold_answers(project, pooling=project.pooling))
    judged = int(is_gold.sum())
    rejected = int((is_gold & (decided.said == _REJECTED)).sum())
    # It is looked at again and again while people judge.
    bounds = confidence_sequence(successes=rejected, total=judged)
    share = Figure.of(bounds if isinstance(bounds, Undefined) else rejected / judged, bounds)
    return JudgedGold(judged=judged, rejected=rejected, share=share)

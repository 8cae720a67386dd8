"""Read the gold list question by question: what is on it, what moved it, and what waits there."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.gold.models import GoldChange
from annotation.gold.selectors.ledger import (
    GoldConflict,
    LedgerChange,
    describe_change,
    list_changes,
    list_conflicts,
)
from annotation.gold.selectors.proposals import count_proposals, read_proposals
from annotation.items.models import GoldAnswer, Question
from annotation.projects.models import Project


class Show(StrEnum):
    """Which questions are asked for, by what became of their lists."""

    ALL = "all"
    CHANGED = "changed"
    PROPOSED = "proposed"
    CONFLICTING = "conflicting"
    EMPTY = "empty"


@dataclass(frozen=True)
class Asked:
    """Which questions are asked for, all of it at once; what is empty asks nothing.

    search: words of the question or of an answer on its list, now or before, or the question's own id.
    question: by its public id.
    """

    search: str = ""
    show: Show = Show.ALL
    dataset: str = ""
    question: str = ""


@dataclass(frozen=True)
class GoldEntry:
    """An answer on a question’s gold list.

    `is_added`: whether it was added after the import. `is_removed`: whether it is no longer on the list.
    """

    text: str
    is_pattern: bool
    is_added: bool
    is_removed: bool


@dataclass(frozen=True)
class GoldQuestion:
    """A question with its gold list, its changes (newest first), and its open proposals and conflicts."""

    id: str
    question: str
    dataset: str
    answers: list[GoldEntry]
    changes: list[LedgerChange]
    proposals: int
    conflicts: list[GoldConflict]


def find_questions(
    *, project: Project, asked: Asked
) -> Sequence[tuple[int, int]] | QuerySet[Question, tuple[int, int]]:
    """Return position and key of the questions that are asked for, in order; a page of them is read alone."""
    found = Question.objects.filter(project=project).order_by("position", "pk")
    if asked.question:
        found = found.filter(public_id=asked.question)
    if asked.dataset:
        found = found.filter(dataset=asked.dataset)
    if asked.search:
        found = found.filter(_mentions(asked.search, project))
    if asked.show is Show.CHANGED:
        changes = GoldChange.objects.filter(question__project=project, undone_at=None)
        found = found.filter(pk__in=changes.values("question"))
    if asked.show is Show.EMPTY:
        found = found.exclude(_has_gold())
    if asked.show is Show.PROPOSED:
        proposed = {each.question_id for each in read_proposals(project)}
        return [(at, pk) for at, pk in found.values_list("position", "pk") if pk in proposed]
    if asked.show is Show.CONFLICTING:
        conflicting = {conflict.question_id for conflict in list_conflicts(project=project)}
        rows = found.values_list("position", "pk", "public_id")
        return [(at, pk) for at, pk, public_id in rows if public_id in conflicting]
    places = found.values_list("position", "pk")
    # What looks through every row does so once, and not once more to count.
    return list(places) if asked.search or asked.show is not Show.ALL else places


def _mentions(words: str, project: Project) -> Q:
    of_project = {"question__project": project, "text__icontains": words}
    mentions = Q(text__icontains=words) | Q(external_id=words)
    mentions |= Q(pk__in=GoldAnswer.objects.filter(**of_project).values("question"))
    return mentions | Q(pk__in=GoldChange.objects.filter(**of_project).values("question"))


def _has_gold() -> Q:
    """Return where an answer is left on the list: removals go last, whatever was added."""
    removed = GoldChange.objects.filter(
        question=OuterRef("question"), text=OuterRef("text"), action=GoldChange.Action.REMOVED, undone_at=None
    )
    of_question = Q(~Exists(removed), question=OuterRef("pk"))
    added = Q(action=GoldChange.Action.ADDED, undone_at=None)
    return Q(
        Exists(GoldAnswer.objects.filter(of_question)) | Exists(GoldChange.objects.filter(of_question, added))
    )


def describe_questions(*, project: Project, ids: Collection[int]) -> list[GoldQuestion]:
    """Return these questions with their lists, in project order; how many queries that takes is fixed."""
    questions = Question.objects.filter(pk__in=ids).order_by("position", "pk")
    changes: dict[int, list[GoldChange]] = defaultdict(list)
    for change in list_changes(project=project).filter(question__in=ids):
        changes[change.question_id].append(change)
    originals = _originals(ids)
    proposals = count_proposals(project=project, question_ids=ids)
    conflicts: dict[str, list[GoldConflict]] = defaultdict(list)
    for conflict in list_conflicts(project=project):
        conflicts[conflict.question_id].append(conflict)
    return [
        GoldQuestion(
            id=question.public_id,
            question=question.text,
            dataset=question.dataset,
            answers=_entries(originals[question.pk], changes[question.pk]),
            changes=[describe_change(change) for change in changes[question.pk]],
            proposals=proposals.get(question.pk, 0),
            conflicts=conflicts[question.public_id],
        )
        for question in questions
    ]


Typed = tuple[str, str]


def _originals(ids: Collection[int]) -> Mapping[int, list[Typed]]:
    """Return text and kind of the files' gold answers by question, in their order."""
    found: dict[int, list[Typed]] = defaultdict(list)
    rows = GoldAnswer.objects.filter(question__in=ids).order_by("question", "position", "pk")
    for question, text, kind in rows.values_list("question", "text", "kind"):
        found[question].append((text, kind))
    return found


def _entries(originals: Iterable[Typed], changes: Iterable[GoldChange]) -> list[GoldEntry]:
    """Return a list with what was removed still on it: answers of the files first, then added ones."""
    in_force = sorted((change for change in changes if not change.undone_at), key=lambda each: each.pk)
    removed = {change.text for change in in_force if change.action == GoldChange.Action.REMOVED}
    kinds = {text: (kind, False) for text, kind in originals}
    for change in in_force:
        if change.action == GoldChange.Action.ADDED:
            kinds.setdefault(change.text, (change.kind, True))
    return [
        GoldEntry(text, kind == GoldChange.Kind.REGEX, is_added, is_removed=text in removed)
        for text, (kind, is_added) in kinds.items()
    ]

"""Keep the gold ledger in step with the decisions, and undo single changes."""

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import NamedTuple

from django.db import transaction

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.rules import GOLD_EQUAL_RULE
from annotation.gold.models import GoldChange
from annotation.gold.rules.ledger import AMEND_RULE, CORRECTION_RULE, Action, Change, wanted_changes
from annotation.gold.rules.proposals import PROPOSAL_RULE
from annotation.gold.selectors.ledger import get_change, gold_lists
from annotation.items.models import Question
from annotation.items.selectors import get_question
from annotation.projects.models import Project
from annotation.projects.rules import Protocol
from common.clock import now
from common.database.rows import in_chunks
from common.errors import Conflict, Invalid

SUPERSEDED = "The decision behind this change has changed."


class AlreadyUndone(Conflict):
    """Somebody undid this change before."""

    code = "gold_change_already_undone"


class NothingToCorrect(Invalid):
    """The list already is as the correction wants it."""


class ReasonMissing(Invalid):
    """A change to the gold list needs a reason."""


class JudgedStrings(NamedTuple):
    """A question's decided answers, each string with the decisions on it."""

    accepted: dict[str, list[Decision]]
    rejected: dict[str, list[Decision]]

    @property
    def accepted_by_people(self) -> frozenset[str]:
        """The accepted strings that a person accepted, not a program alone."""
        return frozenset(
            text for text, decisions in self.accepted.items() if any(map(_is_by_people, decisions))
        )

    def decisions(self, *, change: Change, texts: Iterable[str]) -> list[Decision]:
        """Return the decisions that call for `change`."""
        judged = self.accepted if change.action is Action.ADDED else self.rejected
        return [decision for text in texts for decision in judged[text]]


def amend_questions(*, project_id: int, question_ids: Iterable[int], at: datetime | None = None) -> None:
    """Bring the ledger of these questions in line with the current decisions on their answers.

    Called inside the decider's transaction, which holds the question rows. Changes no longer called
    for are undone, never deleted. What a person undid stays undone until another decision calls for it.
    """
    project = Project.objects.select_related("protocol").get(pk=project_id)
    ids = sorted(set(question_ids))
    originals = gold_lists(project, amended=False, question_ids=ids)
    judged = _judged_strings(project=project, question_ids=ids)
    ledger = _ledger_rows(ids)
    new: list[GoldChange] = []
    superseded: list[GoldChange] = []
    for question_id, original in originals.items():
        wanted = _wanted(original=original, judged=judged[question_id])
        new += _missing_rows(question_id=question_id, wanted=wanted, ledger=ledger[question_id])
        superseded += _superseded_rows(wanted=wanted, ledger=ledger[question_id], judged=judged[question_id])
    _store(new=new, superseded=superseded, at=at or now())


def amend_project(*, project_id: int) -> None:
    """Bring the ledger in line where gold answers came or went after people had decided.

    Chunk by chunk, each in a transaction of its own; safe to repeat.
    """
    decided = Decision.objects.current().filter(candidate__project=project_id)
    questions = Question.objects.filter(pk__in=decided.values("candidate__question")).order_by("pk")
    ids = list(questions.values_list("pk", flat=True))
    for chunk in in_chunks(ids):
        questions = Question.objects.filter(pk__in=chunk).order_by("pk")
        with transaction.atomic():
            # Locked one after the other by key, as everybody locks them who needs several.
            locked = list(questions.select_for_update().values_list("pk", flat=True))
            amend_questions(project_id=project_id, question_ids=locked)


def _judged_strings(*, project: Project, question_ids: list[int]) -> dict[int, JudgedStrings]:
    protocol = project.protocol.rules if project.protocol else None
    judged: dict[int, JudgedStrings] = defaultdict(lambda: JudgedStrings({}, {}))
    rows = (
        Decision.objects.in_force()
        .filter(candidate__question__in=question_ids)
        # They equal a gold answer: nothing is to be added.
        .exclude(rule=GOLD_EQUAL_RULE)
        .select_related("candidate")
        .order_by("candidate__position", "candidate_id")
    )
    for decision in rows if protocol else ():
        strings = _strings_of(judged[decision.candidate.question_id], decision.label, protocol)
        if strings is not None:
            strings.setdefault(decision.candidate.text, []).append(decision)
    return judged


def _strings_of(
    judged: JudgedStrings, label: str, protocol: Protocol | None
) -> dict[str, list[Decision]] | None:
    if protocol and label in protocol.accepted_keys:
        return judged.accepted
    return judged.rejected if protocol and label in protocol.rejected_keys else None


def _is_by_people(decision: Decision) -> bool:
    return decision.source != Decision.Source.PREJUDGED


def _wanted(*, original: tuple[str, ...], judged: JudgedStrings) -> dict[Change, list[Decision]]:
    changes = wanted_changes(
        original=original,
        accepted=judged.accepted,
        rejected=judged.rejected,
        kept=judged.accepted_by_people,
    )
    return {change: judged.decisions(change=change, texts=texts) for change, texts in changes.items()}


def _ledger_rows(question_ids: list[int]) -> Mapping[int, list[GoldChange]]:
    ledger: dict[int, list[GoldChange]] = defaultdict(list)
    for row in GoldChange.objects.filter(question__in=question_ids).order_by("pk"):
        ledger[row.question_id].append(row)
    return ledger


def _is_by_hand(row: GoldChange) -> bool:
    return row.rule in {CORRECTION_RULE, PROPOSAL_RULE}


def _stands_by_hand(row: GoldChange, judged: JudgedStrings) -> bool:
    """Say whether a change made by hand stays: a proposal goes with the decision on the answer behind it."""
    if row.rule != PROPOSAL_RULE or row.decision is None:
        return True
    return row.decision.candidate.text in judged.accepted_by_people


def _change_of(row: GoldChange) -> Change:
    return Change(Action(row.action), row.text)


def _stands(row: GoldChange, wanted: Mapping[Change, list[Decision]]) -> bool:
    return row.decision_id in {decision.pk for decision in wanted.get(_change_of(row), ())}


def _missing_rows(
    *, question_id: int, wanted: Mapping[Change, list[Decision]], ledger: list[GoldChange]
) -> Iterator[GoldChange]:
    # In force by a decision that still calls for it or by hand, or undone by a person who knew the decision.
    settled = {
        _change_of(row)
        for row in ledger
        if (_stands(row, wanted) and (row.undone_at is None or row.undone_by_id is not None))
        or (_is_by_hand(row) and row.undone_at is None)
    }
    for change, decisions in wanted.items():
        if change not in settled:
            yield _new_row(question_id=question_id, change=change, decision=decisions[0])


def _new_row(*, question_id: int, change: Change, decision: Decision) -> GoldChange:
    return GoldChange(
        question_id=question_id,
        action=change.action.value,
        text=change.text,
        text_hash=hash_text(change.text),
        rule=AMEND_RULE,
        reason=decision.reason,
        decision=decision,
        changed_by=decision.decided_by,
    )


def _superseded_rows(
    *, wanted: Mapping[Change, list[Decision]], ledger: list[GoldChange], judged: JudgedStrings
) -> list[GoldChange]:
    return [
        row
        for row in ledger
        if row.undone_at is None
        and not (_stands_by_hand(row, judged) if _is_by_hand(row) else _stands(row, wanted))
    ]


def _store(*, new: list[GoldChange], superseded: list[GoldChange], at: datetime) -> None:
    if superseded:
        GoldChange.objects.filter(pk__in=[row.pk for row in superseded], undone_at=None).update(
            undone_at=at, undo_reason=SUPERSEDED
        )
    for row in new:
        row.changed_at = at
    GoldChange.objects.bulk_create(new)


def discard_changes(*, decision_ids: Iterable[int]) -> None:
    """Delete the ledger rows of decisions that go because their import is undone as a whole."""
    GoldChange.objects.filter(decision__in=list(decision_ids)).delete()


def hash_text(text: str) -> str:
    """Return the fixed-length stand-in for a text in the ledger's constraint."""
    return hashlib.sha256(text.encode()).hexdigest()


@transaction.atomic
def correct_gold(
    *,
    project: Project,
    question_id: str,
    action: str,
    text: str,
    reason: str,
    by: User,
    at: datetime | None = None,
) -> GoldChange:
    """Add an answer to a question's gold list, or take one off, by hand; what people decide leaves it alone.

    Raises `QuestionNotFound`, `ReasonMissing`, `NothingToCorrect`.
    """
    if not reason.strip():
        raise ReasonMissing(
            "Enter a reason for correcting the gold list.", details={"fields": {"reason": ["Required."]}}
        )
    question = get_question(project=project, public_id=question_id)
    Question.objects.select_for_update().get(pk=question.pk)
    listed = text in gold_lists(project, amended=True, question_ids=[question.pk])[question.pk]
    if listed == (action == GoldChange.Action.ADDED):
        message = (
            "This answer is already on the gold list." if listed else "This answer is not on the gold list."
        )
        raise NothingToCorrect(message, details={"fields": {"text": [message]}})
    removals = question.gold_changes.filter(action=GoldChange.Action.REMOVED, text=text, undone_at=None)
    for removal in removals:
        # Putting an answer back is undoing its removal: removals are applied last.
        return undo_change(project=project, public_id=removal.public_id, by=by, reason=reason, at=at)
    return GoldChange.objects.create(
        question=question,
        action=action,
        text=text,
        text_hash=hash_text(text),
        rule=CORRECTION_RULE,
        reason=reason.strip(),
        changed_by=by,
        changed_at=at or now(),
    )


@transaction.atomic
def undo_change(
    *, project: Project, public_id: str, by: User, reason: str, at: datetime | None = None
) -> GoldChange:
    """Take one change out of force; the row stays, with who undid it and why.

    Raises `ChangeNotFound`, `AlreadyUndone`, `ReasonMissing`.
    """
    if not reason.strip():
        raise ReasonMissing(
            "Enter a reason for undoing the change.", details={"fields": {"reason": ["Required."]}}
        )
    change = get_change(project=project, public_id=public_id)
    # The question's row is the lock under which its decisions and its ledger move.
    Question.objects.select_for_update().get(pk=change.question_id)
    undone = GoldChange.objects.filter(pk=change.pk, undone_at=None).update(
        undone_at=at or now(), undone_by=by, undo_reason=reason.strip()
    )
    if not undone:
        raise AlreadyUndone("This change was already undone. Reload the page.")
    return get_change(project=project, public_id=public_id)

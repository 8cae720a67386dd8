"""Decide several clear answers at once, and take one's last decisions back, one or a group together."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F, Q

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.rules import CALLED_BACK, SENT_BACK, TAKEN_BACK
from annotation.adjudication.selectors import CandidateNotFound
from annotation.adjudication.services.deciding import (
    DecidedMeanwhile,
    NothingToReopen,
    UnusableDecision,
    reopen_slots,
    require_usable,
)
from annotation.adjudication.services.guarding import refuse_while_undoing
from annotation.adjudication.services.sending_back import call_back
from annotation.adjudication.services.settling import add_decisions, settle_candidates
from annotation.assignments.services import lock_due_questions
from annotation.items.models import Candidate
from annotation.projects.models import Project
from common.clock import now
from common.identifiers import new_public_id

MOST_AT_ONCE = 200


@transaction.atomic
def decide_answers(
    *,
    project: Project,
    seen_numbers: Mapping[str, int],
    by: User,
    label: str,
    reason: str = "",
    category: str = "",
    is_reason_shown: bool = False,
    at: datetime | None = None,
) -> str:
    """Decide all of these answers alike or none of them, and return what the group is called.

    `seen_numbers`: by answer the number of the decision that was looked at (0: none). Raises
    `CandidateNotFound`, `UnusableDecision`, `DecidedMeanwhile`.
    """
    require_usable(project=project, label=label, reason=reason, category=category)
    candidates = _lock(project, seen_numbers)
    last = _last_numbers(candidates)
    changed = [each for each in candidates if last.get(each.pk, 0) != seen_numbers[each.public_id]]
    if changed:
        raise DecidedMeanwhile(
            f"Somebody decided {len(changed)} of these answers in the meantime, so none was decided. "
            "Look at them again.",
            details={"answers": [each.public_id for each in changed]},
        )
    Candidate.objects.filter(pk__in=[each.pk for each in candidates]).update(
        state=Candidate.State.DECIDED, wanted=F("taken")
    )
    group = new_public_id()
    decisions = [
        Decision(
            candidate=each,
            number=last.get(each.pk, 0) + 1,
            label=label,
            source=Decision.Source.ADJUDICATED,
            reason=reason.strip(),
            category=category,
            is_reason_shown=is_reason_shown,
            group=group,
            decided_by=by,
        )
        for each in candidates
    ]
    add_decisions(project_id=project.pk, decisions=decisions, at=at or now())
    return group


def _lock(project: Project, seen_numbers: Mapping[str, int]) -> list[Candidate]:
    if not 1 <= len(seen_numbers) <= MOST_AT_ONCE:
        message = f"Choose between 1 and {MOST_AT_ONCE} answers to decide at once."
        raise UnusableDecision(message, details={"fields": {"answers": [message]}})
    chosen = Candidate.objects.filter(project=project, public_id__in=list(seen_numbers)).order_by("pk")
    lock_due_questions(question_ids=set(chosen.values_list("question_id", flat=True)), waits=True)
    refuse_while_undoing(project=project)
    # Read under the locks.
    candidates = list(chosen)
    if len(candidates) != len(seen_numbers):
        raise CandidateNotFound("This project has no such answer any more. Nothing was decided.")
    return candidates


def _last_numbers(candidates: Sequence[Candidate]) -> dict[int, int]:
    rows = Decision.objects.filter(candidate__in=candidates).order_by("number")
    return dict(rows.values_list("candidate_id", "number"))


@transaction.atomic
def take_back(
    *, project: Project, by: User, answer: str = "", group: str = "", at: datetime | None = None
) -> list[str]:
    """Take back one's own decision on an answer, or of a whole group, and return the answers' ids.

    So is sending an answer back. What stood before stands again. A decision that somebody has replaced
    since stays. Raises `NothingToReopen`, `InRatersHands`.
    """
    decided = Q(is_reopening=False, source=Decision.Source.ADJUDICATED)
    own = Decision.objects.filter(
        decided | Q(rule=SENT_BACK), candidate__project=project, is_current=True, decided_by=by
    )
    own = own.filter(group=group) if group else own.filter(candidate__public_id=answer)
    lock_due_questions(question_ids=set(own.values_list("candidate__question", flat=True)), waits=True)
    decisions = list(own.select_related("candidate").order_by("candidate_id"))
    if not decisions:
        raise NothingToReopen("There is no decision of yours left here that could be taken back.")
    rows = [_undoing(decision, project=project, by=by) for decision in decisions]
    add_decisions(project_id=project.pk, decisions=rows, at=at or now())
    called_back = [row.candidate_id for row in rows if row.rule == CALLED_BACK]
    settle_candidates(project_id=project.pk, candidate_ids=called_back, at=at)
    return [decision.candidate.public_id for decision in decisions]


def _undoing(decision: Decision, *, project: Project, by: User) -> Decision:
    """Return the row by which what stood before the decision stands again."""
    if decision.rule == SENT_BACK:
        return call_back(sent=decision, project=project, by=by)
    row = Decision(
        candidate=decision.candidate, number=decision.number + 1, rule=TAKEN_BACK, reason="Taken back."
    )
    former = Decision.objects.filter(candidate=decision.candidate, number=decision.number - 1).first()
    if former is None or former.is_reopening:
        reopen_slots(project=project, candidate=decision.candidate)
        row.is_reopening, row.source, row.decided_by = True, decision.source, by
        return row
    row.label, row.source, row.rule = former.label, former.source, former.rule
    row.category, row.is_reason_shown = former.category, former.is_reason_shown
    if former.decided_by_id is not None:
        row.decided_by, row.reason = former.decided_by, former.reason
    return row

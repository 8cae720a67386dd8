"""People decide: one answer, several at once, or that raters judge it again."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import F, Q

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.rules import CALLED_BACK, DECISION_CATEGORIES, SENT_BACK, TAKEN_BACK
from annotation.adjudication.selectors.dossier import (
    CandidateNotFound,
    count_votes,
    get_candidate,
    send_back_refusal,
)
from annotation.adjudication.services.settling import add_decisions, find_settlements, settle_candidates
from annotation.assignments.services.slots import lock_due_questions, lock_question
from annotation.items.models import Candidate, DataImport
from annotation.judgments.rules import edit_refusal
from annotation.projects.models import Project
from annotation.projects.rules import Credit
from common.clock import now
from common.errors import Conflict, Invalid
from common.identifiers import new_public_id


class DecidedByPerson(Conflict):
    """A person decided an answer, having read its votes."""


class ImportLeaves(Conflict):
    """An import is being taken out, and what a person decides now might go with it."""


def refuse_while_undoing(*, project: Project) -> None:
    """Let nobody decide while an import goes; asked under a question's lock. Raises `ImportLeaves`."""
    if DataImport.objects.filter(project=project, state=DataImport.State.UNDOING).exists():
        raise ImportLeaves("An import is being taken out of this project. Decide when it is gone.")


def refuse_taking_back(*, project_id: int, judged_at: Mapping[int, datetime]) -> None:
    """Refuse that judgments are taken back which a person may have read and decided on.

    Raises `DecidedByPerson`.
    """
    if _is_decided_since(project_id, judged_at):
        raise DecidedByPerson("The lead has decided an answer on this sheet, so it cannot be taken back.")


def refuse_editing(*, project_id: int, judged_at: Mapping[int, datetime]) -> None:
    """Refuse that a judgment is edited which a person may have read and decided on.

    Raises `DecidedByPerson`.
    """
    why = edit_refusal(is_decided_by_person=_is_decided_since(project_id, judged_at))
    if why:
        raise DecidedByPerson(why, code="judgment_closed")


def _is_decided_since(project_id: int, judged_at: Mapping[int, datetime]) -> bool:
    """Whether a person has decided one of these answers after it was judged.

    A decision made before says that the answer was a known one, or filled the sheet: it refuses nothing.
    """
    decisions = Decision.objects.in_force().filter(
        candidate__project=project_id, candidate__in=list(judged_at), source=Decision.Source.ADJUDICATED
    )
    return any(
        decided_at >= judged_at[candidate_id]
        for candidate_id, decided_at in decisions.values_list("candidate_id", "decided_at")
    )


class UnusableDecision(Invalid):
    """The label is not one of the protocol's, or nothing says why."""


class DecidedMeanwhile(Conflict):
    """Somebody decided the answer after it was looked at."""


class NothingToReopen(Conflict):
    """The answer is not decided."""


@transaction.atomic
def decide_answer(
    *,
    project: Project,
    candidate_id: str,
    by: User,
    label: str,
    reason: str = "",
    category: str = "",
    seen_number: int | None = None,
    is_reason_shown: bool = False,
    at: datetime | None = None,
) -> Decision:
    """Decide an answer as a person, whatever the votes say; open slots close.

    `is_reason_shown`: to raters, where the protocol lets them read decisions. `seen_number`: the
    number of the decision the person was looking at (0: none), where known.
    Raises `CandidateNotFound`, `UnusableDecision`, `DecidedMeanwhile`.
    """
    candidate = lock_candidate(project=project, candidate_id=candidate_id)
    require_usable(project=project, label=label, reason=reason, category=category)
    last = candidate.decisions.order_by("-number").first()
    refuse_if_changed(last=last, seen_number=seen_number)
    candidate.state = Candidate.State.DECIDED
    candidate.wanted = candidate.taken
    candidate.save(update_fields=["state", "wanted"])
    decision = Decision(
        candidate=candidate,
        label=label,
        source=Decision.Source.ADJUDICATED,
        reason=reason.strip(),
        category=category,
        is_reason_shown=is_reason_shown,
        decided_by=by,
    )
    add_decisions(project_id=project.pk, decisions=[decision], at=at or now())
    return decision


def lock_candidate(*, project: Project, candidate_id: str) -> Candidate:
    """Return the answer, read again under its question's lock.

    Raises `CandidateNotFound`, `ImportLeaves`.
    """
    candidate = get_candidate(project=project, public_id=candidate_id)
    lock_question(question_id=candidate.question_id)
    refuse_while_undoing(project=project)
    return Candidate.objects.get(pk=candidate.pk)


def refuse_if_changed(*, last: Decision | None, seen_number: int | None) -> None:
    """Refuse where the history went on after it was looked at; raises `DecidedMeanwhile`."""
    if seen_number is not None and seen_number != (last.number if last else 0):
        raise DecidedMeanwhile("Somebody decided this answer in the meantime. Look at it again.")


def require_usable(*, project: Project, label: str, reason: str, category: str) -> None:
    """Refuse what cannot be a decision; raises `UnusableDecision`, which names the field."""
    protocol = project.protocol.rules if project.protocol else None
    found = protocol.label(label) if protocol else None
    if found is None or found.credit is Credit.MISSING:
        raise _unusable("label", "A decision is one of the protocol's labels that says what is right.")
    if category and category not in DECISION_CATEGORIES:
        raise _unusable("category", "There is no such category.")
    if not reason.strip() and not category:
        raise _unusable("reason", "Say why, in words or by a category.")


def _unusable(field: str, message: str) -> UnusableDecision:
    return UnusableDecision(message, details={"fields": {field: [message]}})


@transaction.atomic
def reopen_answer(
    *, project: Project, candidate_id: str, by: User, reason: str, at: datetime | None = None
) -> Decision:
    """Withdraw a decision: raters go on where votes are lacking, else the lead's queue gets it back.

    Raises `CandidateNotFound`, `UnusableDecision`, `NothingToReopen`.
    """
    candidate = lock_candidate(project=project, candidate_id=candidate_id)
    if not reason.strip():
        raise _unusable("reason", "Say why the decision is withdrawn.")
    current = candidate.decisions.in_force().first()
    if current is None:
        raise NothingToReopen("This answer is not decided.")
    reopen_slots(project=project, candidate=candidate)
    reopening = Decision(
        candidate=candidate,
        is_reopening=True,
        source=current.source,
        reason=reason.strip(),
        decided_by=by,
    )
    add_decisions(project_id=project.pk, decisions=[reopening], at=at or now())
    return reopening


def reopen_slots(*, project: Project, candidate: Candidate) -> None:
    """Give an answer back to raters where votes lack, else to the lead; the caller holds the lock."""
    assert project.protocol is not None
    (settlement,) = find_settlements(
        candidate_ids=[candidate.pk], protocol=project.protocol.rules, are_routed=False
    )
    lacks_votes = settlement.outcome.votes_missing > 0
    candidate.state = Candidate.State.OPEN if lacks_votes else Candidate.State.DISPUTED
    candidate.wanted = settlement.wanted
    candidate.save(update_fields=["state", "wanted"])


class NotSentBack(Conflict):
    """The answer cannot go back to raters, and the code says why."""


class InRatersHands(Conflict):
    """A rater was given the answer that was sent back."""


@transaction.atomic
def send_back(
    *,
    project: Project,
    candidate_id: str,
    by: User,
    reason: str,
    seen_number: int | None = None,
    at: datetime | None = None,
) -> Decision:
    """Ask for one more blind vote on an answer before it settles again, by a further row of its history.

    From then on all its votes weigh alike. `seen_number`: the number of the decision the person was
    looking at (0: none), where known. Raises `CandidateNotFound`, `UnusableDecision`,
    `DecidedMeanwhile`, `NotSentBack`.
    """
    candidate = lock_candidate(project=project, candidate_id=candidate_id)
    _require_reason(reason)
    last = candidate.decisions.order_by("-number").first()
    refuse_if_changed(last=last, seen_number=seen_number)
    refusal = send_back_refusal(project=project, candidate=candidate)
    if refusal is not None:
        raise NotSentBack(refusal.words, code=refusal)
    row = _ask_once_more(candidate, project=project, by=by, reason=reason, last=last)
    add_decisions(project_id=project.pk, decisions=[row], at=at or now())
    return row


def _require_reason(reason: str) -> None:
    if not reason.strip():
        message = "Say why another rater is to judge this answer."
        raise UnusableDecision(message, details={"fields": {"reason": [message]}})


def _ask_once_more(
    candidate: Candidate, *, project: Project, by: User, reason: str, last: Decision | None, group: str = ""
) -> Decision:
    """Want one vote more, and return the row that says so; the caller holds the lock."""
    candidate.least_votes = count_votes(candidate) + 1
    candidate.save(update_fields=["least_votes"])
    reopen_slots(project=project, candidate=candidate)
    return Decision(
        candidate=candidate,
        is_reopening=True,
        source=last.source if last else Decision.Source.ADJUDICATED,
        rule=SENT_BACK,
        reason=reason.strip(),
        group=group,
        decided_by=by,
    )


def call_back(*, sent: Decision, project: Project, by: User) -> Decision:
    """Ask for the one more vote no longer, and return the row that says so; the caller holds the lock.

    An answer whose decision a person had withdrawn is before the lead again. Any other is left open, for
    the caller to settle once the row is there: its votes may have changed since. Raises `InRatersHands`
    where somebody is at it already.
    """
    candidate = sent.candidate
    _lower_least_votes(sent)
    candidate.refresh_from_db()
    reopened = candidate.decisions.filter(is_reopening=True, decided_by__isnull=False).exclude(
        rule__in=[SENT_BACK, CALLED_BACK]
    )
    is_reopened = reopened.filter(number=sent.number - 1).exists()
    if is_reopened:
        reopen_slots(project=project, candidate=candidate)
    return Decision(
        candidate=candidate,
        is_reopening=True,
        source=sent.source,
        rule=TAKEN_BACK if is_reopened else CALLED_BACK,
        reason="Taken back.",
        decided_by=by,
    )


def _lower_least_votes(sent: Decision) -> None:
    candidate = sent.candidate
    least_votes = candidate.least_votes - 1 if _was_sent_before(sent) else 0
    waiting = Candidate.objects.filter(pk=candidate.pk, state=Candidate.State.OPEN, taken__lt=F("wanted"))
    if not waiting.update(least_votes=least_votes):
        raise InRatersHands(
            "A rater has been given this answer already, so it cannot be called back. "
            "You can decide it all the same."
        )


def _was_sent_before(sent: Decision) -> bool:
    """Say whether an earlier sending back stands; one that was called back asks for nothing."""
    rules = dict(sent.candidate.decisions.filter(number__lt=sent.number).values_list("number", "rule"))
    return any(
        rule == SENT_BACK and rules.get(number + 1) not in (CALLED_BACK, TAKEN_BACK)
        for number, rule in rules.items()
    )


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
    _refuse_changed(candidates, seen_numbers, done="decided")
    Candidate.objects.filter(pk__in=[each.pk for each in candidates]).update(
        state=Candidate.State.DECIDED, wanted=F("taken")
    )
    group = new_public_id()
    decisions = [
        Decision(
            candidate=each,
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


@transaction.atomic
def send_answers_back(
    *,
    project: Project,
    seen_numbers: Mapping[str, int],
    by: User,
    reason: str,
    at: datetime | None = None,
) -> str:
    """Ask for one more blind vote on all of these answers or none, and return what the group is called.

    `seen_numbers`: as for `decide_answers`. Raises `CandidateNotFound`, `UnusableDecision`,
    `DecidedMeanwhile`, and `NotSentBack`, which names the answers that cannot go, and why the first cannot.
    """
    _require_reason(reason)
    candidates = _lock(project, seen_numbers)
    _refuse_changed(candidates, seen_numbers, done="sent back")
    refusals = [(each, send_back_refusal(project=project, candidate=each)) for each in candidates]
    refused = [(each, refusal) for each, refusal in refusals if refusal is not None]
    if refused:
        first, refusal = refused[0]
        others = f" So it is with {len(refused) - 1} more." if len(refused) > 1 else ""
        raise NotSentBack(
            f"None was sent back: “{first.text}” cannot go. {refusal.words}{others}",
            code=refusal,
            details={"answers": [each.public_id for each, _ in refused]},
        )
    last = {row.candidate_id: row for row in Decision.objects.current().filter(candidate__in=candidates)}
    group = new_public_id()
    rows = [
        _ask_once_more(each, project=project, by=by, reason=reason, last=last.get(each.pk), group=group)
        for each in candidates
    ]
    add_decisions(project_id=project.pk, decisions=rows, at=at or now())
    return group


def _refuse_changed(candidates: Sequence[Candidate], seen_numbers: Mapping[str, int], *, done: str) -> None:
    last = Decision.objects.last_numbers(candidates)
    changed = [each for each in candidates if last.get(each.pk, 0) != seen_numbers[each.public_id]]
    if changed:
        raise DecidedMeanwhile(
            f"Somebody decided {len(changed)} of these answers in the meantime, so none was {done}. "
            "Look at them again.",
            details={"answers": [each.public_id for each in changed]},
        )


def _lock(project: Project, seen_numbers: Mapping[str, int]) -> list[Candidate]:
    if not 1 <= len(seen_numbers) <= MOST_AT_ONCE:
        message = f"Choose between 1 and {MOST_AT_ONCE} answers at once."
        raise UnusableDecision(message, details={"fields": {"answers": [message]}})
    chosen = Candidate.objects.filter(project=project, public_id__in=list(seen_numbers)).order_by("pk")
    lock_due_questions(question_ids=set(chosen.values_list("question_id", flat=True)), waits=True)
    refuse_while_undoing(project=project)
    # Read under the locks.
    candidates = list(chosen)
    if len(candidates) != len(seen_numbers):
        raise CandidateNotFound("This project has no such answer any more. Nothing was changed.")
    return candidates


@transaction.atomic
def take_back(
    *, project: Project, by: User, answer: str = "", group: str = "", at: datetime | None = None
) -> list[str]:
    """Take back one's own decision on an answer, or of a whole group, and return the answers' ids.

    So is sending an answer back. What stood before stands again. A decision that somebody has replaced
    since stays. Raises `NothingToReopen`, `InRatersHands`.
    """
    decided = Q(is_reopening=False, source=Decision.Source.ADJUDICATED)
    own = Decision.objects.current().filter(
        decided | Q(rule=SENT_BACK), candidate__project=project, decided_by=by
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
    row = Decision(candidate=decision.candidate, rule=TAKEN_BACK, reason="Taken back.")
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

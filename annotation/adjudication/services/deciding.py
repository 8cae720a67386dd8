"""People decide: one answer, several at once, or that raters judge it again."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.db import transaction
from django.db.models import F, Q

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.rules import CALLED_BACK, DECISION_CATEGORIES, SENT_BACK, TAKEN_BACK
from annotation.adjudication.selectors.dossier import (
    CandidateNotFound,
    count_votes,
    get_candidate,
    send_back_refusals,
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
        raise ImportLeaves("An import into this project is being undone. Try again in a moment.")


def refuse_taking_back(*, project_id: int, judged_at: Mapping[int, datetime]) -> None:
    """Refuse that judgments are taken back which a person may have read and decided on.

    Raises `DecidedByPerson`.
    """
    if _is_decided_since(project_id, judged_at):
        raise DecidedByPerson(
            "A lead has decided one of these answers, so you can no longer undo this submission."
        )


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
        raise DecidedMeanwhile("Somebody else has decided this answer in the meantime. Review it again.")


def require_usable(*, project: Project, label: str, reason: str, category: str) -> None:
    """Refuse what cannot be a decision; raises `UnusableDecision`, which names the field."""
    protocol = project.protocol.rules if project.protocol else None
    found = protocol.label(label) if protocol else None
    if found is None or found.credit is Credit.MISSING:
        raise _unusable("label", "Choose a label that says whether the answer is correct.")
    if category and category not in DECISION_CATEGORIES:
        raise _unusable("category", "This reason does not exist. Choose another.")
    if not reason.strip() and not category:
        raise _unusable("reason", "Choose a reason or write an explanation.")


def _require_reason(reason: str, *, else_words: str) -> None:
    if not reason.strip():
        raise _unusable("reason", else_words)


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
    _require_reason(reason, else_words="Enter a reason for reopening the answer.")
    current = candidate.decisions.in_force().first()
    if current is None:
        raise NothingToReopen("This answer has not been decided, so you cannot reopen it.")
    _reopen_slots(project, [candidate])
    reopening = Decision(
        candidate=candidate,
        is_reopening=True,
        source=current.source,
        reason=reason.strip(),
        decided_by=by,
    )
    add_decisions(project_id=project.pk, decisions=[reopening], at=at or now())
    return reopening


def _reopen_slots(project: Project, candidates: Sequence[Candidate]) -> None:
    """Give answers back to raters where votes lack, else to the lead; the caller holds the locks."""
    if not candidates:
        return
    assert project.protocol is not None
    settlements = find_settlements(
        candidate_ids=[candidate.pk for candidate in candidates],
        protocol=project.protocol.rules,
        are_routed=False,
    )
    found = {settlement.candidate.pk: settlement for settlement in settlements}
    for candidate in candidates:
        lacks_votes = found[candidate.pk].outcome.votes_missing > 0
        candidate.state = Candidate.State.OPEN if lacks_votes else Candidate.State.DISPUTED
        candidate.wanted = found[candidate.pk].wanted
    Candidate.objects.bulk_update(candidates, ["state", "wanted"])


class NotSentBack(Conflict):
    """Answers cannot go back to raters; the code says why, and the details name them."""


class InRatersHands(Conflict):
    """Raters were given all of the answers that were sent back."""


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
    _require_reason(reason, else_words=WHY_AGAIN)
    refuse_if_changed(last=candidate.decisions.order_by("-number").first(), seen_number=seen_number)
    refusal = send_back_refusals(project=project, candidates=[candidate]).get(candidate.pk)
    if refusal is not None:
        raise NotSentBack(refusal.words, code=refusal)
    (row,) = _ask_once_more([candidate], project=project, by=by, reason=reason, at=at)
    return row


WHY_AGAIN = "Enter a reason for sending the answer back."


def _ask_once_more(
    candidates: Sequence[Candidate],
    *,
    project: Project,
    by: User,
    reason: str,
    group: str = "",
    at: datetime | None,
) -> list[Decision]:
    """Ask for one more vote on each; return the rows of their histories. The caller holds the locks."""
    votes = count_votes(candidates)
    last = {row.candidate_id: row for row in Decision.objects.current().filter(candidate__in=candidates)}
    for candidate in candidates:
        candidate.least_votes = votes[candidate.pk] + 1
    Candidate.objects.bulk_update(candidates, ["least_votes"])
    _reopen_slots(project, candidates)
    rows = [
        Decision(
            candidate=candidate,
            is_reopening=True,
            source=last[candidate.pk].source if candidate.pk in last else Decision.Source.ADJUDICATED,
            rule=SENT_BACK,
            reason=reason.strip(),
            group=group,
            decided_by=by,
        )
        for candidate in candidates
    ]
    add_decisions(project_id=project.pk, decisions=rows, at=at or now())
    return rows


MOST_AT_ONCE = 200
WRONG_NUMBER = f"Choose 1 to {MOST_AT_ONCE} answers."


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
    _require_reason(reason, else_words=WHY_AGAIN)
    candidates = _lock(project, seen_numbers)
    _refuse_changed(candidates, seen_numbers, done="sent back")
    refusals = send_back_refusals(project=project, candidates=candidates)
    refused = [candidate for candidate in candidates if candidate.pk in refusals]
    if refused:
        first = refusals[refused[0].pk]
        others = f" {others_of(len(refused)).capitalize()} cannot be sent back either." if refused[1:] else ""
        raise NotSentBack(
            f"No answers were sent back, because {quoted(refused[0].text)} cannot be sent back. {first.words}"
            f"{others}",
            code=first,
            details={"answers": [each.public_id for each in refused]},
        )
    group = new_public_id()
    _ask_once_more(candidates, project=project, by=by, reason=reason, group=group, at=at)
    return group


MOST_OF_A_TEXT = 80


def quoted(text: str) -> str:
    """Return an answer as it stands in a refusal; answers may be of any length."""
    return f"“{text[:MOST_OF_A_TEXT]}…”" if len(text) > MOST_OF_A_TEXT else f"“{text}”"


def others_of(count: int) -> str:
    """Return what so many answers are called beside the one that is named."""
    return "1 other" if count == 2 else f"{count - 1} others"


def _refuse_changed(candidates: Sequence[Candidate], seen_numbers: Mapping[str, int], *, done: str) -> None:
    last = Decision.objects.last_numbers(candidates)
    changed = [each for each in candidates if last.get(each.pk, 0) != seen_numbers[each.public_id]]
    if changed:
        raise DecidedMeanwhile(
            f"Somebody else changed {len(changed)} of these answers in the meantime, so none were {done}. "
            "Review them again.",
            details={"answers": [each.public_id for each in changed]},
        )


def _lock(project: Project, seen_numbers: Mapping[str, int]) -> list[Candidate]:
    if not 1 <= len(seen_numbers) <= MOST_AT_ONCE:
        raise _unusable("answers", WRONG_NUMBER)
    chosen = Candidate.objects.filter(project=project, public_id__in=list(seen_numbers)).order_by("pk")
    lock_due_questions(question_ids=set(chosen.values_list("question_id", flat=True)), waits=True)
    refuse_while_undoing(project=project)
    # Read under the locks.
    candidates = list(chosen)
    if len(candidates) != len(seen_numbers):
        raise CandidateNotFound(
            "At least one of these answers is no longer in this project. Nothing was changed. Reload the "
            "page."
        )
    return candidates


class TakenBack(NamedTuple):
    """The public ids of answers that stand as they did before, and of those that a rater was given since."""

    answers: list[str]
    begun: list[str]


@transaction.atomic
def take_back(
    *, project: Project, by: User, answer: str = "", group: str = "", at: datetime | None = None
) -> TakenBack:
    """Take back one's own decision on an answer, or of a whole group.

    So is sending answers back; those that a rater was given since stay with raters. What stood before stands
    again. A decision that somebody has replaced since stays. Raises `NothingToReopen`, and `InRatersHands`
    where all were given to raters.
    """
    decided = Q(is_reopening=False, source=Decision.Source.ADJUDICATED)
    own = Decision.objects.current().filter(
        decided | Q(rule=SENT_BACK), candidate__project=project, decided_by=by
    )
    own = own.filter(group=group) if group else own.filter(candidate__public_id=answer)
    lock_due_questions(question_ids=set(own.values_list("candidate__question", flat=True)), waits=True)
    # Read under the locks.
    found = list(own.select_related("candidate").order_by("candidate_id"))
    if not found:
        raise NothingToReopen("You have no decision to undo here. Somebody may have replaced yours.")
    begun = [row for row in found if row.rule == SENT_BACK and not _is_waiting(row.candidate)]
    if len(begun) == len(found):
        raise _in_raters_hands(begun)
    taken = [row for row in found if row not in begun]
    _take_back(project, taken, by=by, at=at or now())
    return TakenBack(_answers_of(taken), _answers_of(begun))


def _is_waiting(candidate: Candidate) -> bool:
    return candidate.state == Candidate.State.OPEN and candidate.taken < candidate.wanted


def _answers_of(decisions: Sequence[Decision]) -> list[str]:
    return [decision.candidate.public_id for decision in decisions]


def _in_raters_hands(begun: Sequence[Decision]) -> InRatersHands:
    is_one = len(begun) == 1
    return InRatersHands(
        "An annotator already has this answer, so you cannot undo this. You can still decide it yourself."
        if is_one
        else f"Annotators already have all {len(begun)} answers, so you cannot undo this. You can still "
        "decide them yourself.",
        details={"answers": _answers_of(begun)},
    )


# The rows of an answer's history by their numbers.
History = Mapping[int, Decision]


def _take_back(project: Project, decisions: Sequence[Decision], *, by: User, at: datetime) -> None:
    histories: dict[int, dict[int, Decision]] = defaultdict(dict)
    for row in Decision.objects.filter(candidate__in=[each.candidate_id for each in decisions]):
        histories[row.candidate_id][row.number] = row
    sent = [each for each in decisions if each.rule == SENT_BACK]
    _lower_least_votes(sent, histories)
    rows = [_row_after(each, histories[each.candidate_id], by=by) for each in decisions]
    # What was called back stays open until its row is there: then its votes, which may have changed, speak.
    called_back = [row.candidate_id for row in rows if row.rule == CALLED_BACK]
    _reopen_slots(
        project, [row.candidate for row in rows if row.is_reopening and row.candidate_id not in called_back]
    )
    add_decisions(project_id=project.pk, decisions=rows, at=at)
    settle_candidates(project_id=project.pk, candidate_ids=called_back, at=at)


def _lower_least_votes(sent: Sequence[Decision], histories: Mapping[int, History]) -> None:
    """Ask for the one more vote no longer."""
    for each in sent:
        again = _was_sent_before(each, histories[each.candidate_id])
        each.candidate.least_votes = each.candidate.least_votes - 1 if again else 0
    Candidate.objects.bulk_update([each.candidate for each in sent], ["least_votes"])


def _was_sent_before(sent: Decision, history: History) -> bool:
    """Say whether an earlier sending back stands; one that was called back asks for nothing."""
    return any(
        row.rule == SENT_BACK and history[number + 1].rule not in (CALLED_BACK, TAKEN_BACK)
        for number, row in history.items()
        if number < sent.number
    )


def _row_after(decision: Decision, history: History, *, by: User) -> Decision:
    """Return the row by which what stood before a decision, or before sending an answer back, stands again.

    An answer that was sent back is before the lead again where a person had withdrawn its decision.
    """
    former = history.get(decision.number - 1)
    row = Decision(candidate=decision.candidate, rule=TAKEN_BACK, reason="Undone.")
    if decision.rule == SENT_BACK or former is None or former.is_reopening:
        row.is_reopening, row.source, row.decided_by = True, decision.source, by
        if decision.rule == SENT_BACK and not (former and _is_withdrawn_by_a_person(former)):
            row.rule = CALLED_BACK
        return row
    row.label, row.source, row.rule = former.label, former.source, former.rule
    row.category, row.is_reason_shown = former.category, former.is_reason_shown
    if former.decided_by_id is not None:
        row.decided_by, row.reason = former.decided_by, former.reason
    return row


def _is_withdrawn_by_a_person(row: Decision) -> bool:
    is_theirs = row.is_reopening and row.decided_by_id is not None
    return is_theirs and row.rule not in (SENT_BACK, CALLED_BACK)

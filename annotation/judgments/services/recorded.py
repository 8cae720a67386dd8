"""Take in votes known from a file: many sheets of one rater at once, as each would be handed in."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from django.db.models import F, Value
from django.db.models.functions import Concat

from annotation.assignments.models import Assignment, Sheet
from annotation.assignments.services import release_slots
from annotation.judgments.events import AnswersJudged
from annotation.judgments.models import CheckAnswer
from annotation.judgments.rules import SKIPPED_BY_CHECK, AnswerGiven, Fate, fate_of
from annotation.judgments.services.recording import Vote, outcome_of, store_judgments
from annotation.judgments.services.submitting import store_assignments
from annotation.projects.models import Membership
from annotation.projects.rules import Protocol, skipping_check_key
from common.events import publish


def submit_recorded(
    *,
    rater: Membership,
    assignments: Sequence[Assignment],
    given: Mapping[int, AnswerGiven],
    marked: Collection[int],
    at: datetime,
) -> None:
    """Hand in the sheets on which these answers stand, each as a whole.

    `given`: by candidate id, one for every answer. `marked`: questions that the rater took out of the
    scores; votes on their answers are kept as surplus, the other answers are skipped by the check. The
    other checks, which files do not record, are answered no. To be called in the transaction that
    handed the answers out.
    """
    if not assignments:
        return
    protocol = assignments[0].sheet.protocol_version.rules
    check = skipping_check_key(protocol)
    votes = [
        _vote(each, given[each.candidate_id], protocol, check if each.sheet.question_id in marked else "")
        for each in assignments
    ]
    _close_sheets(votes, at=at)
    _store_votes(votes, at=at)
    _store_checks(rater, [vote.assignment.sheet for vote in votes], protocol, check, marked, at=at)
    candidate_ids = [vote.assignment.candidate_id for vote in votes]
    publish(AnswersJudged(project_id=rater.project_id, candidate_ids=candidate_ids))


def _vote(assignment: Assignment, given: AnswerGiven, protocol: Protocol, check: str) -> Vote:
    if check and given.label is None:
        given = AnswerGiven(id=given.id, label=None, skip_reason=SKIPPED_BY_CHECK + check)
    credit = None if given.label is None else protocol.credit(given.label)
    # A vote on a question that its own rater took out of the scores is kept and never counted.
    fate = fate_of(credit=credit, holds_slot=not check, is_needless=False)
    return Vote(assignment=assignment, given=given, fate=fate, held_slot=True)


def _close_sheets(votes: list[Vote], *, at: datetime) -> None:
    taken: Counter[int] = Counter()
    for vote in votes:
        taken[vote.assignment.sheet_id] += vote.given.label is not None
    alike: dict[int, list[int]] = defaultdict(list)
    for sheet_id, count in taken.items():
        alike[count].append(sheet_id)
    for count, ids in alike.items():
        Sheet.objects.filter(pk__in=ids, state__in=(Sheet.State.OPEN, Sheet.State.DUE)).update(
            state=Sheet.State.SUBMITTED,
            submission_key=Concat(Value("replay-"), F("public_id")),
            outcome=outcome_of(taken=count, late=0)._asdict(),
            closed_at=at,
        )


def _store_votes(votes: list[Vote], *, at: datetime) -> None:
    passed_on = [vote.assignment.candidate_id for vote in votes if vote.fate is not Fate.COUNTED]
    store_assignments(votes)
    if passed_on:
        release_slots(candidate_ids=passed_on)
    store_judgments(sheet=votes[0].assignment.sheet, votes=votes, seconds=None, at=at)


def _store_checks(
    rater: Membership,
    sheets: Sequence[Sheet],
    protocol: Protocol,
    marking: str,
    marked: Collection[int],
    *,
    at: datetime,
) -> None:
    if not protocol.question_checks:
        return
    by_question: dict[int, Sheet] = {}
    for sheet in sheets:
        # A question on several sheets is asked about with the first.
        by_question.setdefault(sheet.question_id, sheet)
    known = CheckAnswer.objects.votes().filter(rater=rater, question__in=list(by_question))
    answered = set(known.values_list("question_id", "check_key"))
    CheckAnswer.objects.bulk_create(
        CheckAnswer(
            sheet=sheet,
            question_id=question_id,
            rater=rater,
            check_key=check.key,
            answer=check.key == marking and question_id in marked,
            answered_at=at,
        )
        for question_id, sheet in by_question.items()
        for check in protocol.question_checks
        if (question_id, check.key) not in answered
    )

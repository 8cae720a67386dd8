"""Hand out, once no work is left for a rater, what another human judges a second time."""

from datetime import datetime

from django.db import transaction

from annotation.assignments.models import Pilot, Purpose, Sheet
from annotation.assignments.selectors import (
    has_second_pass,
    lapsed_second_sheets,
    second_pass_candidates,
    second_pass_questions,
)
from annotation.assignments.services.hidden import make_sheet, reopen_sheet
from annotation.assignments.services.locks import take_turn, try_lock_question
from annotation.assignments.services.ordering import in_own_order
from annotation.items.models import Candidate
from annotation.projects.models import Membership, ProtocolVersion


def hand_out_second_pass(
    *, rater: Membership, version: ProtocolVersion, room: int, at: datetime
) -> list[Sheet]:
    """Return up to `room` sheets of the second pass; a question that somebody holds comes another time."""
    if not has_second_pass(project=rater.project):
        return []
    # While a pilot goes on nothing else is handed out.
    if Pilot.objects.open_in(project_id=rater.project_id) is not None:
        return []
    made: list[Sheet] = []
    with transaction.atomic():
        take_turn(rater=rater)
        made += [
            reopen_sheet(sheet, version, at=at)
            for sheet in list(lapsed_second_sheets(rater=rater)[:room])
            if try_lock_question(question_id=sheet.question_id) is not None
        ]
        for question_id in second_pass_questions(rater=rater):
            if len(made) >= room:
                break
            made += _try_question(rater, version, question_id, at=at)
    return made


def _try_question(
    rater: Membership, version: ProtocolVersion, question_id: int, *, at: datetime
) -> list[Sheet]:
    question = try_lock_question(question_id=question_id)
    if question is None:
        return []
    # Looked up anew under the lock: another rater may just have been handed them.
    candidates = list(second_pass_candidates(rater=rater).filter(question=question))
    if not candidates:
        return []
    chosen = in_own_order(rater, _of_one_group(candidates))[: version.rules.sheet_size]
    return [make_sheet(rater, version, question, Purpose.SECOND, chosen, at=at)]


def _of_one_group(candidates: list[Candidate]) -> list[Candidate]:
    # Equal answers are pooled within a group only: two groups on one sheet would show one answer twice.
    return [item for item in candidates if item.group == candidates[0].group]

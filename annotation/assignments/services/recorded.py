"""Hand out answers whose votes are known from a file: many questions at once, a sheet each."""

from collections.abc import Iterable
from datetime import datetime

from annotation.assignments.models import Assignment, Sheet
from annotation.assignments.services.handing_out import freeze, require_may_judge
from annotation.assignments.services.leases import lease_end
from annotation.assignments.services.ordering import in_own_order
from annotation.assignments.services.slots import give_slots
from annotation.items.models import Candidate
from annotation.projects.models import Membership, ProtocolVersion


def hand_out_recorded(
    *, rater: Membership, candidates: Iterable[Candidate], at: datetime
) -> list[Assignment]:
    """Put answers that are open for the rater on sheets, one a question, and return their assignments.

    As `hand_out`, but without fillers, as there is nobody to see them. What does not fit on a
    question's sheet is left for another call. The caller holds the questions' locks. Raises
    `NotHandedOut`.
    """
    version = require_may_judge(rater=rater)
    by_question: dict[int, list[Candidate]] = {}
    for candidate in candidates:
        by_question.setdefault(candidate.question_id, []).append(candidate)
    if not by_question:
        return []
    freeze(version, at=at)
    protocol = version.rules
    chosen = [in_own_order(rater, each)[: protocol.sheet_size] for each in by_question.values()]
    assignments = give_slots(
        rater_id=rater.pk,
        candidates=[candidate for each in chosen for candidate in each],
        raters_per_answer=protocol.raters_per_answer,
    )
    sheets = _make_sheets(rater, version, by_question, at=at)
    places = {candidate.pk: place for each in chosen for place, candidate in enumerate(each)}
    for assignment in assignments:
        assignment.sheet = sheets[assignment.candidate.question_id]
        assignment.position = places[assignment.candidate_id]
    return Assignment.objects.bulk_create(assignments)


def _make_sheets(
    rater: Membership, version: ProtocolVersion, question_ids: Iterable[int], *, at: datetime
) -> dict[int, Sheet]:
    sheets = Sheet.objects.bulk_create(
        Sheet(
            project_id=rater.project_id,
            question_id=question_id,
            rater=rater,
            protocol_version=version,
            handed_out_at=at,
            lease_expires_at=lease_end(at=at),
        )
        for question_id in question_ids
    )
    return {sheet.question_id: sheet for sheet in sheets}

"""Hand out answers whose votes are known from a file: many questions at once, as many sheets as they fill."""

from collections.abc import Iterable, Sequence
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
    """Put answers that are open for the rater on as many sheets as hold them; return their assignments.

    As `hand_out`, but without fillers, as there is nobody to see them. All sheets of a question come at
    once, for each that is handed in has the whole question settled. The caller holds the questions' locks
    and has the sheets handed in before letting go. Raises `NotHandedOut`.
    """
    version = require_may_judge(rater=rater)
    by_question: dict[int, list[Candidate]] = {}
    for candidate in candidates:
        by_question.setdefault(candidate.question_id, []).append(candidate)
    if not by_question:
        return []
    freeze(version, at=at)
    protocol = version.rules
    pages = [
        page
        for each in by_question.values()
        for page in _pages(in_own_order(rater, each), size=protocol.sheet_size)
    ]
    assignments = give_slots(
        rater_id=rater.pk,
        candidates=[candidate for page in pages for candidate in page],
        raters_per_answer=protocol.raters_per_answer,
    )
    sheets = _make_sheets(rater, version, [page[0].question_id for page in pages], at=at)
    places = {
        candidate.pk: (sheet, place)
        for sheet, page in zip(sheets, pages, strict=True)
        for place, candidate in enumerate(page)
    }
    for assignment in assignments:
        assignment.sheet, assignment.position = places[assignment.candidate_id]
    return Assignment.objects.bulk_create(assignments)


def _pages(candidates: Sequence[Candidate], *, size: int) -> list[Sequence[Candidate]]:
    return [candidates[start : start + size] for start in range(0, len(candidates), size)]


def _make_sheets(
    rater: Membership, version: ProtocolVersion, question_ids: Sequence[int], *, at: datetime
) -> list[Sheet]:
    begun: set[int] = set()
    sheets = []
    for question_id in question_ids:
        # Nobody has two sheets of a question in hand.
        state = Sheet.State.DUE if question_id in begun else Sheet.State.OPEN
        begun.add(question_id)
        sheets.append(
            Sheet(
                project_id=rater.project_id,
                question_id=question_id,
                rater=rater,
                protocol_version=version,
                state=state,
                handed_out_at=at,
                lease_expires_at=lease_end(at=at),
            )
        )
    return Sheet.objects.bulk_create(sheets)

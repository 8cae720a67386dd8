"""Raters flag questions."""

from datetime import datetime

from annotation.assignments.models import QuestionFlag
from annotation.assignments.selectors import get_sheet
from annotation.projects.models import Membership
from common.clock import now


def flag_question(
    *, rater: Membership, sheet_id: str, kind: str, note: str = "", at: datetime | None = None
) -> QuestionFlag:
    """Flag the question of one's own sheet; the same flag again changes its note.

    Raises `SheetNotFound`.
    """
    sheet = get_sheet(rater=rater, public_id=sheet_id)
    flag, _ = QuestionFlag.objects.update_or_create(
        question_id=sheet.question_id,
        rater=rater,
        kind=kind,
        defaults={"note": note, "flagged_at": at or now()},
    )
    return flag

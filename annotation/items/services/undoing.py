"""Undo an import as a whole."""

from datetime import datetime

from django.db import IntegrityError, transaction

from annotation.items.models import DataImport
from annotation.items.services.applying import AnotherImportRuns
from annotation.items.services.removing import confirm_undoing, take_out
from common.clock import now
from common.errors import Conflict
from common.tasks import enqueue_on_commit

State = DataImport.State
UNDO_TASK = "annotation.items.undo_import"
# Up to this many rows an import is taken out within the request.
INLINE_ROWS = 2_000


class ImportNotApplied(Conflict):
    """Only an import that was applied can be undone."""

    code = "import_not_applied"


def undo_import(
    *, data_import: DataImport, at: datetime | None = None, in_background: bool = False
) -> DataImport:
    """Take an import out again as a whole, and what programs said of it; what other imports use stays.

    From one moment to the next nobody is given anything of it. Its rows go in shares, and are seen to by the
    sweeper where this process dies over it; until the last is gone it is "undoing". `in_background`: a large
    one by a worker. Raises `ImportNotApplied`, `AnotherImportRuns`, and `ImportInUse` where people's work
    rests on it.
    """
    _begin(data_import, at=at or now())
    confirm_undoing(import_id=data_import.pk)
    if in_background and data_import.rows_total > INLINE_ROWS:
        with transaction.atomic():
            enqueue_on_commit(UNDO_TASK, data_import.pk)
    else:
        take_out(import_id=data_import.pk)
    data_import.refresh_from_db()
    return data_import


def _begin(data_import: DataImport, *, at: datetime) -> None:
    applied = DataImport.objects.filter(pk=data_import.pk, state=State.APPLIED)
    try:
        with transaction.atomic():
            begun = applied.update(state=State.UNDOING, undone_at=at)
    except IntegrityError:
        raise AnotherImportRuns(
            "Another import into this project is running. Try again when it is done."
        ) from None
    if not begun:
        raise ImportNotApplied("Only an import that was applied can be undone, and only once.")

"""Undo an import as a whole."""

from datetime import datetime

from django.db import transaction

from annotation.items.models import DataImport
from annotation.items.services.removing import remove_rows
from common.clock import now
from common.errors import Conflict
from common.events import publish

State = DataImport.State


class ImportNotApplied(Conflict):
    """Only an import that was applied can be undone."""

    code = "import_not_applied"


@transaction.atomic
def undo_import(*, data_import: DataImport, at: datetime | None = None) -> DataImport:
    """Take an import out again as a whole, and what programs said of it; what other imports use stays.

    Raises `ImportNotApplied`, and `ImportInUse` where people's work rests on it.
    """
    applied = DataImport.objects.filter(pk=data_import.pk, state=State.APPLIED)
    if not applied.update(state=State.UNDONE, undone_at=at or now()):
        raise ImportNotApplied("Only an import that was applied can be undone, and only once.")
    remove_rows(data_import=data_import)
    publish(event="items_changed", project_id=data_import.project_id)
    data_import.refresh_from_db()
    return data_import

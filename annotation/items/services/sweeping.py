"""Find imports that a worker left lying, and see to them."""

from collections.abc import Callable
from contextlib import suppress
from datetime import datetime, timedelta

from annotation.items.models import DataImport
from annotation.items.services.applying import apply_import, applying_name, fail_import
from annotation.items.services.checking import check_import, checking_name, end_check
from annotation.items.services.removing import confirm_undoing, take_out
from common.at_work import has_died
from common.clock import now
from common.errors import Conflict

State = DataImport.State
# A doorbell that rang is answered sooner than this.
PATIENCE = timedelta(seconds=20)


def sweep_imports() -> None:
    """Take up what nobody works on; where a worker died within an import, take that out again."""
    at = now()
    for pk in _ids(state=State.CHECKING, lease_expires_at=None, created_at__lt=at - PATIENCE):
        check_import(import_id=pk)
    # Not taken up again by itself: the file may be what the worker died of.
    for data_import in _left_lying(State.CHECKING, checking_name, at=at):
        end_check(
            import_id=data_import.pk, message="The worker stopped in the middle. Check the files again."
        )
    for data_import in _left_lying(State.APPLYING, applying_name, at=at):
        fail_import(
            data_import=data_import,
            message="The worker stopped in the middle. Nothing was kept; confirm the import again.",
            lease_seen=data_import.lease_expires_at,
        )
    for data_import in DataImport.objects.filter(state=State.UNDOING).order_by("pk"):
        _finish_undoing(data_import)
    for pk in _ids(state=State.APPLYING, lease_expires_at=None, created_at__lt=at - PATIENCE):
        apply_import(import_id=pk)


def _finish_undoing(data_import: DataImport) -> None:
    """Take out what somebody died over, or leave it where people's work was found to rest on it."""
    with suppress(Conflict):
        if data_import.undone_at is not None and data_import.rows_done:
            confirm_undoing(import_id=data_import.pk)
        take_out(import_id=data_import.pk)


def _left_lying(state: State, name_of: Callable[[str], str], *, at: datetime) -> list[DataImport]:
    """Return what was begun and is not worked on: its lease is over, or its process on this machine gone."""
    begun = DataImport.objects.filter(state=state).exclude(lease_expires_at=None).order_by("pk")
    return [each for each in begun if _is_over(each, at=at) or has_died(name_of(each.public_id))]


def _is_over(data_import: DataImport, *, at: datetime) -> bool:
    return data_import.lease_expires_at is not None and data_import.lease_expires_at < at


def _ids(**conditions: object) -> list[int]:
    return list(DataImport.objects.filter(**conditions).order_by("pk").values_list("pk", flat=True))

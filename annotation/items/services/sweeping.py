"""Find imports that a worker left lying, and see to them."""

from datetime import timedelta

from annotation.items.models import DataImport
from annotation.items.services.applying import apply_import, fail_import
from annotation.items.services.checking import check_import
from common.clock import now

State = DataImport.State
# A doorbell that rang is answered sooner than this; inline work has begun.
PATIENCE = timedelta(seconds=20)


def sweep_imports() -> None:
    """Take up what nobody works on; where a worker died within an import, take that out again."""
    at = now()
    for pk in _ids(state=State.CHECKING, lease_expires_at=None, created_at__lt=at - PATIENCE):
        check_import(import_id=pk)
    # Checking stores nothing, so one that was cut short simply starts again.
    for pk in _ids(state=State.CHECKING, lease_expires_at__lt=at):
        check_import(import_id=pk)
    for data_import in DataImport.objects.filter(state=State.APPLYING, lease_expires_at__lt=at).order_by(
        "pk"
    ):
        fail_import(
            data_import=data_import,
            message="The worker stopped in the middle. Nothing was kept; confirm the import again.",
        )
    for pk in _ids(state=State.APPLYING, lease_expires_at=None, created_at__lt=at - PATIENCE):
        apply_import(import_id=pk)


def _ids(**conditions: object) -> list[int]:
    return list(DataImport.objects.filter(**conditions).order_by("pk").values_list("pk", flat=True))

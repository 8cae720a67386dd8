"""What workers do for imports."""

from celery import shared_task

from annotation.items.services import applying, uploads


@shared_task(name="annotation.items.check_import")
def check_import(import_id: int) -> None:
    """Check an import that waits for it."""
    uploads.check_import(import_id=import_id)


@shared_task(name="annotation.items.apply_import")
def apply_import(import_id: int) -> None:
    """Bring a confirmed import in."""
    applying.apply_import(import_id=import_id)


@shared_task(name="annotation.items.undo_import")
def undo_import(import_id: int) -> None:
    """Take the rows of an import out that is being undone."""
    applying.take_out(import_id=import_id)

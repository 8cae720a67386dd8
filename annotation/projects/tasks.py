"""What workers do for whole studies."""

from celery import shared_task

from annotation.projects import services


@shared_task(name="annotation.projects.sweep")
def sweep() -> None:
    """Bring studies in line whose lead's choice nobody has carried through."""
    services.sweep_upkeep()

"""Bring a whole study in line with what its lead chose: noted with the choice, done in chunks, by anybody.

A choice takes a moment, and is in force at once. What follows from it for every answer takes long, so it is
not done in the choice's transaction: nobody else could write meanwhile. Whoever dies over it is followed by
the sweeper, which tells the same again; all of these events can be told again, and work in chunks.
"""

from dataclasses import asdict
from datetime import datetime, timedelta

from django.db import connection, transaction

from annotation.projects.events import ProjectEvent
from annotation.projects.models import Change, Project, Upkeep
from common.clock import now
from common.events import publish
from common.tasks import at_work

# Whoever chose is at work on it sooner than this.
PATIENCE = timedelta(seconds=10)


def ask_upkeep(event: ProjectEvent, *, at: datetime | None = None) -> None:
    """Note, in the transaction of a choice, what is to be told; asked again, the latest facts are told."""
    facts = asdict(event)
    project_id = facts.pop("project_id")
    Upkeep.objects.get_or_create(project_id=project_id)
    upkeep = Upkeep.objects.select_for_update().get(project=project_id)
    upkeep.due = [*(pair for pair in upkeep.due if pair[0] != event.stored_as), [event.stored_as, facts]]
    upkeep.number += 1
    upkeep.asked_at = at or now()
    upkeep.save()


def do_upkeep(*, project_id: int) -> None:
    """Tell what is due, in no transaction; left to whoever is at it already, who sees what came since."""
    public_id = Upkeep.objects.filter(project=project_id).values_list("public_id", flat=True).first()
    if public_id is None:
        return
    kinds = {kind.stored_as: kind for kind in ProjectEvent.__subclasses__()}
    with at_work(f"upkeep-{public_id}") as is_alone:
        while is_alone and (upkeep := Upkeep.objects.filter(project=project_id).exclude(due=[]).first()):
            stored_as, facts = upkeep.due[0]
            publish(kinds[stored_as](project_id=project_id, **facts))
            _cross_out(upkeep)


@transaction.atomic
def _cross_out(told: Upkeep) -> None:
    upkeep = Upkeep.objects.select_for_update().filter(pk=told.pk, number=told.number).first()
    if upkeep is not None:
        upkeep.due = upkeep.due[1:]
        upkeep.save(update_fields=["due"])


MERGE_CHANGES = """
    WITH merged AS (
        DELETE FROM annotation_change WHERE (project_id, area) IN
            (SELECT project_id, area FROM annotation_change GROUP BY project_id, area HAVING count(*) > 1)
        RETURNING project_id, area, changes, mark
    )
    INSERT INTO annotation_change (project_id, area, changes, mark)
    SELECT project_id, area, sum(changes), max(mark) FROM merged GROUP BY project_id, area
"""


def merge_changes() -> None:
    """Make one row of an area's changes, which moves no revision, and forget projects that are gone.

    In one statement: no reader sees a sum without a part of it, and who does it at the same time finds
    nothing left of what is merged. On SQLite there is one row anyway.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(MERGE_CHANGES)
    Change.objects.exclude(project_id__in=Project.objects.order_by().values("pk")).delete()


def sweep_upkeep(*, at: datetime | None = None) -> None:
    """Finish what somebody died over."""
    left = Upkeep.objects.exclude(due=[]).filter(asked_at__lt=(at or now()) - PATIENCE)
    for project_id in list(left.order_by("pk").values_list("project", flat=True)):
        do_upkeep(project_id=project_id)

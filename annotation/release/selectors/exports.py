"""The exports of a project that were asked for."""

from django.db.models import Q, QuerySet

from annotation.projects.models import Project
from annotation.release.models import Export
from common.errors import NotFound


class ExportNotFound(NotFound):
    """There is no such export, or this person may not know of it."""


# Which answers were chosen may be many: what is shown of an export is only whether any were.
_SHOWN = Export.objects.defer("options").annotate(is_chosen=~Q(options={}))


def list_exports(*, project: Project) -> QuerySet[Export]:
    """Return the project's exports, newest first."""
    return _SHOWN.filter(project=project).order_by("-created_at", "-pk")


def get_export(*, public_id: str) -> Export:
    """Return an export with its project; raises `ExportNotFound`."""
    export = _SHOWN.select_related("project").filter(public_id=public_id).first()
    if export is None:
        raise ExportNotFound("There is no such export.")
    return export

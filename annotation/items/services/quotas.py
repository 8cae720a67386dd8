"""How much a project and a person may upload."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from annotation.accounts.models import User
from annotation.items.models import DataImport
from annotation.projects.models import Project
from common.errors import TooLarge, TooMany

State = DataImport.State
WAITING = (State.CHECKING, State.READY, State.REFUSED, State.FAILED)


class TooManyUploads(TooMany):
    """As many uploads wait to be confirmed as may."""

    code = "too_many_uploads"


class UploadQuota(TooLarge):
    """The project or the person has as many bytes of uploads as are kept."""

    code = "upload_quota"


def save_within_quotas(data_import: DataImport) -> None:
    """Store a new import; raises `TooManyUploads` and `UploadQuota`, for its project and for who uploads."""
    with transaction.atomic():
        # Two uploads at once take turns, so that together they stay within the quotas.
        project = Project.objects.select_for_update().get(pk=data_import.project_id)
        person = User.objects.select_for_update().get(pk=data_import.created_by_id)
        new = _size_of([data_import.files])
        imports = DataImport.objects.filter(project=project)
        _require_room(imports, new, whose="this project", setting="ASSAY_PROJECT_UPLOAD_BYTES")
        imports = DataImport.objects.filter(created_by=person)
        _require_room(imports, new, whose="yours", setting="ASSAY_PERSON_UPLOAD_BYTES")
        data_import.save()


def _require_room(imports: QuerySet[DataImport], new: int, *, whose: str, setting: str) -> None:
    of_whom = "of yours, in all projects," if whose == "yours" else f"of {whose}"
    most = settings.ASSAY_UPLOADS_WAITING
    if imports.filter(state__in=WAITING).count() >= most:
        raise TooManyUploads(
            f"{most} uploads {of_whom} wait to be confirmed, and no more may. Confirm or discard some "
            "of them on the page Import.",
            details={"limit": most},
        )
    kept, limit = _size_of(imports.values_list("files", flat=True)), getattr(settings, setting)
    if kept + new > limit:
        raise UploadQuota(
            f"With these {new:,} bytes the uploads {of_whom} would have {kept + new:,}; {limit:,} are kept. "
            "Discard uploads that wait, delete archived projects, or ask whoever runs this Assay for more "
            f"room ({setting}).",
            details={"size": new, "kept": kept, "limit": limit},
        )


def _size_of(uploads: Iterable[list[dict[str, Any]]]) -> int:
    return sum(int(file["size"]) for files in uploads for file in files)

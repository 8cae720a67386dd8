"""Take files in, choose their format, and let go of imports that were not confirmed."""

import hashlib
import shutil
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from django.conf import settings
from django.db import transaction

from annotation.accounts.models import User
from annotation.items import selectors
from annotation.items.formats.records import Kind
from annotation.items.formats.registry import FORMATS, detect
from annotation.items.models import DataImport
from annotation.items.services.checking import check_import
from annotation.items.services.quotas import save_within_quotas
from annotation.items.services.reading import option_specs, settle_options
from annotation.projects.models import Project
from common.clock import now
from common.errors import Conflict, Invalid
from common.tasks import enqueue_on_commit

State = DataImport.State
UNCONFIRMED = (State.CHECKING, State.READY, State.REFUSED, State.FAILED)


class FileTooLarge(Invalid):
    """The file is larger than this installation allows."""

    code = "file_too_large"


class NoFiles(Invalid):
    """There is nothing to import."""

    code = "no_files"


class MixedFormats(Invalid):
    """The files cannot be read together."""

    code = "mixed_formats"


class ImportNotWaiting(Conflict):
    """The import was confirmed, undone or is being checked, so this cannot be done to it."""

    code = "import_not_waiting"


class Upload(Protocol):
    """A file as Django hands it over."""

    name: str | None

    @property
    def size(self) -> int:
        """The number of bytes."""

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes."""


def create_import(
    *,
    project: Project,
    by: User,
    files: Iterable[Upload],
    format_key: str = "",
    options: dict[str, Any] | None = None,
    in_background: bool = False,
    at: datetime | None = None,
) -> DataImport:
    """Store files and check them; `in_background`: by a worker, as no request may wait for that.

    Nothing of them enters the project before `confirm_import`. Raises `NoFiles`, `FileTooLarge`,
    `UnknownFormat`, `MixedFormats` and `BadOption`.
    """
    files = list(files)
    _require_acceptable(files)
    data_import = DataImport(project=project, created_by=by, created_at=at or now())
    try:
        data_import.files = [_store(data_import, file, number) for number, file in enumerate(files)]
        _set_format(data_import, format_key, options or {})
        save_within_quotas(data_import)
    except Exception:
        _remove_files(data_import)
        raise
    _start_check(data_import, in_background=in_background)
    return data_import


def recheck_import(
    *, data_import: DataImport, format_key: str, options: dict[str, Any], in_background: bool = False
) -> DataImport:
    """Read the files again with another format or other options; raises `ImportNotWaiting`."""
    _set_format(data_import, format_key, options)
    changed = DataImport.objects.filter(pk=data_import.pk, state__in=UNCONFIRMED).update(
        state=State.CHECKING,
        format=data_import.format,
        options=data_import.options,
        lease_expires_at=None,
        message="",
    )
    if not changed:
        raise ImportNotWaiting("This import is not waiting to be confirmed any more.")
    _start_check(data_import, in_background=in_background)
    return data_import


def _start_check(data_import: DataImport, *, in_background: bool) -> None:
    if in_background:
        with transaction.atomic():
            enqueue_on_commit("annotation.items.check_import", data_import.pk)
    else:
        check_import(import_id=data_import.pk)
    data_import.refresh_from_db()


def discard_import(*, data_import: DataImport) -> None:
    """Forget an import that was never applied, with its files; raises `ImportNotWaiting`."""
    deleted, _ = DataImport.objects.filter(pk=data_import.pk, state__in=UNCONFIRMED).delete()
    if not deleted:
        raise ImportNotWaiting("This import was applied. Undo it instead.")
    _remove_files(data_import)


def _require_acceptable(files: list[Upload]) -> None:
    if not files:
        raise NoFiles("Choose at least one file.")
    limit = settings.ASSAY_UPLOAD_MAX_BYTES
    for file in files:
        if file.size > limit:
            raise FileTooLarge(
                f"{_base_name(file)} has {file.size:,} bytes; {limit:,} are allowed.",
                details={"file": _base_name(file), "size": file.size, "limit": limit},
            )


def _base_name(file: Upload) -> str:
    return Path(file.name or "file").name


def _folder(data_import: DataImport) -> Path:
    return Path(settings.DATA_DIR) / "uploads" / data_import.public_id


def _store(data_import: DataImport, file: Upload, number: int) -> dict[str, Any]:
    folder = _folder(data_import)
    folder.mkdir(parents=True, exist_ok=True)
    # A number instead of the user's name: nothing a user types becomes a path.
    path = folder / str(number)
    digest = hashlib.sha256()
    with path.open("wb") as stored:
        for chunk in file.chunks():
            digest.update(chunk)
            stored.write(chunk)
    return {
        "name": _base_name(file),
        "size": path.stat().st_size,
        "path": str(path.relative_to(settings.DATA_DIR)),
        "sha256": digest.hexdigest(),
    }


def _remove_files(data_import: DataImport) -> None:
    shutil.rmtree(_folder(data_import), ignore_errors=True)


def _set_format(data_import: DataImport, format_key: str, options: dict[str, Any]) -> None:
    data_import.format = format_key or _detected(data_import, options)
    found = selectors.get_format(data_import.format)
    data_import.options = settle_options(found=found, options=options)


def _option_names(format_key: str) -> set[str]:
    return {spec.name for spec in option_specs(FORMATS[format_key])}


def _detected(data_import: DataImport, options: dict[str, Any]) -> str:
    keys = {detect(source).key for source in selectors.sources_of(data_import)}
    if all(FORMATS[key].kind is Kind.ITEMS for key in keys):
        # The generic format reads what the stricter one reads, and takes more options.
        is_plain = len(keys) == 1 and set(options) <= _option_names(next(iter(keys)))
        return keys.pop() if is_plain else "generic"
    if len(keys) == 1:
        return keys.pop()
    raise MixedFormats(
        "These files are of different formats. Import votes, verdicts and questions one after the other.",
        details={"formats": sorted(keys)},
    )

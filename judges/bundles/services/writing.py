"""Write a study as one file."""

import hashlib
import zipfile
from collections.abc import Iterator
from typing import IO

from annotation.items.models import DataImport
from annotation.projects.models import Project, Upkeep
from common.errors import Conflict
from judges.bundles.rules import MANIFEST, README, README_TEXT, PartEntry, manifest_text
from judges.bundles.selectors.contents import ALL_PARTS
from judges.bundles.selectors.rows import StudyRows

# The same study gives the same bytes, whenever it is written.
ALWAYS = (1980, 1, 1, 0, 0, 0)


class StudyInMotion(Conflict):
    """Something is being done to the whole study: half of it would leave."""


def require_rest(*, project: Project) -> None:
    """Raise `StudyInMotion` while files come in or go out, or a choice is carried through."""
    moving = (DataImport.State.APPLYING, DataImport.State.UNDOING)
    if DataImport.objects.filter(project=project, state__in=moving).exists():
        raise StudyInMotion("An import is in progress. Export the project after the import has finished.")
    if Upkeep.objects.filter(project=project).exclude(due=[]).exists():
        raise StudyInMotion(
            "Assay is still applying a change to all answers in this project. Try again in a minute."
        )


def write_bundle(*, project: Project, file: IO[bytes]) -> None:
    """Write a bundle of the study, one row at a time, as it is in the database's snapshot of the caller."""
    rows = StudyRows(project)
    entries = {}
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(new_entry(README), README_TEXT)
        for part in ALL_PARTS:
            # Larger than 4 GB, as a part may be whose size is not known before.
            with archive.open(new_entry(part.file_name), "w", force_zip64=True) as out:
                entries[part.file_name] = write_lines(rows.lines(part), out)
        archive.writestr(new_entry(MANIFEST), manifest_text(entries))


def new_entry(name: str) -> zipfile.ZipInfo:
    """Return an entry of an archive: the same at any time."""
    entry = zipfile.ZipInfo(name, date_time=ALWAYS)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o644 << 16
    return entry


def write_lines(lines: Iterator[str], out: IO[bytes]) -> PartEntry:
    """Write lines to a part and return what the manifest says of it."""
    digest, rows, size = hashlib.sha256(), 0, 0
    for line in lines:
        data = line.encode()
        digest.update(data)
        out.write(data)
        rows, size = rows + 1, size + len(data)
    return PartEntry(rows, size, digest.hexdigest())

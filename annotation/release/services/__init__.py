"""Make files for people to take away, and delete what was taken away."""

from annotation.release.services.deleting import (
    NotExported,
    NotTheName,
    ProjectInUse,
    delete_project,
    sweep_deletions,
)
from annotation.release.services.exporting import (
    EXPORT_TASK,
    ExportGone,
    ExportNotFinished,
    UnknownFormat,
    get_format,
    make_export,
    open_export_path,
    preview_lines,
    ring_for_open_exports,
    start_export,
    write_file,
)

__all__ = [
    "EXPORT_TASK",
    "ExportGone",
    "ExportNotFinished",
    "NotExported",
    "NotTheName",
    "ProjectInUse",
    "UnknownFormat",
    "delete_project",
    "get_format",
    "make_export",
    "open_export_path",
    "preview_lines",
    "ring_for_open_exports",
    "start_export",
    "sweep_deletions",
    "write_file",
]

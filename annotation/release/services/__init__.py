"""Make files for people to take away, and delete what was taken away."""

from annotation.release.services.deleting import delete_project, sweep_deletions
from annotation.release.services.exporting import (
    EXPORT_TASK,
    make_export,
    open_export_path,
    preview_lines,
    ring_for_open_exports,
    start_export,
    write_file,
)

"""The stored files that rows point at: uploads and exports, in the data folder."""

import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from commands.backups.tables import State

FOLDERS = ("uploads", "exports")
# What no path of ours has, and what another system might take for a way out of the folder.
_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f\\:]")
MOST_PARTS = 4


def is_path_of_ours(path: str) -> bool:
    """Say whether a path leads to a place below one of our folders, whatever the system."""
    parts = path.split("/")
    return (
        not _FORBIDDEN.search(path)
        and 2 <= len(parts) <= MOST_PARTS
        and parts[0] in FOLDERS
        and not any(part in {"", ".", ".."} or len(part) > 255 for part in parts)
    )


def stored_paths(state: State, *, folder: Path) -> tuple[list[str], int]:
    """Return the paths of all files that rows point at, in order, and how many of them are not there."""
    there: set[str] = set()
    missing: set[str] = set()
    for path in _named(state):
        if is_path_of_ours(path) and _is_plain(folder, path):
            there.add(path)
            there.update(_beside(folder, path))
        else:
            missing.add(path)
    return sorted(there), len(missing)


def _named(state: State) -> Iterator[str]:
    imports, exports = state.kept["annotation.dataimport"].model, state.kept["annotation.export"].model
    for files in imports._base_manager.order_by("pk").values_list("files", flat=True).iterator():
        yield from (file["path"] for file in files if isinstance(file, dict) and file.get("path"))
    paths = exports._base_manager.exclude(path="").order_by("pk").values_list("path", flat=True)
    yield from paths.iterator()


def _beside(folder: Path, path: str) -> Iterator[str]:
    """Yield copies of an upload in other encodings, which no row names."""
    parent = PurePosixPath(path).parent
    if len(parent.parts) > 1:
        near = (f"{parent}/{each.name}" for each in (folder / parent).iterdir())
        yield from (each for each in near if is_path_of_ours(each) and _is_plain(folder, each))


def _is_plain(folder: Path, path: str) -> bool:
    return (folder / path).is_file() and not (folder / path).is_symlink()

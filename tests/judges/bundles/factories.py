"""Bundles written, taken apart and put together again."""

import hashlib
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from annotation.accounts.models import User
from annotation.projects.models import Project
from annotation.release.selectors.formats import EXPORT_FORMATS
from annotation.release.services import write_file
from judges.bundles.services.restoring import restore_bundle

Parts = dict[str, bytes]


def write(project: Project, path: Path) -> Path:
    write_file(project=project, format_key="bundle", path=path)
    return path


def restore(path: Path, *, by: User, **options: Any) -> Project:
    with path.open("rb") as file:
        return restore_bundle(file=file, by=by, **options)


def take_apart(path: Path) -> Parts:
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def put_together(parts: Parts, path: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    return path


def sealed(parts: Parts) -> Parts:
    """Return the parts with a manifest that is true of them: whoever changed them hides it."""
    manifest = json.loads(parts["manifest.json"])
    for entry in manifest["parts"]:
        data = parts[entry["name"]]
        entry.update(rows=data.count(b"\n"), bytes=len(data), sha256=hashlib.sha256(data).hexdigest())
    return {**parts, "manifest.json": json.dumps(manifest).encode()}


def changed(parts: Parts, name: str, line: int, change: Callable[[dict[str, Any]], object]) -> Parts:
    """Return the parts with one row changed, under a true manifest."""
    lines = parts[name].splitlines(keepends=True)
    row = json.loads(lines[line - 1])
    change(row)
    lines[line - 1] = json.dumps(row).encode() + b"\n"
    return sealed({**parts, name: b"".join(lines)})


def hashes(project: Project, folder: Path) -> dict[str, str]:
    """Return the SHA-256 of every export."""
    return {
        form.key: write_file(project=project, format_key=form.key, path=folder / form.key).sha256
        for form in EXPORT_FORMATS
    }

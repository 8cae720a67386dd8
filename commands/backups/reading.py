"""Read a backup: nothing is unpacked, and nothing is held but the rows at hand."""

import hashlib
import json
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from pydantic import ValidationError

from commands.backups.files import is_path_of_ours
from commands.backups.manifest import (
    FILES,
    LONGEST_LINE,
    Manifest,
    StoredFile,
    file_name,
    is_backup,
    read_manifest,
    rows_name,
)
from commands.backups.progress import Progress
from judges.bundles.rules import MANIFEST, README, Damaged
from judges.bundles.services.reading import (
    UNREADABLE,
    bytes_of,
    lines_of,
    manifest_of,
    require_small_directory,
)

# Of the list of entries at the end of the file: room for some hundred thousand stored files.
LARGEST_DIRECTORY = 20_000_000
# Together of all parts: far above what any server holds, and an end.
MOST_BYTES = 4_000_000_000_000
# Rows that are held at once, and their bytes in the file.
AT_ONCE = 2_000
BYTES_AT_ONCE = 4_000_000
Row = tuple[int, list[Any]]


def is_of_a_server(file: IO[bytes]) -> bool:
    """Say whether a file is a backup of a server, and not a bundle of one project or something else."""
    try:
        require_small_directory(file, largest=LARGEST_DIRECTORY)
        return is_backup(manifest_of(zipfile.ZipFile(file)))
    except (Damaged, ValueError, *UNREADABLE):
        return False


class Backup:
    """A backup in an open file, whose manifest and list of files were read; raises `Damaged`."""

    def __init__(self, file: IO[bytes]) -> None:
        try:
            require_small_directory(file, largest=LARGEST_DIRECTORY)
            self._archive = zipfile.ZipFile(file)
        # A damaged directory may lead to a place before the beginning of the file.
        except (ValueError, *UNREADABLE):
            raise Damaged("this is not a zip file, or it is damaged.") from None
        self.manifest: Manifest = read_manifest(manifest_of(self._archive))
        self._require_within()
        self.files = [self._stored_file(*found) for found in self._lines(FILES)]
        self._require_known_entries()

    def check(self, progress: Progress) -> None:
        """Read everything and compare it with its SHA-256; raises `Damaged`."""
        for label in self.manifest.tables:
            for number, _ in self._lines(rows_name(label)):
                progress.note(f"checking {label}", number)
        for stored in self.files:
            for _ in self.pieces(stored):
                progress.note(f"checking {stored.path}", stored.bytes)

    def chunks(self, label: str, read: Callable[[Sequence[Any]], list[Any]]) -> Iterator[list[list[Any]]]:
        """Yield the rows of a table as the database takes them, as many as are held at once."""
        part, chunk, held = rows_name(label), [], 0
        for number, line in self._lines(part):
            chunk.append(_row(line, read, part=part, number=number))
            held += len(line)
            if len(chunk) == AT_ONCE or held >= BYTES_AT_ONCE:
                yield chunk
                chunk, held = [], 0
        if chunk:
            yield chunk

    def pieces(self, stored: StoredFile) -> Iterator[bytes]:
        """Yield what is in a stored file; raises `Damaged` at its end where it is another."""
        digest, size, name = hashlib.sha256(), 0, file_name(stored.path)
        for piece in bytes_of(self._archive, name, most=stored.bytes):
            digest.update(piece)
            size += len(piece)
            yield piece
        if (size, digest.hexdigest()) != (stored.bytes, stored.sha256):
            raise Damaged("the SHA-256 differs from that in the list of files.", part=name)

    def _lines(self, part: str) -> Iterator[tuple[int, bytes]]:
        return lines_of(self._archive, part, entry=self.manifest.parts[part], longest=LONGEST_LINE)

    def _stored_file(self, number: int, line: bytes) -> StoredFile:
        try:
            stored = StoredFile.model_validate_json(line)
        except ValidationError:
            raise Damaged("this is not a stored file.", part=FILES, line=number) from None
        if not is_path_of_ours(stored.path):
            raise Damaged(
                f"the path {stored.path[:100]!r} leads out of the folders of stored files.",
                part=FILES,
                line=number,
            )
        return stored

    def _require_known_entries(self) -> None:
        names = self._archive.namelist()
        known = {README, MANIFEST, *self.manifest.parts, *(file_name(each.path) for each in self.files)}
        if unknown := sorted(set(names) - known):
            raise Damaged(f"the zip file has an unexpected entry: {unknown[0][:100]!r}.")
        if lacking := sorted(known - {README} - set(names)):
            raise Damaged(f"the zip file lacks the entry {lacking[0][:100]!r}.")
        if len(names) != len(set(names)):
            raise Damaged("the zip file has the same entry twice.")

    def _require_within(self) -> None:
        if sum(entry.bytes for entry in self.manifest.parts.values()) > MOST_BYTES:
            raise Damaged(f"the parts have more than {MOST_BYTES:,} bytes.", part=MANIFEST)


def _row(line: bytes, read: Callable[[Sequence[Any]], list[Any]], *, part: str, number: int) -> list[Any]:
    try:
        found = json.loads(line)
        if not isinstance(found, list):
            raise ValueError("this is not a row")
        return read(found)
    except RecursionError:
        raise Damaged("this is nested too deeply.", part=part, line=number) from None
    except json.JSONDecodeError:
        raise Damaged("this is not valid JSON.", part=part, line=number) from None
    except ValueError as error:
        raise Damaged(f"{error}.", part=part, line=number) from None


def free_paths(files: Sequence[StoredFile], *, folder: Path) -> list[StoredFile]:
    """Return the files that are not there yet; raises `Damaged` where another one is in the way."""
    free = []
    for stored in files:
        path = folder / stored.path
        if not path.exists() and not path.is_symlink():
            free.append(stored)
        elif not _is_same(path, stored):
            raise Damaged(
                f"the data folder already has a different file named {stored.path}. Move it elsewhere."
            )
    return free


def _is_same(path: Path, stored: StoredFile) -> bool:
    if path.is_symlink() or not path.is_file() or path.stat().st_size != stored.bytes:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == stored.sha256

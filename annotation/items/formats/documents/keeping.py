"""Files as they are kept: whatever was handed in made texts in UTF-8, within the room that there is for them.

Nothing here knows of quotas: whoever keeps files says how many bytes there is room for.
"""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from annotation.items.formats.documents.conversion import (
    UTF_8,
    ArchiveLimits,
    NoRoom,
    NotInEncoding,
    UnreadableArchive,
    is_archive,
    is_utf_8,
    marked_encoding,
    recode,
    recoded_path,
    unpack,
)
from annotation.items.formats.documents.parquet import (
    ParquetLimits,
    ParquetTooLarge,
    UnreadableParquet,
    convert_parquet,
)
from annotation.items.formats.tables import is_parquet

# Times the largest upload: what a Parquet file or an archive may come to.
MOST_UNPACKED = 5
MOST_FILES_UNPACKED = 100


class Unusable(Exception):
    """A Parquet file, an archive or a text in UTF-16 is damaged, or larger than is read here."""


class Kept(NamedTuple):
    """A file that is kept: what it is called, where it is, and the hash of what was handed in."""

    name: str
    path: Path
    size: int
    sha256: str


@dataclass
class Room:
    """How many bytes may still be kept."""

    left: int

    def take(self, size: int) -> None:
        """Have so many bytes less from now on; raises `NoRoom`."""
        if size > self.left:
            raise NoRoom
        self.left -= size


class Keeper(NamedTuple):
    """Keeps files in one folder. largest, rows: how many bytes one file may have, and rows one of Parquet."""

    folder: Path
    room: Room
    largest: int
    rows: int

    def keep(self, chunks: Iterable[bytes], *, name: str, number: int) -> list[Kept]:
        """Keep a file as texts, an archive as the files in it; raises `Unusable` and `NoRoom`.

        number: the file's among those handed in together.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        # A number instead of the user's name: nothing a user types becomes a path.
        path = self.folder / str(number)
        sha256 = _write(path, chunks)
        return (
            self._keep_unpacked(path, name, sha256) if is_archive(path) else [self._keep(path, name, sha256)]
        )

    def _keep_unpacked(self, path: Path, name: str, sha256: str) -> list[Kept]:
        most = self.largest
        limits = ArchiveLimits(MOST_FILES_UNPACKED, most, MOST_UNPACKED * most, self.room.left)
        try:
            unpacked = unpack(path, name, limits=limits)
        except UnreadableArchive as error:
            raise _unreadable(name, error) from None
        path.unlink()
        if packed := next((each.name for each in unpacked if is_parquet(each.path)), None):
            raise Unusable(
                f"{name} cannot be read: it contains a Parquet file, {packed}. Extract that file and "
                "upload it by itself."
            )
        # Of several files each has its own.
        is_alone = len(unpacked) == 1
        return [
            self._keep(each.path, each.name, sha256 if is_alone else _sha256_of(each.path))
            for each in unpacked
        ]

    def _keep(self, path: Path, name: str, sha256: str) -> Kept:
        if is_parquet(path):
            self._rewrite_parquet(path, name)
        elif encoding := marked_encoding(path):
            copy = path.with_name(f"{path.name}.text")
            try:
                recode(path, copy, encoding, room_bytes=self.room.left)
            except NotInEncoding as error:
                raise Unusable(f"{name} looks like {encoding.upper()}, but {error}.") from None
            copy.replace(path)
        size = path.stat().st_size
        self.room.take(size)
        return Kept(name, path, size, sha256)

    def _rewrite_parquet(self, path: Path, name: str) -> None:
        """Keep a Parquet file as the lines that it holds, which are read as any others."""
        most = MOST_UNPACKED * self.largest
        lines = path.with_name(f"{path.name}.lines")
        limits = ParquetLimits(self.rows, min(most, self.room.left))
        try:
            convert_parquet(path, lines, limits=limits)
        except ParquetTooLarge as error:
            raise (NoRoom() if limits.bytes < most else _unreadable(name, error)) from None
        except UnreadableParquet as error:
            raise _unreadable(name, error) from None
        lines.replace(path)


def _unreadable(name: str, error: Exception) -> Unusable:
    return Unusable(f"{name} cannot be read: {error}.")


def keep_copy(path: Path, *, encoding: str, room: Room) -> int:
    """Keep a file in UTF-8 beside itself, which it may be already, and return how many bytes that takes.

    The copy is there whole or not at all. Raises `NotInEncoding` and `NoRoom`.
    """
    copy = recoded_path(path, encoding)
    begun = copy.with_name(f"{copy.name}.{uuid4().hex}")
    size = recode(path, begun, UTF_8 if is_utf_8(path) else encoding, room_bytes=room.left)
    room.take(size)
    begun.replace(copy)
    return size


def _write(path: Path, chunks: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    with path.open("wb") as stored:
        for chunk in chunks:
            digest.update(chunk)
            stored.write(chunk)
    return digest.hexdigest()


def _sha256_of(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

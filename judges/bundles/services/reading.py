"""Read a bundle that anybody may have made: nothing is unpacked, and nothing is held but the line at hand."""

import hashlib
import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO, Any, NamedTuple

from judges.bundles.rules import (
    LARGEST_MANIFEST,
    LONGEST_LINE,
    MANIFEST,
    README,
    Damaged,
    PartEntry,
    lines_within,
    parse_json,
    read_manifest,
)
from judges.bundles.selectors.contents import ALL_PARTS, Part

_END = b"PK\x05\x06"
_END_SIZE = 22
_LONGEST_COMMENT = 65_535
# Of the list of entries at the end of the file: room for each part, many times over.
LARGEST_DIRECTORY = 100_000


# What a damaged zip file makes of reading an entry.
UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, OSError)


class Limits(NamedTuple):
    """How many rows, and bytes once unpacked, a bundle may have."""

    rows: int
    bytes: int


class Bundle:
    """A bundle in an open file, whose manifest was read; raises `Damaged` for what is none."""

    def __init__(self, file: IO[bytes], *, limits: Limits) -> None:
        try:
            require_small_directory(file, largest=LARGEST_DIRECTORY)
            self._archive = zipfile.ZipFile(file)
            self._require_known_entries()
            self.entries = self._read_manifest()
            self._require_within(limits)
        # A damaged directory may lead to a place before the beginning of the file: OSError.
        except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError, EOFError, ValueError, OSError):
            raise Damaged("this is not a zip file, or it is damaged.") from None

    def entry(self, part: Part) -> PartEntry:
        """Return what the manifest says of a part."""
        return self.entries[part.file_name]

    def rows(self, part: Part) -> Iterator[tuple[int, int, dict[str, Any]]]:
        """Yield each row after its number and size; raises `Damaged` where a part is not as announced."""
        name, entry = part.file_name, self.entry(part)
        for number, line in lines_of(self._archive, name, entry=entry, longest=LONGEST_LINE):
            yield number, len(line), self._row(line, part=name, number=number)

    def _row(self, line: bytes, *, part: str, number: int) -> dict[str, Any]:
        row = parse_json(line, part=part, line=number)
        if not isinstance(row, dict) or row.pop("line", None) != number:
            raise Damaged("this is not a row, or its “line” is incorrect.", part=part, line=number)
        return row

    def _require_known_entries(self) -> None:
        known = {README, MANIFEST, *(part.file_name for part in ALL_PARTS)}
        names = self._archive.namelist()
        for name in names:
            if name not in known:
                raise Damaged(f"the zip file has an unexpected entry: {name[:100]!r}.")
        if len(names) != len(set(names)):
            raise Damaged("the zip file has the same entry twice.")
        if MANIFEST not in names:
            raise Damaged("this is not an Assay bundle: it has no manifest.json.")

    def _read_manifest(self) -> dict[str, PartEntry]:
        known = [part.file_name for part in ALL_PARTS]
        return read_manifest(manifest_of(self._archive), known=known)

    def _require_within(self, limits: Limits) -> None:
        rows = sum(entry.rows for entry in self.entries.values())
        size = sum(entry.bytes for entry in self.entries.values())
        if rows > limits.rows or size > limits.bytes:
            raise Damaged(
                f"the bundle has {rows:,} rows and {size:,} bytes unpacked, which is more than the "
                f"{limits.rows:,} rows or {limits.bytes:,} bytes that this server accepts. An administrator "
                "can use “manage.py restore” to restore it.",
                part=MANIFEST,
            )


def manifest_of(archive: zipfile.ZipFile) -> bytes:
    """Return the text of the manifest; raises `Damaged` where there is none of usual size."""
    try:
        with archive.open(MANIFEST) as file:
            text = file.read(LARGEST_MANIFEST + 1)
    except (KeyError, *UNREADABLE):
        raise Damaged("the zip file is damaged here.", part=MANIFEST) from None
    if len(text) > LARGEST_MANIFEST:
        raise Damaged("the manifest is too long.", part=MANIFEST)
    return text


def lines_of(
    archive: zipfile.ZipFile, name: str, *, entry: PartEntry, longest: int
) -> Iterator[tuple[int, bytes]]:
    """Yield each line of a part with its number; raises `Damaged` where it is not as announced."""
    digest, size, number = hashlib.sha256(), 0, 0
    for number, line in _lines(archive, name, longest=longest):
        size += len(line)
        if number > entry.rows or size > entry.bytes:
            raise Damaged("the part is larger than the manifest says.", part=name, line=number)
        digest.update(line)
        yield number, line
    if (number, size) != (entry.rows, entry.bytes):
        raise Damaged("the part is smaller than the manifest says.", part=name)
    if digest.hexdigest() != entry.sha256:
        raise Damaged("the SHA-256 differs from the manifest’s, so the part has been changed.", part=name)


def _lines(archive: zipfile.ZipFile, name: str, *, longest: int) -> Iterator[tuple[int, bytes]]:
    if name not in archive.NameToInfo:
        return
    try:
        with archive.open(name) as raw, io.BufferedReader(raw, 1 << 16) as text:  # type: ignore[type-var]
            found = iter(lambda: text.readline(longest + 1), b"")
            yield from lines_within(found, longest=longest, part=name)
    except UNREADABLE:
        raise Damaged("the zip file is damaged here.", part=name) from None


def bytes_of(archive: zipfile.ZipFile, name: str, *, most: int) -> Iterator[bytes]:
    """Yield what an entry holds, piece by piece; raises `Damaged`, also where it is larger than `most`."""
    size = 0
    try:
        with archive.open(name) as file:
            while piece := file.read(1 << 20):
                size += len(piece)
                if size > most:
                    raise Damaged("the entry is larger than its declared size.", part=name)
                yield piece
    except UNREADABLE:
        raise Damaged("the zip file is damaged here.", part=name) from None


def require_small_directory(file: IO[bytes], *, largest: int) -> None:
    """Raise `Damaged` before all entries are read of a file that lists millions of them."""
    size = file.seek(0, io.SEEK_END)
    file.seek(max(0, size - _END_SIZE - _LONGEST_COMMENT))
    tail = file.read()
    place = tail.rfind(_END)
    if place < 0 or len(tail) < place + _END_SIZE:
        raise Damaged("this is not a zip file, or it is damaged.")
    directory = int.from_bytes(tail[place + 12 : place + 16], "little")
    # Larger files say it in a record of their own, which small ones do not need.
    is_large = tail[place - 20 : place - 16] == b"PK\x06\x07"
    if (is_large and size < zipfile.ZIP64_LIMIT) or (not is_large and directory > largest):
        raise Damaged(
            "this zip file was not written by Assay: its list of entries differs from the one that Assay "
            "writes."
        )

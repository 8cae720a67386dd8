"""Files made texts in UTF-8, which is all that readers read: archives unpacked, other encodings rewritten.

Archives are unpacked within limits, as they may swell.
"""

import codecs
import gzip
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, NamedTuple, cast

# How packed files begin.
GZIP = b"\x1f\x8b"
ZIP = b"PK\x03\x04"
# What no file of data in an archive is called: notes of macOS, and hidden files.
_NO_DATA = ("__MACOSX", ".")
# A spreadsheet or a document of an office program is a ZIP archive with this in it.
_OFFICE = frozenset({"[Content_Types].xml", "mimetype"})
CHUNK_BYTES = 1 << 20
LONGEST_NAME = 255
# What is read of an archive at once. The list of all that is in it is read whole: in so many bytes stand
# 45,000 entries at most, where one of a million would take seconds and gigabytes.
MOST_AT_ONCE = 2 * CHUNK_BYTES


class NoRoom(Exception):
    """There is no room for all that would be written."""


class UnreadableArchive(Exception):
    """The archive is damaged, encrypted, holds no file, or holds more than is read here."""


class ArchiveLimits(NamedTuple):
    """How many files are unpacked, how many bytes each may have, and how many all of them.

    room_bytes: how many there is room for, whatever an archive may have.
    """

    files: int
    bytes: int
    total_bytes: int
    room_bytes: int


class Unpacked(NamedTuple):
    """A file that was in an archive: its name without folders, and where its bytes are now."""

    name: str
    path: Path


def is_archive(path: Path) -> bool:
    """Whether a file begins as gzip or ZIP do."""
    with path.open("rb") as file:
        return file.read(len(ZIP)).startswith((GZIP, ZIP))


def unpack(path: Path, name: str, *, limits: ArchiveLimits) -> list[Unpacked]:
    """Write the files of an archive beside it, and return them in the order of their names.

    path: the archive, which stays. name: what it is called; one packed by gzip is called so without ".gz".
    Raises `UnreadableArchive` in words for people and `NoRoom`, both before anything is unpacked where the
    archive itself says how large its files are, and leaves what it wrote by then.
    """
    try:
        with path.open("rb") as file:
            is_gzip = file.read(len(GZIP)) == GZIP
        return _unpack_gzip(path, name, limits) if is_gzip else _unpack_zip(path, limits)
    except (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError, ValueError) as error:
        raise UnreadableArchive("it is damaged, or its compression method is not supported") from error


def _unpack_gzip(path: Path, name: str, limits: ArchiveLimits) -> list[Unpacked]:
    target = path.with_name(f"{path.name}.1")
    with gzip.open(path, "rb") as packed:
        # How many bytes it holds it says only in its last 32 bits, so that is no use beforehand.
        _copy(cast(IO[bytes], packed), target, limits=limits)
    return [Unpacked(name[:-3] if name.lower().endswith(".gz") else name, target)]


class _InPieces:
    """An open file of which nobody reads much at once."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.seek, self.tell, self.close = file.seek, file.tell, file.close

    def seekable(self) -> bool:
        """Say that one may go to any place in it."""
        return True

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes; raises `UnreadableArchive` for many."""
        most = MOST_AT_ONCE + 1
        found = self._file.read(min(size, most) if size >= 0 else most)
        if len(found) == most:
            raise UnreadableArchive(
                "its list of files is too long. Keep only the files that you want to import"
            )
        return found


def _unpack_zip(path: Path, limits: ArchiveLimits) -> list[Unpacked]:
    with path.open("rb") as file, zipfile.ZipFile(cast(IO[bytes], _InPieces(file))) as archive:
        members = sorted(_members_of(archive), key=lambda member: member.filename)
        if not members:
            raise UnreadableArchive("it contains no files")
        if len(members) > limits.files:
            raise UnreadableArchive(
                f"it contains {len(members):,} files; at most {limits.files:,} are allowed. Remove some files"
            )
        sizes = [member.file_size for member in members]
        _require_within(limits, largest=max(sizes), total=sum(sizes))
        unpacked = 0
        found = []
        for number, member in enumerate(members, start=1):
            target = path.with_name(f"{path.name}.{number}")
            with archive.open(member) as packed:
                unpacked += _copy(packed, target, limits=limits, before=unpacked)
            found.append(Unpacked(_name_of(member), target))
        return found


def _name_of(member: zipfile.ZipInfo) -> str:
    """Return a member's name as an upload's would be: without folders and control characters."""
    name = PurePosixPath(member.filename).name
    return "".join(character for character in name if character.isprintable())[-LONGEST_NAME:] or "file"


def _members_of(archive: zipfile.ZipFile) -> Iterator[zipfile.ZipInfo]:
    for member in archive.infolist():
        if member.filename in _OFFICE:
            raise UnreadableArchive("it is a spreadsheet or document. Save its table as CSV in UTF-8")
        parts = PurePosixPath(member.filename.replace("\\", "/")).parts
        if member.is_dir() or not parts or any(part.startswith(_NO_DATA) for part in parts):
            continue
        if member.flag_bits & 1:
            raise UnreadableArchive("it is encrypted. Unpack it first")
        # The others are unpacked a piece at a time only where all of it fits into memory.
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise UnreadableArchive("its compression method is not supported. Use “Deflate” instead")
        yield member


def _copy(packed: IO[bytes], target: Path, *, limits: ArchiveLimits, before: int = 0) -> int:
    """Write what an open archive holds, and return how many bytes that were.

    before: how many bytes were unpacked of it already.
    """
    size = 0
    with target.open("wb") as file:
        while chunk := packed.read(CHUNK_BYTES):
            size += len(chunk)
            _require_within(limits, largest=size, total=before + size)
            file.write(chunk)
    return size


def _require_within(limits: ArchiveLimits, *, largest: int, total: int) -> None:
    """Raise where one file, or all of them together, have more bytes than they may."""
    if largest > limits.bytes:
        raise UnreadableArchive(
            f"unpacked, it is larger than {limits.bytes:,} bytes. Split it into smaller files"
        )
    if total > limits.total_bytes:
        raise UnreadableArchive("its files are too large in total. Import fewer at once")
    if total > limits.room_bytes:
        raise NoRoom


UTF_8 = "utf-8"
# What programs write where nobody asked for UTF-8. Most of these read any bytes, right or wrong, so a person
# has to say which it is.
ENCODINGS = (UTF_8, "windows-1252", "windows-1250", "windows-1251", "gb18030", "big5", "shift_jis", "euc-kr")
_BY_MARK = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


class NotInEncoding(Exception):
    """A text is not in the encoding it is said to be in."""


def marked_encoding(path: Path) -> str | None:
    """Return the encoding that a file names by its first bytes; None for UTF-8 and where it names none."""
    with path.open("rb") as file:
        beginning = file.read(4)
    # UTF-32 begins as UTF-16 does.
    if beginning == codecs.BOM_UTF32_LE:
        return None
    return _BY_MARK.get(beginning[:2])


def is_utf_8(path: Path) -> bool:
    """Whether a file is in UTF-8 to its end."""
    decoder = codecs.getincrementaldecoder(UTF_8)()
    try:
        with path.open("rb") as file:
            while chunk := file.read(CHUNK_BYTES):
                decoder.decode(chunk)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def recoded_path(path: Path, encoding: str) -> Path:
    """Return where the text of a file stands in UTF-8, if it was in this encoding."""
    return path.with_name(f"{path.name}.{encoding}")


def recode(source: Path, target: Path, encoding: str, *, room_bytes: int) -> int:
    """Write a text anew in UTF-8, and return how many bytes that are.

    Raises `NotInEncoding`, and `NoRoom` beyond `room_bytes`; then it writes nothing that stays.
    """
    decoder = codecs.getincrementaldecoder(encoding)()
    line, size = 1, 0
    try:
        with source.open("rb") as file, target.open("wb") as written:
            while True:
                chunk = file.read(CHUNK_BYTES)
                text = decoder.decode(chunk, final=not chunk)
                size += written.write(text.encode())
                if size > room_bytes:
                    raise NoRoom
                line += text.count("\n")
                if not chunk:
                    return size
    except NoRoom:
        target.unlink(missing_ok=True)
        raise
    except UnicodeError as error:
        target.unlink(missing_ok=True)
        if isinstance(error, UnicodeDecodeError):
            before = error.object[: error.start].decode(encoding, errors="ignore")
            line += before.count("\n")
        raise NotInEncoding(f"line {line:,} contains bytes that are not valid in {encoding}") from None

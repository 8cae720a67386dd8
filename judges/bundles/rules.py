"""What a bundle looks like, and which values of one are refused, as pure functions over plain values."""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import blake2b, sha256
from typing import Any, NamedTuple

from common.identifiers import ALPHABET, LENGTH, VERSION

FORMAT = "assay-bundle"
# Raised when an older version of Assay could misread what a newer one writes.
FORMAT_VERSION = 1
MANIFEST = "manifest.json"
README = "README.txt"
# Of one line: room for the longest reply of a model (4 MB), and as lists in lists little enough to be held.
LONGEST_LINE = 5_000_000
# As deep as cells of imports may be (50), within the lists and objects that are made of them.
DEEPEST = 60
# Digits of a whole number, so that it is no larger than any other number.
MOST_DIGITS = 300
LARGEST_MANIFEST = 1_000_000
README_TEXT = """This bundle contains one project from Assay, including all work by people and judges.

manifest.json   the version of Assay that wrote this file, and the rows, size, and SHA-256 of each part
*.jsonl         the parts: one row per line, as JSON, in the order in which the rows were created

The field "line" of each row has the row’s number. A field that points to another row holds that row’s
number: an answer with "question" 3 belongs to line 3 of questions.jsonl. Times are UTC. people.jsonl
contains the names and usernames of people. The bundle does not contain passwords, email addresses, API
tokens, invitations, connections’ keys, or uploaded files.

To restore it, run: manage.py restore FILE --slug NEW
"""


class Damaged(Exception):
    """Something of a bundle is not as it should be; says in which part, on which line, and what."""

    def __init__(self, words: str, *, part: str = "", line: int = 0) -> None:
        super().__init__(words)
        self.words, self.part, self.line = words, part, line

    def __str__(self) -> str:
        place = f"{self.part}, line {self.line:,}: " if self.line else f"{self.part}: " if self.part else ""
        return place + self.words


class PartEntry(NamedTuple):
    """What the manifest says of a part: rows, bytes, and the SHA-256 of its bytes."""

    rows: int
    bytes: int
    sha256: str


def manifest_text(entries: Mapping[str, PartEntry]) -> str:
    """Return the manifest as it stands in the file."""
    parts = [{"name": name, **entry._asdict()} for name, entry in entries.items()]
    head = {"format": FORMAT, "format_version": FORMAT_VERSION, "assay": VERSION}
    return json.dumps({**head, "parts": parts}, indent=2) + "\n"


def read_manifest(text: bytes, *, known: Sequence[str]) -> dict[str, PartEntry]:
    """Return the parts by name; raises `Damaged`, also for a file of something else or of a newer version."""
    found = parse_json(text, part=MANIFEST, line=0)
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise Damaged("this is not an Assay bundle.", part=MANIFEST)
    _require_readable(found.get("format_version"))
    parts = found.get("parts")
    if not isinstance(parts, list):
        raise Damaged("the list of parts is missing.", part=MANIFEST)
    entries = dict(map(_read_entry, parts))
    if len(entries) != len(parts):
        raise Damaged("a part is listed twice.", part=MANIFEST)
    for name in entries:
        if name not in known:
            raise Damaged(f"this version of Assay does not know the part {name[:100]!r}.", part=MANIFEST)
    for name in known:
        # A table that came later has no rows in a bundle from before.
        entries.setdefault(name, PartEntry(0, 0, sha256().hexdigest()))
    return {name: entries[name] for name in known}


def _require_readable(version: Any) -> None:
    if not _is_count(version) or version < 1:
        raise Damaged("the format version is missing.", part=MANIFEST)
    if version > FORMAT_VERSION:
        raise Damaged(
            f"a newer version of Assay wrote this bundle (format {version}; this server reads up to "
            f"{FORMAT_VERSION}). Upgrade this server first.",
            part=MANIFEST,
        )


def _read_entry(given: object) -> tuple[str, PartEntry]:
    if isinstance(given, dict) and set(given) == {"name", *PartEntry._fields}:
        name, rows, size, sha256 = (given[key] for key in ("name", *PartEntry._fields))
        if isinstance(name, str) and _is_count(rows) and _is_count(size) and isinstance(sha256, str):
            return name, PartEntry(rows, size, sha256)
    raise Damaged("an entry in the list of parts cannot be read.", part=MANIFEST)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def parse_json(text: bytes, *, part: str, line: int) -> Any:
    """Return what JSON says; raises `Damaged` where it is none, or holds what no database takes."""
    try:
        # Given bytes, `json` would guess their encoding, and take halves of characters.
        letters = text.decode("utf-8")
        found = json.loads(
            letters, parse_constant=_refuse_constant, parse_float=_read_finite, parse_int=_read_short
        )
        is_suspect = "\\u0000" in letters or "\\ud" in letters or "\\uD" in letters
        if is_suspect or letters.count("[") + letters.count("{") > DEEPEST:
            _require_storable(found, deepest=DEEPEST)
    except (ValueError, RecursionError):
        raise Damaged("this is not valid JSON.", part=part, line=line) from None
    return found


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def _read_finite(digits: str) -> float:
    found = float(digits)
    if not math.isfinite(found):
        raise ValueError(f"{digits[:20]} is too large")
    return found


def _read_short(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise ValueError("a number has too many digits")
    return int(digits)


def _require_storable(value: Any, *, deepest: int) -> None:
    """Raise `ValueError` for NUL, for halves of characters, and for what is nested too deep."""
    if isinstance(value, str):
        value.encode()
        if "\0" in value:
            raise ValueError("NUL")
        return
    if not isinstance(value, dict | list):
        return
    if not deepest:
        raise ValueError("nested too deeply")
    for each in (*value, *value.values()) if isinstance(value, dict) else value:
        _require_storable(each, deepest=deepest - 1)


def row_text(number: int, values: Mapping[str, Any]) -> str:
    """Return a row as a line; equal rows are equal lines, on every database."""
    cells = {"line": number, **{name: in_order(value) for name, value in values.items()}}
    text = json.dumps(cells, ensure_ascii=False, allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        text = json.dumps(cells, allow_nan=False)
    return text + "\n"


def in_order(value: Any) -> Any:
    """Return a value with the keys of its objects in order: databases keep them differently."""
    if isinstance(value, dict):
        return {key: in_order(value[key]) for key in sorted(value)}
    return [in_order(each) for each in value] if isinstance(value, list) else value


def time_text(at: datetime | None) -> str | None:
    """Return a time as text, in UTC and to the microsecond."""
    return None if at is None else at.astimezone(UTC).isoformat(timespec="microseconds")


# Raises `ValueError` in words that end a sentence beginning with the field's name.
Reader = Callable[[Any], Any]


def read_time(value: Any) -> datetime:
    """Return the time that a text says."""
    if isinstance(value, str):
        try:
            at = datetime.fromisoformat(value)
            if at.tzinfo is not None:
                return at.astimezone(UTC)
        except (ValueError, OverflowError):
            pass
    raise ValueError("must be a time with a time zone, such as 2026-03-02T09:00:00.000000+00:00")


def read_flag(value: Any) -> bool:
    """Return a yes or no."""
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return value


def whole_number(low: int, high: int) -> Reader:
    """Return what reads a whole number within these bounds."""

    def read(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise ValueError(f"must be a whole number from {low} to {high}")
        return value

    return read


def read_number(value: Any) -> float:
    """Return a number; `parse_json` lets none in that is not finite."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    raise ValueError("must be a number")


def text_of(longest: int | None, choices: Sequence[str] = ()) -> Reader:
    """Return what reads a text: at most so many characters, and where there are choices one of these."""

    def read(value: Any) -> str:
        if not isinstance(value, str):
            raise ValueError("must be text")
        if longest is not None and len(value) > longest:
            raise ValueError(f"must have at most {longest} characters")
        if choices and value not in choices:
            raise ValueError(f"must be one of {', '.join(filter(None, choices))}")
        return value

    return read


_PUBLIC_ID = re.compile(rf"[{ALPHABET}]{{{LENGTH}}}")


def read_public_id(value: str) -> str:
    """Return an id of the kind that Assay makes."""
    if not _PUBLIC_ID.fullmatch(value):
        raise ValueError("is not an ID")
    return value


_ID = re.compile(rf"(?<![0-9A-Za-z])[{ALPHABET}]{{{LENGTH}}}(?![0-9A-Za-z])")


class Renaming(NamedTuple):
    """Gives every public id of a bundle a new one, the same wherever it stands.

    secret: chosen at random for each restore. known: the ids that are looked for within other values.
    """

    secret: bytes
    known: frozenset[str]

    def new_id(self, former: str) -> str:
        """Return the id in place of this one."""
        digest = blake2b(former.encode(), key=self.secret, digest_size=32).digest()
        return "".join(ALPHABET[byte % len(ALPHABET)] for byte in digest[:LENGTH])

    def within(self, value: Any) -> Any:
        """Return a value with the new ids in place of those that stand in it, as keys of objects, too."""
        if isinstance(value, str):
            return _ID.sub(lambda found: self._new_if_known(found[0]), value)
        if isinstance(value, dict):
            return {self.within(key): self.within(each) for key, each in value.items()}
        return [self.within(each) for each in value] if isinstance(value, list) else value

    def _new_if_known(self, name: str) -> str:
        return self.new_id(name) if name in self.known else name


def lines_within(text: Iterator[bytes], *, longest: int, part: str) -> Iterator[tuple[int, bytes]]:
    """Yield each line with its number; raises `Damaged` for one that is too long or has no end."""
    for number, line in enumerate(text, start=1):
        if len(line) > longest:
            raise Damaged(f"the line is longer than {longest:,} bytes.", part=part, line=number)
        if not line.endswith(b"\n"):
            raise Damaged("the part ends in the middle of a line.", part=part, line=number)
        yield number, line

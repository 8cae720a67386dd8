"""A set of tags as plain values."""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any

LARGEST_SET = 30
KEY = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class Subject(StrEnum):
    """What a tag of the set belongs to."""

    ANSWER = "answer"
    QUESTION = "question"
    # One judge's verdict on one answer.
    VERDICT = "verdict"


class JudgeKind(StrEnum):
    """Of which judges' verdicts a tag can be said."""

    ANY = "any"
    LEXICAL = "lexical"
    NEURAL = "neural"
    LLM = "llm"


@dataclass(frozen=True)
class Tag:
    """One tag: its meaning, and an invented example.

    `group`: the heading above it on pages.
    """

    key: str
    name: str
    meaning: str
    example: str = ""
    group: str = ""
    judges: JudgeKind = JudgeKind.ANY

    def to_json(self) -> dict[str, str]:
        """Return the form that `read_set` reads."""
        return {**asdict(self), "judges": self.judges.value}


@dataclass(frozen=True)
class SetSpec:
    """A set of tags. `several`: an item may have more than one of them."""

    key: str
    name: str
    summary: str
    subject: Subject
    several: bool
    tags: tuple[Tag, ...]
    source: str = ""

    @property
    def keys(self) -> frozenset[str]:
        """The keys of its tags."""
        return frozenset(tag.key for tag in self.tags)

    @property
    def content_hash(self) -> str:
        """SHA-256 over everything the set says."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()


class UnusableSet(ValueError):
    """A set that cannot be used; `field` names the place."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field
        self.message = message


def read_set(
    *,
    key: str,
    name: str,
    summary: str,
    subject: str,
    several: bool,
    tags: Sequence[Mapping[str, Any]],
    source: str = "",
) -> SetSpec:
    """Return a set from its JSON form; raises `UnusableSet` naming the field that is wrong."""
    if not KEY.fullmatch(key):
        raise UnusableSet(
            "key", "Write the key in lowercase letters and digits, with single hyphens between them."
        )
    if not name.strip():
        raise UnusableSet("name", "Enter a name for the tag set.")
    if not 1 <= len(tags) <= LARGEST_SET:
        raise UnusableSet("tags", f"A tag set needs 1 to {LARGEST_SET} tags.")
    read = tuple(_tag(tag) for tag in tags)
    _require_different(tag.key for tag in read)
    return SetSpec(key, name.strip(), summary.strip(), Subject(subject), several, read, source)


def _tag(given: Mapping[str, Any]) -> Tag:
    words = {
        each.name: str(given.get(each.name, "")).strip() for each in fields(Tag) if each.name != "judges"
    }
    if not KEY.fullmatch(words["key"]):
        raise UnusableSet(
            "tags",
            f"“{words['key']}” is not a valid key. Use lowercase letters and digits, with single hyphens "
            "between them.",
        )
    if not words["name"] or not words["meaning"]:
        raise UnusableSet("tags", f"The tag “{words['key']}” needs a name and a meaning.")
    return Tag(**words, judges=JudgeKind(given.get("judges") or JudgeKind.ANY))


def _require_different(keys: Iterable[str]) -> None:
    seen: set[str] = set()
    for key in keys:
        if key in seen:
            raise UnusableSet("tags", f"The key “{key}” belongs to two tags. Change one of them.")
        seen.add(key)

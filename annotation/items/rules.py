"""Which answers are the same, which questions are, who is in a sample, and which row means which answer."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from analysis.text import normalize_answer, question_key
from annotation.items.formats.columns import MAPPABLE, known_meaning
from annotation.items.formats.records import Format, OptionSpec, VerdictRecord, Vote

POOL_KEYS: dict[str, Callable[[str], str]] = {
    "exact": str,
    "casefold": str.casefold,
    "normalized": normalize_answer,
}


class Ballot(NamedTuple):
    """The recorded votes on one answer, in the order of the file's columns; blank cells are kept.

    `marked_by`: the raters who took the answer's question out of the scores.
    """

    candidate_id: int
    votes: tuple[Vote, ...]
    question_key: str
    marked_by: tuple[str, ...] = ()


class LabelConflict(NamedTuple):
    """A row's own label, and the one its votes come to: empty where they do not come to any."""

    line: int
    said: str
    found: str


class RecordedVerdict(NamedTuple):
    """A recorded verdict and the answer it is about."""

    candidate_id: int
    record: VerdictRecord


class RecordedDecision(NamedTuple):
    """What a file says was decided of an answer, in the file's word for it."""

    candidate_id: int
    word: str


class Named(NamedTuple):
    """An answer of the project: its key in the database and its text."""

    id: int
    text: str


class OptionError(ValueError):
    """An option that the format does not have, or a value it does not take."""


def raw_answer(raw: str | Sequence[str] | None) -> str | None:
    """Return in words what a file had for an answer that was cleaned or a list; None for any other."""
    return raw if raw is None or isinstance(raw, str) else ", ".join(raw)


def text_hash(text: str) -> str:
    """Return the SHA-256 by which texts of any length are compared in the database."""
    return hashlib.sha256(text.encode()).hexdigest()


def pool_hash(text: str, *, pooling: str) -> str:
    """Return what is equal for answers that are pooled: "exact", "casefold" or "normalized" (SQuAD).

    Answers of which normalization leaves nothing are pooled by their case-folded text instead, as "?"
    and "The" are not the same answer.
    """
    key = POOL_KEYS[pooling](text)
    return text_hash(key or text.casefold())


@lru_cache(maxsize=50_000)
def key_of_question(*, text: str) -> str:
    """Return what is equal for one question in several files; remembered, as files repeat their questions."""
    return question_key(text) or text


def draw(*, keys: Iterable[str], size: int, seed: int) -> set[str]:
    """Return `size` of the keys, chosen by the seed alone: any order of the keys gives the same ones."""
    return set(sorted(keys, key=lambda key: text_hash(f"{seed}:{key}"))[:size])


def checked_options(found: Format, options: dict[str, Any], known: Sequence[OptionSpec]) -> dict[str, Any]:
    """Return the options with defaults filled in; raises `OptionError`."""
    specs = {spec.name: spec for spec in known}
    for name, value in options.items():
        if name == "map" and found.key == "generic":
            _require_mapping(value)
            continue
        if name not in specs:
            raise OptionError(f"“{name}” is no option of {found.name}. It has: {', '.join(specs) or 'none'}.")
        if specs[name].choices and value not in specs[name].choices:
            raise OptionError(f"“{value}” is no value of {name}. It takes: {', '.join(specs[name].choices)}.")
    return {**{spec.name: spec.default for spec in specs.values()}, **options}


def _require_mapping(value: Any) -> None:
    is_mapping = isinstance(value, dict) and all(isinstance(meaning, str) for meaning in value.values())
    unknown = [meaning for meaning in value.values() if not known_meaning(meaning)] if is_mapping else [value]
    if unknown:
        raise OptionError(f"“{unknown[0]}” is no meaning of a column. There are: {', '.join(MAPPABLE)}.")


def match_rows(*, answers: Sequence[str], known: Sequence[Named]) -> list[int | None]:
    """Return for each row of a question which known answer it is about, None where there is none.

    Rows are matched by the exact string, else case-folded, else normalized; what then is left over on
    both sides in equal number is matched in order, since files alter answers ("558" became a date) but
    keep their rows. An answer is given to one row only.
    """
    found: list[int | None] = [None] * len(answers)
    left = list(known)
    for key in (str, str.casefold, normalize_answer):
        for place, answer in enumerate(answers):
            if found[place] is None:
                found[place] = _take(left, key(answer), key)
    missing = [place for place, match in enumerate(found) if match is None]
    if len(missing) == len(left):
        for place, one in zip(missing, left, strict=True):
            found[place] = one.id
    return found


def _take(left: list[Named], wanted: str, key: Callable[[str], str]) -> int | None:
    for one in left:
        if key(one.text) == wanted:
            left.remove(one)
            return one.id
    return None

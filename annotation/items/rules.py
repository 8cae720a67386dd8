"""Which answers are the same, which questions are, who is in a sample, and which row means which answer."""

import hashlib
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from os.path import commonprefix
from typing import Any, NamedTuple

from analysis.text import normalize_answer, question_key
from annotation.items.formats.columns import MAPPABLE, known_meaning
from annotation.items.formats.records import Format, OptionSpec, VerdictRecord, Vote

POOL_KEYS: dict[str, Callable[[str], str]] = {
    "exact": str,
    "casefold": str.casefold,
    "normalized": normalize_answer,
}


# A name's own limit is lower, and told where it is used.
LONGEST_OPTION = 1_000
LONGEST_GROUP = 60
# What parts the words of a system's name, as files are named.
MARKS_IN_NAMES = "_- /:."
# What parts a file's name from what it is about; the other marks stand within names of models ("gpt-4").
MARK_OF_FILES = "_"


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


class GivenVote(NamedTuple):
    """A vote on an answer that its rater judged before: `label` names what they said, if anything."""

    candidate_id: int
    vote: Vote
    label: str
    is_same: bool


class GivenBefore(NamedTuple):
    """What raters of a file said before, which stays; `unmarked`: answers whose question they kept in."""

    votes: list[GivenVote]
    unmarked: list[tuple[int, str]]


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


def passage_hash(*, text: str, title: str, source: str) -> str:
    """Return what is equal for one passage: its text; without one, what names it."""
    return text_hash(text or f"{title}\n{source}")


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
            raise OptionError(
                f"“{name}” is not an option of {found.name}. Its options: {', '.join(specs) or 'none'}."
            )
        if not isinstance(value, str):
            raise OptionError(f"{name} must be text.")
        longest = LONGEST_GROUP if name == "group" else LONGEST_OPTION
        if len(value) > longest:
            raise OptionError(f"{name} is longer than {longest:,} characters.")
        if specs[name].choices and value not in specs[name].choices:
            raise OptionError(
                f"“{value}” is not a valid value for {name}. Use one of: {', '.join(specs[name].choices)}."
            )
    return {**{spec.name: spec.default for spec in specs.values()}, **options}


def _require_mapping(value: Any) -> None:
    is_mapping = isinstance(value, dict) and all(isinstance(meaning, str) for meaning in value.values())
    unknown = [meaning for meaning in value.values() if not known_meaning(meaning)] if is_mapping else [value]
    if unknown:
        raise OptionError(
            f"“{unknown[0]}” is not a meaning that a column can have. Use one of: {', '.join(MAPPABLE)}."
        )


class CommonPrefix:
    """What all names have in common up to a mark between words; remembers no name but this beginning."""

    def __init__(self, names: Iterable[str] = (), *, marks: str = MARKS_IN_NAMES) -> None:
        self.count = 0
        self._marks = marks
        self._shared = ""
        self._shortest = 0
        for name in names:
            self.take(name)

    def take(self, name: str) -> None:
        """Note one more name."""
        self._shared = commonprefix([self._shared, name]) if self.count else name  # noqa: RUF071 - characters are meant
        self._shortest = min(self._shortest, len(name)) if self.count else len(name)
        self.count += 1

    @property
    def text(self) -> str:
        """The common beginning with its mark; empty for one name, and where a name would vanish."""
        end = max(self._shared.rfind(mark) for mark in self._marks) + 1
        return self._shared[:end] if self.count > 1 and self._shortest > end else ""


def shorten_names(names: Iterable[str], *, taken: Collection[str]) -> dict[str, str]:
    """Return each name without what all have in common; one whose rest is taken already stays whole."""
    names = list(names)
    prefix = CommonPrefix(names).text
    shortened = {name: name.removeprefix(prefix) for name in names}
    return {name: name if short in taken else short for name, short in shortened.items()}


def plain_names(asked: Mapping[str, int], *, taken: Collection[str] = ()) -> dict[str, str]:
    """Return each name without the beginning and ending that say nothing of one system.

    asked: how many questions each system answers in the import. Left out is what all names begin or end
    with, up to a "_"; and a data set that all begin with, also where files of a sample add its size to it
    ("NQ_DPR" and, with 301 questions, "NQ301_GPT"). A name whose rest is `taken` stays whole; all stay whole
    where two would be alike, or a rest would be no name.
    """
    rests = _without_data_set(asked)
    prefix = CommonPrefix(rests.values(), marks=MARK_OF_FILES).text
    suffix = CommonPrefix((rest[::-1] for rest in rests.values()), marks=MARK_OF_FILES).text[::-1]
    rests = {name: rest.removeprefix(prefix).removesuffix(suffix) for name, rest in rests.items()}
    shown = {name: name if rest in taken else rest for name, rest in rests.items()}
    is_plain = len(set(shown.values())) == len(shown) and all(map(_is_name, rests.values()))
    return shown if is_plain else {name: name for name in asked}


def _is_name(rest: str) -> bool:
    """Whether what is left of a name could be one: more than a number or a size, as of "llama_7b"."""
    return sum(map(str.isalpha, rest)) >= 2


def _without_data_set(asked: Mapping[str, int]) -> dict[str, str]:
    """Return each name without the data set that all begin with; whole where they share none."""
    parts = {name: name.partition(MARK_OF_FILES) for name in asked}
    stem = min((first for first, *_ in parts.values()), key=len, default="")
    is_shared = all(
        mark and first in {stem, f"{stem}{asked[name]}"} for name, (first, mark, _) in parts.items()
    )
    return {name: rest if is_shared and len(asked) > 1 else name for name, (_, _, rest) in parts.items()}


def match_rows(*, answers: Sequence[str], known: Sequence[Named]) -> list[int | None]:
    """Return for each row of a question which known answer it is about, None where there is none.

    Rows are matched by the exact string, else case-folded, else normalized; what then is left over on
    both sides in equal number is matched in order, since files alter answers ("558" became a date) but
    keep their rows. An answer is given to one row only.
    """
    found: list[int | None] = [None] * len(answers)
    left = dict(enumerate(known))
    for key in (str, str.casefold, normalize_answer):
        same: dict[str, deque[int]] = defaultdict(deque)
        for number, one in left.items():
            same[key(one.text)].append(number)
        for place, answer in enumerate(answers):
            if found[place] is None and (numbers := same.get(key(answer))):
                found[place] = left.pop(numbers.popleft()).id
    missing = [place for place, match in enumerate(found) if match is None]
    if len(missing) == len(left):
        for place, one in zip(missing, left.values(), strict=True):
            found[place] = one.id
    return found

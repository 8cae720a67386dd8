"""Votes that stand beside answers: their words, and several rows on one answer as one."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from analysis.text import name_of_rater, question_key
from annotation.items.formats.records import ItemRecord, OptionSpec, Problem, Source, Vote
from annotation.items.formats.tables import BadCell

LABELS = OptionSpec(
    "labels",
    "",
    (),
    "What votes mean if the protocol has no labels with the same names. Example: good=correct, "
    "bad=incorrect.",
)
# What programs write where nobody voted.
NO_VOTE = frozenset({"", "nan", "none", "null", "n/a"})
# Programs write whole numbers so where a column has gaps.
_WHOLE = re.compile(r"(-?\d+)\.0")
LONGEST_RATER = 100
# Usual words for right and wrong that may also be points on a scale.
ONE_OR_NONE = frozenset({"0", "1"})
_NUMBER = re.compile(r"-?\d+(?:[.,]\d+)?")


def meanings_in(text: str) -> dict[str, str]:
    """Read "good=correct, bad=incorrect" into what each word means; case does not matter."""
    pairs = (pair.partition("=") for pair in text.split(","))
    return {word.strip().casefold(): label.strip() for word, _, label in pairs if label.strip()}


def rating_among(words: Iterable[str]) -> str:
    """Return a number other than 0 and 1 that stands among the words of votes; empty where none does."""
    numbers = (word for word in words if _NUMBER.fullmatch(word) and word not in ONE_OR_NONE)
    return min(numbers, default="")


def word_in(value: Any, column: str) -> str:
    """Return the word of a vote as typed, empty where nobody voted; raises `BadCell`."""
    if isinstance(value, list) and len(value) < 2:
        value = value[0] if value else None
    if isinstance(value, list | Mapping):
        message = f"A vote must be a single word or number, but “{column[:60]}” holds a list or an object."
        raise BadCell(column, "not_one_choice", message)
    word = "" if value is None else str(value).strip()
    if word.casefold() in NO_VOTE:
        return ""
    whole = _WHOLE.fullmatch(word)
    return whole[1] if whole else word


def rater_in(value: Any, column: str) -> str:
    """Return who voted; raises `BadCell` where nobody is named."""
    name = "" if value is None or isinstance(value, bool | list | Mapping) else str(value).strip()
    if not name or len(name) > LONGEST_RATER:
        message = f"“{column[:60]}” must say who voted, in at most {LONGEST_RATER} characters."
        raise BadCell(column, "no_rater", message)
    return name_of_rater(name)


class Together:
    """Joins rows that hold a vote each on the same answer, so that their votes are counted together."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._records: dict[object, ItemRecord] = {}
        self._votes: dict[object, list[dict[str, Vote]]] = {}

    def add(self, record: ItemRecord) -> Iterator[Problem]:
        """Take in a row; yield what is wrong with its votes beside those of earlier rows."""
        key = _key(record)
        self._records.setdefault(key, record)
        known = self._votes.setdefault(key, [{} for _ in record.predictions])
        for votes, prediction in zip(known, record.predictions, strict=True):
            for vote in prediction.votes:
                first = votes.setdefault(vote.rater, vote)
                if first.label != vote.label:
                    place = f" in line {first.line:,}" if first.line else ""
                    message = (
                        f"“{vote.rater[:60]}” judged “{prediction.text[:60]}” twice, as “{first.label[:60]}”"
                        f"{place} and as “{vote.label[:60]}” here. Delete one of the two votes, or say in "
                        "another column who voted."
                    )
                    yield self._source.error("two_votes", message, line=record.line)

    def records(self) -> Iterator[ItemRecord]:
        """Yield the rows in the order of the file, each answer once with all of its votes."""
        for key, record in self._records.items():
            predictions = tuple(
                replace(prediction, votes=tuple(votes.values()))
                for prediction, votes in zip(record.predictions, self._votes[key], strict=True)
            )
            yield replace(record, predictions=predictions)


def _key(record: ItemRecord) -> object:
    """Return what is equal for rows on one answer; whatever else they say differently keeps them apart."""
    said = record.question
    answers = tuple((each.system, each.text) for each in record.predictions)
    named = question_key(said.text) or said.text, said.external_id, said.repeat, said.golds
    return named, answers, record.passages, record.retrieved

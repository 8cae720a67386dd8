"""Whether an answer is among the gold answers of a question: the one place that says so of one answer."""

from collections.abc import Iterable
from typing import NamedTuple

from analysis.patterns import search_any
from analysis.text import normalize_answer


class GoldEntries(NamedTuple):
    """The gold answers of a question: strings, normalized, and patterns, which are no strings."""

    strings: frozenset[str] = frozenset()
    patterns: tuple[str, ...] = ()

    def has(self, answer: str) -> bool:
        """Say whether an answer equals a string, normalized, or a pattern is found in it.

        A pattern that costs too much to search for, or that nobody can use, is not found.
        """
        return self.equals(answer) or search_any(self.patterns, answer.strip()).is_found

    def equals(self, answer: str) -> bool:
        """Say whether an answer equals a string, normalized; patterns are left out.

        For what no person looks at again: a pattern is found in a long answer that says something else, too.
        """
        return normalize_answer(answer) in self.strings


def gold_entries_of(golds: Iterable[tuple[str, bool]]) -> GoldEntries:
    """Return the entries of texts, each with whether it is a regular expression."""
    golds = tuple(golds)
    return GoldEntries(
        strings=frozenset(normalize_answer(text) for text, is_regex in golds if not is_regex),
        patterns=tuple(sorted({text for text, is_regex in golds if is_regex})),
    )

"""Gold answers: literal, or patterns."""

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from analysis.text import normalize_answer

# What one pattern may hold, program and automaton together; at most `_KEPT` are held at a time.
MEMORY_BYTES = 1 << 20
# A larger program would leave ordinary answers without a verdict.
LARGEST_PROGRAM = 5_000
# RE2 needs at worst about 10 ns for an instruction and a byte: 40 ms at this bound.
LARGEST_WORK = 4_000_000
# All patterns of a question together may take so many times what one may.
MOST_WORK = 20 * LARGEST_WORK
TOO_COSTLY = "pattern_too_costly"
UNUSABLE = "bad_pattern"
_KEPT = 128
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


class UnusablePattern(ValueError):
    """No regular expression that RE2 takes, or one that is too large; the reason is the message."""


class TooCostly(Exception):
    """Searching this text for this pattern could take too long; it was not begun."""


@lru_cache(maxsize=_KEPT)
def compile_pattern(pattern: str) -> Any:
    """Return the compiled pattern: case-insensitive, multi-line, in NFD; raises `UnusablePattern`.

    In NFD a letter with an accent is two characters, in a pattern as in a text: `[é]` matches either.
    An escaped character beyond ASCII is itself, as in Perl and Python, where RE2 would refuse it.
    RE2 knows no back-references and no look-around; `\\w`, `\\d`, `\\b` are ASCII, `\\p{L}` any letter.
    """
    # Imported here: only studies with such golds need it.
    import re2

    decomposed = _encode(_without_needless_escapes(pattern))
    try:
        compiled = re2.compile(b"(?m)" + decomposed, _options())
    except re2.error as error:
        reason = error.args[0] if error.args else ""
        spoken = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise UnusablePattern(spoken) from None
    if compiled.programsize > LARGEST_PROGRAM:
        raise UnusablePattern(
            f"too large: it compiles to {compiled.programsize:,} steps, at most {LARGEST_PROGRAM:,} are taken"
        )
    return compiled


def _without_needless_escapes(pattern: str) -> str:
    if "\\Q" in pattern:
        # Between \Q and \E a backslash is one.
        return pattern
    return _ESCAPE.sub(lambda found: found[0] if found[1].isascii() else found[1], pattern)


def matches_pattern(pattern: str, text: str, *, anchored: bool = False) -> bool:
    """Say whether the pattern is found anywhere in the text, or with `anchored` matches all of it.

    Raises `TooCostly` where the search could take longer than 50 ms, and `UnusablePattern`.
    """
    if search_work(pattern, text) > LARGEST_WORK:
        raise TooCostly
    compiled, encoded = compile_pattern(pattern), _encode(text)
    find: Callable[[bytes], object] = compiled.fullmatch if anchored else compiled.search
    return find(encoded) is not None


class PatternSearch(NamedTuple):
    """Whether any pattern was found; else `failure` says why one could not be tried, empty if all were."""

    is_found: bool
    failure: str = ""


def search_any(patterns: Iterable[str], text: str, *, anchored: bool = False) -> PatternSearch:
    """Search a text for patterns until one is found, within bounded work; raises nothing."""
    failure, left = "", MOST_WORK
    for pattern in patterns:
        try:
            left -= search_work(pattern, text)
            if left < 0:
                raise TooCostly
            if matches_pattern(pattern, text, anchored=anchored):
                return PatternSearch(is_found=True)
        except TooCostly:
            failure = TOO_COSTLY
        except UnusablePattern:
            # Imports refuse such patterns; this one came in before they did.
            failure = UNUSABLE
    return PatternSearch(is_found=False, failure=failure)


def search_work(pattern: str, text: str) -> int:
    """Return how many instructions searching a text may take at worst; raises `UnusablePattern`."""
    return int(compile_pattern(pattern).programsize) * len(_encode(text))


def _options() -> Any:
    import re2

    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = False
    # Where the groups stand is never asked for, and finding out is slower.
    options.never_capture = True
    options.max_mem = MEMORY_BYTES
    return options


def _encode(text: str) -> bytes:
    # Half a surrogate pair is no character; it must not break the judge, and matches nothing.
    return unicodedata.normalize("NFD", text).encode("utf-8", "surrogatepass")


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

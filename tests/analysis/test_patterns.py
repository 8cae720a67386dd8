"""Patterns: what they match, what is refused, and that none needs more than its share."""

import pytest

from analysis.text import (
    LARGEST_WORK,
    MEMORY_BYTES,
    TooCostly,
    UnusablePattern,
    compile_pattern,
    matches_pattern,
)
from tests.analysis.redos import HANGS_BACKTRACKERS, TEXTS


class TestMatchesPattern:
    @pytest.mark.parametrize(
        ("pattern", "text"),
        [
            ("louvre", "In the LOUVRE, Paris"),
            ("^paris$", "It is in\nParis\nof course"),
            ("caf\u00e9", "the cafe\u0301"),
            ("cafe\u0301", "the caf\u00e9"),
            ("É", "é"),
            (r"\p{L}+ 1", "Ж 1"),
            ("a|b", "b"),
        ],
    )
    def test_finds_it_anywhere(self, pattern: str, text: str) -> None:
        assert matches_pattern(pattern, text)

    @pytest.mark.parametrize(
        ("pattern", "text"),
        [(r"^\w$", "ж"), (r"\d", "٣"), ("a.c", "a\nc"), ("x", "\ud800"), ("caf.$", "caf\u00e9")],
    )
    def test_does_not_find_what_is_not_there(self, pattern: str, text: str) -> None:
        assert not matches_pattern(pattern, text)

    def test_can_be_held_to_the_whole_text(self) -> None:
        assert matches_pattern("Louvre|Paris", "paris", anchored=True)
        assert not matches_pattern("Louvre|Paris", "in Paris", anchored=True)
        # A line is not the whole answer.
        assert not matches_pattern("^Paris$", "in\nParis", anchored=True)

    def test_tries_every_branch_for_the_whole_text(self) -> None:
        assert matches_pattern("a|ab", "ab", anchored=True)


class TestCompilePattern:
    @pytest.mark.parametrize("pattern", [r"(a)\1", "(?=a)b", "(?<!a)b", "(a", "a**", "[b", "a{1001}"])
    def test_refuses_what_re2_does_not_know(self, pattern: str) -> None:
        with pytest.raises(UnusablePattern):
            compile_pattern(pattern)

    @pytest.mark.parametrize("pattern", [r"(?:\w+\W+){0,1000}x", ".{1000}.{1000}"])
    def test_refuses_what_is_too_large(self, pattern: str) -> None:
        with pytest.raises(UnusablePattern, match="large"):
            compile_pattern(pattern)

    def test_bounds_the_memory_of_each(self) -> None:
        assert compile_pattern("a").options.max_mem == MEMORY_BYTES

    def test_compiles_a_pattern_once(self) -> None:
        assert compile_pattern("a+b") is compile_pattern("a+b")


class TestNeedlessEscapes:
    """CuratedTREC escapes dashes and degree signs, which mean themselves in every other engine."""

    @pytest.mark.parametrize(
        ("pattern", "text", "expected"),
        [
            (r"1914\–18", "1914–18", True),
            (r"70\s?\°", "70 °F", True),
            (r"[\–-]", "–", True),
            (r"\\–", "\\–", True),
            (r"\\–", "–", False),
        ],
    )
    def test_beyond_ascii_are_the_character(self, pattern: str, text: str, expected: bool) -> None:
        assert matches_pattern(pattern, text) is expected

    @pytest.mark.parametrize("pattern", [r"a\e", r"\1", r"\Q\–(\E["])
    def test_of_letters_and_digits_stay_refused(self, pattern: str) -> None:
        with pytest.raises(UnusablePattern):
            compile_pattern(pattern)


class TestWork:
    """RE2 needs steps × bytes at worst, and what could be more than the bound is never begun."""

    @pytest.mark.parametrize("pattern", HANGS_BACKTRACKERS)
    def test_is_bounded_for_what_hangs_others(self, pattern: str) -> None:
        for text in TEXTS:
            steps = compile_pattern(pattern).programsize
            if steps * len(text) > LARGEST_WORK:
                with pytest.raises(TooCostly):
                    matches_pattern(pattern, text)
            else:
                assert matches_pattern(pattern, text) in (True, False)

    def test_is_not_begun_where_it_could_be_more(self) -> None:
        assert not matches_pattern("[ab]*a[ab]{500}c", "ab" * 1000)
        with pytest.raises(TooCostly):
            matches_pattern("[ab]*a[ab]{500}c", "ab" * 50_000)

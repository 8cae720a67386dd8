from typing import Any

import pytest

from annotation.items.formats.golds import BadGold, parse_golds


class TestParseGolds:
    """Trap 7: gold lists come in every shape."""

    @pytest.mark.parametrize(
        ("value", "texts"),
        [
            (["a", "b", "a"], ["a", "b"]),
            ("a", ["a"]),
            ("a | b", ["a", "b"]),
            ('["a", "b"]', ["a", "b"]),
            ("[sic]", ["[sic]"]),
            ({"text": ["a", "b"], "answer_start": [1, 5]}, ["a", "b"]),
            ({"value": "a", "aliases": ["b", "a"], "normalized_value": "x"}, ["a", "b"]),
            ([1988, 2.5], ["1988", "2.5"]),
            (None, []),
            ("", []),
            ([], []),
        ],
    )
    def test_it_reads(self, value: Any, texts: list[str]) -> None:
        assert [gold.text for gold in parse_golds(value)] == texts

    def test_it_splits_at_slashes_only_when_told(self) -> None:
        assert [gold.text for gold in parse_golds("a/b", separator="slash")] == ["a", "b"]
        assert [gold.text for gold in parse_golds("a/b")] == ["a/b"]
        assert [gold.text for gold in parse_golds("a | b", separator="none")] == ["a | b"]

    @pytest.mark.parametrize("value", [True, [False], [["a"]], {"x": 1}, [{"text": "a"}]])
    def test_it_refuses_what_is_no_text(self, value: Any) -> None:
        with pytest.raises(BadGold):
            parse_golds(value)

    @pytest.mark.parametrize("pattern", ["(a", "a**", r"(a)\1", "[b"])
    def test_it_refuses_patterns_that_re2_does_not_know(self, pattern: str) -> None:
        with pytest.raises(BadGold):
            parse_golds([pattern], is_regex=True)

    def test_a_pattern_that_hangs_others_is_fine(self) -> None:
        (gold,) = parse_golds(["(a+)+$"], is_regex=True)
        assert gold.is_regex

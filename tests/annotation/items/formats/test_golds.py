from typing import Any

import pytest

from annotation.items.formats.golds import BadGold, SeparatorDoubt, looks_like_list, parse_golds


class TestParseGolds:
    """Trap 7: gold lists come in every shape."""

    @pytest.mark.parametrize(
        ("value", "texts"),
        [
            (["a", "b", "a"], ["a", "b"]),
            ("a", ["a"]),
            ("a | b", ["a", "b"]),
            ('["a", "b"]', ["a", "b"]),
            ("['a', 'b']", ["a", "b"]),
            ('["O\'Neill", \'a "b"\', 7, None]', ["O'Neill", 'a "b"', "7"]),
            ("['a',]", ["a"]),
            (" ['a'] ", ["a"]),
            ("[]", []),
            ("['a' 'b']", ["a", "b"]),
            ("['a'\n \"b's\"]", ["a", "b's"]),
            ("['a' 'b' ... 'z']", ["['a' 'b' ... 'z']"]),
            ("['a', b]", ["['a', b]"]),
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

    @pytest.mark.parametrize("value", [True, [False], [["a"]], {"x": 1}, [{"x": "a"}], [{"text": ["a"]}]])
    def test_it_refuses_what_is_no_text(self, value: Any) -> None:
        with pytest.raises(BadGold):
            parse_golds(value)

    @pytest.mark.parametrize(
        "text",
        [
            *('["\\ud800"]', "['\\ud800']", '["a", null, "\\udfff"]', "['\\ud83d\\ude00']"),
            *('["a\\u0000b"]', "['a\\x00b']", '["a", null, "\\u0000"]', "['\\0']"),
        ],
    )
    def test_it_refuses_what_escapes_in_a_list_hide(self, text: str) -> None:
        with pytest.raises(BadGold) as refused:
            parse_golds(text)
        assert refused.value.code == "gold_not_text"

    def test_a_whole_pair_is_a_character(self) -> None:
        assert [gold.text for gold in parse_golds('["\\ud83d\\ude00"]')] == ["\U0001f600"]

    @pytest.mark.parametrize("pattern", ["(a", "a**", r"(a)\1", "[b"])
    def test_it_refuses_patterns_that_re2_does_not_know(self, pattern: str) -> None:
        with pytest.raises(BadGold):
            parse_golds([pattern], is_regex=True)

    def test_a_pattern_that_hangs_others_is_fine(self) -> None:
        (gold,) = parse_golds(["(a+)+$"], is_regex=True)
        assert gold.is_regex

    def test_a_thousand_are_enough(self) -> None:
        assert len(parse_golds([str(number) for number in range(1_000)])) == 1_000
        with pytest.raises(BadGold, match="1,001"):
            parse_golds([str(number) for number in range(1_001)])


class TestSeparatorDoubt:
    @staticmethod
    def told(*cells: Any) -> tuple[bool, int, str] | None:
        doubt = SeparatorDoubt()
        for line, cell in enumerate(cells, start=2):
            doubt.note(cell, line)
        return doubt.told()

    @pytest.mark.parametrize("cell", ["a; b", "a|b", "a\nb", "a / b"])
    def test_marks_that_may_part_answers_have_to_be_explained(self, cell: str) -> None:
        told = self.told("c", cell)
        assert told is not None
        assert told[:2] == (True, 3)

    @pytest.mark.parametrize(
        "cell", ["a | b", "['a; b']", ["a; b"], "AC/DC", f"a; {'long ' * 20}", "a;", None]
    )
    def test_others_do_not(self, cell: Any) -> None:
        assert self.told("c", cell) is None

    def test_few_are_a_remark(self) -> None:
        told = self.told(*["c"] * 10, "a; b")
        assert told is not None
        assert told[:2] == (False, 12)


class TestLooksLikeList:
    @pytest.mark.parametrize(
        "text",
        [
            *("['a' 'b']", '"[""a"", ""b""]"', "{'a': 1}", "('a', 'b')", '[\\"a\\"]'),
            *("['William Shakespeare', 'Shak", '{"text": ["a', "array(['a', 'b'], dtype=object)"),
        ],
    )
    def test_what_was_meant_as_one_does(self, text: str) -> None:
        assert looks_like_list(text)

    @pytest.mark.parametrize("text", ["a", "[1] a", "(a)", "", '"a"', "a, b"])
    def test_plain_text_does_not(self, text: str) -> None:
        assert not looks_like_list(text)

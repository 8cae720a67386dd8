"""Hidden characters go; those that scripts and emoji need stay."""

import pytest

from judges.methods.llm.parsing import hides_something, strip_hidden


class TestStripHidden:
    @pytest.mark.parametrize(
        ("text", "stripped"),
        [
            ("a\u200bb\ufeff", "ab"),
            ("\u202eabc\u202c", "abc"),
            ("a\U000e0041\U000e0101b", "ab"),
            ("a\u2028b\x0bc", "a\nb\nc"),
            ("co\u00adop", "coop"),
            ("a\u200db", "ab"),
            ("a\ufe0fb", "ab"),
            ("a\ud800b", "ab"),
            ("line\nnext\ttab", "line\nnext\ttab"),
        ],
    )
    def test_drops_what_nobody_sees(self, text: str, stripped: str) -> None:
        assert strip_hidden(text) == stripped

    @pytest.mark.parametrize(
        "text", ["می\u200cخواهم", "क्\u200dष", "👩\u200d🔬", "❤\ufe0f", "né à Zürich – 5 €"]
    )
    def test_keeps_what_writing_needs(self, text: str) -> None:
        assert strip_hidden(text) == text
        assert not hides_something(text)


class TestHidesSomething:
    @pytest.mark.parametrize("text", ["a\u200bb", "a\u200db", "\ufeffa", "x\u2066y", "x\U000e0020"])
    def test_tells(self, text: str) -> None:
        assert hides_something(text)

    @pytest.mark.parametrize("text", ["", "plain", "soft\u00adhyphen", "two\nlines"])
    def test_lets_typesetting_pass(self, text: str) -> None:
        assert not hides_something(text)

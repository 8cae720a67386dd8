import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.text import question_key
from annotation.items.formats.tables import Beginnings

LETTERS = st.text(alphabet="ab? -'’İß¹", max_size=12)


def by_trying(known: list[str], text: str) -> int:
    """The longest beginning whose key is known, found the slow way."""
    keys = {question_key(question) for question in known} - {""}
    return next((end for end in range(len(text), 0, -1) if question_key(text[:end]) in keys), 0)


class TestEndIn:
    @pytest.mark.parametrize(
        ("text", "question"),
        [
            ("who is it?Paris", "who is it?"),
            ("who is it ?  Paris", "who is it ?  "),
            ("Who is it in the endGodard", "Who is it in the end"),
            ("who is itself", "who is it"),
            ("whois it?Paris", ""),
            ("nobody", ""),
            ("", ""),
        ],
    )
    def test_the_longest_known_question_ends_there(self, text: str, question: str) -> None:
        known = Beginnings(["who is it", "who is it in the end?", "who"][:2])
        assert known.end_in(text) == len(question)

    def test_a_question_with_other_blanks_is_passed_over(self) -> None:
        assert Beginnings(["a b c"]).end_in("ab c d") == 0
        assert Beginnings(["a b c", "a"]).end_in("ab c d") == 1
        assert Beginnings(["a b c", "ab"]).end_in("ab cd") == 3

    @given(st.lists(LETTERS, max_size=6), LETTERS)
    def test_it_is_the_one_found_by_trying_all(self, known: list[str], text: str) -> None:
        expected = by_trying(known, text)
        # Half of a double dash is the one place where a beginning's letters are not the text's.
        if text[expected - 1 : expected + 1] != "--":
            assert Beginnings(known).end_in(text) == expected

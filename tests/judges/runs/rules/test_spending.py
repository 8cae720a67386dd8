"""How many tokens a prompt has at most."""

from hypothesis import given
from hypothesis import strategies as st

from judges.runs.rules import likely_tokens, most_input_tokens


class TestMostInputTokens:
    @given(st.lists(st.text(), max_size=4))
    def test_is_more_than_one_token_a_byte(self, texts: list[str]) -> None:
        assert most_input_tokens(texts=texts) > sum(len(text.encode()) for text in texts)

    def test_counts_bytes_not_letters(self) -> None:
        short, long = (most_input_tokens(texts=[text]) for text in ("aaaa", "漢字漢字"))
        assert long - short == 8

    def test_counts_the_schema(self) -> None:
        assert most_input_tokens(texts=["x"], schema={"type": "object"}) > most_input_tokens(texts=["x"])

    @given(st.lists(st.text(), max_size=4))
    def test_is_never_below_what_is_likely(self, texts: list[str]) -> None:
        assert likely_tokens(texts) <= most_input_tokens(texts=texts)

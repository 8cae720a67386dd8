"""Containment of whole words: what touches a gold answer, and what does not."""

import pytest

from judges.methods.lexical.containment import ContainmentWords, ContainmentWordsOptions
from judges.protocol import JudgeInput, Verdict

ACCEPTED, REJECTED = Verdict(True, 1.0), Verdict(False, 0.0)


def _judge(answer: str, *golds: str, **options: str) -> Verdict:
    return ContainmentWords(ContainmentWordsOptions(**options)).judge([JudgeInput("q", answer, golds)])[0]


class TestContainmentWords:
    @pytest.mark.parametrize(
        ("answer", "gold"),
        [
            ("It was the Beatles, in 1962.", "Beatles"),
            ("1962", "1962"),
            ("in 11962 and 1962", "1962"),
            ("“Paris”", "Paris"),
            ("Paul’s song", "Paul"),
        ],
    )
    def test_accepts_a_gold_that_stands_alone(self, answer: str, gold: str) -> None:
        assert _judge(answer, gold) == ACCEPTED

    @pytest.mark.parametrize(
        ("answer", "gold"),
        [("in 11962", "1962"), ("King Arthur", "Art"), ("cafe\u0301", "cafe"), ("rock-n-roll", "rock")],
    )
    def test_rejects_a_gold_inside_a_longer_word(self, answer: str, gold: str) -> None:
        assert _judge(answer, gold) == REJECTED

    def test_treats_empty_golds_as_containment_does(self) -> None:
        assert _judge("x", "The") == Verdict(None, unscored_reason="empty_gold")
        assert _judge("x", "The", empty_gold="match") == ACCEPTED
        assert _judge("x") == REJECTED

    def test_parts_golds_as_containment_does(self) -> None:
        assert _judge("open 24 hours", "24/7") == REJECTED
        assert _judge("open 24 hours", "24/7", split="slash") == ACCEPTED

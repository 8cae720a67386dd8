"""Answers that say nothing are told from short ones that say something."""

import pytest

from judges.methods.llm.parsing import find_emptiness, says_next_to_nothing


class TestFindEmptiness:
    @pytest.mark.parametrize("answer", ["", " \n\t", "\u200b\ufeff", "\u3164", "\U000e0079"])
    def test_sees_what_a_reader_sees(self, answer: str) -> None:
        assert find_emptiness(answer, golds=["x"]) == "empty"

    @pytest.mark.parametrize(
        "answer", [":", "...", "“”", "Solution", "The final answer is:", "<answer></answer>", "解", "Ответ:"]
    )
    def test_knows_openings_that_open_nothing(self, answer: str) -> None:
        assert find_emptiness(answer, golds=["Mercury"]) == "content_free"

    @pytest.mark.parametrize(
        "answer",
        ["one", "A", "It", "∞", "+", "@", "None", "The Who", "42", "Solution: 42", "U.S.", "no", "我"],
    )
    def test_leaves_short_answers(self, answer: str) -> None:
        assert find_emptiness(answer, golds=["x"]) == ""

    @pytest.mark.parametrize(
        ("answer", "gold"), [(":", ":"), ("The Answer", "the answer"), ("solution", "a liquid solution")]
    )
    def test_leaves_what_a_gold_answer_names(self, answer: str, gold: str) -> None:
        assert find_emptiness(answer, golds=["x", gold]) == ""


class TestSaysNextToNothing:
    @pytest.mark.parametrize("answer", ["#", " ## ", "N/A", "n.a.", "Null.", "(not available)", "%"])
    def test_signs_and_words_for_none(self, answer: str) -> None:
        assert says_next_to_nothing(answer, golds=["Jupiter"])

    @pytest.mark.parametrize(
        ("answer", "gold"),
        [
            ("#", "#"),
            ("N/A", "n/a."),
            ("Unknown.", "1965"),
            ("none", "one"),
            ("Na", "Na"),
            ("Jupiter", "Mars"),
            ("", "x"),
        ],
    )
    def test_an_answer_is_none_of_them(self, answer: str, gold: str) -> None:
        assert not says_next_to_nothing(answer, golds=[gold])

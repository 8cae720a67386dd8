"""The learned judge: what it says of plain cases, and when it abstains."""

import pytest

from judges.methods.learned.judge import EMPTY_ANSWER, Learned, LearnedOptions
from judges.methods.lexical.containment import EMPTY_GOLD
from judges.protocol import JudgeInput, Verdict

QUESTION = "who invented the polio vaccine"


def judge(*inputs: JudgeInput) -> list[Verdict]:
    return Learned(LearnedOptions()).judge(inputs)


def said(answer: str, *golds: str, question: str = QUESTION) -> Verdict:
    return judge(JudgeInput(question, answer, golds))[0]


class TestLearned:
    @pytest.mark.parametrize(
        "answer", ["Jonas Salk", "The polio vaccine was invented by Jonas Salk in 1955.", "Dr. Jonas E. Salk"]
    )
    def test_accepts_what_says_the_gold_answer(self, answer: str) -> None:
        verdict = said(answer, "Jonas Salk")
        assert verdict.accepted is True
        assert verdict.score is not None
        assert verdict.score > 0.8

    @pytest.mark.parametrize(
        "answer", ["Albert Sabin", "It was Marie Curie.", "I’m sorry, I do not have information about that."]
    )
    def test_rejects_what_says_something_else(self, answer: str) -> None:
        verdict = said(answer, "Jonas Salk")
        assert verdict.accepted is False
        assert verdict.score is not None
        assert verdict.score < 0.3

    def test_is_less_sure_of_a_denied_answer(self) -> None:
        plain, denied = said("It was Salk.", "Jonas Salk"), said("It was not Salk.", "Jonas Salk")
        assert plain.score is not None
        assert denied.score is not None
        assert denied.score < plain.score

    def test_rejects_another_year(self) -> None:
        assert said("in 1963", "1955", question="when was it invented").accepted is False

    def test_abstains_without_a_usable_gold_or_answer(self) -> None:
        assert said("Salk", "?!") == Verdict(None, unscored_reason=EMPTY_GOLD)
        assert said("  …", "Salk") == Verdict(None, unscored_reason=EMPTY_ANSWER)

    def test_keeps_the_order_of_a_batch_and_says_the_same_alone(self) -> None:
        inputs = [
            JudgeInput(QUESTION, "Jonas Salk", ("Jonas Salk",)),
            JudgeInput(QUESTION, "", ("Jonas Salk",)),
            JudgeInput("when was it", "1962", ("1955",)),
            JudgeInput(QUESTION, "Sabin", ("Jonas Salk",)),
        ]
        together = judge(*inputs)
        assert [verdict.accepted for verdict in together] == [True, None, False, False]
        assert together == [judge(each)[0] for each in inputs]

    def test_judges_nothing_of_nothing(self) -> None:
        assert judge() == []

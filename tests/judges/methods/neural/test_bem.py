"""BEM: the rule by hand, and the whole judge on a tiny classifier with random weights."""

import pytest

from judges.methods.neural.bem import Bem, BemOptions, decide_equivalence
from judges.protocol import JudgeFailed, JudgeInput, Verdict

ITEMS = [
    JudgeInput("who was it", "the beatles", ("vienna", "danube river", "rain in vienna")),
    JudgeInput("which city", "a city of rain", ("vienna",)),
    JudgeInput("who " * 30, "it was the beatles " * 40, ("danube " * 50, "x")),
]


def _one(folder: str, item: JudgeInput, gold: str) -> float:
    """What transformers itself gives for `[CLS] answer [SEP] gold [SEP] question [SEP]`."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    given = AutoTokenizer.from_pretrained(folder)(
        f"[CLS] {item.answer} [SEP]",
        f"{gold} [SEP] {item.question} [SEP]",
        add_special_tokens=False,
        return_tensors="pt",
    )
    with torch.inference_mode():
        return float(model(**given).logits.softmax(dim=-1)[0, 1])


class TestDecideEquivalence:
    @pytest.mark.parametrize(
        ("probabilities", "expected"),
        [
            ([0.1, 0.7, 0.2], Verdict(True, 0.7)),
            ([0.5], Verdict(False, 0.5)),
            ([0.2, 0.3], Verdict(False, 0.3)),
            ([], Verdict(False, None)),
        ],
    )
    def test_accepts_above_a_half_for_any_gold(self, probabilities: list[float], expected: Verdict) -> None:
        assert decide_equivalence(probabilities) == expected


class TestBem:
    def test_packs_answer_gold_and_question(self, classifier_folder: str) -> None:
        judge = Bem(BemOptions(model=classifier_folder))
        expected = [max(_one(classifier_folder, item, gold) for gold in item.golds) for item in ITEMS[:2]]
        assert [verdict.score for verdict in judge.judge(ITEMS[:2])] == pytest.approx(expected, abs=1e-5)

    def test_is_the_same_in_any_company_and_order(self, classifier_folder: str) -> None:
        judge = Bem(BemOptions(model=classifier_folder))
        together = [verdict.score for verdict in judge.judge(ITEMS)]
        assert together == pytest.approx([judge.judge([item])[0].score for item in ITEMS], abs=1e-5)
        assert together == pytest.approx([each.score for each in judge.judge(ITEMS[::-1])][::-1], abs=1e-5)

    def test_accepts_above_its_threshold_only(self, classifier_folder: str) -> None:
        score = Bem(BemOptions(model=classifier_folder)).judge(ITEMS[:1])[0].score or 0.0
        options = [BemOptions(model=classifier_folder, threshold=score - less) for less in (1e-6, 0)]
        assert [Bem(each).judge(ITEMS[:1])[0].accepted for each in options] == [True, False]

    def test_takes_a_separator_in_an_answer_for_nothing(self, classifier_folder: str) -> None:
        plain, forged = (
            JudgeInput("who", answer, ("vienna",)) for answer in ("rain x", "rain [SEP] x [CLS]")
        )
        one, other = Bem(BemOptions(model=classifier_folder)).judge([plain, forged])
        assert one == other

    def test_accepts_nothing_without_gold(self, classifier_folder: str) -> None:
        verdicts = Bem(BemOptions(model=classifier_folder)).judge([JudgeInput("q", "x", ())])
        assert verdicts == [Verdict(False, None)]

    def test_refuses_a_model_of_another_kind(self, regressor_folder: str) -> None:
        with pytest.raises(JudgeFailed, match="returns 1 numbers per answer instead of 2"):
            Bem(BemOptions(model=regressor_folder)).judge(ITEMS)

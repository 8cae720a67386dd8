"""BLEURT on a tiny regressor with random weights: what it is asked, and what follows from its numbers."""

import pytest

from judges.methods.neural.bleurt import PUBLISHED_MODEL, Bleurt, BleurtOptions
from judges.methods.neural.pretrained import HUB_VARIABLE
from judges.protocol import JudgeFailed, JudgeInput

ITEMS = [
    JudgeInput("who", "the beatles", ("vienna", "danube river", "rain in vienna")),
    JudgeInput("which", "a city of rain", ("vienna",)),
    JudgeInput("who", "it was the beatles " * 40, ("danube " * 50, "x")),
    JudgeInput("who", "", ("x",)),
]


def _one(folder: str, answer: str, gold: str) -> float:
    """What transformers itself gives for the pair."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    given = AutoTokenizer.from_pretrained(folder)(gold, answer, truncation=True, return_tensors="pt")
    with torch.inference_mode():
        return float(model(**given).logits[0, 0])


class TestBleurt:
    def test_asks_for_gold_and_answer_in_this_order(self, regressor_folder: str) -> None:
        judge = Bleurt(BleurtOptions(model=regressor_folder))
        verdict = judge.judge([JudgeInput("q", "the beatles", ("danube river",))])[0]
        assert verdict.score == pytest.approx(_one(regressor_folder, "the beatles", "danube river"), abs=1e-5)
        swapped = _one(regressor_folder, "danube river", "the beatles")
        assert verdict.score != pytest.approx(swapped, abs=1e-3)

    def test_takes_the_best_gold(self, regressor_folder: str) -> None:
        verdict = Bleurt(BleurtOptions(model=regressor_folder)).judge(ITEMS[:1])[0]
        scores = [_one(regressor_folder, ITEMS[0].answer, gold) for gold in ITEMS[0].golds]
        assert verdict.score == pytest.approx(max(scores), abs=1e-5)

    def test_is_the_same_in_any_company_and_order(self, regressor_folder: str) -> None:
        judge = Bleurt(BleurtOptions(model=regressor_folder))
        together = [verdict.score for verdict in judge.judge(ITEMS)]
        assert together == pytest.approx([judge.judge([item])[0].score for item in ITEMS], abs=1e-5)
        assert together == pytest.approx([each.score for each in judge.judge(ITEMS[::-1])][::-1], abs=1e-5)

    def test_accepts_from_its_threshold_on(self, regressor_folder: str) -> None:
        score = Bleurt(BleurtOptions(model=regressor_folder)).judge(ITEMS[:1])[0].score or 0.0
        options = [BleurtOptions(model=regressor_folder, threshold=score + more) for more in (0, 1e-6)]
        assert [Bleurt(each).judge(ITEMS[:1])[0].accepted for each in options] == [True, False]

    def test_accepts_nothing_without_gold(self, regressor_folder: str) -> None:
        verdict = Bleurt(BleurtOptions(model=regressor_folder)).judge([JudgeInput("q", "x", ())])[0]
        assert (verdict.accepted, verdict.score) == (False, None)

    def test_refuses_a_model_of_another_kind(self, classifier_folder: str, encoder_folder: str) -> None:
        with pytest.raises(JudgeFailed, match="returns 2 numbers per answer instead of 1"):
            Bleurt(BleurtOptions(model=classifier_folder)).judge(ITEMS)
        with pytest.raises(JudgeFailed, match=r"no trained weights for this task \(classifier"):
            Bleurt(BleurtOptions(model=encoder_folder)).judge(ITEMS)

    def test_fetches_nothing_by_itself(self, regressor_folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv(HUB_VARIABLE, raising=False)
        with pytest.raises(JudgeFailed, match=f"{HUB_VARIABLE}={PUBLISHED_MODEL}") as caught:
            Bleurt(BleurtOptions()).judge(ITEMS)
        assert not caught.value.retryable

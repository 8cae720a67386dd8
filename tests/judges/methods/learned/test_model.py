"""The weights: scored as scikit-learn scores them, small, and what they were when the revision was raised."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.linear_model import LogisticRegression

from judges.methods.learned.evidence import evidence_names
from judges.methods.learned.features.measures import feature_names
from judges.methods.learned.model import (
    WEIGHTS,
    Calibration,
    UnusableWeights,
    load_weights,
    read_ensemble,
    to_probability,
)
from judges.registry import JUDGES
from tools.train_learned_judge import TreeSettings, fit

# Raise a judge's revision with its weights: it is all that the signature says of them.
OF_TEXTS = ("features", "rarity", "judge")
DIGESTS = {
    "learned": (OF_TEXTS, {2: "68e0cfbf16bbbf1d"}),
    "learned_memory": ((*OF_TEXTS, "evidence", "memory"), {2: "c090594aff34a261", 3: "f4d9de0f79c989b8"}),
}


@pytest.fixture(scope="module")
def rows() -> np.ndarray:
    return np.random.default_rng(3).normal(size=(600, 6)).round(4)


@pytest.fixture(scope="module")
def accepted(rows: np.ndarray) -> np.ndarray:
    noise = np.random.default_rng(4).normal(size=len(rows))
    right: np.ndarray = rows[:, 0] * rows[:, 1] + rows[:, 2] + noise > 0
    return right


class TestEnsemble:
    def test_scores_as_scikit_learn_does(self, rows: np.ndarray, accepted: np.ndarray) -> None:
        settings = TreeSettings(number=40, rate=0.1, leaves=7, fewest_rows=10, penalty=1.0, times=2)
        rows = np.vstack([rows[:-1], np.full((1, 6), 9.0)])
        stored = fit(rows, accepted, np.ones(len(rows)), trees=settings, strength=0.5)
        model = read_ensemble(json.loads(json.dumps(stored)))
        grown = [
            HistGradientBoostingClassifier(
                max_iter=40, learning_rate=0.1, max_leaf_nodes=7, min_samples_leaf=10, l2_regularization=1.0,
                max_features=0.3, early_stopping=False, random_state=seed,
            ).fit(rows, accepted).decision_function(rows)
            for seed in (17, 18)
        ]  # fmt: skip
        for trees, expected in zip(model.trees, grown, strict=True):
            assert trees.score(rows) == pytest.approx(expected, abs=2e-3)
        standard = ((rows - rows.mean(axis=0)) / rows.std(axis=0)).clip(-4.0, 4.0)
        expected = LogisticRegression(C=0.5).fit(standard, accepted).decision_function(standard)
        assert model.linear.score(rows) == pytest.approx(expected, abs=2e-3)
        assert model.score(rows) == pytest.approx((np.mean(grown, axis=0) + expected) / 2, abs=4e-3)

    def test_scores_nothing_where_there_is_nothing(self) -> None:
        assert load_weights().judge.score(np.empty((0, len(feature_names())))).shape == (0,)


class TestCalibration:
    def test_has_a_slope_for_each_side(self) -> None:
        calibrated = Calibration(offset=0.0, right=2.0, wrong=0.5).apply(np.array([-2.0, 0.0, 2.0]))
        assert calibrated.tolist() == [-1.0, 0.0, 4.0]

    def test_bends_what_is_very_sure(self) -> None:
        calibrated = Calibration(bend=3.0).apply(np.array([-99.0, 0.1, 99.0]))
        assert calibrated == pytest.approx([-3.0, 0.1, 3.0], abs=1e-3)

    def test_makes_probabilities_of_log_odds(self) -> None:
        found = to_probability(np.array([-999.0, 0.0, np.log(3.0)]))
        assert found == pytest.approx([0.0, 0.5, 0.75], abs=1e-9)


class TestWeights:
    @pytest.mark.parametrize("key", DIGESTS)
    def test_are_those_of_the_judges_revision(self, key: str) -> None:
        parts, digests = DIGESTS[key]
        stored = json.loads(WEIGHTS.read_text())
        content = json.dumps([stored[part] for part in parts]).encode()
        assert hashlib.sha256(content).hexdigest()[:16] == digests[JUDGES[key].revision]

    def test_are_small_and_for_these_features(self) -> None:
        assert WEIGHTS.stat().st_size <= 1_000_000
        weights = load_weights()
        assert weights.judge.linear.coefficients.shape == (len(feature_names()),)
        assert weights.memory.linear.coefficients.shape == (len(evidence_names()),)

    def test_hold_no_word_that_stands_in_few_questions(self) -> None:
        assert max(load_weights().rarity.of.values()) < load_weights().rarity.unseen

    @pytest.mark.parametrize("content", ["{}", "not JSON", '{"features": ["others"]}'])
    def test_are_refused_where_they_do_not_fit(self, content: str, tmp_path: Path) -> None:
        path = tmp_path / "weights.json"
        path.write_text(content)
        with pytest.raises(UnusableWeights, match=r"weights\.json"):
            load_weights(path)

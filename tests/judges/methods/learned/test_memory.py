"""Answer memory: what it makes of decisions, that none is read of the answer itself, and when it refits."""

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from judges.methods.learned import memory
from judges.methods.learned.evidence import Decided, evidence_names, weigh
from judges.methods.learned.features.texts import Rarity, prepare
from judges.methods.learned.judge import Learned, LearnedOptions
from judges.methods.learned.memory import (
    FOLDS,
    DecidedAnswer,
    Evidence,
    LearnedMemory,
    MemoryOptions,
    choose,
    fit_linear,
    fold_of,
    hash_decided,
)
from judges.methods.learned.model import Calibration
from judges.methods.learned.reading import read
from judges.protocol import JudgeInput

QUESTION, GOLDS = "what is the capital of the south", ("Mumbo City",)
ITEM = JudgeInput(QUESTION, "the town of Zarkov", GOLDS)


def decided(answer: str, accepted: bool) -> DecidedAnswer:
    return DecidedAnswer(QUESTION, GOLDS, answer, accepted)


def probability(*known: DecidedAnswer, item: JudgeInput = ITEM) -> float:
    score = LearnedMemory(MemoryOptions(), decided=known).judge([item])[0].score
    assert score is not None
    return score


class TestLearnedMemory:
    def test_believes_what_people_accepted_in_other_words(self) -> None:
        assert probability(decided("Zarkov", True)) > probability() + 0.2
        assert probability(decided("Zarkov", False)) < probability(decided("Zarkov", True))

    def test_never_reads_a_decision_on_the_answer_itself(self) -> None:
        for accepted in (True, False):
            assert probability(decided(ITEM.answer, accepted)) == probability()

    def test_reads_nothing_of_other_questions(self) -> None:
        other = DecidedAnswer("who was it", ("Paul",), "Zarkov", True)
        assert probability(other) == probability()

    def test_abstains_as_the_learned_judge_does(self) -> None:
        inputs = [JudgeInput("who", "x", ("?!",)), JudgeInput("who", "…", ("x",)), ITEM]
        found = LearnedMemory(MemoryOptions(), decided=()).judge(inputs)
        plain = Learned(LearnedOptions()).judge(inputs)
        assert [each.unscored_reason for each in found] == [each.unscored_reason for each in plain]

    def test_is_signed_by_the_decisions_in_any_order(self) -> None:
        one, two = decided("a", True), decided("b", False)
        assert hash_decided([one, two]) == hash_decided([two, one])
        assert hash_decided([one, two]) != hash_decided([one, decided("b", True)])

    def test_judges_by_a_model_that_saw_nothing_of_the_question(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        seen: list[set[int]] = []

        def spy(evidence: Evidence, *, folds: np.ndarray, **rest: np.ndarray) -> memory.Remembering:
            seen.append(set(folds.tolist()))
            return memory.Remembering(Calibration())

        monkeypatch.setattr(memory, "choose", spy)
        known = [DecidedAnswer(f"which {number}", ("x",), "y", False) for number in range(60)]
        LearnedMemory(MemoryOptions(), decided=known).judge([ITEM])
        assert seen == [set(range(FOLDS)) - {fold} for fold in range(FOLDS)]

    def test_hears_the_judge_beside_it(self) -> None:
        rng = np.random.default_rng(3)
        rows = []
        for number in range(800):
            accepted = bool(rng.random() < 0.5)
            # The words of all answers are alike, so that only the other judge tells them apart.
            rows.append(DecidedAnswer(f"which {number}", ("x",), "y", accepted, 0.8 if accepted else -0.8))
        judge = LearnedMemory(MemoryOptions(beside="R-1"), decided=rows)
        said = [JudgeInput("which one", "y", ("x",), beside=value) for value in (-0.8, 0.0, 0.8)]
        low, middle, high = [verdict.score or 0.0 for verdict in judge.judge(said)]
        assert low < 0.2 < middle < 0.8 < high


class TestWeigh:
    def test_names_every_feature_once_and_has_none_without_others(self) -> None:
        rarity = Rarity({}, 1.0)
        question = prepare(QUESTION, GOLDS, rarity)
        alone = weigh(question, read("Zarkov"), 0.5, (), rarity)
        assert tuple(alone) == evidence_names()
        assert (alone["has_none"], alone["vote"], alone["logit"]) == (1.0, 0.0, 0.5)

    def test_tells_accepted_from_rejected(self) -> None:
        rarity = Rarity({}, 1.0)
        question = prepare(QUESTION, GOLDS, rarity)
        others = [Decided(read("Zarkov"), True, -1.0), Decided(read("Brinsk"), False, -1.0)]
        found = weigh(question, read("It is Zarkov."), 0.0, others, rarity)
        assert found["right_covers"] == 1.0
        assert found["wrong_covers"] == 0.0
        assert found["nearest_vote"] == 1.0


class TestFitLinear:
    def test_equals_scikit_learns_ridge_regression(self) -> None:
        rng = np.random.default_rng(5)
        rows = rng.normal(size=(300, 4)) * [1.0, 5.0, 0.1, 1.0]
        accepted = rows[:, 0] - rows[:, 1] + rng.normal(size=300) > 0
        standard = (rows - rows.mean(axis=0)) / rows.std(axis=0)
        expected = LogisticRegression(C=1 / 30, tol=1e-10).fit(standard, accepted)
        found = fit_linear(rows, accepted).score(rows)
        assert found == pytest.approx(expected.decision_function(standard), abs=1e-4)


class TestChoose:
    @pytest.fixture
    def accepted(self) -> np.ndarray:
        return np.random.default_rng(6).random(1_000) < 0.5

    def test_refits_only_where_that_is_surely_better(self, accepted: np.ndarray) -> None:
        rng = np.random.default_rng(7)
        sign = np.where(accepted, 1.0, -1.0)
        shipped = sign + rng.normal(size=1_000)
        useless, telling = rng.normal(size=(1_000, 1)), (sign + rng.normal(scale=0.3, size=1_000))[:, None]
        folds = np.arange(1_000) % 4
        nothing = np.zeros(1_000)
        assert choose(Evidence(useless, shipped, nothing), accepted=accepted, folds=folds).own is None
        assert choose(Evidence(telling, shipped, nothing), accepted=accepted, folds=folds).own is not None

    def test_hears_another_judge_only_where_that_is_surely_better(self, accepted: np.ndarray) -> None:
        rng = np.random.default_rng(9)
        sign = np.where(accepted, 1.0, -1.0)
        own, shipped = (sign + rng.normal(size=1_000))[:, None], rng.normal(size=1_000)
        folds = np.arange(1_000) % 4
        telling = np.where(rng.random(1_000) < 0.9, sign, -sign)
        for beside, hears in ((telling, True), (rng.choice([-1.0, 1.0], 1_000), False)):
            found = choose(Evidence(own, shipped, beside), accepted=accepted, folds=folds)
            assert found.own is not None
            assert found.hears is hears
            # A judge of which it knows nothing is neither for nor against.
            assert len(found.own.coefficients) == 1 + hears

    def test_calibrates_nothing_on_few_decisions(self, accepted: np.ndarray) -> None:
        few = accepted[:30]
        known = Evidence(np.zeros((30, 1)), np.ones(30), np.ones(30))
        found = choose(known, accepted=few, folds=np.arange(30) % 4)
        assert found == memory.Remembering(Calibration())

    def test_draws_overconfident_scores_in(self, accepted: np.ndarray) -> None:
        rng = np.random.default_rng(8)
        logits = rng.normal(scale=0.5, size=1_000)
        right = rng.random(1_000) < 1 / (1 + np.exp(-logits))
        slopes = memory.calibrate(3 * logits, right)
        assert slopes.right == pytest.approx(1 / 3, abs=0.15)
        assert slopes.wrong == pytest.approx(1 / 3, abs=0.15)

    def test_believes_no_score_that_is_very_sure(self, accepted: np.ndarray) -> None:
        rng = np.random.default_rng(8)
        logits = rng.choice([-9.0, 9.0], size=1_000)
        right = np.where(rng.random(1_000) < 0.2, rng.random(1_000) < 0.5, logits > 0)
        found = memory.calibrate(logits, right).apply(np.array([-9.0, 9.0]))
        assert 1 / (1 + np.exp(-found)) == pytest.approx([0.1, 0.9], abs=0.03)


class TestFoldOf:
    def test_parts_questions_evenly(self) -> None:
        counts = np.bincount([fold_of(str(number)) for number in range(5_000)])
        assert len(counts) == FOLDS
        assert counts.min() > 850

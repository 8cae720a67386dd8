"""How sure agreement's figures are: pairs of raters, labels, and what never differs."""

from typing import Any

import numpy as np
import pytest
from scipy.stats import bootstrap
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.proportion import proportion_confint

from analysis.intervals import Interval, Scale, Why
from analysis.raters.agreement import MissingVotes
from annotation.agreement.rules.measures import AgreementReport, measure_agreement, to_json
from annotation.agreement.rules.votes import FirstRound
from common.figures import WHY
from tests.analysis.ratios import lies_as_redone

LABELS = 2


def report_of(votes: Any, *, questions: Any, raters: Any = None) -> AgreementReport:
    """Measure votes of items × places; every place is one rater's unless told."""
    array = np.array(votes, dtype=np.int64)
    people = np.broadcast_to(np.arange(array.shape[1]), array.shape) if raters is None else np.array(raters)
    read = FirstRound(
        votes=array,
        raters=people,
        items=np.arange(len(array)),
        questions=np.array(questions),
        labels=("correct", "incorrect"),
        names=("R-1", "R-2", "R-3"),
        correct=0,
        incorrect=1,
    )
    return measure_agreement(read, rule=MissingVotes.DROP)


@pytest.fixture
def study() -> tuple[Any, Any]:
    """Two raters' votes on two answers to each of thirty questions; the second errs on one in four."""
    generator = np.random.default_rng(11)
    first = generator.integers(0, LABELS, 60)
    second = np.where(generator.random(60) < 0.25, 1 - first, first)
    return np.column_stack([first, second]), np.repeat(np.arange(30), 2)


class TestPairs:
    def test_equal_votes_of_two_questions_say_next_to_nothing(self) -> None:
        # Question 0 is agreed on, 1 is not: t of one degree of freedom reaches 12.7.
        (pair,) = report_of([[0, 0], [0, 1]], questions=[0, 1]).pairs
        assert pair.figures["observed_agreement"].interval == pytest.approx((0.0, 1.0), abs=0.01)

    def test_kappa_is_drawn_again_as_scikit_learn_counts_it(self, study: tuple[Any, Any]) -> None:
        votes, questions = study
        (pair,) = report_of(votes, questions=questions).pairs
        drawn = np.random.default_rng(3).integers(0, 30, size=(1_000, 30))
        rows = [np.concatenate([np.flatnonzero(questions == each) for each in one]) for one in drawn]
        kappas = [cohen_kappa_score(votes[each, 0], votes[each, 1]) for each in rows]
        kappa = cohen_kappa_score(votes[:, 0], votes[:, 1])
        assert lies_as_redone(
            Interval(*(pair.figures["cohen_kappa"].interval or ())),
            value=kappa,
            values=kappas,
            clusters=30,
            scale=Scale.COEFFICIENT,
        )

    def test_equal_votes_vary_as_scipy_says(self, study: tuple[Any, Any]) -> None:
        votes, questions = study
        (pair,) = report_of(votes, questions=questions).pairs
        equal = (votes[:, 0] == votes[:, 1]).reshape(30, 2).mean(axis=1)
        found = bootstrap((equal,), np.mean, method="percentile", rng=3, n_resamples=5_000)
        assert pair.figures["observed_agreement"].interval == pytest.approx(
            tuple(found.confidence_interval), abs=0.03
        )

    def test_raters_who_never_differ_have_the_exact_interval_over_their_questions(self) -> None:
        (pair,) = report_of([[0, 0], [1, 1]] * 10, questions=np.repeat(np.arange(10), 2)).pairs
        low, high = proportion_confint(10, 10, method="beta")
        assert pair.figures["observed_agreement"].interval == pytest.approx((low, high))
        assert pair.figures["cohen_kappa"].why == Why.NEVER_VARIES

    def test_a_pair_counts_its_own_questions_only(self) -> None:
        # share ten questions, R-1 and R-3 one more.
        votes, raters = [[0, 0], [1, 1]] * 5 + [[0, 0]], [[0, 1]] * 10 + [[0, 2]]
        shared, alone = report_of(votes, questions=np.arange(11), raters=raters).pairs
        low, high = proportion_confint(10, 10, method="beta")
        assert shared.figures["observed_agreement"].interval == pytest.approx((low, high))
        assert alone.figures["observed_agreement"].why == Why.TOO_FEW_QUESTIONS

    def test_which_label_is_which_changes_nothing(self, study: tuple[Any, Any]) -> None:
        votes, questions = study
        (pair,), (renamed,) = (
            report_of(each, questions=questions).pairs for each in (votes, LABELS - 1 - votes)
        )
        for name, figure in pair.figures.items():
            assert renamed.figures[name].interval == pytest.approx(figure.interval)


class TestLabelShares:
    def test_two_questions_say_next_to_nothing(self) -> None:
        report = report_of([[0, 0], [1, 1]], questions=[0, 1])
        for share in report.label_shares.values():
            assert share.interval == pytest.approx((0.0, 1.0), abs=0.01)

    def test_votes_of_one_question_are_drawn_together_as_by_scipy(self, study: tuple[Any, Any]) -> None:
        votes, questions = study
        report = report_of(votes, questions=questions)
        shares = (votes == 0).reshape(30, 4).mean(axis=1)
        found = bootstrap((shares,), np.mean, method="percentile", rng=3, n_resamples=5_000)
        assert report.label_shares["correct"].interval == pytest.approx(
            tuple(found.confidence_interval), abs=0.03
        )

    def test_a_label_nobody_gave_has_the_exact_interval(self) -> None:
        report = report_of([[0, 0]] * 8, questions=np.arange(8))
        low, high = proportion_confint(0, 8, method="beta")
        assert report.label_shares["incorrect"].interval == pytest.approx((low, high))
        assert to_json(report)["interval"]["share_incorrect"] == pytest.approx([low, high])

    def test_one_question_is_too_few(self) -> None:
        form = to_json(report_of([[0, 0], [0, 1]], questions=[4, 4]))
        assert form["interval"]["share_correct"] is None
        assert form["words"]["interval.share_correct"] == WHY[Why.TOO_FEW_QUESTIONS]
        assert form["pairs"][0]["words"]["interval.observed"] == WHY[Why.TOO_FEW_QUESTIONS]


class TestCoefficients:
    def test_votes_that_are_all_equal_have_the_exact_interval(self) -> None:
        report = report_of([[0, 0, 0], [1, 1, 1]] * 6, questions=np.arange(12))
        low, high = proportion_confint(12, 12, method="beta")
        assert report.figures["observed_agreement"].interval == pytest.approx((low, high))
        for name in ("fleiss_kappa", "krippendorff_alpha", "gwet_ac1", "cohen_kappa"):
            assert report.figures[name].why == Why.NEVER_VARIES

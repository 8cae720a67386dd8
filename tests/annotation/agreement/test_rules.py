"""How far the first-round raters agree, on plain values."""

from typing import Any

import numpy as np
import pytest

from analysis import agreement
from analysis.agreement import MissingVotes
from analysis.undefined import Undefined
from annotation.agreement import rules
from annotation.agreement.rules import FirstRound, measure_agreement, to_json


def first_round(votes: list[list[int]], **changes: Any) -> FirstRound:
    array = np.array(votes, dtype=np.int64).reshape(len(votes), -1 if votes else 2)
    usual = FirstRound(
        votes=array,
        raters=np.broadcast_to(np.arange(array.shape[1]), array.shape),
        items=np.arange(100, 100 + len(votes)),
        questions=np.arange(len(votes)) // 2,
        labels=("correct", "incorrect"),
        names=("R-1", "R-2", "R-3"),
        correct=0,
        incorrect=1,
    )
    return usual._replace(**changes)


# Four agree, one differs, one was passed over by the second rater.
VOTES = [[0, 0], [0, 0], [1, 1], [1, 1], [0, 1], [0, -1]]


class TestMeasureAgreement:
    @pytest.mark.parametrize(
        ("rule", "items", "disagreements", "observed"),
        [
            (MissingVotes.OWN_CATEGORY, 6, 2, 4 / 6),
            (MissingVotes.DROP, 5, 1, 4 / 5),
            (MissingVotes.AS_INCORRECT, 6, 2, 4 / 6),
            (MissingVotes.AS_CORRECT, 6, 1, 5 / 6),
        ],
    )
    def test_each_rule_counts_missing_votes_in_its_way(
        self, rule: MissingVotes, items: int, disagreements: int, observed: float
    ) -> None:
        report = measure_agreement(first_round(VOTES), rule=rule)
        assert (report.items, report.disagreements) == (items, disagreements)
        assert report.values["observed_agreement"] == pytest.approx(observed)

    def test_a_missing_vote_is_named_in_the_distribution(self) -> None:
        report = measure_agreement(first_round(VOTES), rule=MissingVotes.OWN_CATEGORY)
        assert report.distribution == {"correct": 6, "incorrect": 5, "missing": 1}

    def test_every_interval_holds_its_value(self) -> None:
        report = measure_agreement(first_round(VOTES * 20), rule=MissingVotes.OWN_CATEGORY)
        for name, value in report.values.items():
            bounds = report.intervals[name]
            assert not isinstance(bounds, Undefined)
            assert not isinstance(value, Undefined)
            assert bounds.low <= value <= bounds.high

    def test_a_pair_has_its_own_kappa(self) -> None:
        report = measure_agreement(first_round(VOTES), rule=MissingVotes.DROP)
        (pair,) = report.pairs
        assert (pair.a, pair.b, pair.items) == ("R-1", "R-2", 5)
        assert pair.cohen == report.values["cohen_kappa"]

    def test_with_many_pairs_cohens_interval_is_refused_in_words(self, monkeypatch: Any) -> None:
        monkeypatch.setattr(rules, "MOST_PAIRS", 0)
        report = measure_agreement(first_round(VOTES), rule=MissingVotes.DROP)
        assert report.intervals["cohen_kappa"] == Undefined(rules.TOO_MANY_PAIRS)


class TestToJson:
    def test_without_votes_every_figure_is_null_with_its_reason(self) -> None:
        form = to_json(measure_agreement(first_round([]), rule=MissingVotes.OWN_CATEGORY))
        assert form["fleiss_kappa"] is None
        assert form["words"]["fleiss_kappa"] == agreement.NO_ITEMS
        assert form["interval"]["fleiss_kappa"] is None
        assert (form["items"], form["pairs"], form["band"]) == (0, [], "")

    def test_one_label_leaves_percent_and_undefines_kappa(self) -> None:
        form = to_json(measure_agreement(first_round([[0, 0]] * 4), rule=MissingVotes.DROP))
        assert (form["observed_agreement"], form["fleiss_kappa"]) == (1.0, None)
        assert form["words"]["fleiss_kappa"] == agreement.ONE_LABEL
        assert form["pairs"][0]["words"] == agreement.ONE_LABEL

    def test_one_rater_an_answer_has_no_agreement(self) -> None:
        form = to_json(measure_agreement(first_round([[0], [1]]), rule=MissingVotes.DROP))
        assert form["words"]["observed_agreement"] == agreement.NO_ITEMS
        assert form["words"]["cohen_kappa"] == agreement.NO_ITEMS


class TestDisagreeingItems:
    def test_a_missing_vote_does_not_differ(self) -> None:
        assert rules.disagreeing_items(first_round(VOTES)) == [104]


class TestCompleteRounds:
    def test_an_item_that_still_waits_for_a_rater_is_left_out(self) -> None:
        assert rules.complete_rounds(turns=[[1, 2], [1], [], [3, 1]], raters_per_answer=2) == [0, 3]

"""One rater and stop on agreement with a judge, else a second, else a third."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import beta

from analysis.intervals import Why
from analysis.prejudging.routing import (
    NOTHING,
    Foreseen,
    draw_audit,
    foresee_routing,
    measure_routing,
    route,
)

NO = NOTHING


class TestRoute:
    @pytest.mark.parametrize(
        ("votes", "judge", "labels", "final", "stopped"),
        [
            ((1, 0, 0), 1, 1, 1, True),
            ((1, 1, NO), 0, 2, 1, False),
            ((1, 0, 0), 0, 3, 0, False),
            ((1, 0, 1), NO, 3, 1, False),
            ((NO, 1, 0), 1, 1, 1, True),
            ((1, NO, 1), 0, 2, 1, False),
            ((1, NO, NO), 0, 1, 1, False),
            ((NO, NO, NO), 1, 0, NO, False),
            ((1, 0, NO), NO, 2, NO, False),
            ((0, 1, 2), NO, 3, NO, False),
        ],
    )
    def test_asks_until_a_rule_ends_it(
        self, votes: tuple[int, ...], judge: int, labels: int, final: int, stopped: bool
    ) -> None:
        found = route(votes=np.array([votes]), judge=np.array([judge]))
        assert (found.labels[0], found.final[0], found.stopped[0]) == (labels, final, stopped)

    def test_a_judge_that_is_not_sure_stops_nothing(self) -> None:
        found = route(
            votes=np.array([[1, 1], [1, 1]]), judge=np.array([1, 1]), confidence=np.array([0.79, 0.8])
        )
        assert found.stopped.tolist() == [False, True]
        assert found.labels.tolist() == [2, 1]

    @given(
        st.lists(
            st.tuples(*[st.sampled_from([NO, 0, 1])] * 3, st.sampled_from([NO, 0, 1])),
            min_size=1,
            max_size=30,
        )
    )
    def test_is_as_somebody_would_do_it_by_hand(self, rows: list[tuple[int, int, int, int]]) -> None:
        found = route(votes=np.array([row[:3] for row in rows]), judge=np.array([row[3] for row in rows]))
        for place, (*votes, judge) in enumerate(rows):
            assert (found.labels[place], found.final[place]) == by_hand(votes, judge)


def by_hand(votes: list[int], judge: int) -> tuple[int, int]:
    given_votes = [vote for vote in votes if vote != NO]
    if not given_votes:
        return 0, NO
    if given_votes[0] == judge or len(given_votes) == 1:
        return 1, given_votes[0]
    if given_votes[0] == given_votes[1]:
        return 2, given_votes[0]
    return len(given_votes), given_votes[2] if len(given_votes) > 2 else NO


class TestMeasureRouting:
    def test_counts_labels_and_bounds_what_nobody_saw(self) -> None:
        # Ten answers; the judge agrees with the first rater on all, who is wrong on two of them.
        votes = np.array([[1, 1, NO]] * 8 + [[1, 0, 0]] * 2)
        judge = np.ones(10, dtype=np.int64)
        routed, unrouted = route(votes=votes, judge=judge), route(votes=votes, judge=np.full(10, NO))
        audited = np.arange(10) >= 5
        found = measure_routing(
            routed=routed, unrouted=unrouted, final=unrouted.final, audited=audited, level=0.95
        )
        assert (found.audited, found.changed, found.stopped_share) == (5, 2, 1.0)
        assert found.labels_an_answer == pytest.approx((5 + 3 * 2 + 2 * 3) / 10)
        assert found.fixed == pytest.approx((8 * 2 + 2 * 3) / 10)
        assert found.same_share == 1.0
        # Half of all answers were stopped and not seen.
        assert found.residual.value == pytest.approx(2 / 5 / 2)
        assert found.residual.high == pytest.approx(beta.ppf(0.95, 3, 3) / 2)

    def test_says_why_there_is_no_bound_without_an_audit(self) -> None:
        votes = np.array([[1, 1]])
        routed = route(votes=votes, judge=np.array([1]))
        found = measure_routing(
            routed=routed, unrouted=routed, final=np.array([1]), audited=np.array([False])
        )
        assert (found.residual.value, found.residual.why) == (None, Why.NOTHING_COUNTED)

    def test_refuses_a_study_without_answers(self) -> None:
        nothing = route(votes=np.zeros((0, 2), dtype=np.int64), judge=np.zeros(0, dtype=np.int64))
        with pytest.raises(ValueError, match="no answer"):
            measure_routing(
                routed=nothing, unrouted=nothing, final=nothing.final, audited=np.zeros(0, dtype=bool)
            )


class TestDrawAudit:
    def test_draws_of_the_stopped_ones_alone_with_the_share(self) -> None:
        stopped = np.arange(20_000) % 2 == 0
        drawn = draw_audit(stopped=stopped, share=0.1, seed=1)
        assert not (drawn & ~stopped).any()
        assert drawn.sum() == pytest.approx(1_000, abs=120)
        assert (drawn == draw_audit(stopped=stopped, share=0.1, seed=1)).all()


class TestForeseeRouting:
    VOTES = np.array([[1, 1], [0, 1], [1, 1], [0, 0]])
    GIVEN = np.array([2, 3, 2, 2])
    FINAL = np.array([1, 1, 1, 0])
    JUDGE = np.array([1, 0, NOTHING, 1])

    def foresee(self, **fields: Any) -> Foreseen:
        given = {"votes": self.VOTES, "given": self.GIVEN, "final": self.FINAL, "judge": self.JUDGE}
        return foresee_routing(**{**given, "questions": np.arange(4), "audit_share": 0.0, **fields})

    def test_each_rater_is_as_likely_to_come_first(self) -> None:
        # The first stops with either, the second with one of them, who was outvoted.
        found = self.foresee()
        assert found.labels_an_answer == pytest.approx((1 + (1 + 3) / 2 + 2 + 2) / 4)
        assert found.fixed == 9 / 4
        assert found.stopped_share == pytest.approx(1.5 / 4)
        assert found.same_share.value == pytest.approx(3.5 / 4)

    def test_what_is_audited_ends_as_it_did(self) -> None:
        found = self.foresee(audit_share=1.0)
        assert (found.labels_an_answer, found.stopped_share, found.same_share.value) == (9 / 4, 0.0, 1.0)

    def test_an_unsure_judge_stops_nothing(self) -> None:
        confidence = np.array([0.9, 0.79, 0.0, 0.99])
        found = self.foresee(confidence=confidence, least=0.8)
        assert found.same_share.value == 1.0
        assert found.stopped_share == 0.25

    def test_nothing_is_foreseen_of_nothing(self) -> None:
        with pytest.raises(ValueError, match="no answer"):
            self.foresee(votes=np.empty((0, 2), dtype=np.int64))

"""What systems gain from one way of judging to another, and how sure that is."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.stats import bootstrap

from analysis.figures import Interval, Undefined, Why
from analysis.ranking import Table, paired_differences
from annotation.accounts.models import User
from annotation.projects.models import Project
from common.figures import WHY
from judges.comparison.rules.leaderboard import Gain, bound_gains
from judges.comparison.rules.study import Filter
from judges.comparison.selectors.leaderboard import (
    read_amendment_gains,
    read_amendments,
    read_gains,
    read_leaderboard,
)
from judges.runs.models import JudgeRun
from tests.judges.comparison.conftest import make_run

Client = Callable[[User], Any]
ADDRESS = "/api/projects/small/leaderboard/gains"
NONE = float("nan")


def gains(before: Any, after: Any) -> list[Gain]:
    return bound_gains(Table(np.array(before, dtype=float)), Table(np.array(after, dtype=float)))


def ends(interval: Interval | Undefined) -> Interval:
    assert isinstance(interval, Interval)
    return interval


@pytest.fixture
def tables() -> tuple[Any, Any]:
    """Three systems on 200 questions: about four in ten right before, and some of the others after."""
    generator = np.random.default_rng(7)
    before = (generator.random((3, 200)) < 0.4).astype(float)
    return before, np.maximum(before, generator.random((3, 200)) < 0.3)


class TestBoundGains:
    def test_the_gain_is_counted_in_points_and_as_a_share_of_the_start(self) -> None:
        (gain,) = gains([[1, 0, 0, 1]], [[1, 1, 0, 1]])
        assert (gain.difference, gain.relative) == (0.25, 0.5)

    def test_it_is_the_paired_difference_where_both_judge_the_same_questions(self, tables: Any) -> None:
        before, after = tables
        pairs = [(system + 3, system) for system in range(3)]
        expected = paired_differences(table=Table(np.vstack(tables)), pairs=pairs)
        for gain, known in zip(gains(before, after), expected, strict=True):
            assert gain.difference == pytest.approx(known.difference)
            assert ends(gain.interval) == pytest.approx(ends(known.interval))

    def test_it_is_over_the_questions_that_both_have_judged(self) -> None:
        # Of four questions people decided two, both right: exact match has one of these and one of the rest.
        (gain,) = gains([[1, 0, 0, 1]], [[1, 1, NONE, NONE]])
        assert (gain.difference, gain.relative) == (0.5, 1.0)

    def test_between_verdicts_parts_of_two_more_questions_differ_either_way(self, tables: Any) -> None:
        # 60 of 200 gained and none lost: (60 + .6 - .6) / 201.2.
        before, after = np.zeros((1, 200)), np.array([[1.0] * 60 + [0.0] * 140])
        (gain,) = bound_gains(Table(before, True), Table(after, True))
        low, high = ends(gain.interval)
        assert gain.difference == 0.3
        assert (low + high) / 2 == pytest.approx(60 / 201.2, abs=1e-6)

    def test_scipy_finds_the_same_intervals(self, tables: Any) -> None:
        before, after = tables

        def share(first: Any, second: Any, axis: int) -> Any:
            return second.mean(axis=axis) / first.mean(axis=axis) - 1

        gain = gains(before, after)[0]
        for own, statistic in (
            (gain.interval, lambda first, second, axis: (second - first).mean(axis=axis)),
            (gain.relative_interval, share),
        ):
            known = bootstrap(
                (before[0], after[0]), statistic, paired=True, method="percentile", rng=1
            ).confidence_interval
            low, high = ends(own)
            width = known.high - known.low
            assert abs(low - known.low) < 0.1 * width
            assert abs(high - known.high) < 0.1 * width

    def test_back_again_is_the_same_with_the_other_sign(self, tables: Any) -> None:
        before, after = tables
        for there, back in zip(gains(before, after), gains(after, before), strict=True):
            low, high = ends(there.interval)
            assert ends(back.interval) == pytest.approx((-high, -low))

    def test_each_score_is_of_the_questions_it_has(self) -> None:
        (gain,) = gains([[1, 0, 0, 1]], [[1, 1, NONE, NONE]])
        assert gain.difference == 0.5

    def test_a_share_of_nothing_is_undefined_and_the_points_stand(self) -> None:
        (gain,) = gains([[0, 0, 0, 0]], [[1, 1, 0, 1]])
        assert gain.difference == 0.75
        assert isinstance(gain.interval, Interval)
        assert gain.relative == gain.relative_interval == Undefined(Why.STARTS_FROM_ZERO)

    @pytest.mark.parametrize("scores", [[[1.0]], [[1, NONE, NONE]]])
    def test_one_question_has_no_interval(self, scores: Any) -> None:
        (gain,) = gains(scores, scores)
        assert (gain.difference, gain.interval) == (0.0, Undefined(Why.TOO_FEW_QUESTIONS))

    def test_without_a_score_there_is_no_gain(self) -> None:
        (gain,) = gains([[NONE, NONE]], [[1, 0]])
        assert isinstance(gain.difference, Undefined)
        assert gains(np.zeros((0, 0)), np.zeros((0, 0))) == []


class TestReadGains:
    def test_they_lie_between_the_scores_of_the_leaderboard(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        board = read_leaderboard(project=study)
        scores = {row.system.name: row.scores for row in board.rows}
        found = read_gains(project=study, wanted=Filter(), column="exact_match")
        assert {(each.column, each.system) for each in found} == {
            (column, system) for column in ("human", "human_decided") for system in ("alpha", "beta")
        }
        for column, system, gain in found:
            before, after = scores[system]["exact_match"], scores[system][column]
            assert before is not None
            assert after is not None
            assert gain.difference == pytest.approx(after.value - before.value)

    def test_a_way_that_says_nothing_of_a_system_has_none(
        self, study: Project, exact_match: JudgeRun
    ) -> None:
        make_run(study, "bem", {"Marlowe": 1.0})
        found = read_gains(project=study, wanted=Filter(), column="exact_match")
        assert [(each.column, each.system) for each in found] == [("bem", "beta")]

    def test_amendment_moves_systems_as_its_counts_say(self, study: Project, all_decided: None) -> None:
        moves = read_amendments(project=study, wanted=Filter()).moves
        found = read_amendment_gains(project=study, wanted=Filter())
        assert [each.gain.difference for each in found] == [
            pytest.approx((move.after - move.before) / move.n) for move in moves
        ]
        assert [each.gain.difference for each in found] == [pytest.approx(2 / 3), 0.0]


class TestViews:
    def test_gains_tell_points_share_and_both_intervals(
        self, client_of: Client, lead: User, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        rows = client_of(lead).get(f"{ADDRESS}?column=exact_match").json()
        (alpha,) = (row for row in rows if (row["column"], row["system"]) == ("human", "alpha"))
        assert (alpha["difference"], alpha["relative"]) == (pytest.approx(2 / 3), pytest.approx(2.0))
        low, high = alpha["interval"]
        # Three questions say next to nothing: t of two degrees of freedom reaches 4.3.
        assert -1.0 <= low < alpha["difference"] < high <= 1.0
        assert (alpha["relative_interval"], bool(alpha["words"])) == (None, True)

    def test_amendments_have_theirs(
        self, client_of: Client, lead: User, study: Project, all_decided: None
    ) -> None:
        address = "/api/projects/small/leaderboard/amendments/gains"
        alpha, beta = client_of(lead).get(address).json()
        assert (alpha["system"], alpha["difference"]) == ("alpha", pytest.approx(2 / 3))
        assert (beta["difference"], beta["interval"]) == (0.0, None)
        assert beta["words"] == WHY[Why.NEVER_VARIES]

    @pytest.mark.parametrize(("query", "status"), [("", 400), ("?column=nobody", 404)])
    def test_the_way_of_judging_must_be_there(
        self, query: str, status: int, client_of: Client, lead: User, study: Project
    ) -> None:
        assert client_of(lead).get(f"{ADDRESS}{query}").status_code == status

"""What systems gain from one way of judging to another, and how sure that is."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.stats import bootstrap

from analysis.intervals import Figure, Why
from analysis.ranking import Table, paired_differences
from annotation.accounts.models import User
from annotation.projects.models import Project
from judges.comparison.rules.leaderboard.standings import Gain, bound_gains
from judges.comparison.rules.study import Filter
from judges.comparison.selectors.leaderboard.amendments import read_amendments
from judges.comparison.selectors.leaderboard.standings import read_leaderboard
from judges.runs.models import JudgeRun
from tests.factories import make_figure
from tests.judges.comparison.conftest import make_run

Client = Callable[[User], Any]
ADDRESS = "/api/projects/small/leaderboard"
NONE = float("nan")


def gains(before: Any, after: Any) -> list[Gain]:
    return bound_gains(Table(np.array(before, dtype=float)), Table(np.array(after, dtype=float)))


def ends(figure: Figure) -> tuple[float, float]:
    assert figure.interval
    return figure.interval


@pytest.fixture
def tables() -> tuple[Any, Any]:
    """Three systems on 200 questions: about four in ten right before, and some of the others after."""
    generator = np.random.default_rng(7)
    before = (generator.random((3, 200)) < 0.4).astype(float)
    return before, np.maximum(before, generator.random((3, 200)) < 0.3)


class TestBoundGains:
    def test_the_gain_is_counted_in_points_and_as_a_share_of_the_start(self) -> None:
        (gain,) = gains([[1, 0, 0, 1]], [[1, 1, 0, 1]])
        assert (gain.gain.value, gain.relative.value) == (0.25, 0.5)

    def test_it_is_the_paired_difference_where_both_judge_the_same_questions(self, tables: Any) -> None:
        before, after = tables
        pairs = [(system + 3, system) for system in range(3)]
        expected = paired_differences(table=Table(np.vstack(tables)), pairs=pairs)
        for gain, known in zip(gains(before, after), expected, strict=True):
            assert gain.gain.value == pytest.approx(known.difference)
            assert ends(gain.gain) == pytest.approx(known.interval)

    def test_it_is_over_the_questions_that_both_have_judged(self) -> None:
        # Of four questions people decided two, both right: exact match has one of these and one of the rest.
        (gain,) = gains([[1, 0, 0, 1]], [[1, 1, NONE, NONE]])
        assert (gain.gain.value, gain.relative.value) == (0.5, 1.0)

    def test_between_verdicts_parts_of_two_more_questions_differ_either_way(self, tables: Any) -> None:
        # 60 of 200 gained and none lost: (60 + .6 - .6) / 201.2.
        before, after = np.zeros((1, 200)), np.array([[1.0] * 60 + [0.0] * 140])
        (gain,) = bound_gains(Table(before, True), Table(after, True))
        low, high = ends(gain.gain)
        assert gain.gain.value == 0.3
        assert (low + high) / 2 == pytest.approx(60 / 201.2, abs=1e-6)

    def test_scipy_finds_the_same_intervals(self, tables: Any) -> None:
        before, after = tables

        def share(first: Any, second: Any, axis: int) -> Any:
            return second.mean(axis=axis) / first.mean(axis=axis) - 1

        gain = gains(before, after)[0]
        for own, statistic in (
            (gain.gain, lambda first, second, axis: (second - first).mean(axis=axis)),
            (gain.relative, share),
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
            low, high = ends(there.gain)
            assert ends(back.gain) == pytest.approx((-high, -low))

    def test_each_score_is_of_the_questions_it_has(self) -> None:
        (gain,) = gains([[1, 0, 0, 1]], [[1, 1, NONE, NONE]])
        assert gain.gain.value == 0.5

    def test_a_share_of_nothing_is_undefined_and_the_points_stand(self) -> None:
        (gain,) = gains([[0, 0, 0, 0]], [[1, 1, 0, 1]])
        assert gain.gain.value == 0.75
        assert gain.gain.interval
        assert gain.relative == Figure(None, why=Why.STARTS_FROM_ZERO)

    @pytest.mark.parametrize("scores", [[[1.0]], [[1, NONE, NONE]]])
    def test_one_question_has_no_interval(self, scores: Any) -> None:
        (gain,) = gains(scores, scores)
        assert gain.gain == Figure(0.0, why=Why.TOO_FEW_QUESTIONS)

    def test_without_a_score_there_is_no_gain(self) -> None:
        (gain,) = gains([[NONE, NONE]], [[1, 0]])
        assert gain == (Figure(None, why=Why.NOTHING_COUNTED),) * 2
        assert gains(np.zeros((0, 0)), np.zeros((0, 0))) == []


class TestReadGains:
    def test_they_lie_between_the_scores_of_the_leaderboard(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        board = read_leaderboard(project=study, compared="exact_match")
        for row in board.rows:
            before = row.scores["exact_match"]
            assert before is not None
            assert (before.gain, before.relative) == (None, None)
            for column in ("human", "human_decided"):
                after = row.scores[column]
                assert after is not None
                assert after.gain is not None
                assert after.gain.value == pytest.approx(after.value - before.value)

    def test_a_way_that_says_nothing_of_a_system_has_none(
        self, study: Project, exact_match: JudgeRun
    ) -> None:
        make_run(study, "bem", {"Marlowe": 1.0})
        board = read_leaderboard(project=study, compared="exact_match")
        assert [row.system for row in board.rows if (score := row.scores["bem"]) and score.gain] == ["beta"]

    def test_amendment_moves_systems_as_its_counts_say(self, study: Project, all_decided: None) -> None:
        points = read_amendments(project=study, wanted=Filter()).moves
        moves = read_amendments(project=study, wanted=Filter(), intervals=True).moves
        assert [move.gain.value for move in moves] == [move.gain.value for move in points]
        assert [move.gain.value for move in moves] == [
            pytest.approx((move.after - move.before) / move.n) for move in moves
        ]
        assert [move.gain.value for move in moves] == [pytest.approx(2 / 3), 0.0]
        assert all(move.gain.interval or move.gain.why for move in moves)


class TestViews:
    def test_gains_tell_points_share_and_both_intervals(
        self, client_of: Client, lead: User, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        alpha, _ = client_of(lead).get(f"{ADDRESS}?compared=exact_match").json()["rows"]
        gain, relative = alpha["scores"]["human"]["gain"], alpha["scores"]["human"]["relative"]
        assert (gain["value"], relative["value"]) == (pytest.approx(2 / 3), pytest.approx(2.0))
        # Three questions say next to nothing: t of two degrees of freedom reaches 4.3.
        assert -1.0 <= gain["low"] < gain["value"] < gain["high"] <= 1.0
        assert (relative["low"], bool(relative["why"])) == (None, True)

    def test_amendments_have_theirs(
        self, client_of: Client, lead: User, study: Project, all_decided: None
    ) -> None:
        address = "/api/projects/small/leaderboard/amendments?intervals=true"
        alpha, beta = client_of(lead).get(address).json()["systems"]
        assert (alpha["system"], alpha["gain"]["value"]) == ("alpha", pytest.approx(2 / 3))
        assert beta["gain"] == make_figure(0.0, why="never_varies")

    def test_the_way_of_judging_must_be_there(self, client_of: Client, lead: User, study: Project) -> None:
        reply = client_of(lead).get(f"{ADDRESS}?compared=nobody")
        assert (reply.status_code, reply.json()["error"]["code"]) == (404, "column_not_found")

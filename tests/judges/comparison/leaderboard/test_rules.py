"""Scores, ranks and ranges on plain counts."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from analysis.intervals import Undefined, Why
from judges.comparison.rules.leaderboard.standings import (
    Leaderboard,
    Standing,
    Tally,
    comparable_systems,
    fewest_answers,
    is_of_few,
    largest_gain,
    make_leaderboard,
    score_of,
)
from judges.comparison.rules.study import CORRECTED, Column, Kind, Scope, SystemFacts, Unit, human_columns

JUDGE = Column("exact_match", "Exact match", Kind.JUDGE, "original", "em", Unit.ACCURACY)

MEAN = Column("token_f1", "Token F1", Kind.JUDGE, "original", "f1", Unit.F1)

PEOPLE = human_columns(has_prejudged=False)[0]


def count_correct(*, n: int, correct: int) -> Tally:
    """Return the tally of a complete count of right answers."""
    return Tally(n=n, correct=correct, total=float(correct), squares=float(correct), is_complete=True)


def board(
    *,
    human: list[int],
    pending: int = 0,
    n: tuple[int, ...] = (10, 10, 10),
    matched: tuple[int, ...] = (2, 5, 5),
) -> Leaderboard:
    systems = [SystemFacts(pk, f"s{pk}", f"S{pk}", {}) for pk in range(3)]
    tallies: dict[str, Any] = {
        "exact_match": {pk: count_correct(n=n[pk], correct=matched[pk]) for pk in range(3)},
        "token_f1": {pk: Tally(n[pk], 0, 2.5 + pk, 2.4, True) for pk in range(3)},
        "human": {pk: count_correct(n=n[pk], correct=human[pk]) for pk in range(3)},
    }
    standings = {pk: Standing(n[pk], n[pk] - pending, human[pk] - pending, pending) for pk in range(3)}
    return make_leaderboard(
        scope=Scope.SAMPLE,
        n_questions=10,
        judged_questions=10,
        systems=systems,
        columns=[JUDGE, MEAN, PEOPLE],
        tallies=tallies,
        standings=standings,
        median_words={0: 2.0, 1: 5.0, 2: 5.5},
        comparable=[pk for pk in range(3) if n[pk] == max(n)],
    )


def ranks(leaderboard: Leaderboard, key: str) -> list[float | None]:
    return [score and score.rank.value for score in (row.scores[key] for row in leaderboard.rows)]


class TestComparableSystems:
    @pytest.mark.parametrize(
        ("answered", "expected"),
        [
            ({0: [1, 2], 1: [2, 1]}, {7, 8}),
            ({0: [1, 2], 1: [2]}, {7}),
            ({0: [1, 2], 1: [3, 4]}, set()),
            ({}, set()),
        ],
    )
    def test_are_those_that_answered_the_same_most_questions(
        self, answered: dict[int, list[int]], expected: set[int]
    ) -> None:
        rows = [(system, question) for system, questions in answered.items() for question in questions]
        systems, questions = np.array(rows, dtype=np.int64).reshape(-1, 2).T
        everything = np.full(len(rows), True)
        assert (
            comparable_systems(systems=systems, questions=questions, counted=everything, ids=[7, 8])
            == expected
        )


class TestFewestAnswers:
    @pytest.mark.parametrize(
        ("counts", "fewest"),
        [([200, 6], 30), ([60, 59], 30), ([40, 21], 20), ([7, 4], 4), ([1], 1), ([0], 0), ([], 0)],
    )
    def test_is_half_of_the_most_up_to_thirty(self, counts: list[int], fewest: int) -> None:
        assert fewest_answers(counts) == fewest

    @pytest.mark.parametrize("n", range(1, 80))
    def test_no_score_over_the_most_answers_is_too_few(self, n: int) -> None:
        assert n >= fewest_answers([n, 1, n])

    def test_a_score_over_less_is_of_few(self) -> None:
        found = board(human=[9, 8, 4], n=(10, 10, 4), matched=(2, 5, 2))
        columns = {column.key: column for column in found.columns}
        assert [is_of_few(row, columns["human"]) for row in found.rows] == [False, False, True]
        assert columns["human"].fewest == 5
        none = replace(found.rows[2], scores={"human": None})
        assert not is_of_few(none, columns["human"])

    def test_the_largest_gain_is_of_none_of_few(self) -> None:
        # Over exact match with (2, 5, 2) right of (10, 10, 4): 0.5, 0.1 and 0.5 with the later label.
        found = largest_gain(board(human=[7, 6, 4], n=(10, 10, 4), matched=(2, 5, 2)))
        assert found is not None
        assert found[1].label == "S0"


class TestMakeLeaderboard:
    def test_equal_scores_share_a_rank(self) -> None:
        assert ranks(board(human=[9, 8, 7]), "exact_match") == [3, 1, 1]

    def test_f1_is_a_mean_without_a_count(self) -> None:
        score = board(human=[9, 8, 7]).rows[0].scores["token_f1"]
        assert score is not None
        assert (score.value, score.correct, score.n) == (0.25, None, 10)

    def test_intervals_hold_the_score(self) -> None:
        for row in board(human=[9, 8, 7]).rows:
            for score in row.scores.values():
                assert score is not None
                assert score.low is not None
                assert score.high is not None
                assert score.low <= score.value <= score.high

    def test_once_all_is_decided_people_rank_and_the_range_is_gone(self) -> None:
        done = board(human=[9, 8, 7])
        assert ranks(done, "human") == [1, 2, 3]
        assert [row.range for row in done.rows] == [None, None, None]
        assert done.all_decided

    def test_the_score_of_people_is_theirs_alone_once_all_is_decided(self) -> None:
        def name(found: Leaderboard) -> str:
            return next(column.name for column in found.columns if column.key == "human")

        assert name(board(human=[9, 8, 7])) == "People"
        assert name(board(human=[9, 8, 7], pending=2)) == "People, otherwise exact match"

    def test_rank_correlation_counts_the_tie(self) -> None:
        # (2, 5, 5) against (9, 8, 7): two discordant pairs, one tie: -2 / sqrt(2 · 3).
        assert board(human=[9, 8, 7]).kendall["exact_match"] == pytest.approx(-2 / 6**0.5)

    def test_until_all_is_decided_people_give_no_rank_but_a_range(self) -> None:
        early = board(human=[9, 8, 7], pending=2)
        assert ranks(early, "human") == [None, None, None]
        assert early.rows[0].range == [0.7, 0.9]
        assert early.rows[0].decided_share == 0.8
        assert early.kendall["exact_match"] == Undefined(Why.NOT_ALL_DECIDED)
        assert ranks(early, "exact_match") == [3, 1, 1]

    def test_a_system_that_answered_fewer_questions_has_a_score_and_no_rank(self) -> None:
        assert ranks(board(human=[9, 8, 5], n=(10, 10, 6)), "exact_match") == [2, 1, None]

    def test_answers_longer_than_gold_answers_are_called_long(self) -> None:
        rows = board(human=[9, 8, 7]).rows
        assert [(row.median_words, row.has_long_answers) for row in rows] == [
            (2.0, False),
            (5.0, False),
            (5.5, True),
        ]

    def test_no_systems_make_an_empty_board(self) -> None:
        empty = make_leaderboard(
            scope=Scope.SAMPLE,
            n_questions=0,
            judged_questions=0,
            systems=[],
            columns=[],
            tallies={},
            standings={},
            median_words={},
            comparable=[],
        )
        assert (empty.rows, empty.all_decided) == ([], False)


class TestCorrectedScore:
    @pytest.mark.parametrize(("total", "value"), [(10.3, 1.0), (-0.2, 0.0)])
    def test_is_a_share_where_few_labels_correct_beyond_it(self, total: float, value: float) -> None:
        (column,) = (each for each in human_columns(has_prejudged=True) if each.key == CORRECTED)
        tally = Tally(n=10, correct=round(total), total=total, squares=80.0, is_complete=True, variance=0.005)
        score = score_of(column, tally, rank=None)
        assert score is not None
        assert score.value == value
        assert score.low is not None
        assert score.high is not None
        assert 0.0 <= score.low <= value <= score.high <= 1.0
        assert score.high - score.low > 0.1

"""Which system is best by people, and when nobody can say so."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from analysis.intervals import Figure
from annotation.items.models import System
from annotation.items.services.samples import set_sample
from annotation.projects.models import Project
from judges.comparison.rules.boards import ComparedPair
from judges.comparison.rules.leaderboard.standings import Leaderboard, LeaderboardColumn, Score, SystemRow
from judges.comparison.rules.results.best_system import (
    BestSystem,
    NoBestSystem,
    find_best_system,
    why_no_best,
)
from judges.comparison.rules.study import Filter, Kind, Scope, Unit
from judges.comparison.selectors.leaderboard.standings import read_pairs
from judges.comparison.selectors.results.best_system import read_best_system
from tests.judges.comparison.judge_board.test_audited import make_prejudged
from tests.judges.comparison.leaderboard.test_sampled import decide_sample, make_study

NONE = Figure(None)
PEOPLE = LeaderboardColumn("human", "People", Kind.HUMAN, "amended", "", Unit.ACCURACY, NONE)
DECIDED = replace(PEOPLE, key="human_decided")
CORRECTED = replace(PEOPLE, key="corrected", name="Corrected")


def score(value: float, rank: int | None, n: int = 50) -> Score:
    place = Figure(None if rank is None else float(rank))
    return Score(value=value, low=value - 0.05, high=value + 0.05, correct=None, n=n, rank=place)


def row(name: str, scores: Mapping[str, Score | None]) -> SystemRow:
    return SystemRow(name.lower(), name, {}, 50, 1.0, False, dict(scores), 1.0, None)


def board(
    scores: Mapping[str, tuple[float, int | None]],
    *,
    column: LeaderboardColumn = PEOPLE,
    n_questions: int = 50,
    all_decided: bool = True,
    decided: int = 50,
) -> Leaderboard:
    rows = [
        row(name, {column.key: score(*each), "human_decided": score(each[0], None, decided)})
        for name, each in scores.items()
    ]
    return Leaderboard(Scope.SAMPLE, n_questions, n_questions, [column, DECIDED], rows, all_decided, 0.0)


def pair(first: str, second: str, p_value: float | None) -> ComparedPair:
    is_apart = p_value is not None and p_value < 0.05
    return ComparedPair(first, second, 50, Figure(0.1), p_value, is_apart, 3, 1, 0.5)


THREE: Mapping[str, tuple[float, int | None]] = {"Beta": (0.7, 2), "Alpha": (0.8, 1), "Gamma": (0.5, 3)}


def find(found: Leaderboard, pairs: Sequence[ComparedPair] = ()) -> BestSystem:
    return find_best_system(found, pairs, open_questions=0)


class TestFindBestSystem:
    def test_the_first_is_best_where_it_differs_from_all(self) -> None:
        # The test stands under either name first, and those of others do not matter.
        pairs = [pair("beta", "alpha", 0.02), pair("alpha", "gamma", 0.001), pair("beta", "gamma", 0.9)]
        best = find(board(THREE), pairs)
        assert [each.label for each in best.leaders] == ["Alpha"]
        assert best.leaders[0].score == Figure(0.8, 0.75, 0.8 + 0.05)
        assert (best.rivals, best.worse) == ([], 2)
        assert best.undecided_because is None

    def test_whom_it_does_not_differ_from_may_be_as_good(self) -> None:
        best = find(board(THREE), [pair("beta", "alpha", 0.2), pair("alpha", "gamma", 0.001)])
        assert [each.label for each in best.rivals] == ["Beta"]
        assert best.worse == 1

    def test_a_pair_that_cannot_be_tested_is_not_told_apart(self) -> None:
        best = find(board(THREE), [pair("beta", "alpha", None)])
        assert [each.label for each in best.rivals] == ["Beta", "Gamma"]
        assert best.worse == 0

    def test_equal_scores_are_tied(self) -> None:
        best = find(board({"Beta": (0.8, 1), "Alpha": (0.8, 1)}), [pair("beta", "alpha", 1.0)])
        assert [each.label for each in best.leaders] == ["Alpha", "Beta"]
        assert best.rivals == []

    def test_whoever_not_all_of_the_tied_differ_from_may_be_as_good(self) -> None:
        scores: Mapping[str, tuple[float, int | None]] = {
            "Alpha": (0.8, 1),
            "Beta": (0.8, 1),
            "Gamma": (0.6, 3),
            "Delta": (0.5, 4),
        }
        pairs = [
            *(pair("alpha", "gamma", 0.001), pair("gamma", "beta", 0.2)),
            *(pair("alpha", "delta", 0.001), pair("beta", "delta", 0.001)),
        ]
        best = find(board(scores), pairs)
        assert ([each.label for each in best.rivals], best.worse) == (["Gamma"], 1)

    def test_a_system_without_a_rank_is_named_and_not_compared(self) -> None:
        best = find(board({"Alpha": (0.8, 1), "Beta": (0.9, None)}), [pair("alpha", "beta", 0.001)])
        assert ([each.label for each in best.leaders], best.unranked) == (["Alpha"], ["Beta"])
        assert (best.rivals, best.worse) == ([], 0)


UNRANKED: Mapping[str, tuple[float, int | None]] = {"Alpha": (0.8, None), "Beta": (0.7, None)}


class TestWhyNoBest:
    @pytest.mark.parametrize(
        ("found", "expected"),
        [
            (board(THREE), None),
            (board({}), NoBestSystem.NO_SYSTEM),
            (board(UNRANKED, all_decided=False), NoBestSystem.NOT_DECIDED),
            (board(UNRANKED), NoBestSystem.DIFFERENT_QUESTIONS),
            (board(THREE, n_questions=9), NoBestSystem.FEW_QUESTIONS),
            (board(THREE, decided=39), NoBestSystem.BARELY_DECIDED),
            (board(THREE, decided=40), None),
            # What judges settled is corrected, so it does not matter how little people decided.
            (board(THREE, column=CORRECTED, decided=5), None),
        ],
    )
    def test_says_what_lacks(self, found: Leaderboard, expected: NoBestSystem | None) -> None:
        assert why_no_best(found) is expected
        assert bool(find(found, []).leaders) is (expected is None)

    def test_what_judges_settled_and_nobody_checked_makes_nobody_best(self) -> None:
        rows = [row("Alpha", {"corrected": None, "human": score(0.8, None)})]
        mixed = replace(PEOPLE, kind=Kind.MIXED)
        found = Leaderboard(Scope.SAMPLE, 50, 50, [CORRECTED, mixed], rows, True, 0.6)
        assert why_no_best(found) is NoBestSystem.NOT_AUDITED
        assert why_no_best(replace(found, columns=[mixed])) is NoBestSystem.NOT_AUDITED


class TestReadBestSystem:
    def test_counts_the_questions_that_are_still_to_be_judged(self, study: Project) -> None:
        best = read_best_system(project=Project.objects.get(pk=study.pk))
        assert best.undecided_because is NoBestSystem.NOT_DECIDED
        assert (best.open_questions, best.n_questions) == (3, 3)

    def test_three_questions_make_nobody_best(self, study: Project, all_decided: None) -> None:
        best = read_best_system(project=Project.objects.get(pk=study.pk))
        assert best.undecided_because is NoBestSystem.FEW_QUESTIONS

    def test_speaks_of_all_questions_where_a_random_sample_tells_of_them(self, project: Project) -> None:
        made = make_study(project)
        set_sample(project=project, method="seed", size=80, seed=5)
        decide_sample(made)
        project = Project.objects.get(pk=project.pk)
        best = read_best_system(project=project)
        assert (best.scope, best.is_estimated, best.is_corrected) == (Scope.ENTIRE, True, True)
        assert (best.n_questions, best.judged_questions) == (240, 80)
        pairs = read_pairs(project=project, wanted=Filter(scope=Scope.ENTIRE), column="corrected").pairs
        (leader,) = best.leaders
        first = System.objects.get(project=project, label=leader.label).name
        apart = [p.is_distinguishable for p in pairs if first in (p.first, p.second)]
        assert len(apart) == project.systems.count() - 1 > 0
        assert (best.worse, len(best.rivals)) == (apart.count(True), apart.count(False))

    def test_what_judges_settled_is_corrected_or_nobody_is_best(self, db: None) -> None:
        best = read_best_system(project=make_prejudged())
        assert best.is_corrected
        assert best.programs_share > 0

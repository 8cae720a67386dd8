"""How sure ranks and differences of systems are."""

from collections.abc import Callable
from typing import Any

import pytest

from analysis.intervals import Why
from annotation.accounts.models import User
from annotation.items.models import Candidate, Prediction, System
from annotation.projects.models import Project
from judges.comparison.rules.leaderboard.standings import Leaderboard
from judges.comparison.rules.study import Filter
from judges.comparison.selectors.leaderboard.standings import read_leaderboard, read_pairs
from judges.runs.models import JudgeRun
from tests.factories import make_figure
from tests.judges.comparison.conftest import EXACT, make_run

Client = Callable[[User], Any]


def ranks_of(board: Leaderboard) -> dict[str, dict[str, tuple[float, float] | None]]:
    found: dict[str, dict[str, tuple[float, float] | None]] = {}
    for column in board.columns:
        scores = {row.system: row.scores[column.key] for row in board.rows}
        found[column.key] = {
            system: score.rank.interval if score else None for system, score in scores.items()
        }
    return found


class TestUncertainty:
    def test_each_way_of_judging_has_ranks_between_which_a_system_lies(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        board = read_leaderboard(project=study, intervals=True)
        assert {column.key for column in board.columns} == {"exact_match", "human", "human_decided"}
        assert ranks_of(board)["human"] == {"alpha": (1.0, 2.0), "beta": (1.0, 2.0)}

    def test_a_system_without_a_rank_moves_nobody_and_no_correlation(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        before = read_leaderboard(project=study, intervals=True)
        short = System.objects.create(
            project=study, data_import=Prediction.objects.all()[0].data_import, name="short", label="Short"
        )
        # Two questions where the others answered three: all right by people, none by exact match.
        for text in ("the city of Paris", "William S."):
            candidate = Candidate.objects.get(project=study, text=text)
            Prediction.objects.create(
                system=short,
                question=candidate.question,
                candidate=candidate,
                data_import=short.data_import,
                text=text,
            )
        after = read_leaderboard(project=study, intervals=True)
        assert [column.same_order for column in after.columns] == [
            column.same_order for column in before.columns
        ]
        known = ranks_of(before)
        assert ranks_of(after) == {key: {**ranks, "short": None} for key, ranks in known.items()}
        whys = {score.rank.why for score in after.rows[-1].scores.values() if score}
        assert whys == {Why.NOT_RANKED}

    def test_a_changed_answer_is_seen(self, study: Project, exact_match: JudgeRun) -> None:
        before = read_leaderboard(project=study, intervals=True)
        Prediction.objects.filter(system__name="beta").delete()
        after = read_leaderboard(project=study, intervals=True)
        assert ranks_of(before)["exact_match"]["beta"]
        assert [row.system for row in after.rows] == ["alpha"]


class TestViews:
    def test_pairs_tell_difference_interval_and_both_tests(
        self, client_of: Client, lead: User, study: Project, all_decided: None
    ) -> None:
        body = client_of(lead).get("/api/projects/small/leaderboard/pairs?column=human").json()
        (pair,) = body["pairs"]
        assert (pair["first"], pair["second"], pair["rows"]) == ("alpha", "beta", 3)
        difference = pair["difference"]
        assert difference["value"] == pytest.approx(1 / 3)
        assert -1.0 <= difference["low"] < 0.0 < difference["value"] < difference["high"] <= 1.0
        assert (pair["first_only"], pair["second_only"], pair["mcnemar_p"]) == (1, 0, 1.0)
        assert not pair["is_distinguishable"]

    def test_mean_scores_that_look_like_verdicts_have_no_test_of_verdicts(
        self, study: Project, exact_match: JudgeRun
    ) -> None:
        make_run(study, "token_f1", EXACT)
        (verdicts,) = read_pairs(project=study, wanted=Filter(), column="exact_match").pairs
        (means,) = read_pairs(project=study, wanted=Filter(), column="token_f1").pairs
        assert verdicts.mcnemar_p is not None
        assert means.mcnemar_p is None

    def test_an_unknown_way_of_judging_is_named(self, client_of: Client, lead: User, study: Project) -> None:
        reply = client_of(lead).get("/api/projects/small/leaderboard/pairs?column=nobody")
        assert (reply.status_code, reply.json()["error"]["code"]) == (404, "column_not_found")

    def test_pairs_need_a_way_of_judging(self, client_of: Client, lead: User, study: Project) -> None:
        assert client_of(lead).get("/api/projects/small/leaderboard/pairs").status_code == 400

    def test_bounds_of_ranks_come_when_asked_for(
        self, client_of: Client, lead: User, study: Project, exact_match: JudgeRun
    ) -> None:
        points = client_of(lead).get("/api/projects/small/leaderboard").json()
        rank = make_figure(1.0)
        assert points["rows"][1]["scores"]["exact_match"]["rank"] == rank
        assert points["columns"][0]["same_order"] is None
        body = client_of(lead).get("/api/projects/small/leaderboard?intervals=true").json()
        assert body["rows"][1]["scores"]["exact_match"]["rank"] == rank | {"low": 1.0, "high": 2.0}
        assert body["columns"][0]["same_order"]["why"] == "not_all_decided"

"""Leaderboard and judges against people over HTTP."""

from collections.abc import Callable
from typing import Any

import pytest

from analysis.intervals import Why
from annotation.accounts.models import User
from annotation.projects.models import Project
from judges.runs.models import JudgeRun

Client = Callable[[User], Any]
ROUTES = (
    "leaderboard",
    "leaderboard?intervals=true",
    "leaderboard/amendments?intervals=true",
    "systems-board",
    "systems-board?intervals=true",
    "judge-board",
    "judge-board/pairs",
    "judge-board/differences",
    "judge-board/strategies",
    "judge-board/strategies?intervals=true",
    "judge-board/replacement",
    "judge-board/cautions",
)


class TestLeaderboardView:
    def test_gives_columns_and_cells(
        self, client_of: Client, lead: User, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        body = client_of(lead).get("/api/projects/small/leaderboard").json()
        assert (body["scope"], body["n_questions"], body["all_decided"]) == ("sample", 3, True)
        assert body["judged_questions"] == 3
        assert [column["key"] for column in body["columns"]] == ["exact_match", "human", "human_decided"]
        assert body["rows"][0]["scores"]["human"]["rank"]["value"] == 1
        assert body["rows"][0]["range"] is None

    def test_an_unknown_scope_is_refused(self, client_of: Client, lead: User, project: Project) -> None:
        assert client_of(lead).get("/api/projects/small/leaderboard?scope=half").status_code == 400

    def test_an_empty_project_has_an_empty_board(
        self, client_of: Client, lead: User, project: Project
    ) -> None:
        body = client_of(lead).get("/api/projects/small/leaderboard?scope=entire").json()
        assert (body["columns"], body["rows"]) == ([], [])


class TestJudgeBoardView:
    def test_gives_a_row_a_judge(
        self, client_of: Client, lead: User, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        (row,) = client_of(lead).get("/api/projects/small/judge-board").json()
        assert (row["key"], row["name"]) == ("exact_match", "Exact match")
        assert (row["counts"]["tp"], row["counts"]["unscored"]) == (2, 0)
        assert row["figures"]["bias"]["value"] == pytest.approx(0.4 - 0.8)
        assert all(figure["low"] is None for figure in row["figures"].values())

    def test_says_why_there_is_no_figure(
        self, client_of: Client, lead: User, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        (row,) = client_of(lead).get("/api/projects/small/judge-board").json()
        for name in ("error_multiple", "cost_per_thousand", "seconds_per_thousand"):
            figure = row["figures"][name]
            assert (figure["value"], figure["why"] is None) == (None, False)

    def test_intervals_come_where_asked_for(
        self, client_of: Client, lead: User, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        (row,) = client_of(lead).get("/api/projects/small/judge-board?intervals=true").json()
        figure = row["figures"]["accuracy_all"]
        assert row["key"] == "exact_match"
        assert figure["low"] <= 0.6 <= figure["high"]
        assert row["figures"]["kendall_tau_b"]["why"] == Why.TAU_HAS_NONE


class TestRoles:
    @pytest.mark.parametrize("route", ROUTES)
    @pytest.mark.parametrize(("who", "status"), [("annotator", 403), ("outsider", 404), ("adjudicator", 200)])
    def test_only_those_who_lead_or_decide_may_read(
        self,
        route: str,
        who: str,
        status: int,
        client_of: Client,
        people: dict[str, User],
    ) -> None:
        assert client_of(people[who]).get(f"/api/projects/small/{route}").status_code == status

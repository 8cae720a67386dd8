"""Judges and runs over HTTP: what leads see and do, and that nobody else may."""

from typing import Any

import pytest

from annotation.accounts.models import User
from annotation.projects.models import Membership, Project
from judges import registry
from judges.runs.services import work_on_run
from tests.conftest import ClientOf
from tests.judges.runs.conftest import StubbornJudge, accept_all

RUNS = "/api/projects/small/runs"


@pytest.fixture(autouse=True)
def silent_doorbell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("common.tasks._ring", lambda *_: None)


@pytest.fixture
def lead_client(lead: User, study: Project) -> ClientOf:
    return ClientOf(lead)


def _start(client: ClientOf, judge: str, **options: Any) -> Any:
    return client.post(RUNS, {"judge": judge, "options": options}, format="json")


class TestJudges:
    def test_describe_themselves_for_a_form(self, lead_client: ClientOf) -> None:
        judges = {judge["key"]: judge for judge in lead_client.get("/api/judges").json()}
        assert list(judges) == [key for key, entry in registry.JUDGES.items() if entry.is_startable]
        assert judges["token_f1"]["available"] is True
        threshold, gold = judges["token_f1"]["options"]
        assert (threshold["name"], threshold["type"], threshold["default"]) == ("threshold", "float", 0.5)
        assert gold["choices"] == ["original", "amended"]

    def test_are_no_business_of_strangers(self, study: Project) -> None:
        from rest_framework.test import APIClient

        assert APIClient().get("/api/judges").status_code == 403


class TestWorker:
    def test_says_plainly_when_none_runs(
        self, lead_client: ClientOf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("judges.runs.selectors.worker._does_a_worker_answer", lambda: False)
        from django.core.cache import cache

        cache.delete("worker-running")
        assert lead_client.get("/api/worker").json() == {"running": False, "command": "make run"}
        cache.delete("worker-running")


class TestRuns:
    def test_start_and_show_their_progress(self, lead_client: ClientOf, study: Project) -> None:
        started = _start(lead_client, "token_f1", threshold=0.6)
        assert started.status_code == 200
        assert (started.json()["state"], started.json()["total"], started.json()["done"]) == ("queued", 5, 0)
        work_on_run(run_id=study.judge_runs.get().pk, batches=10)
        (run,) = lead_client.get(RUNS).json()
        assert run["id"] == started.json()["id"]
        assert (run["state"], run["done"], run["unscored"], run["failed"]) == ("finished", 5, 0, 0)
        assert run["signature"] == "judge:token_f1|threshold:0.6|gold:original|revision:1"
        assert (run["stale"], run["failures"], run["gold_version"]) == (False, [], "original")

    def test_repeated_are_the_same_run(self, lead_client: ClientOf) -> None:
        ids = {_start(lead_client, "exact_match").json()["id"] for _ in range(3)}
        assert len(ids) == 1

    def test_refuse_bad_options_by_field(self, lead_client: ClientOf) -> None:
        reply = _start(lead_client, "token_f1", threshold="much")
        assert reply.status_code == 400
        assert reply.json()["error"]["details"]["fields"] == {"threshold": ["'much' is no float"]}

    def test_refuse_unknown_judges(self, lead_client: ClientOf) -> None:
        reply = _start(lead_client, "oracle")
        assert (reply.status_code, reply.json()["error"]["code"]) == (400, "unknown_judge")

    def test_can_be_cancelled_once(self, lead_client: ClientOf) -> None:
        run_id = _start(lead_client, "exact_match").json()["id"]
        assert lead_client.post(f"{RUNS}/{run_id}/cancel").json()["state"] == "cancelled"
        assert lead_client.post(f"{RUNS}/{run_id}/cancel").status_code == 409

    def test_can_be_retried_where_they_failed(
        self, lead_client: ClientOf, study: Project, stubborn: type[StubbornJudge]
    ) -> None:
        run_id = _start(lead_client, "stubborn").json()["id"]
        work_on_run(run_id=study.judge_runs.get().pk, batches=10)
        (run,) = lead_client.get(RUNS).json()
        assert (run["state"], run["failed"]) == ("failed", 5)
        assert run["failures"] == [{"reason": "the model is missing", "count": 5}]
        stubborn.behave = staticmethod(accept_all)
        assert lead_client.post(f"{RUNS}/{run_id}/retry").json()["state"] == "queued"

    def test_are_found_only_in_their_project(self, lead_client: ClientOf) -> None:
        assert lead_client.post(f"{RUNS}/nowhere/cancel").status_code == 404

    def test_are_for_leads(
        self,
        study: Project,
        annotators: list[Membership],
        adjudicator: Membership,
        outsider: User,
    ) -> None:
        for user, status in (
            (annotators[0].user, 403),
            (adjudicator.user, 403),
            (outsider, 404),
        ):
            client = ClientOf(user)
            assert client.get(RUNS).status_code == status
            assert _start(client, "exact_match").status_code == status

"""Judges and runs over HTTP: what leads see and do, and that nobody else may."""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest
from celery import current_app
from django.core.cache import cache

from annotation.accounts.models import User
from annotation.projects.models import Membership, Project
from common.clock import now
from judges import registry
from judges.connections.models import Connection
from judges.runs.api import FAMILIES
from judges.runs.models import JudgeRun
from judges.runs.selectors.progress import Lack, background_lack
from judges.runs.services.worker import note_sweep, work_on_run
from judges.runs.tasks import show_life
from tests.conftest import ClientOf
from tests.judges.runs.asking import Scripted, make_connection, reply
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
        # Each stands in a group of the page.
        assert {judge["family"] for judge in judges.values()} <= set(FAMILIES)
        assert (judges["exact_match"]["family"], judges["jury"]["family"]) == ("lexical", "jury")
        assert list(judges) == [key for key, entry in registry.JUDGES.items() if entry.is_startable]
        assert judges["token_f1"]["available"] is True
        threshold, gold = judges["token_f1"]["options"]
        assert (threshold["name"], threshold["type"], threshold["default"]) == ("threshold", "float", 0.5)
        assert (threshold["low"], threshold["high"]) == (0.0, 1.0)
        assert gold["low"] is gold["high"] is None
        assert gold["choices"] == ["original", "amended"]
        assert judges["token_f1"]["limit"] == ""
        assert "4 million" in judges["containment"]["limit"]

    def test_are_no_business_of_strangers(self, study: Project) -> None:
        from rest_framework.test import APIClient

        assert APIClient().get("/api/judges").status_code == 403


class TestWorker:
    def test_says_plainly_when_none_runs(
        self, lead_client: ClientOf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("judges.runs.selectors.progress._ask_a_worker", lambda: Lack.WORKER)
        monkeypatch.setenv("ASSAY_STARTED_WITH", "docker compose up --detach")
        assert lead_client.get("/api/worker").json() == {
            "running": False,
            "lack": "worker",
            "command": "docker compose up --detach",
        }

    def test_the_sweepers_sign_tells_that_everything_runs(
        self, lead_client: ClientOf, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("judges.runs.selectors.progress._ask_a_worker", lambda: pytest.fail("asked"))
        show_life()
        said = lead_client.get("/api/worker").json()
        assert (said["running"], said["lack"]) == (True, None)

    def test_an_old_sign_is_none(self, lead_client: ClientOf, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("judges.runs.selectors.progress._ask_a_worker", lambda: Lack.CLOCK)
        note_sweep(at=now() - timedelta(seconds=16))
        said = lead_client.get("/api/worker").json()
        assert (said["running"], said["lack"]) == (False, "clock")

    @pytest.mark.parametrize(
        ("tasks", "lack"), [([], Lack.CLOCK), ([{}], Lack.CLOCK), ([{}, {}], Lack.NOTHING)]
    )
    def test_a_worker_that_has_its_hands_full_is_no_dead_clock(
        self, study: Project, monkeypatch: pytest.MonkeyPatch, tasks: list[object], lack: Lack
    ) -> None:
        replies = SimpleNamespace(
            active=lambda: {"worker@here": tasks},
            stats=lambda: {"worker@here": {"pool": {"max-concurrency": 2}}},
        )
        monkeypatch.setattr(current_app.control, "inspect", lambda **_: replies)
        assert background_lack() is lack

    @pytest.fixture(autouse=True)
    def _nothing_remembered(self) -> Iterator[None]:
        cache.delete("background-lack")
        yield
        cache.delete("background-lack")


class TestRuns:
    def test_start_and_show_their_progress(self, lead_client: ClientOf, study: Project) -> None:
        started = _start(lead_client, "token_f1", threshold=0.6)
        assert started.status_code == 200
        assert (started.json()["state"], started.json()["total"], started.json()["done"]) == ("queued", 5, 0)
        work_on_run(run_id=study.judge_runs.get().pk, batches=10)
        (run,) = lead_client.get(RUNS).json()
        assert run["id"] == started.json()["id"]
        assert (run["state"], run["done"], run["unscored"], run["failed"]) == ("finished", 5, 0, 0)
        assert run["summary"] == registry.get_entry("token_f1").summary
        assert run["signature"] == "judge:token_f1|threshold:0.6|gold:original|revision:1"
        assert (run["stale"], run["failures"], run["gold_version"]) == (None, [], "original")

    def test_repeated_are_the_same_run(self, lead_client: ClientOf) -> None:
        ids = {_start(lead_client, "exact_match").json()["id"] for _ in range(3)}
        assert len(ids) == 1

    def test_refuse_bad_options_by_field(self, lead_client: ClientOf) -> None:
        reply = _start(lead_client, "token_f1", threshold="much")
        assert reply.status_code == 400
        assert reply.json()["error"]["details"]["fields"] == {"threshold": ["'much' is not a number"]}

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


class TestRunsOverAConnection:
    @pytest.fixture(autouse=True)
    def connection(self, study: Project, monkeypatch: pytest.MonkeyPatch) -> Connection:
        monkeypatch.setattr("judges.connections.services.client.open_client", lambda connection: Scripted())
        return make_connection(study)

    @pytest.fixture
    def choice(self, connection: Connection) -> dict[str, Any]:
        return {"judge": "llm", "options": {}, "connection": connection.public_id}

    def test_are_estimated_first(self, lead_client: ClientOf, choice: dict[str, Any]) -> None:
        estimate = lead_client.post(f"{RUNS}/estimate", {**choice, "sample_size": 2}, format="json").json()
        assert (estimate["answers"], estimate["calls"]) == (2, 2)
        assert 0 < Decimal(estimate["cost"]) < Decimal(estimate["most_cost"])
        assert lead_client.get(RUNS).json() == []

    def test_take_what_people_judge_unless_told_otherwise(
        self, lead_client: ClientOf, choice: dict[str, Any], study: Project
    ) -> None:
        study.questions.filter(text="when was it").update(in_sample=False, dataset="years")
        scopes = lead_client.get(f"{RUNS}/scopes").json()
        assert (scopes["answers"], scopes["judged"], scopes["is_sampled"]) == (5, 3, True)
        assert scopes["datasets"] == [{"id": "years", "name": "years", "answers": 2, "judged": 0}]
        for changes, expected in (({}, 3), ({"only_judged": False}, 5), ({"dataset": "years"}, 0)):
            estimate = lead_client.post(f"{RUNS}/estimate", {**choice, **changes}, format="json")
            assert estimate.json()["answers"] == expected
        started = lead_client.post(RUNS, choice, format="json").json()
        assert (started["only_judged"], started["dataset"], started["system"]) == (True, "", "")
        assert lead_client.post(RUNS, {**choice, "dataset": "poems"}, format="json").status_code == 400

    def test_tell_what_they_cost(self, lead_client: ClientOf, choice: dict[str, Any], study: Project) -> None:
        started = lead_client.post(RUNS, {**choice, "sample_size": 2, "spend_cap": "0.50"}, format="json")
        assert (started.json()["spend_cap"], started.json()["spent"]) == ("0.5", "0")
        work_on_run(run_id=study.judge_runs.get().pk, batches=10)
        run = lead_client.get(f"{RUNS}/{started.json()['id']}").json()
        assert (run["state"], run["spent"], run["reserved"]) == ("sampled", "0.00022", "0")
        assert (run["calls"]["calls"], run["calls"]["input_tokens"]) == (2, 200)
        assert (run["rest"]["answers"], run["rest"]["cost"]) == (3, "0.00033")
        assert run["connection"]["name"] == "local"
        assert lead_client.post(f"{RUNS}/{run['id']}/continue").json()["state"] == "queued"
        assert lead_client.post(f"{RUNS}/{run['id']}/continue").status_code == 409

    def test_tell_which_model_was_served(
        self,
        lead_client: ClientOf,
        choice: dict[str, Any],
        study: Project,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        model = Scripted()
        model.answer = lambda _: reply("correct", model="tiny-2026-05", fingerprint="fp_1")
        monkeypatch.setattr("judges.connections.services.client.open_client", lambda connection: model)
        run_id = lead_client.post(RUNS, choice, format="json").json()["id"]
        work_on_run(run_id=study.judge_runs.get().pk, batches=10)
        (served,) = lead_client.get(f"{RUNS}/{run_id}").json()["served"]
        told = (served["model"], served["fingerprint"], served["replies"])
        assert told == ("tiny-2026-05", "fp_1", 5)

    def test_pause_and_go_on_under_a_new_cap(
        self, lead_client: ClientOf, choice: dict[str, Any], study: Project
    ) -> None:
        run_id = lead_client.post(RUNS, {**choice, "spend_cap": "0.000001"}, format="json").json()["id"]
        work_on_run(run_id=study.judge_runs.get().pk, batches=10)
        run = lead_client.get(f"{RUNS}/{run_id}").json()
        assert (run["state"], "spending limit of 0.000001 USD" in run["message"]) == ("paused", True)
        refused = lead_client.post(f"{RUNS}/{run_id}/resume", {"spend_cap": "much"}, format="json")
        assert refused.status_code == 400
        resumed = lead_client.post(f"{RUNS}/{run_id}/resume", {"spend_cap": "1"}, format="json").json()
        assert (resumed["state"], resumed["spend_cap"], resumed["message"]) == ("queued", "1", "")
        JudgeRun.objects.update(state=JudgeRun.State.PAUSED)
        assert lead_client.post(f"{RUNS}/{run_id}/resume").json()["spend_cap"] == "1"
        JudgeRun.objects.update(state=JudgeRun.State.PAUSED)
        freed = lead_client.post(f"{RUNS}/{run_id}/resume", {"spend_cap": None}, format="json").json()
        assert freed["spend_cap"] is None
        assert lead_client.post(f"{RUNS}/{run_id}/resume").status_code == 409
        assert lead_client.post(f"{RUNS}/{run_id}/pause").json()["state"] == "paused"
        assert lead_client.post(f"{RUNS}/{run_id}/pause").status_code == 409

    def test_follow_what_arrives_within_a_limit(
        self, lead_client: ClientOf, choice: dict[str, Any], study: Project
    ) -> None:
        refused = lead_client.post(RUNS, {**choice, "follows": True}, format="json")
        assert (refused.status_code, refused.json()["error"]["code"]) == (400, "following_needs_cap")
        assert "spend_cap" in refused.json()["error"]["details"]["fields"]
        run = lead_client.post(RUNS, {**choice, "spend_cap": "1"}, format="json").json()
        assert (run["follows"], run["following_note"]) == (False, None)
        one = f"{RUNS}/{run['id']}"
        changed = lead_client.patch(one, {"follows": True, "spend_cap": "2"}, format="json").json()
        assert (changed["follows"], changed["spend_cap"]) == (True, "2")
        assert lead_client.patch(one, {}, format="json").json()["follows"] is True
        assert lead_client.patch(one, {"spend_cap": None}, format="json").status_code == 400
        assert lead_client.patch(one, {"follows": False}, format="json").json()["follows"] is False
        lexical = lead_client.post(RUNS, {"judge": "exact_match"}, format="json").json()
        assert (lexical["follows"], lexical["following_note"]) == (True, "always")
        fixed = lead_client.patch(f"{RUNS}/{lexical['id']}", {"follows": False}, format="json")
        assert (fixed.status_code, fixed.json()["error"]["code"]) == (409, "cannot_follow")

    def test_need_a_connection(self, lead_client: ClientOf) -> None:
        reply = lead_client.post(RUNS, {"judge": "llm"}, format="json")
        assert (reply.status_code, reply.json()["error"]["code"]) == (400, "connection_needed")


class TestVerdicts:
    @pytest.fixture
    def run_id(self, lead_client: ClientOf, study: Project, monkeypatch: pytest.MonkeyPatch) -> str:
        model = Scripted()
        says = {"Queen": "incorrect", "1966": "perhaps"}
        model.answer = lambda request: reply(
            next((word for name, word in says.items() if name in request.messages[-1].content), "correct")
        )
        monkeypatch.setattr("judges.connections.services.client.open_client", lambda connection: model)
        choice = {"judge": "llm", "connection": make_connection(study).public_id}
        run_id: str = lead_client.post(RUNS, choice, format="json").json()["id"]
        work_on_run(run_id=study.judge_runs.get().pk, batches=10)
        return run_id

    def _find(self, client: ClientOf, run_id: str, **wanted: str) -> list[str]:
        page = client.get(f"{RUNS}/{run_id}/verdicts", wanted).json()
        assert page["count"] == len(page["verdicts"])
        return [verdict["answer"] for verdict in page["verdicts"]]

    def test_show_what_was_given_said_and_paid(self, lead_client: ClientOf, run_id: str) -> None:
        page = lead_client.get(f"{RUNS}/{run_id}/verdicts", {"verdict": "rejected"}).json()
        (verdict,) = page["verdicts"]
        assert (verdict["question"], verdict["answer"]) == ("who sang help", "Queen")
        assert verdict["golds"] == ["The Beatles", "Fab Four"]
        assert (verdict["accepted"], verdict["raw_reply"]) == (False, '{"verdict": "incorrect"}')
        (call,) = verdict["calls"]
        assert (call["cost"], call["input_tokens"], call["state"]) == ("0.00011", 100, "settled")

    def test_are_found_by_what_they_say(self, lead_client: ClientOf, run_id: str) -> None:
        assert self._find(lead_client, run_id) == ["beatles", "Queen", "The Fab Four!", "1965", "1966"]
        assert self._find(lead_client, run_id, verdict="accepted", search="fab") == ["The Fab Four!"]
        assert self._find(lead_client, run_id, verdict="unscored") == ["1966"]
        (failure,) = lead_client.get(f"{RUNS}/{run_id}").json()["failures"]
        assert self._find(lead_client, run_id, reason=failure["reason"]) == ["1966"]
        assert self._find(lead_client, run_id, reason="other") == []

    def test_are_found_by_a_whole_flag(self, lead_client: ClientOf, run_id: str, study: Project) -> None:
        verdicts = study.judge_runs.get().verdicts
        verdicts.filter(candidate__text="Queen").update(flags="unstable,injection")
        assert self._find(lead_client, run_id, flag="injection") == ["Queen"]
        assert self._find(lead_client, run_id, flag="inject") == []
        assert self._find(lead_client, run_id, flag=".*") == []

    def test_are_judged_again_by_reason(self, lead_client: ClientOf, run_id: str) -> None:
        (failure,) = lead_client.get(f"{RUNS}/{run_id}").json()["failures"]
        other = lead_client.post(f"{RUNS}/{run_id}/retry", {"reason": "other"}, format="json")
        assert other.status_code == 409
        again = lead_client.post(f"{RUNS}/{run_id}/retry", {"reason": failure["reason"]}, format="json")
        assert (again.json()["state"], again.json()["done"], again.json()["total"]) == ("queued", 4, 5)

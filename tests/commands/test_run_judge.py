"""`manage.py run_judge`: does the work, reports it, and says how it went by its exit code."""

import io
import json
from decimal import Decimal

import pytest
from django.core.management import CommandError, call_command

from annotation.projects.models import Project
from judges.connections.models import Connection
from judges.runs.models import JudgeRun
from tests.judges.runs.asking import Scripted, make_connection
from tests.judges.runs.conftest import StubbornJudge, accept_all, stubborn, study

__all__ = ["stubborn", "study"]  # fixtures
ON_SMALL = ("--project", "small")
ON_LOCAL = (*ON_SMALL, "--connection", "local")


@pytest.fixture(autouse=True)
def silent_doorbell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("common.tasks._ring", lambda *_: None)


def _run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("run_judge", *arguments, stdout=out)
    return out.getvalue()


def _exit_code(*arguments: str) -> int:
    with pytest.raises(CommandError) as caught:
        _run(*arguments)
    return caught.value.returncode


class TestRunJudge:
    def test_waits_and_does_the_work_itself(self, study: Project) -> None:
        report = json.loads(_run("exact_match", "--project", "small", "--wait", "--json"))
        assert (report["state"], report["total"], report["done"], report["failures"]) == (
            "finished",
            5,
            5,
            [],
        )
        assert report["signature"] == "judge:exact_match|gold:original|revision:1"

    def test_tries_again_what_failed(self, study: Project, stubborn: type[StubbornJudge]) -> None:
        started = ("stubborn", "--project", "small", "--wait")
        assert _exit_code(*started) == 1
        stubborn.behave = staticmethod(accept_all)
        assert "finished: 5 of 5 judged" in _run(*started)

    def test_leaves_the_work_to_the_worker(self, study: Project) -> None:
        assert "queued: 0 of 5 judged" in _run("exact_match", "--project", "small")

    def test_sets_options(self, study: Project) -> None:
        _run("token_f1", "--project", "small", "--set", "threshold=0.8", "--set", "gold=amended")
        assert JudgeRun.objects.get().options == {"threshold": 0.8, "gold": "amended"}

    def test_lets_a_run_judge_what_arrives(self, study: Project, stubborn: type[StubbornJudge]) -> None:
        stubborn.behave = staticmethod(accept_all)
        started = ("stubborn", "--project", "small", "--wait", "--json")
        assert json.loads(_run(*started))["follows"] is False
        assert json.loads(_run(*started, "--follow"))["follows"] is True
        assert json.loads(_run(*started))["follows"] is True

    def test_fails_with_1_when_the_run_fails(self, study: Project, stubborn: type[StubbornJudge]) -> None:
        assert _exit_code("stubborn", "--project", "small", "--wait") == 1

    def test_fails_with_1_where_there_is_no_project(self, db: None) -> None:
        assert _exit_code("exact_match", "--project", "nowhere") == 1

    @pytest.mark.parametrize("setting", ["threshold", "threshold=2", "size=3", "=1"])
    def test_fails_with_2_on_bad_options(self, study: Project, setting: str) -> None:
        assert _exit_code("token_f1", "--project", "small", "--set", setting) == 2


class TestRunOverAConnection:
    @pytest.fixture(autouse=True)
    def connection(self, study: Project, monkeypatch: pytest.MonkeyPatch) -> Connection:
        monkeypatch.setattr("judges.connections.services.client.open_client", lambda connection: Scripted())
        return make_connection(study)

    def test_is_estimated_and_not_started(self, study: Project) -> None:
        estimate = json.loads(_run("llm", *ON_LOCAL, "--estimate", "--json"))
        assert (estimate["answers"], estimate["calls"]) == (5, 5)
        assert 0 < Decimal(estimate["cost"]) < Decimal(estimate["most_cost"])
        assert not JudgeRun.objects.exists()
        assert "at most" in _run("llm", *ON_LOCAL, "--estimate")

    def test_judges_a_sample_and_tells_of_the_rest(self, study: Project) -> None:
        report = json.loads(_run("llm", *ON_LOCAL, "--sample", "2", "--seed", "3", "--wait", "--json"))
        assert (report["state"], report["done"], report["calls"]) == ("sampled", 2, 2)
        assert (report["spent"], report["rest"]["answers"], report["rest"]["cost"]) == (
            "0.00022",
            3,
            "0.00033",
        )
        assert "2 calls, 0 reused, 0.00022 USD" in _run("llm", *ON_LOCAL, "--sample", "2")

    @pytest.mark.parametrize("given", [("--sample", "0"), ("--sample", "-5"), ("--seed", "-1")])
    def test_refuses_numbers_that_are_none(self, study: Project, given: tuple[str, str]) -> None:
        with pytest.raises(CommandError, match=f"argument {given[0]}"):
            _run("llm", *ON_LOCAL, *given)

    def test_tells_the_time_of_the_rest_alone_where_nothing_is_paid(self, study: Project) -> None:
        assert "\nstill to judge: 3 answers, about 0 s" in _run(
            "fuzzy_match", *ON_SMALL, "--sample", "2", "--wait"
        )

    def test_fails_with_1_when_its_cap_pauses_it(self, study: Project) -> None:
        assert _exit_code("llm", *ON_LOCAL, "--cap", "0.000001", "--wait") == 1
        assert JudgeRun.objects.get().state == "paused"

    @pytest.mark.parametrize("given", [("--cap", "much"), ("--cap", "-1"), ("--connection", "nowhere")])
    def test_fails_with_2_on_bad_terms(self, study: Project, given: tuple[str, ...]) -> None:
        assert _exit_code("llm", *ON_LOCAL, *given) == 2


class TestScope:
    @pytest.fixture(autouse=True)
    def patient(self, study: Project, stubborn: type[StubbornJudge]) -> None:
        """A study whose second question lies outside the judged sample, and a judge that costs time."""
        study.questions.filter(text="when was it").update(in_sample=False, dataset="years")
        stubborn.behave = staticmethod(accept_all)

    @pytest.mark.parametrize(
        ("arguments", "expected"),
        [((), 3), (("--judged",), 3), (("--all",), 5), (("--all", "--dataset", "years"), 2)],
    )
    def test_is_what_people_judge_unless_told_otherwise(
        self, arguments: tuple[str, ...], expected: int
    ) -> None:
        report = json.loads(_run("stubborn", "--project", "small", "--wait", "--json", *arguments))
        assert report["done"] == expected
        assert report["only_judged"] is ("--all" not in arguments)

    def test_names_what_there_is(self) -> None:
        assert _exit_code("stubborn", "--project", "small", "--system", "nobody") == 2

"""`manage.py run_judge`: does the work, reports it, and says how it went by its exit code."""

import io
import json

import pytest
from django.core.management import CommandError, call_command

from annotation.projects.models import Project
from judges.runs.models import JudgeRun
from tests.judges.runs.conftest import StubbornJudge, stubborn, study

__all__ = ["stubborn", "study"]  # fixtures


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

    def test_leaves_the_work_to_the_worker(self, study: Project) -> None:
        assert "queued: 0 of 5 judged" in _run("exact_match", "--project", "small")

    def test_sets_options(self, study: Project) -> None:
        _run("token_f1", "--project", "small", "--set", "threshold=0.8", "--set", "gold=amended")
        assert JudgeRun.objects.get().options == {"threshold": 0.8, "gold": "amended"}

    def test_fails_with_1_when_the_run_fails(self, study: Project, stubborn: type[StubbornJudge]) -> None:
        # The list of judges is fixed when the command is loaded; the run is started as the command does.
        from judges.management.commands import run_judge

        run_judge.STARTABLE.append("stubborn")
        try:
            assert _exit_code("stubborn", "--project", "small", "--wait") == 1
        finally:
            run_judge.STARTABLE.remove("stubborn")

    def test_fails_with_1_where_there_is_no_project(self, db: None) -> None:
        assert _exit_code("exact_match", "--project", "nowhere") == 1

    @pytest.mark.parametrize("setting", ["threshold", "threshold=2", "size=3", "=1"])
    def test_fails_with_2_on_bad_options(self, study: Project, setting: str) -> None:
        assert _exit_code("token_f1", "--project", "small", "--set", setting) == 2

"""The command `report`."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.projects.models import Project
from judges.runs.models import JudgeRun
from tests.judges.comparison.conftest import all_decided, decide, exact_match, study  # noqa: F401


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("report", *arguments, stdout=out)
    return out.getvalue()


class TestReport:
    def test_prints_one_json_object(
        self,
        study: Project,  # noqa: F811
        all_decided: None,  # noqa: F811
        exact_match: JudgeRun,  # noqa: F811
    ) -> None:
        report = json.loads(run("--project", "small", "--missing-votes", "drop", "--json"))
        assert [entry["missing_votes"] for entry in report["agreement"]] == ["drop"]
        assert report["systems"][0]["scores"]["human"]["correct"] == 3

    def test_prints_tables_for_people(
        self,
        study: Project,  # noqa: F811
        all_decided: None,  # noqa: F811
        exact_match: JudgeRun,  # noqa: F811
    ) -> None:
        printed = run("--project", "small")
        assert "Systems, judged questions: 3" in printed
        assert "100.00 (3)" in printed
        assert "No answer has votes from two annotators yet." in printed

    def test_an_unknown_project_is_a_data_error(self, db: None) -> None:
        with pytest.raises(CommandError) as caught:
            run("--project", "none")
        assert caught.value.returncode == 1

    def test_an_unknown_rule_is_a_usage_error(self, db: None) -> None:
        with pytest.raises(CommandError, match="invalid choice"):
            run("--project", "small", "--missing-votes", "guess")

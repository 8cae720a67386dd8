"""The command `verify`: on a project, on files that left it, and how it ends."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.projects.models import Project
from judges.runs.models import JudgeRun, Verdict
from tests.judges.comparison.conftest import all_decided, decide, exact_match, study  # noqa: F401


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("verify", *arguments, stdout=out)
    return out.getvalue()


def fails(*arguments: str) -> tuple[int, str]:
    with pytest.raises(CommandError) as caught:
        run(*arguments)
    return caught.value.returncode, str(caught.value)


@pytest.fixture
def judged(
    study: Project,  # noqa: F811
    all_decided: None,  # noqa: F811
    exact_match: JudgeRun,  # noqa: F811
) -> Project:
    return study


@pytest.fixture
def files(judged: Project, tmp_path: Path) -> tuple[str, str]:
    """A study and its report as they left."""
    stored, report = tmp_path / "study.jsonl", tmp_path / "report.json"
    export = ("--project", judged.slug, "--format", "study-jsonl", "--output", str(stored))
    call_command("export_data", *export, stdout=StringIO())
    out = StringIO()
    call_command("report", "--project", judged.slug, "--json", stdout=out)
    report.write_text(out.getvalue(), "utf-8")
    return str(stored), str(report)


class TestVerify:
    def test_says_that_all_agree(self, judged: Project) -> None:
        assert run("--project", judged.slug).endswith(" numbers recomputed, 0 differences.\n")

    def test_files_that_left_agree_without_the_project(self, files: tuple[str, str]) -> None:
        stored, report = files
        Verdict.objects.all().delete()
        assert "0 differ" in run("--study", stored, "--report", report)

    def test_a_tampered_verdict_in_a_file_is_found(self, files: tuple[str, str]) -> None:
        stored, report = files
        lines = [json.loads(line) for line in Path(stored).read_text("utf-8").splitlines()]
        verdict = next(line for line in lines if line["kind"] == "verdict" and not line["accepted"])
        verdict["accepted"] = True
        Path(stored).write_text("\n".join(map(json.dumps, lines)), "utf-8")
        code, words = fails("--study", stored, "--report", report)
        assert code == 1
        assert "differences" in words

    def test_a_tampered_report_is_found_with_both_values(self, files: tuple[str, str]) -> None:
        stored, report = files
        found = json.loads(Path(report).read_text("utf-8"))
        found["systems"][0]["scores"]["exact_match"]["correct"] = 3
        Path(report).write_text(json.dumps(found), "utf-8")
        out = StringIO()
        with pytest.raises(CommandError) as caught:
            call_command("verify", "--study", stored, "--report", report, stdout=out)
        assert caught.value.returncode == 1
        place = "systems › alpha › scores › exact_match › correct"
        assert f"{place}: shown 3, recomputed 1" in out.getvalue()

    def test_an_old_report_is_held_against_the_project_as_it_is(
        self, judged: Project, files: tuple[str, str]
    ) -> None:
        _, report = files
        assert "0 differ" in run("--project", judged.slug, "--report", report)
        Verdict.objects.filter(candidate__text="Marlowe").update(accepted=True)
        assert fails("--project", judged.slug, "--report", report)[0] == 1

    def test_prints_one_json_object(self, judged: Project) -> None:
        found = json.loads(run("--project", judged.slug, "--json"))
        assert found["all_agree"] is True
        assert found["differences"] == found["labels"] == found["not_recounted"] == []
        assert found["compared"] > 100

    def test_usage_and_files_that_are_none(self, judged: Project, tmp_path: Path) -> None:
        (tmp_path / "other.json").write_text("[]", "utf-8")
        (tmp_path / "bytes.json").write_bytes(b"\xff\xfe\x00")
        missing = str(tmp_path / "missing.jsonl")
        assert fails("--study", missing)[0] == 2
        assert fails("--study", missing, "--report", missing)[0] == 1
        for name in ("other.json", "bytes.json"):
            assert fails("--project", judged.slug, "--report", str(tmp_path / name))[0] == 1
        assert fails("--project", "none")[0] == 1

"""The command `export_data`."""

import hashlib
import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.projects.models import Project
from tests.annotation.adjudication.factories import make_answers


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("export_data", *arguments, stdout=out)
    return out.getvalue()


class TestExportData:
    def test_writes_a_file_and_says_what_is_in_it(self, project: Project, tmp_path: Path) -> None:
        make_answers(project=project, question="capital of france", gold=["Paris"], texts=["Lyon"])
        path = tmp_path / "new" / "gold.jsonl"
        printed = run("--project", "small", "--format", "openqa-eval-gold", "--output", str(path), "--json")
        assert json.loads(path.read_text())["answer"] == ["Paris"]
        assert json.loads(printed) == {
            "path": str(path),
            "rows": 1,
            "size": path.stat().st_size,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }

    def test_an_unknown_project_is_a_data_error(self, db: None, tmp_path: Path) -> None:
        with pytest.raises(CommandError) as caught:
            run("--project", "none", "--format", "votes-csv", "--output", str(tmp_path / "f"))
        assert caught.value.returncode == 1

    def test_a_place_that_cannot_be_written_is_a_data_error(self, project: Project, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        with pytest.raises(CommandError) as caught:
            run("--project", "small", "--format", "votes-csv", "--output", str(tmp_path / "file" / "f"))
        assert caught.value.returncode == 1

    def test_an_unknown_format_is_a_usage_error(self, project: Project, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match="invalid choice"):
            run("--project", "small", "--format", "xlsx", "--output", str(tmp_path / "f"))

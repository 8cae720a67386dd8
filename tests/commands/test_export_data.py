"""The command `export_data`."""

import hashlib
import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.projects.models import Membership, Project
from tests.annotation.adjudication.factories import make_answers, vote


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
            "left_out": {"equal_to_gold": 0, "equal_to_addition": 0},
        }

    def test_says_what_was_left_out_by_cause(
        self, project: Project, annotators: list[Membership], tmp_path: Path
    ) -> None:
        texts = ["paris.", "Lyon", "lyon."]
        make_answers(project=project, question="q", gold=["Paris"], texts=texts)
        for rater in annotators[:2]:
            vote(rater=rater, labels=dict.fromkeys(texts, "correct"))
        where = ("--project", "small", "--output", str(tmp_path / "gold"), "--format")
        assert run(*where, "openqa-eval-gold").splitlines()[1] == (
            "Added answers left out because exact match treats them as equal to an original gold answer (1) "
            "or another added answer (1)."
        )
        printed = json.loads(run(*where, "openqa-eval-gold", "--json"))
        assert printed["left_out"] == {"equal_to_gold": 1, "equal_to_addition": 1}
        assert "left out" not in run(*where, "efficientqa-gold")
        assert "left_out" not in json.loads(run(*where, "efficientqa-gold", "--json"))

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

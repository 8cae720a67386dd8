"""EfficientQA's released decisions go into the tables and come out byte for byte.

Source: Min et al. 2021 (EfficientQA) and the first 900 lines of their released test file.
"""

import hashlib
import json
import sys
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from annotation.judgments.models import Judgment
from annotation.projects.models import Project
from annotation.release.services import write_file
from commands.reproduction.efficientqa import difference_from, report_of_efficientqa, reproduce_efficientqa
from commands.reproduction.steps import FilesMissing
from tests.annotation.items.formats.test_efficientqa_release import released
from tests.annotation.items.test_decided_items import HAND_WRITTEN
from tests.factories import make_user
from tests.judges.conftest import read_page

pytestmark = pytest.mark.long

HEAD = "NQ-open.efficientqa.test.1.1.head900.jsonl"
FIGURES = {"questions": 900, "definitely": 412, "possibly": 477, "incorrect": 2122}
# Of the answers that match no reference, in per cent: definitely and possibly correct. The paper says 13 and
# 17 of the whole file.
BEYOND = (13.68, 15.84)


def reproduced(path: Path) -> Project:
    return reproduce_efficientqa(path=path, slug="efficientqa", lead=make_user(username="reproducer"))


@pytest.mark.django_db
class TestReleasedFile:
    def test_figures_come_from_the_tables_and_the_file_comes_out_as_it_went_in(
        self, data_folder: Path, tmp_path: Path
    ) -> None:
        path = data_folder / "efficientqa" / HEAD
        if not path.is_file():
            pytest.skip(f"{HEAD} is not at ../shared/data")
        project, exported = reproduced(path), tmp_path / "out.jsonl"
        write_file(project=project, format_key="efficientqa-gold", path=exported)
        report = report_of_efficientqa(project, released=path, exported=exported)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        assert report == {**FIGURES, "sha256_in": digest, "sha256_out": digest}
        assert difference_from(released=path, exported=exported) == ""
        assert not Judgment.objects.exists()
        self.pages_show_the_same(project)

    @staticmethod
    def pages_show_the_same(project: Project) -> None:
        """Asked here, because bringing the file in takes long."""
        decided = read_page(project, "agreement/decisions")["labels"]
        assert [(row["count"], row["sources"]) for row in decided] == [
            (FIGURES[name], {"imported": FIGURES[name]}) for name in ("definitely", "possibly", "incorrect")
        ]
        beyond = read_page(project, "leaderboard/beyond")["answers"]
        counts = [beyond["counts"][name] for name in ("rejected", "decided", "definite", "possible")]
        assert counts == [3011, 3011, FIGURES["definitely"], FIGURES["possibly"]]
        found = tuple(round(100 * beyond["figures"][name]["value"], 2) for name in ("definitely", "possibly"))
        assert found == BEYOND

    def test_what_is_no_file_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(FilesMissing, match="is not a file"):
            reproduced(tmp_path)


class TestDifferenceFrom:
    @pytest.mark.parametrize(("found", "line"), [("a\nc\n", 2), ("a\n", 2), ("a\nb\nc\n", 3), ("a\nb", 2)])
    def test_the_first_line_that_differs_is_named(self, tmp_path: Path, found: str, line: int) -> None:
        (tmp_path / "in").write_text("a\nb\n")
        (tmp_path / "out").write_text(found)
        said = difference_from(released=tmp_path / "in", exported=tmp_path / "out")
        assert said == f"The export differs from in, starting at line {line}."


# Marked, so that pytest-django makes a database although this test has one of its own.
@pytest.mark.django_db
class TestCommand:
    def test_the_export_is_made_by_a_process_of_its_own(
        self, tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        """One run shows both: the figures, and the line that cannot come out as it went in."""
        path = tmp_path / "release.jsonl"
        spaced = json.dumps(released(), separators=(",", ":"))
        path.write_text(f"{HAND_WRITTEN}{spaced}\n")
        with pytest.raises(CommandError) as refusal:
            call_command("reproduce", "efficientqa", str(path), "--json", stdout=sys.stdout)
        assert refusal.value.returncode == 1
        printed = capfd.readouterr()
        report = json.loads(printed.out)
        assert (report["questions"], report["definitely"], report["possibly"]) == (4, 7, 5)
        assert report["incorrect"] == 8
        assert report["sha256_in"] == hashlib.sha256(path.read_bytes()).hexdigest()
        written = f"{HAND_WRITTEN}{json.dumps(released())}\n"
        assert report["sha256_out"] == hashlib.sha256(written.encode()).hexdigest()
        assert "at line 4" in printed.err

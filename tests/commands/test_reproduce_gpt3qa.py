"""GPT3QA's exact match and Fuzzy Match come out of the product's own way of working.

Sources: Si et al. (GPT3QA, Fuzzy Match) and their released predictions. The paper's Fuzzy Match figures of
NQ do not follow from any one rule; those here are what the rule gives.
"""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from commands.reproduction.gpt3qa import (
    find_gpt3qa_files,
    lines_of_gpt3qa,
    report_of_gpt3qa,
    reproduce_gpt3qa,
)
from commands.reproduction.steps import FilesMissing
from tests.factories import make_user
from tests.golden.gpt3qa import COUNTS


@pytest.fixture
def report(data_folder: Path, db: None) -> dict[str, Any]:
    lead = make_user(username="reproducer")
    project = reproduce_gpt3qa(folder=data_folder / "gpt3qa", slug="gpt3qa", lead=lead)
    return report_of_gpt3qa(project)


class TestFigures:
    def test_a_system_for_each_predictions_file(self, report: dict[str, Any]) -> None:
        found = {row["name"]: row["scores"] for row in report["systems"]}
        assert {row["n"] for row in report["systems"]} == {100}
        for place, key in enumerate(("exact_match", "fuzzy_match", "fuzzy_match_wordnet")):
            assert {name: scores[key]["correct"] for name, scores in found.items()} == {
                name: counts[place] for name, counts in COUNTS.items()
            }


class TestFuzzyMatch:
    def test_stands_in_all_its_forms_beside_the_published_cell(
        self, data_folder: Path, db: None, tmp_path: Path
    ) -> None:
        checkout = tmp_path / "checkout"
        for path in (data_folder / "gpt3qa").glob("CSQA2_test*.json"):
            folder = checkout / ("predictions" if "_preds" in path.name else "data")
            folder.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, folder)
        lead = make_user(username="reproducer")
        report = report_of_gpt3qa(reproduce_gpt3qa(folder=checkout, slug="csqa2", lead=lead))
        assert [
            (row["system"], row["published"], row["synonyms"]["off"]) for row in report["fuzzy_match"]
        ] == [
            ("CSQA2_test_GPT", None, 47),
            ("CSQA2_test_PromptRetrieve", None, 32),
        ]
        # What the rule gives is no printed cell; nothing computed here is called published.
        assert {row["why_not"] for row in report["fuzzy_match"]} == {"the printed cell is not available"}
        assert all(
            list(row["synonyms"]) == ["off", "on-except-boolean", "on"] for row in report["fuzzy_match"]
        )
        lines = lines_of_gpt3qa(report)
        assert re.search(r"CSQA2_test_GPT +- +47 .*not available", lines[2])


class TestFindFiles:
    def test_a_wrong_folder_is_named_with_what_it_lacks(self, tmp_path: Path) -> None:
        with pytest.raises(FilesMissing, match="contains no file"):
            find_gpt3qa_files(tmp_path)


class TestCommand:
    def test_first_rows_are_for_evouna(self, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match="evouna") as refusal:
            call_command("reproduce", "gpt3qa", str(tmp_path), "--first-rows", "5")
        assert refusal.value.returncode == 2
        with pytest.raises(CommandError, match="number"):
            call_command("reproduce", "evouna", str(tmp_path), "--first-rows", "some")

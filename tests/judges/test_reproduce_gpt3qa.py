"""GPT3QA's exact match and Fuzzy Match come out of the product's own way of working.

Sources: Si et al. (GPT3QA, Fuzzy Match) and their released predictions. The paper's Fuzzy Match figures of
NQ do not follow from any one rule; those here are what the rule gives.
"""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from judges.management.reproduction import FilesMissing, find_gpt3qa_files, report_of, reproduce_gpt3qa
from tests.factories import make_user
from tests.golden.gpt3qa import COUNTS


@pytest.fixture
def report(data_folder: Path, db: None) -> dict[str, Any]:
    lead = make_user(username="reproducer")
    project = reproduce_gpt3qa(folder=data_folder / "gpt3qa", slug="gpt3qa", lead=lead)
    return report_of(project)


class TestFigures:
    def test_a_system_for_each_predictions_file(self, report: dict[str, Any]) -> None:
        found = {row["name"]: row["scores"] for row in report["systems"]}
        assert {row["n"] for row in report["systems"]} == {100}
        for place, key in enumerate(("exact_match", "fuzzy_match", "fuzzy_match_wordnet")):
            assert {name: scores[key]["correct"] for name, scores in found.items()} == {
                name: counts[place] for name, counts in COUNTS.items()
            }


class TestFindFiles:
    def test_a_wrong_folder_is_named_with_what_it_lacks(self, tmp_path: Path) -> None:
        with pytest.raises(FilesMissing, match="lacks"):
            find_gpt3qa_files(tmp_path)


class TestCommand:
    def test_first_rows_are_for_evouna(self, tmp_path: Path) -> None:
        with pytest.raises(CommandError, match="evouna") as refusal:
            call_command("reproduce", "gpt3qa", str(tmp_path), "--first-rows", "5")
        assert refusal.value.returncode == 2
        with pytest.raises(CommandError, match="number"):
            call_command("reproduce", "evouna", str(tmp_path), "--first-rows", "some")

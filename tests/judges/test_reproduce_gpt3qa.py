"""GPT3QA's exact match and Fuzzy Match come out of the product's own way of working.

Sources: Si et al. (GPT3QA, Fuzzy Match) and their released predictions. The paper's Fuzzy Match figures of
NQ do not follow from any one rule; those here are what the rule gives.
"""

from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from judges.management.reproduction import FilesMissing, find_gpt3qa_files, report_of, reproduce_gpt3qa
from judges.registry import JUDGES
from tests.factories import make_user

# predictions file -> exact match, Fuzzy Match without and with synonyms: counts of 100
FIGURES = {
    "NQ_test_GPT": (24, 36, 36),
    "NQ_test_PromptRetrieve": (29, 43, 44),
    "TriviaQA_test_GPT": (53, 61, 61),
    "TriviaQA_test_PromptRetrieve": (52, 62, 62),
    "BeerQA_test_GPT": (26, 35, 36),
    "BeerQA_test_PromptRetrieve": (27, 35, 35),
    "CSQA2_test_GPT": (47, 47, 47),
    "CSQA2_test_PromptRetrieve": (32, 32, 32),
}


@pytest.fixture
def report(data_folder: Path, db: None) -> dict[str, Any]:
    lead = make_user(username="reproducer")
    project = reproduce_gpt3qa(folder=data_folder / "gpt3qa", slug="gpt3qa", lead=lead)
    return report_of(project)


class TestFigures:
    def test_a_system_for_each_predictions_file(self, report: dict[str, Any]) -> None:
        found = {row["name"]: row["scores"] for row in report["systems"]}
        assert {row["n"] for row in report["systems"]} == {100}
        assert {name: scores["exact_match"]["correct"] for name, scores in found.items()} == {
            name: figures[0] for name, figures in FIGURES.items()
        }
        for place, key in ((1, "fuzzy_match"), (2, "fuzzy_match_wordnet")):
            if key in JUDGES:
                assert {name: scores[key]["correct"] for name, scores in found.items()} == {
                    name: figures[place] for name, figures in FIGURES.items()
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

"""The published figures of NQ301 come out of the command: by the product's own way of working.

Sources: Kamalloo et al. 2023 (OpenQA-eval), tables 1 to 4 and their released files. Counts are what the
released files give; where they differ from the printed tables, so did the outputs or verdicts of the
published run.
"""

import csv
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from analysis.text import normalize_answer, question_key
from annotation.adjudication.models import Decision
from annotation.assignments.models import Assignment
from annotation.items.formats.papers import openqa_votes
from annotation.items.formats.records import Source, VoteRecord
from annotation.items.models import Candidate, Prediction
from annotation.judgments.models import Judgment
from annotation.projects.models import Project
from annotation.release.services import write_file
from commands.reproduction.openqa_eval import find_openqa_eval_files, report_of_openqa_eval
from commands.reproduction.printing import lines_of_reproduction
from commands.reproduction.steps import FilesMissing
from tests.factories import make_user
from tests.golden.openqa_eval import AGREEMENT, ENTIRE, F1_KENDALL, JUDGES, NQ301
from tests.judges.nq301.conftest import by_name

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def report(project: Project) -> dict[str, Any]:
    # As it leaves the command: through JSON.
    found: dict[str, Any] = json.loads(json.dumps(report_of_openqa_eval(project), allow_nan=False))
    return found


@pytest.mark.usefixtures("reading")
class TestAgreement:
    @pytest.mark.parametrize("rule", AGREEMENT)
    def test_kappa_of_the_first_two_raters(self, report: dict[str, Any], rule: str) -> None:
        fleiss, items, disagreements = AGREEMENT[rule]
        row = by_name(report["agreement"], "missing_votes")[rule]
        assert round(100 * row["fleiss_kappa"], 2) == fleiss
        assert (row["items"], row["disagreements"]) == (items, disagreements)
        low, high = row["interval"]["fleiss_kappa"]
        assert low < row["fleiss_kappa"] < high

    def test_cohen_and_the_share_of_equal_votes(self, report: dict[str, Any]) -> None:
        row = by_name(report["agreement"], "missing_votes")["own-category"]
        assert round(100 * row["cohen_kappa"], 2) == 72.77
        assert row["observed_agreement"] == pytest.approx(1 - 202 / 1490)


@pytest.mark.usefixtures("reading")
class TestSystems:
    @pytest.mark.parametrize("name", NQ301)
    def test_the_judged_sample(self, report: dict[str, Any], name: str) -> None:
        system = by_name(report["systems"])[name]
        exact_match, token_f1, bem, davinci, gpt4, human = NQ301[name]
        scores = system["scores"]
        assert system["n"] == 301
        assert {key: scores[key]["correct"] for key in ("exact_match", "human")} == {
            "exact_match": exact_match,
            "human": human,
        }
        assert scores["recorded:bem"]["correct"] == bem
        assert scores["recorded:text-davinci-003"]["correct"] == davinci
        assert scores["recorded:gpt-4"]["correct"] == gpt4
        assert 100 * scores["token_f1"]["mean"] == pytest.approx(token_f1, abs=0.005 + 1e-9)
        assert scores["human"]["accuracy"] == pytest.approx(human / 301)

    @pytest.mark.parametrize("name", NQ301)
    def test_amendment_leads_from_exact_match_to_people(self, report: dict[str, Any], name: str) -> None:
        moved = by_name(report["systems"])[name]["amendment"]
        exact_match, *_, human = NQ301[name]
        assert (moved["n"], moved["before"], moved["after"]) == (301, exact_match, human)
        assert moved["after"] - moved["before"] == moved["turned_right"] - moved["turned_wrong"]

    @pytest.mark.parametrize("name", ENTIRE)
    def test_the_entire_data(self, report: dict[str, Any], name: str) -> None:
        system = by_name(report["entire"])[name]
        exact_match, token_f1 = ENTIRE[name]
        assert system["n"] == 3610
        assert system["scores"]["exact_match"]["correct"] == exact_match
        assert 100 * system["scores"]["token_f1"]["mean"] == pytest.approx(token_f1, abs=0.005 + 1e-9)

    def test_each_system_has_every_judge_beside_people(self, report: dict[str, Any]) -> None:
        system = by_name(report["systems"])["NQ_EMDR2"]
        judges = by_name(system["judges"], "key")
        assert set(judges) >= set(JUDGES)
        counted = [judges["exact_match"][name] for name in ("tp", "fn", "fp", "tn")]
        # Answers without a row of the human file are scored, but people decided nothing of them.
        assert sum(counted) < 301
        assert system["human_accuracy"] == pytest.approx(sum(counted[:2]) / sum(counted))

    def test_there_are_all_systems_and_no_others(self, report: dict[str, Any]) -> None:
        assert {row["name"] for row in report["systems"]} == set(NQ301)
        # The two InstructGPT outputs are released for the 301 only.
        assert {row["name"] for row in report["entire"]} == set(ENTIRE)


@pytest.mark.usefixtures("reading")
class TestPublished:
    def test_every_figure_of_the_tables_stands_beside_its_cell(self, report: dict[str, Any]) -> None:
        rows = report["published"]
        assert Counter(row["table"] for row in rows) == {
            "agreement": 1,
            "judged sample": 72,
            "entire data": 12,
            "tau with people": 5,
            "tau of printed cells": 5,
        }
        assert all(row["computed"] is not None for row in rows)
        assert all(row["is_equal"] == (not row["why"]) for row in rows)

    def test_people_and_bem_are_as_printed(self, report: dict[str, Any]) -> None:
        equal = {row["measure"]: True for row in report["published"] if row["table"] == "judged sample"}
        for row in report["published"]:
            if row["table"] == "judged sample":
                equal[row["measure"]] &= row["is_equal"]
        assert (equal["human"], equal["recorded:bem"], equal["exact_match"]) == (True, True, False)

    def test_what_differs_says_why(self, report: dict[str, Any]) -> None:
        whys = {(row["table"], row["system"], row["measure"]): row["why"] for row in report["published"]}
        assert "mojibake=repair" in whys["entire data", "NQ_FiD-KD", "exact_match"]
        assert "outputs" in whys["judged sample", "NQ_DPR", "exact_match"]
        assert "verdicts" in whys["judged sample", "NQ_R2D2", "recorded:gpt-4"]
        assert "printed cells" in whys["tau with people", "12 systems", "recorded:gpt-4"]
        assert not whys["tau of printed cells", "12 systems", "recorded:gpt-4"]

    def test_the_text_has_them(self, report: dict[str, Any]) -> None:
        text = "\n".join(lines_of_reproduction(report))
        assert re.search(r"judged sample, NQ_DPR, exact_match +46\.5 +45\.8472 +differs: the released", text)
        assert re.search(r"judged sample, NQ_DPR, human +58\.8 +58\.804 +=", text)


@pytest.mark.usefixtures("reading")
class TestJudges:
    @pytest.mark.parametrize("key", JUDGES)
    def test_against_people_row_by_row(self, report: dict[str, Any], key: str) -> None:
        counts, kendall = JUDGES[key]
        row = by_name(report["judges"], "key")[key]
        assert tuple(row[name] for name in ("tp", "fn", "fp", "tn", "unscored")) == counts
        tp, _, _, tn, unscored = counts
        assert row["accuracy_all"] == pytest.approx((tp + tn) / 1490)
        assert row["accuracy_scored"] == pytest.approx((tp + tn) / (1490 - unscored))
        assert row["coverage"] == pytest.approx((1490 - unscored) / 1490)
        assert round(row["kendall_tau_b"], 4) == kendall

    def test_token_f1_ranks_systems_as_published(self, report: dict[str, Any]) -> None:
        row = by_name(report["judges"], "key")["token_f1"]
        assert round(row["kendall_tau_b"], 4) == F1_KENDALL

    def test_gpt_4_by_rows_all_and_scored(self, report: dict[str, Any]) -> None:
        row = by_name(report["judges"], "key")["recorded:gpt-4"]
        assert (round(row["accuracy_all"], 4), round(row["accuracy_scored"], 4)) == (0.8470, 0.8481)
        assert round(row["coverage"], 4) == 0.9987

    def test_another_human_agrees_as_the_first_two_raters_do(self, report: dict[str, Any]) -> None:
        people = by_name([row for row in report["judges"] if row["kind"] == "human"], "key")
        assert list(people) == ["another_human", "another_human:A", "another_human:B"]
        pooled = people["another_human"]
        # Each of the 1,483 answers with two votes counts once for either rater; 195 times they differ.
        assert (pooled["fn"], pooled["fp"], pooled["unscored"]) == (195, 195, 7)
        assert pooled["accuracy_scored"] == pytest.approx(1 - 195 / 1483)
        assert round(100 * pooled["accuracy_scored"], 1) == 86.9
        # Of a table and its mirror image Cohen's is Fleiss' kappa, which leaves blanks out here.
        assert round(100 * pooled["cohen_kappa"], 2) == AGREEMENT["drop"][0]


@pytest.mark.usefixtures("reading")
class TestReplay:
    def test_third_votes_are_tie_breaks_replacements_and_surplus(self, project: Project) -> None:
        judged = Assignment.objects.filter(candidate__project=project)
        assert Counter(judged.values_list("state", "round")) == {
            ("done", "first"): 2973,
            ("done", "tie_break"): 195,
            ("done", "replacement"): 7,
            ("surplus", "tie_break"): 21,
            ("skipped", "first"): 7,
        }
        assert set(judged.filter(state="skipped").values_list("skip_reason", flat=True)) == {
            "missing from the source"
        }

    def test_every_row_is_decided_and_none_has_more_votes_than_it_needs(self, project: Project) -> None:
        rows = Candidate.objects.filter(project=project, is_judgeable=True)
        assert Counter(rows.values_list("state", flat=True)) == {"decided": 1490}
        counted = Judgment.objects.filter(candidate__project=project, state=Judgment.State.COUNTED)
        assert Counter(Counter(counted.values_list("candidate_id", flat=True)).values()) == {2: 1295, 3: 195}

    def test_final_labels_are_those_of_the_file(self, project: Project, folder: Path) -> None:
        decisions = Decision.objects.current().filter(candidate__project=project)
        labels = Counter(decisions.values_list("candidate__question__key", "candidate__text", "label"))
        with (folder / "NQ301_human.tsv").open(encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
        words = {"Yes": "correct", "No": "incorrect"}
        expected = Counter(
            (question_key(row["Question"]), row["Model answer"], words[row["Acceptable?"]]) for row in rows
        )
        assert labels == expected
        assert Counter(decisions.values_list("label", flat=True)) == {"correct": 816, "incorrect": 674}

    def test_answers_without_a_row_are_scored_but_nobody_is_asked(self, project: Project) -> None:
        rows = Candidate.objects.filter(project=project, is_judgeable=True)
        judged = {
            (question, normalize_answer(text)) for question, text in rows.values_list("question_id", "text")
        }
        unlinked = Prediction.objects.filter(
            question__project=project, question__in_sample=True, candidate__is_judgeable=False
        )
        assert set(unlinked.values_list("candidate__state", flat=True)) == {"unasked"}
        # Linked by the exact string, else case-folded; of the rest most equal a row once normalized.
        assert unlinked.count() == 81
        answers = unlinked.values_list("question_id", "text")
        assert sum((question, normalize_answer(text)) not in judged for question, text in answers) == 48


@pytest.mark.usefixtures("reading")
class TestExports:
    def test_exact_match_against_the_exported_gold_gives_the_human_scores(
        self, project: Project, tmp_path: Path
    ) -> None:
        """The amended data set works as the gold of OpenQA-eval's own command."""
        write_file(project=project, format_key="openqa-eval-gold", path=tmp_path / "gold.jsonl")
        lines = (tmp_path / "gold.jsonl").read_text(encoding="utf-8").splitlines()
        gold = {
            question_key(row["question"]): set(map(normalize_answer, row["answer"]))
            for row in map(json.loads, lines)
        }
        assert len(gold) == 301
        correct = Counter(
            system
            for system, key, text in Prediction.objects.filter(question__project=project).values_list(
                "system__name", "question__key", "text"
            )
            if normalize_answer(text) in gold.get(key, ())
        )
        assert correct == {name: figures[-1] for name, figures in NQ301.items()}

    def test_votes_come_out_as_they_went_in(self, project: Project, folder: Path, tmp_path: Path) -> None:
        exported = tmp_path / "nq301_human.tsv"
        write_file(project=project, format_key="openqa-eval-votes", path=exported)

        def read(path: Path) -> Counter[Any]:
            records = openqa_votes.read(Source(name=path.name, path=path), {})
            return Counter(
                (question_key(record.question), record.answer, record.final, record.votes)
                for record in records
                if isinstance(record, VoteRecord)
            )

        assert read(exported) == read(folder / "NQ301_human.tsv")
        assert read(exported).total() == 1490


class TestFindFiles:
    def test_a_wrong_folder_is_named_with_what_it_lacks(self, tmp_path: Path) -> None:
        with pytest.raises(FilesMissing, match="does not contain NQ301_human"):
            find_openqa_eval_files(tmp_path)


# Marked, so that pytest-django makes a database although no other test here asks it to.
@pytest.mark.django_db
class TestCommand:
    """In a database of its own: see `tests/commands/test_reproduce_efficientqa.py`."""

    def test_a_data_error_is_said(self, tmp_path: Path) -> None:
        make_user(username="somebody")
        kept = ("--project", "kept", "--lead", "somebody")
        with pytest.raises(CommandError, match=r"does not contain NQ301_human\.tsv") as refusal:
            call_command("reproduce", "openqa-eval", str(tmp_path), *kept)
        assert refusal.value.returncode == 1

"""EVOUNA-NQ's lexical matching comes out of the product's own way of working.

Sources: Wang et al. 2023 (EVOUNA / QA-Eval), their released file, and the paper's tables. GPT-4's printed
figures are those of the first 500 rows of the file.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from annotation.adjudication.models import Decision
from annotation.assignments.models import Assignment
from annotation.judgments.models import Judgment
from annotation.projects.models import Project
from commands.reproduction.evouna import report_of_evouna, reproduce_evouna
from commands.reproduction.steps import FilesMissing
from common.clock import now
from judges.runs.models import JudgeRun, Verdict
from tests.conftest import made_once
from tests.factories import make_user
from tests.judges.conftest import read_page

pytestmark = pytest.mark.long

# system -> answers, and of these accepted by people in per cent
PEOPLE = {
    "fid": (3020, 68.94),
    "gpt35": (3020, 65.50),
    "chatgpt": (3020, 72.98),
    "gpt4": (3020, 78.84),
    "newbing": (3019, 79.93),
}
# system, judge -> accuracy, macro-F1, precision, recall in per cent
LEXICAL = {
    ("fid", "exact_match"): (86.85, 85.97, 99.70, 81.17),
    ("fid", "containment"): (89.70, 88.82, None, None),
    ("gpt35", "containment"): (84.70, 84.29, 99.54, 77.00),
    ("chatgpt", "containment"): (80.30, 78.22, 96.00, 76.18),
    ("gpt4", "containment"): (82.55, 79.10, 99.68, 78.12),
    ("newbing", "containment"): (82.28, 77.70, 97.57, 79.82),
}
# GPT-4 by containment, over the proper ones of the first 500 rows.
FIRST_500 = (83.16, 78.14, 99.60, 79.81)
NAMES = ("accuracy", "macro_f1", "precision", "recall")
CELLS = ("tp", "fn", "fp", "tn", "unscored")
# tokens up to -> answers, and on how many lexical matching is right in per cent
LENGTHS = {
    35: (12057, 85.1),
    70: (2487, 78.4),
    105: (502, 65.7),
    140: (44, 68.2),
    175: (5, 80.0),
    None: (4, 75.0),
}


@pytest.fixture(scope="module")
def path(data_folder: Path) -> Path:
    return data_folder / "evouna" / "NQ.json"


@pytest.fixture(scope="module")
def project(path: Path, django_db_setup: None, django_db_blocker: Any) -> Iterator[Project]:
    """The whole study, made once for all tests of this file and rolled back after them."""

    def make() -> Project:
        return reproduce_evouna(path=path, slug="evouna-nq", lead=make_user(username="reproducer"))

    with made_once(django_db_blocker, make) as made:
        yield made


@pytest.fixture(scope="module")
def report(project: Project) -> dict[str, Any]:
    # As it leaves the command: through JSON.
    found: dict[str, Any] = json.loads(json.dumps(report_of_evouna(project), allow_nan=False))
    return found


def make_partial_run(project: Project) -> JudgeRun:
    """Make a judge that accepts what GPT-4 answered to the first 500 questions, and judged nothing else."""
    run = JudgeRun.objects.create(
        project=project,
        judge_key="bem",
        gold_version="original",
        signature="bem|gold:original",
        signature_hash="bem",
        state=JudgeRun.State.FINISHED,
        created_at=now(),
    )
    answers = project.candidates.filter(predictions__system__name="gpt4", question__position__lt=500)
    Verdict.objects.bulk_create(
        Verdict(run=run, candidate=candidate, accepted=True, judged_at=now()) for candidate in answers
    )
    return run


def judge_of(report: dict[str, Any], system: str, key: str) -> dict[str, Any]:
    (found,) = [row for row in report["systems"] if row["name"] == system]
    (judge,) = [row for row in found["judges"] if row["key"] == key]
    return dict(judge)


def percents(judge: dict[str, Any]) -> tuple[float, ...]:
    return tuple(round(100 * judge[name], 2) for name in NAMES)


@pytest.mark.usefixtures("reading")
class TestPeople:
    @pytest.mark.parametrize("name", PEOPLE)
    def test_accuracy_of_each_system_over_proper_rows(self, report: dict[str, Any], name: str) -> None:
        (system,) = [row for row in report["systems"] if row["name"] == name]
        assert (system["n"], round(100 * system["human_accuracy"], 2)) == PEOPLE[name]
        assert system["scores"]["human_decided"]["accuracy"] == pytest.approx(system["human_accuracy"])

    def test_every_proper_verdict_of_the_file_became_a_decision(self, project: Project, path: Path) -> None:
        rows = json.loads(path.read_text(encoding="utf-8"))
        assert (len(rows), sum(row["improper"] for row in rows)) == (3610, 590)
        assert project.questions.count() == 3610
        decided = Decision.objects.current().filter(candidate__project=project)
        # 15,099 rows; equal answers of a group with equal verdicts are one.
        assert decided.filter(candidate__predictions__isnull=False).count() == 15099
        assert not decided.exclude(source="unanimous").exists()

    def test_verdicts_on_improper_questions_are_kept_as_surplus(self, project: Project) -> None:
        surplus = Judgment.objects.filter(candidate__project=project, state=Judgment.State.SURPLUS)
        rows = surplus.values_list("candidate__predictions__pk", flat=True)
        assert rows.count() >= 28 + 33
        assert not Judgment.objects.filter(
            candidate__project=project, round=Assignment.Round.TIE_BREAK
        ).exists()


@pytest.mark.usefixtures("reading")
class TestLexicalMatching:
    @pytest.mark.parametrize(("system", "key"), LEXICAL)
    def test_the_published_figures(self, report: dict[str, Any], system: str, key: str) -> None:
        judge = judge_of(report, system, key)
        for name, printed in zip(NAMES, LEXICAL[system, key], strict=True):
            # FiD's 99.705 was printed as 99.70.
            assert printed is None or 100 * judge[name] == pytest.approx(printed, abs=0.0051)

    def test_fid_by_counts(self, report: dict[str, Any]) -> None:
        judge = judge_of(report, "fid", "exact_match")
        assert [judge[name] for name in ("tp", "fn", "fp", "tn", "unscored")] == [1690, 392, 5, 933, 0]

    @pytest.mark.parametrize("name", PEOPLE)
    def test_each_system_has_both_judges_over_all_its_rows(self, report: dict[str, Any], name: str) -> None:
        for key in ("exact_match", "containment"):
            judge = judge_of(report, name, key)
            assert sum(judge[part] for part in ("tp", "fn", "fp", "tn")) == PEOPLE[name][0]

    def test_all_systems_pooled(self, report: dict[str, Any]) -> None:
        pooled = report["pooled"]
        shares = [round(100 * pooled[name] / pooled["n"], 2) for name in ("tp", "tn", "fp", "fn")]
        assert (pooled["n"], shares) == (15099, [57.47, 25.86, 0.90, 15.76])

    def test_all_systems_pooled_by_containment_beside_table_8(self, report: dict[str, Any]) -> None:
        pooled = report["pooled_containment"]
        by_system = [judge_of(report, name, "containment") for name in PEOPLE]
        for name in ("tp", "tn", "fp", "fn"):
            assert pooled[name] == sum(judge[name] for judge in by_system)
        (cell,) = [row for row in report["published"] if row["measure"] == "tn"]
        assert (cell["published"], cell["is_equal"]) == (26.8, False)
        assert cell["computed"] == pytest.approx(100 * pooled["tn"] / pooled["n"])
        assert "June 2023" in cell["why"]

    def test_the_data_set_is_that_of_the_file(self, report: dict[str, Any]) -> None:
        assert report["dataset"] == "NQ"

    def test_what_differs_from_the_paper_says_why(self, report: dict[str, Any]) -> None:
        rows = {(row["system"], row["measure"]): row for row in report["published"]}
        assert [rows["gpt35", name]["is_equal"] for name in NAMES] == [False, True, True, False]
        assert "June 2023" in rows["gpt35", "accuracy"]["why"]
        assert "--first-rows 500" in rows["gpt4", "accuracy"]["why"]

    def test_by_answer_length(self, report: dict[str, Any]) -> None:
        found = {row["to"]: (row["n"], round(100 * row["accuracy"], 1)) for row in report["by_length"]}
        assert found == LENGTHS

    def test_the_published_rule_is_in_the_signature(self, report: dict[str, Any]) -> None:
        (column,) = [each for each in report["columns"] if each["key"] == "containment"]
        assert "empty_gold:match" in column["signature"]


def values_of(part: dict[str, Any]) -> dict[str, Any]:
    return {name: figure["value"] for name, figure in part["figures"].items()}


@pytest.fixture(scope="module")
def parts(project: Project, django_db_blocker: Any) -> dict[tuple[str, str], Any]:
    """What the judge board says of each judge by system: counts and figures."""
    with django_db_blocker.unblock():
        runs = {row["key"]: row["run"] for row in read_page(project, "judge-board") if row["run"]}
        names = {row["label"]: row["system"] for row in read_page(project, "leaderboard")["rows"]}
        return {
            (names[part["name"]], key): part["counts"] | values_of(part)
            for key in ("exact_match", "containment")
            for part in read_page(project, f"judge-board/{runs[key]}/parts", by="system")["parts"]
        }


@pytest.mark.usefixtures("reading")
class TestPages:
    """The same figures as pages get them."""

    @pytest.mark.parametrize(("system", "key"), LEXICAL)
    def test_the_judge_board_shows_lexical_matching_by_system(
        self, parts: dict[tuple[str, str], Any], system: str, key: str
    ) -> None:
        part = parts[system, key]
        assert sum(part[name] for name in CELLS) == PEOPLE[system][0]
        for name, printed in zip(("accuracy_all", *NAMES[1:]), LEXICAL[system, key], strict=True):
            assert printed is None or 100 * part[name] == pytest.approx(printed, abs=0.0051)

    def test_fid_by_counts(self, parts: dict[tuple[str, str], Any]) -> None:
        part = parts["fid", "exact_match"]
        assert [part[name] for name in CELLS] == [1690, 392, 5, 933, 0]

    def test_gpt_4_on_the_rows_that_another_judge_has_judged(self, project: Project) -> None:
        """The paper's judges saw its first 500 rows: with one that did, all stand on the same answers."""
        with transaction.atomic():
            make_partial_run(project)
            runs = {row["key"]: row["run"] for row in read_page(project, "judge-board") if row["run"]}
            address = f"judge-board/{runs['containment']}/parts"
            (part,) = read_page(project, address, by="system", common="true")["parts"]
            transaction.set_rollback(True)
        assert sum(part["counts"][name] for name in CELLS) == 380
        figures = values_of(part)
        assert tuple(round(100 * figures[name], 2) for name in ("accuracy_all", *NAMES[1:])) == FIRST_500

    def test_its_shares_of_all_systems_together(self, parts: dict[tuple[str, str], Any]) -> None:
        rows = [parts[name, "exact_match" if name == "fid" else "containment"] for name in PEOPLE]
        sums = {name: sum(row[name] for row in rows) for name in CELLS}
        shares = [round(100 * sums[name] / sum(sums.values()), 2) for name in ("tp", "tn", "fp", "fn")]
        assert (sum(sums.values()), shares) == (15099, [57.47, 25.86, 0.90, 15.76])

    def test_the_leaderboard_shows_peoples_accuracy(self, project: Project) -> None:
        rows = read_page(project, "leaderboard")["rows"]
        scores = {row["system"]: row["scores"]["human_decided"] for row in rows}
        assert {name: (cell["n"], round(100 * cell["value"], 2)) for name, cell in scores.items()} == PEOPLE

    def test_the_failure_board_shows_accuracy_by_length(self, project: Project) -> None:
        # FiD by equality, all others by containment, as published; systems one by one add up.
        found: Counter[str] = Counter()
        right: Counter[str] = Counter()
        for system in PEOPLE:
            board = read_page(project, "failure-board", board="length", system=system, bands="wide")
            key = "exact_match" if system == "fid" else "containment"
            for cell in board["cells"]:
                if cell["column"] == key:
                    found[cell["row"]] += cell["of"]
                    right[cell["row"]] += cell["items"]
        shares = [(found[key], round(100 * right[key] / found[key], 1)) for key in found]
        assert shares == list(LENGTHS.values())


@pytest.mark.usefixtures("reading")
class TestFirstRows:
    def test_gpt_4_as_the_paper_printed_it(self, path: Path) -> None:
        with transaction.atomic():
            lead = make_user(username="reproducer500")
            first = reproduce_evouna(path=path, slug="evouna-500", lead=lead, first_rows="500")
            report = report_of_evouna(first)
            transaction.set_rollback(True)
        judge = judge_of(report, "gpt4", "containment")
        assert sum(judge[name] for name in ("tp", "fn", "fp", "tn")) == 380
        assert percents(judge) == FIRST_500
        cells = [row for row in report["published"] if row["system"] == "gpt4"]
        assert [row["is_equal"] for row in cells] == [True] * 4


# Marked, so that pytest-django makes a database although no other test here asks it to.
@pytest.mark.django_db
class TestFindFile:
    def test_a_wrong_path_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(FilesMissing, match="is not a file"):
            reproduce_evouna(path=tmp_path, slug="x", lead=make_user(username="nobody"))

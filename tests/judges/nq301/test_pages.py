"""Pages show the published figures of NQ301: what the server sends them, asked as the lead.

Sources: as those of the command.
"""

from itertools import chain
from typing import Any

import pytest

from annotation.projects.models import Project
from commands.reproduction.published import NQ301 as PRINTED
from tests.golden.openqa_eval import AGREEMENT, ENTIRE, F1_KENDALL, JUDGES, MISSES, NQ301
from tests.golden.tutorial import TUTORIAL, short_name, stated_table
from tests.judges.conftest import read_page
from tests.judges.nq301.conftest import by_name

pytestmark = pytest.mark.long


@pytest.mark.usefixtures("reading")
class TestAgreementPage:
    @pytest.mark.parametrize("rule", AGREEMENT)
    def test_shows_the_published_kappa_under_each_rule(self, project: Project, rule: str) -> None:
        fleiss, items, disagreements = AGREEMENT[rule]
        page = read_page(project, "agreement", missing_votes=rule, intervals="false")
        assert round(100 * page["figures"]["fleiss_kappa"]["value"], 2) == fleiss
        assert (page["items"], page["disagreements"]) == (items, disagreements)

    def test_shows_cohen_of_the_one_pair(self, project: Project) -> None:
        page = read_page(project, "agreement", intervals="false")
        (pair,) = page["pairs"]
        found = [round(100 * each["figures"]["cohen_kappa"]["value"], 2) for each in (page, pair)]
        assert found == [72.77, 72.77]

    def test_names_its_band_on_the_overview(self, project: Project) -> None:
        agreement = read_page(project, "overview")["agreement"]
        assert agreement["words"] == "Fleiss’ κ over 1,490 answers: substantial."

    @pytest.mark.parametrize("by", ["question_type", "answer_length", "exact_match"])
    def test_parts_hold_every_answer_once(self, project: Project, by: str) -> None:
        parts = read_page(project, "agreement/slices", by=by, intervals="false")["slices"]
        assert len(parts) > 1
        assert sum(part["items"] for part in parts) == 1490
        assert sum(part["disagreements"] for part in parts) == 202

    @pytest.mark.parametrize("rule", AGREEMENT)
    def test_a_number_of_disputed_answers_opens_as_many(self, project: Project, rule: str) -> None:
        opened = read_page(project, "answers", state="disagreement", missing_votes=rule)
        assert opened["count"] == AGREEMENT[rule][2]
        query = {"by": "question_type", "missing_votes": rule}
        for part in read_page(project, "agreement/slices", intervals="false", **query)["slices"]:
            opened = read_page(project, "answers", state="disagreement", part=part["name"], **query)
            assert opened["count"] == part["disagreements"]


@pytest.mark.usefixtures("reading")
class TestLeaderboardPage:
    COLUMNS = (
        "exact_match", "token_f1", "recorded:bem", "recorded:text-davinci-003", "recorded:gpt-4", "human",
    )  # fmt: skip

    def test_shows_the_judged_sample_by_each_way_of_judging(self, project: Project) -> None:
        page = read_page(project, "leaderboard")
        assert (page["n_questions"], page["all_decided"]) == (301, True)
        assert {row["n"] for row in page["rows"]} == {301}
        assert {row["system"]: self.figures(row["scores"]) for row in page["rows"]} == NQ301

    def test_shows_the_entire_data(self, project: Project) -> None:
        page = read_page(project, "leaderboard", scope="entire")
        assert {row["n"] for row in page["rows"]} == {page["n_questions"]} == {3610}
        found = {row["system"]: self.figures(row["scores"], self.COLUMNS[:2]) for row in page["rows"]}
        assert found == ENTIRE

    def test_shows_how_far_each_ranking_is_that_of_people(self, project: Project) -> None:
        columns = by_name(read_page(project, "leaderboard")["columns"], "key")
        expected = {key: kendall for key, (_, kendall) in JUDGES.items()} | {"token_f1": F1_KENDALL}
        assert {key: round(columns[key]["kendall_tau_b"]["value"], 4) for key in expected} == expected

    def test_shows_what_amendment_moved(self, project: Project) -> None:
        moved = read_page(project, "leaderboard/amendments")
        found = {row["system"]: (row["n"], row["before"], row["after"]) for row in moved["systems"]}
        assert found == {name: (301, figures[0], figures[-1]) for name, figures in NQ301.items()}
        assert moved["count"] == moved["right_count"] + moved["wrong_count"]

    def test_shows_every_cell_that_the_tutorial_states(self, project: Project) -> None:
        stated = stated_table()
        rows = read_page(project, "leaderboard")["rows"]
        assert {name: [cell.shown for cell in cells] for name, cells in stated.items()} == {
            short_name(row["system"]): [f"{100 * row['scores'][key]['value']:.1f}" for key in self.COLUMNS]
            for row in rows
        }
        assert {name: [cell.printed for cell in cells] for name, cells in stated.items()} == {
            short_name(name): [f"{value:.1f}" for value in values] for name, values in PRINTED.items()
        }
        cells = list(chain.from_iterable(stated.values()))
        assert (len(cells), sum(cell.printed == cell.shown for cell in cells)) == (72, 46)
        assert "Of 72 cells, 46 show the paper’s figure" in TUTORIAL.read_text("utf-8")

    @staticmethod
    def figures(scores: dict[str, Any], columns: tuple[str, ...] = COLUMNS) -> tuple[float, ...]:
        """Return counts of right answers, and in per cent the mean of a column of scores."""
        cells = (scores[key] for key in columns)
        return tuple(
            round(100 * cell["value"], 2) if cell["correct"] is None else cell["correct"] for cell in cells
        )


@pytest.mark.usefixtures("reading")
class TestJudgeBoardPage:
    def test_shows_each_judge_row_by_row(self, project: Project) -> None:
        rows = by_name(read_page(project, "judge-board"), "key")
        for key, (counts, kendall) in JUDGES.items():
            assert tuple(rows[key]["counts"][name] for name in ("tp", "fn", "fp", "tn", "unscored")) == counts
            assert round(rows[key]["figures"]["kendall_tau_b"]["value"], 4) == kendall
        gpt_4 = rows["recorded:gpt-4"]
        figures = [
            round(gpt_4["figures"][name]["value"], 4)
            for name in ("accuracy_all", "accuracy_scored", "coverage")
        ]
        assert figures == [0.8470, 0.8481, 0.9987]

    def test_its_parts_hold_every_answer_once(self, project: Project) -> None:
        run = by_name(read_page(project, "judge-board"), "key")["recorded:bem"]["run"]
        for by in ("answer_length", "question_type"):
            parts = read_page(project, f"judge-board/{run}/parts", by=by)["parts"]
            sums = tuple(
                sum(part["counts"][name] for part in parts) for name in ("tp", "fn", "fp", "tn", "unscored")
            )
            assert sums == JUDGES["recorded:bem"][0]


@pytest.mark.usefixtures("reading")
class TestFailureBoardPage:
    """What exact match misses, and how much of it each judge repairs.

    Source: Kamalloo et al. 2023, figures 3 and 4.
    """

    # Marked, so that pytest-django makes a database although no other test here asks it to.
    @pytest.mark.django_db
    def test_shows_how_many_right_answers_each_judge_misses(self, project: Project) -> None:
        columns = by_name(read_page(project, "failure-board", board="misses")["columns"], "key")
        for key, (missed, _) in MISSES.items():
            assert (columns[key]["rated"], columns[key]["base"]) == (missed, 816)
            rate = columns[key]["rate"]
            assert rate["low"] < missed / 816 == rate["value"] < rate["high"]

    def test_shows_how_many_of_exact_matchs_misses_each_judge_repairs(self, project: Project) -> None:
        page = read_page(project, "failure-board", board="repairs")
        assert page["baseline"] == "Exact match"
        found = {
            each["key"]: (each["rated"], each["base"]) for each in page["columns"] if each["key"] in MISSES
        }
        expected = {key: (repaired, 495) for key, (_, repaired) in MISSES.items() if repaired is not None}
        assert found == expected

    @pytest.mark.parametrize("board", ["misses", "repairs"])
    def test_a_rate_opens_as_many_answers_as_it_counts(self, project: Project, board: str) -> None:
        for column in read_page(project, "failure-board", board=board)["columns"]:
            opened = read_page(project, "answers", board=board, column=column["key"])
            assert opened["count"] == column["rated"]

"""The report prints the intervals that the pages show, or says why there is none."""

import html
import re
from typing import Any

import pytest

from analysis.intervals import Why
from annotation.items.models import Prediction, System
from annotation.projects.models import Membership, Project
from common.figures import FIGURES, WHY, rounded
from judges.release.rules.report import OF_JUDGES
from judges.release.selectors import read_methods
from judges.runs.models import JudgeRun
from tests.annotation.adjudication.factories import make_answers, make_import, vote
from tests.judges.comparison.conftest import Decider, make_run
from tests.judges.conftest import read_page
from tests.judges.release.test_report import made
from tests.judges.tagging.conftest import decide as decide_text


def bounds_of(text: str, table: str, row: str) -> list[str]:
    """Return what stands below each figure of a row of a table of the report."""
    line = text.split(f'aria-label="Table: {table}"')[1].split(f'<th scope="row">{row}</th>')[1]
    return re.findall(r"<small>([^<]*)</small>", line.split("</tr>")[0])


def ends_of(figure: Any) -> tuple[float, float]:
    return figure["low"], figure["high"]


class TestIntervals:
    def test_prints_the_intervals_of_the_judge_board(
        self, study: Project, all_decided: None, decide: Decider, annotators: list[Membership]
    ) -> None:
        said: dict[str, float | None] = {}
        for number in range(12):
            right, wrong = f"right {number}", f"wrong {number}"
            make_answers(project=study, question=f"decided {number}", texts=[right, wrong])
            decide(right, "correct")
            decide(wrong, "incorrect")
            said |= {right: 0.0 if number % 3 else 1.0, wrong: None if number % 5 == 0 else number % 2}
        # Raters differ on questions that nobody has decided yet, and the board draws these, too.
        for number in range(8):
            make_answers(project=study, question=f"open {number}", texts=[f"open {number}"])
            vote(rater=annotators[0], labels={f"open {number}": "correct"})
            vote(rater=annotators[1], labels={f"open {number}": "incorrect"})
        make_run(study, "exact_match", said)
        (board,) = [
            row for row in read_page(study, "judge-board", intervals="true") if row["key"] == "exact_match"
        ]
        printed = dict(zip(OF_JUDGES, bounds_of(made(study), "Judges", "Exact match"), strict=True))
        for name in (name for name in OF_JUDGES if FIGURES[name].look == "share"):
            low, high = ends_of(board["figures"][name])
            assert printed[name] == f"{100 * low:.1f}–{100 * high:.1f}", name
        low, high = ends_of(board["figures"]["cohen_kappa"])
        assert printed["cohen_kappa"] == f"{low:.2f} to {high:.2f}".replace("-", "−")
        low, high = ends_of(board["figures"]["accuracy_all"])
        assert f"({100 * low:.1f}–{100 * high:.1f}) of 29" in read_methods(project=study).text

    def test_how_rankings_agree_has_the_intervals_of_the_leaderboard(self, project: Project) -> None:
        # What people accept, and what the judge does, of three systems' answers to twelve questions: people
        # tell the first from the last.
        systems = {
            "alpha": (lambda number: True, lambda number: number % 3 > 0),
            "beta": (lambda number: number % 2 > 0, lambda number: number % 4 == 0),
            "gamma": (lambda number: False, lambda number: number % 2 > 0),
        }
        said: dict[str, float | None] = {}
        data_import = make_import(project=project)
        made_systems = {
            name: System.objects.create(project=project, data_import=data_import, name=name, label=name)
            for name in systems
        }
        for number in range(12):
            texts = [f"{name} {number}" for name in systems]
            answers = make_answers(project=project, question=f"question {number}", texts=texts)
            for answer, (name, (accepts, says)) in zip(answers, systems.items(), strict=True):
                Prediction.objects.create(
                    system=made_systems[name], question=answer.question, candidate=answer,
                    data_import=data_import, text=answer.text,
                )  # fmt: skip
                decide_text(project, answer.text, "correct" if accepts(number) else "incorrect")
                said[answer.text] = float(says(number))
        make_run(project, "exact_match", said)
        column = read_page(project, "leaderboard?intervals=true")["columns"][0]
        order = column["same_order"]
        expected = f"{column['same']} of {column['pairs']} significantly different pairs in the same order"
        expected += f" ({100 * order['low']:.0f}–{100 * order['high']:.0f}%)"
        assert column["key"] == "exact_match"
        assert bounds_of(made(project), "Systems", "Kendall’s τ-b with people")[0] == expected

    def test_says_why_a_figure_has_no_interval(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        rankings = made(study).split('aria-label="Table: Systems"')[1].split("<h2>")[0]
        names = "Exact match; People, decided answers"
        assert f"Kendall’s τ-b ({names}): {html.escape(WHY[Why.NONE_APART])}" in rankings


class TestRounded:
    # What Intl.NumberFormat writes of the same numbers on the pages, in percent with one digit.
    @pytest.mark.parametrize(
        ("correct", "text"), [(466, "58.3"), (538, "67.3"), (634, "79.3"), (2, "0.3"), (800, "100.0")]
    )
    def test_ties_go_away_from_zero_as_on_the_pages(self, correct: int, text: str) -> None:
        assert rounded(correct / 800, digits=1, scale=100) == text
        assert rounded(-correct / 800, digits=1, scale=100) == f"-{text}"

    def test_nothing_below_the_last_digit_has_a_sign(self) -> None:
        assert rounded(-0.0004, digits=1, scale=100) == "0.0"

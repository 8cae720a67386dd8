"""The tables for a paper, as text, CSV, and LaTeX."""

import csv
import io
from dataclasses import replace
from typing import Any

import pytest

from analysis.intervals import Figure
from annotation.accounts.models import User
from annotation.items.models import DataImport, System
from annotation.projects.models import Membership, Project
from annotation.release.selectors.formats import find_format
from annotation.release.services import preview_lines
from judges.comparison.rules.boards import BoardRow
from judges.comparison.rules.study import Filter, Kind
from judges.comparison.selectors.judge_board.judges import read_judge_board
from judges.comparison.selectors.leaderboard.standings import read_leaderboard
from judges.release.rules.tables import OF_JUDGES, escape_latex, judges_table, systems_table
from judges.release.rules.words import rank_words
from judges.release.selectors import ranks_words, read_tables
from judges.runs.models import JudgeRun
from tests.conftest import ClientOf
from tests.judges.comparison.conftest import Decider
from tests.judges.comparison.results.test_best_system import PEOPLE, board

HOSTILE = "=1 & 50% #2 $x_{1}$ ~a^b\\c\nd"


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("A & B", r"A \& B"),
        ("50%", r"50\%"),
        ("a_b#1", r"a\_b\#1"),
        ("$x$ {y}", r"\$x\$ \{y\}"),
        ("~^\\", r"\textasciitilde{}\textasciicircum{}\textbackslash{}"),
        ("two\nlines", "two lines"),
        ("`a' -- b---c", r"\textasciigrave{}a\textquotesingle{} -{}- b-{}-{}-c"),
        ("−3.1 (84.2–88.7)", "$-$3.1 (84.2--88.7)"),
        ("Cohen’s κ", r"Cohen's $\kappa$"),
    ],
)
def test_latex_prints_a_text_as_it_stands(text: str, printed: str) -> None:
    assert escape_latex(text) == printed


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


class TestSystems:
    def test_has_the_numbers_of_the_leaderboard(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        found = read_leaderboard(project=study, wanted=Filter(), intervals=True)
        table = read_tables(project=study).systems
        assert table.columns[:2] == ["System", "n"]
        assert table.columns[-1] == "Rank (95% CI)"
        by_name = {row["system"]: row for row in rows_of(table.csv)}
        assert len(by_name) == len(found.rows) == len(table.rows)
        for row in found.rows:
            for key in ("human", "exact_match"):
                score = row.scores[key]
                assert score is not None
                assert float(by_name[row.label][key]) == score.value
                assert float(by_name[row.label][f"{key}_low"]) == score.low
            assert float(by_name[row.label]["rank"]) == row.scores["human"].rank.value
        people = [float(row["human"]) for row in rows_of(table.csv)]
        assert people == sorted(people, reverse=True)

    def test_is_a_tabular_of_one_line_a_system_whatever_its_name(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        System.objects.filter(project=study, name="alpha").update(label=HOSTILE)
        project = Project.objects.get(pk=study.pk)
        table = read_tables(project=project).systems
        lines = table.latex.splitlines()
        body = lines[lines.index("\\midrule") + 1 : lines.index("\\bottomrule")]
        assert len(body) == len(table.rows)
        assert all(line.endswith(" \\\\") for line in body)
        (own,) = [line for line in body if line.startswith("=1 \\& 50\\% \\#2")]
        assert own.replace("\\&", "").count("&") == len(table.columns) - 1
        assert f"\\begin{{tabular}}{{l{'r' * (len(table.columns) - 1)}}}" in lines
        # In a spreadsheet it is no formula.
        assert any(row["system"].startswith("'=1") for row in rows_of(table.csv))

    @pytest.mark.parametrize("name", ["[GPT] 4", "*best", "[10pt]"])
    def test_no_line_takes_the_next_name_as_its_option(
        self, name: str, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        System.objects.filter(project=study).update(label=name)
        lines = read_tables(project=Project.objects.get(pk=study.pk)).systems.latex.splitlines()
        own = [line for line in lines if name in line]
        assert len(own) == 2
        assert all(line.startswith(f"{{}}{name} & ") for line in own)

    def test_says_by_what_it_ranks_only_where_it_ranks(
        self, study: Project, exact_match: JudgeRun, decide: Decider
    ) -> None:
        decide("Paris", "correct")
        table = read_tables(project=Project.objects.get(pk=study.pk)).systems
        assert {row[-1] for row in table.rows} == {"–"}
        assert "Ranks" not in table.about

    def test_says_whether_people_or_corrected_scores_rank(self) -> None:
        told = {
            key: ranks_words(board({"Alpha": (0.8, 1)}, column=replace(PEOPLE, key=key)))
            for key in ("human", "corrected")
        }
        assert told == {
            "human": " Systems are ranked by people’s scores.",
            "corrected": " Systems are ranked by corrected scores.",
        }

    def test_what_judges_settled_is_not_called_peoples(self) -> None:
        mixed = board({"Alpha": (0.8, None)}, column=replace(PEOPLE, kind=Kind.MIXED))
        assert [heading.name for heading in systems_table(mixed).headings] == ["System", "n"]
        settled = board({"Alpha": (0.8, 1)})
        assert [heading.name for heading in systems_table(settled).headings][2:] == [
            "People (95% CI)",
            "Rank (95% CI)",
        ]

    def test_zero_has_no_sign_and_one_possible_rank_no_interval(self) -> None:
        share = Figure(-0.0004, -0.00049, 0.0004)
        row = BoardRow("a", "A", {"tp": 1}, dict.fromkeys(OF_JUDGES, share))
        (cells,) = judges_table([(row, "")]).rows
        assert [cell.text for cell in cells[2:]] == ["0.0 (0.0–0.0)", "0.00 (0.00–0.00)", "0.0", "0.0", "0.0"]
        assert rank_words(Figure(1.0, 1.0, 1.0)) == "1"
        assert rank_words(Figure(2.0, 1.0, 3.0)) == "2 (1–3)"
        assert rank_words(Figure(2.0)) == "2"

    def test_counts_the_systems_that_it_has(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        data_import = DataImport.objects.filter(project=study).first()
        System.objects.create(project=study, data_import=data_import, name="mute", label="Mute")
        project = Project.objects.get(pk=study.pk)
        form = find_format("systems-csv")
        assert form is not None
        assert form.count(project) == len(read_tables(project=project).systems.rows) == 2


class TestJudges:
    def test_has_the_numbers_of_the_board(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        (row,) = [row for row in read_judge_board(project=study, intervals=True) if row.run]
        (found,) = rows_of(read_tables(project=study).judges.csv)
        assert (found["judge"], found["n"]) == (row.name, str(sum(row.counts.values())))
        assert found["signature"] == row.signature
        for name in ("accuracy_all", "cohen_kappa", "rejects_right", "accepts_wrong", "bias"):
            figure = row.figures[name]
            ends = (figure.value, figure.low, figure.high)
            printed = tuple(found[f"{name}{end}"] for end in ("", "_low", "_high"))
            assert printed == tuple("" if end is None else repr(end) for end in ends)

    def test_has_no_row_before_anything_is_decided(self, study: Project, exact_match: JudgeRun) -> None:
        assert read_tables(project=study).judges.rows == []
        form = find_format("judges-latex")
        assert form is not None
        assert form.count(study) == 0


@pytest.mark.parametrize("name", ["systems", "judges"])
def test_files_are_what_the_page_copies(
    name: str, study: Project, all_decided: None, exact_match: JudgeRun
) -> None:
    table = getattr(read_tables(project=study), name)
    for ending, text, file_name in (
        ("csv", table.csv, table.csv_name),
        ("latex", table.latex, table.latex_name),
    ):
        form = find_format(f"{name}-{ending}")
        assert form is not None
        assert form.file_name(study) == file_name
        assert "".join(form.lines(project=study, limit=None)) == text
        assert form.count(study) == len(table.rows)
        assert text.startswith("".join(form.lines(project=study, limit=3)).removesuffix("…\n"))


def test_leads_read_both_tables_and_annotators_neither(
    study: Project, all_decided: None, lead: User, annotators: list[Membership]
) -> None:
    body = ClientOf(lead).get("/api/projects/small/paper-tables").json()
    assert len(body["systems"]["rows"]) == 2
    assert ClientOf(annotators[0].user).get("/api/projects/small/paper-tables").status_code == 403


@pytest.mark.parametrize("key", ["systems-csv", "systems-latex", "judges-csv", "judges-latex"])
def test_a_preview_does_not_work_the_table_out(
    key: str, study: Project, all_decided: None, exact_match: JudgeRun, django_assert_num_queries: Any
) -> None:
    form, project = find_format(key), Project.objects.select_related("protocol").get(pk=study.pk)
    assert form is not None
    with django_assert_num_queries(0):
        assert len(preview_lines(project=project, form=form)) == 1

"""The report as one JSON object."""

import pytest

from analysis.intervals import Why
from analysis.raters.agreement import MissingVotes
from annotation.adjudication.models import Decision
from annotation.projects.models import Project
from commands.report_tables import report_lines
from common.figures import WHY
from judges.comparison.selectors.report import build_report
from judges.runs.models import JudgeRun
from tests.judges.comparison.conftest import Decider


class TestBuildReport:
    def test_has_the_documented_shape(
        self, study: Project, all_decided: None, exact_match: JudgeRun, token_f1: JudgeRun
    ) -> None:
        project = Project.objects.get(pk=study.pk)
        report = build_report(project=project, rules=list(MissingVotes))
        assert [entry["missing_votes"] for entry in report["agreement"]] == [
            "own-category",
            "drop",
            "as-incorrect",
            "as-correct",
        ]
        alpha = report["systems"][0]
        assert (alpha["name"], alpha["label"], alpha["n"]) == ("alpha", "Alpha", 3)
        assert alpha["scores"]["exact_match"]["correct"] == 1
        assert alpha["scores"]["token_f1"]["mean"] == pytest.approx(0.5)
        assert alpha["scores"]["human"]["correct"] == 3
        judge = report["judges"][0]
        assert judge["key"] == "exact_match"
        assert (judge["tp"], judge["fn"], judge["fp"], judge["tn"], judge["unscored"]) == (2, 2, 0, 1, 0)
        assert judge["kendall_tau_b"] == pytest.approx(-1.0)
        assert report["entire"][0]["n"] == 3

    def test_people_are_not_compared_with_themselves(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        report = build_report(project=Project.objects.get(pk=study.pk), rules=[MissingVotes.DROP])
        columns = {column["key"]: column for column in report["columns"]}
        assert columns["exact_match"]["kendall_tau_b"] == pytest.approx(-1.0)
        assert columns["human"]["kendall_tau_b"] is None
        assert columns["human"]["words"] == {"kendall_tau_b": WHY[Why.PEOPLE_THEMSELVES]}

    def test_a_judge_is_not_compared_with_what_verdicts_settled(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        Decision.objects.filter(candidate__text="Pacific").update(source="prejudged")
        report = build_report(project=Project.objects.get(pk=study.pk), rules=[MissingVotes.DROP])
        alpha = report["systems"][0]
        (judge,) = alpha["judges"]
        # What programs settled and nobody audited is not known to be what people would say.
        assert alpha["human_accuracy"] is None
        assert judge["tp"] + judge["fn"] + judge["fp"] + judge["tn"] == 2

    def test_the_text_has_no_column_of_people_where_most_answers_are_not_theirs(
        self, study: Project, decide: Decider, exact_match: JudgeRun
    ) -> None:
        study.questions.filter(position=0).update(in_sample=False)
        decide("Pacific", "correct")
        report = build_report(project=Project.objects.get(pk=study.pk), rules=[MissingVotes.DROP])
        lines = list(report_lines(report))
        start = next(place for place, line in enumerate(lines) if line.startswith("Systems, all questions"))
        header = lines[start + 1].split()
        assert "exact_match" in header
        assert "human" not in header
        assert any("no column for people" in line for line in lines[start:])

    def test_an_empty_project_is_reported_in_words(self, project: Project) -> None:
        report = build_report(project=project, rules=[MissingVotes.DROP])
        assert report["systems"] == report["entire"] == report["judges"] == []
        assert report["agreement"][0]["words"]["fleiss_kappa"]

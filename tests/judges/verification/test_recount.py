"""The recount agrees with the boards on every kind of study, and finds what was changed behind their back."""

from typing import Any

import pytest

from analysis.raters.agreement import MissingVotes
from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.gold.models import GoldChange
from annotation.gold.services.ledger import undo_change
from annotation.items.models import Candidate, GoldAnswer, Prediction
from annotation.judgments.models import Judgment
from annotation.projects.models import Membership, Project
from common.clock import now
from judges.comparison.selectors.report import build_report
from judges.prejudging.models import CalibrationAnswer, CalibrationSample, PrejudgedAnswer
from judges.release.selectors import read_published
from judges.runs.models import JudgeRun, Verdict
from judges.verification.rules.differences import Difference
from judges.verification.rules.study import UnreadableStudy, gather, read_lines
from judges.verification.rules.verifying import Findings, verify
from judges.verification.selectors import study_lines, study_rows
from tests.annotation.adjudication.factories import vote
from tests.judges.comparison.conftest import Decider, find_improper, make_run
from tests.judges.comparison.judge_board.test_audited import QUESTIONS, make_prejudged, probability

Report = dict[str, Any]


def read(project: Project) -> Report:
    return build_report(project=Project.objects.get(pk=project.pk), rules=list(MissingVotes))


def check(project: Project, report: Report | None = None) -> Findings:
    """Verify a report, as it is now unless told, against what is stored."""
    return verify(gather(study_rows(Project.objects.get(pk=project.pk))), report or read(project))


def assert_agrees(project: Project, *, least: int) -> None:
    found = check(project)
    assert found.numbers.differences == []
    assert found.labels == []
    assert found.numbers.not_recounted == []
    assert found.numbers.compared >= least


@pytest.fixture
def voted(study: Project, annotators: list[Membership]) -> Project:
    """Two raters judge everything and differ twice, of which a third breaks one tie."""
    texts = ["Paris", "the city of Paris", "Pacific", "William S.", "Marlowe"]
    first = dict.fromkeys(texts, "correct") | {"Marlowe": "incorrect"}
    second = first | {"the city of Paris": "incorrect", "William S.": "incorrect"}
    for _ in range(3):
        for rater, labels in zip(annotators, (first, second), strict=False):
            vote(rater=rater, labels=labels)
    vote(rater=annotators[2], labels=first)
    return Project.objects.get(pk=study.pk)


class TestAgrees:
    def test_on_an_empty_project(self, project: Project) -> None:
        assert_agrees(project, least=3)

    def test_on_a_study_without_verdicts(self, voted: Project) -> None:
        assert_agrees(voted, least=80)

    def test_on_a_decided_study(
        self,
        study: Project,
        all_decided: None,
        exact_match: JudgeRun,
        token_f1: JudgeRun,
    ) -> None:
        assert_agrees(study, least=130)

    def test_on_a_study_at_work(self, voted: Project, exact_match: JudgeRun) -> None:
        make_run(voted, "bem", {"Paris": 0.9, "Marlowe": None})
        assert_agrees(voted, least=150)

    def test_where_a_question_is_improper(
        self,
        study: Project,
        annotators: list[Membership],
        exact_match: JudgeRun,
    ) -> None:
        find_improper(study, by=annotators[0])
        assert read(study)["questions"]["sample"] == 2
        assert_agrees(study, least=30)

    def test_where_some_questions_are_not_judged(
        self,
        voted: Project,
        exact_match: JudgeRun,
    ) -> None:
        make_run(voted, "recorded:gpt", {"Paris": 1.0, "Marlowe": 1.0})
        voted.questions.filter(text="who wrote hamlet").update(in_sample=False)
        report = read(voted)
        assert report["questions"] == {"sample": 2, "entire": 3}
        assert_agrees(voted, least=120)

    def test_where_files_have_gold_of_their_own(
        self,
        study: Project,
        exact_match: JudgeRun,
        decide: Decider,
        lead: User,
    ) -> None:
        Prediction.objects.filter(text="William S.").update(golds=["william s", "Bard"])
        Prediction.objects.filter(system__name="beta", text="Pacific").update(golds=["Atlantic"])
        decide("Pacific", "correct")
        decide("William S.", "correct")
        change = GoldChange.objects.get(text="William S.", undone_at=None)
        undo_change(project=study, public_id=change.public_id, by=lead, reason="too short")
        assert_agrees(study, least=60)

    def test_where_gold_answers_are_patterns(
        self,
        study: Project,
        decide: Decider,
    ) -> None:
        GoldAnswer.objects.filter(text="Pacific").update(kind=GoldAnswer.Kind.REGEX, text="Pa[cx]ific")
        GoldAnswer.objects.filter(text="Shakespeare").update(kind=GoldAnswer.Kind.REGEX, text="Will.*")
        decide("William S.", "incorrect")
        decide("Marlowe", "correct")
        make_run(study, "recorded:gpt", {"Pacific": 0.0, "Marlowe": 1.0, "the city of Paris": 1.0})
        assert_agrees(study, least=60)

    @pytest.mark.django_db
    def test_where_programs_settled_answers(self) -> None:
        project = make_prejudged()
        report = read(project)
        assert report["prejudging"]["disagreed"] == 1
        assert report["systems"][0]["scores"]["corrected"] is not None
        found = check(project)
        assert found.numbers.differences == []
        # What a lead chose is no count.
        assert found.numbers.not_recounted == ["prejudging › audit_share"]
        PrejudgedAnswer.objects.filter(candidate__text="answer 0").update(audit_probability=0.5)
        assert check(project).numbers.differences == []
        assert check(project, report).numbers.differences != []

    @pytest.mark.django_db
    def test_who_decided_the_answers_as_the_paragraph_counts_them(self) -> None:
        project = make_prejudged()
        sample = CalibrationSample.objects.create(
            project=project, number=1, seed=1, population=40, probability=0.1, newest_answer=0, drawn_at=now()
        )
        for answer in Candidate.objects.filter(
            project=project, text__in=("answer 4", "answer 30", "answer 31")
        ):
            CalibrationAnswer.objects.create(sample=sample, candidate=answer)
        report = read_published(project=project, rules=[])
        who = (
            "5 decided by people in the audit, 2 decided by people in the calibration sample, and 18 decided"
        )
        assert who in report["methods"]["text"]
        assert check(project, report).numbers.differences == []
        CalibrationAnswer.objects.filter(candidate__text="answer 30").delete()
        changed = [each.place for each in check(project, report).numbers.differences]
        assert changed == ["methods › decided by › calibrated", "methods › decided by › others"]

    @pytest.mark.django_db
    def test_where_a_judge_says_how_probable_answers_are(self) -> None:
        project = make_prejudged()
        by_rules = read(project)["systems"][0]["scores"]["corrected"]
        said = {f"answer {n}": probability(n) if n % 7 else None for n in range(QUESTIONS)}
        make_run(project, "learned", said)
        PrejudgedAnswer.objects.filter(candidate__text="answer 1").update(audit_probability=0.5)
        report = read(project)
        assert report["systems"][0]["scores"]["corrected"] != by_rules
        assert check(project, report).numbers.differences == []
        JudgeRun.objects.filter(judge_key="learned").update(gold_version="amended-1")
        assert check(project, report).numbers.differences != []


class TestFinds:
    def test_a_tampered_figure_of_the_report_with_its_place(
        self,
        study: Project,
        all_decided: None,
        exact_match: JudgeRun,
    ) -> None:
        report = read(study)
        report["systems"][0]["scores"]["human"]["accuracy"] = 0.9
        report["judges"][0]["tp"] += 1
        assert check(study, report).numbers.differences == [
            Difference("judges › exact_match › tp", 3, 2),
            Difference("systems › alpha › scores › human › accuracy", 0.9, 1.0),
        ]

    def test_a_figure_that_is_gone(self, study: Project, exact_match: JudgeRun) -> None:
        report = read(study)
        del report["systems"][0]["n"]
        assert check(study, report).numbers.differences == [Difference("systems › alpha › n", None, 3)]

    def test_a_vote_changed_behind_its_history(self, voted: Project) -> None:
        report = read(voted)
        judged = Judgment.objects.filter(candidate__text="Marlowe").order_by("pk")[0]
        Judgment.objects.filter(pk=judged.pk).update(label="correct")
        found = check(voted)
        assert [(each.stored, each.comes_to) for each in found.labels] == [
            ("correct", "incorrect"),
            # Two raters who differ decide nothing.
            ("incorrect", "nothing"),
        ]
        assert judged.rater.pseudonym in found.labels[0].place
        assert any(each.place.startswith("agreement") for each in check(voted, report).numbers.differences)

    def test_a_decision_that_is_not_what_the_votes_say(self, voted: Project) -> None:
        Decision.objects.in_force().filter(candidate__text="Marlowe").update(label="correct")
        (found,) = check(voted).labels
        assert (found.stored, found.comes_to) == ("correct", "incorrect")

    def test_a_verdict_changed_since_the_report(
        self,
        study: Project,
        all_decided: None,
        exact_match: JudgeRun,
    ) -> None:
        report = read(study)
        Verdict.objects.filter(run=exact_match, candidate__text="Marlowe").update(accepted=True)
        places = [each.place for each in check(study, report).numbers.differences]
        assert "systems › beta › scores › exact_match › correct" in places
        assert "judges › exact_match › fp" in places

    def test_a_verdict_that_its_judge_does_not_give(
        self,
        study: Project,
        exact_match: JudgeRun,
    ) -> None:
        JudgeRun.objects.update(stated=[["judge", "exact_match"], ["revision", "1"]])
        assert check(study).labels == []
        Verdict.objects.filter(candidate__text="Marlowe").update(accepted=True, score=1.0)
        (found,) = check(study).labels
        assert (found.stored, found.comes_to) == ("True, 1.0", "False, 0.0")

    def test_a_board_that_counts_wrong(
        self,
        study: Project,
        all_decided: None,
        exact_match: JudgeRun,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        """The recount uses neither the boards' arrays nor what they keep."""
        monkeypatch.setattr("judges.comparison.rules.study.ACCEPTED", 1)
        monkeypatch.setattr("judges.comparison.selectors.judge_board.judged.ACCEPTED", 1)
        assert check(study).numbers.differences != []


class TestTheFile:
    def lines(self, project: Project) -> list[str]:
        return list(study_lines(project=Project.objects.get(pk=project.pk)))

    def test_says_the_same_as_the_database(self, voted: Project, exact_match: JudgeRun) -> None:
        lines = self.lines(voted)
        assert gather(read_lines(lines)) == gather(study_rows(Project.objects.get(pk=voted.pk)))
        assert lines == self.lines(voted)
        assert len(list(study_lines(project=voted, limit=3))) == 3

    def test_names_no_account(self, voted: Project) -> None:
        written = "".join(self.lines(voted))
        for member in voted.members.select_related("user"):
            assert member.user.username not in written
            assert member.user.name not in written

    @pytest.mark.parametrize(
        ("line", "words"),
        [
            ("{", "Line 2"),
            ('{"kind": "wish"}', "Line 2"),
            ('{"kind": "system", "nome": "x"}', "Line 2"),
            ("[]", "Line 2"),
            ('{"kind": "head", "project": "x", "protocol": null, "format": "other/9"}', "other/9"),
            ('{"kind": "head", "project": "x", "protocol": null}', "2"),
        ],
    )
    def test_a_line_that_cannot_be_read_is_named(self, line: str, words: str) -> None:
        head = '{"kind": "head", "project": "x", "protocol": null}'
        with pytest.raises(UnreadableStudy, match=words):
            gather(read_lines([head, line]))

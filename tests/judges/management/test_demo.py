"""The demo study: loaded once, and with something to show to everybody."""

import pytest
from django.contrib.auth import authenticate
from django.core.management import call_command
from django.db.models import Count, Q

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.selectors import list_queue
from annotation.assignments.models import QuestionFlag
from annotation.assignments.selectors import open_candidates
from annotation.gold.models import GoldChange
from annotation.items.models import Candidate, DataImport, System
from annotation.judgments.models import Judgment
from annotation.projects.models import Project
from judges.management.demo import PASSWORD, PEOPLE, load_demo_study


@pytest.fixture
def study(db: None) -> Project:
    return load_demo_study()


class TestLoadDemoStudy:
    def test_every_page_has_something_to_show(self, study: Project) -> None:
        assert study.questions.count() == 44
        assert System.objects.filter(project=study).exclude(description={}).count() == 6
        assert set(DataImport.objects.values_list("state", "problem_count")) == {("applied", 0)}
        assert set(Decision.objects.values_list("source", flat=True)) == {
            *("unanimous", "majority", "adjudicated")
        }
        assert set(GoldChange.objects.values_list("action", flat=True)) == {"added", "removed"}
        assert QuestionFlag.objects.count() == 5
        assert {item.reason for item in list_queue(project=study)} == {"cannot_judge", "out_of_raters"}
        assert study.judge_runs.count() == 4
        votes = Candidate.objects.filter(state=Candidate.State.DECIDED).annotate(
            votes=Count("judgments", filter=Q(judgments__state=Judgment.State.COUNTED))
        )
        assert set(votes.values_list("votes", flat=True)) == {2, 3}

    def test_both_annotators_have_a_history_and_open_work(self, study: Project) -> None:
        for member in study.members.filter(user__username__in=["annotator1", "annotator2"]):
            assert Judgment.objects.filter(rater=member).exclude(comment="").count() > 10
            assert open_candidates(rater=member).values("question").distinct().count() >= 8

    def test_loading_again_changes_nothing(self, study: Project) -> None:
        before = Judgment.objects.count(), User.objects.count()
        assert load_demo_study() == study
        assert (Judgment.objects.count(), User.objects.count()) == before

    def test_the_command_prints_logins_that_work(self, db: None, capsys: pytest.CaptureFixture[str]) -> None:
        call_command("load_demo")
        printed = capsys.readouterr().out
        for username in PEOPLE:
            assert username in printed
            assert authenticate(None, username=username, password=PASSWORD) is not None

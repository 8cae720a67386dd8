"""The demo studies: loaded once, and with something to show to everybody."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth import authenticate
from django.core.management import call_command
from django.db.models import Count, Q
from pytest_django import DjangoDbBlocker

from analysis.prejudging.planning import FEWEST_LABELS
from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.selectors.queue import read_queue
from annotation.agreement.selectors.reports import Way, read_report
from annotation.assignments.models import QuestionFlag
from annotation.assignments.selectors.open_work import open_candidates
from annotation.gold.models import GoldChange
from annotation.items.models import Candidate, DataImport, System
from annotation.judgments.models import CheckAnswer, Judgment
from annotation.known_answers.selectors import is_training_due
from annotation.projects.models import Project
from annotation.projects.selectors import list_activity
from commands.demo import PASSWORD, PEOPLE, load_demo_studies
from common.clock import now
from judges.comparison.rules.study import Filter
from judges.comparison.selectors.leaderboard.corrected import read_corrected
from judges.prejudging.models import Certificate, PrejudgedAnswer
from judges.registry import display_name
from judges.tagging.models import Tagging
from tests.conftest import made_once

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def loaded(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[list[Project]]:
    """The demo studies, loaded once for all tests of this file and taken back at its end."""
    with made_once(django_db_blocker, load_demo_studies) as made:
        yield made


@pytest.fixture
def studies(loaded: list[Project], db: None) -> list[Project]:
    return loaded


@pytest.fixture
def study(studies: list[Project]) -> Project:
    return studies[0]


class TestLoadDemoStudies:
    def test_every_page_has_something_to_show(self, study: Project) -> None:
        assert study.questions.count() == 44
        assert System.objects.filter(project=study).exclude(description={}).count() == 6
        assert set(DataImport.objects.values_list("state", "problem_count")) == {("applied", 0)}
        sources = Decision.objects.filter(candidate__project=study).values_list("source", flat=True)
        assert set(sources) == {"unanimous", "majority", "adjudicated"}
        assert set(GoldChange.objects.values_list("action", flat=True)) == {"added", "removed"}
        assert QuestionFlag.objects.filter(question__project=study).count() == 5
        assert {item.reason for item in read_queue(project=study).items} == {"cannot_judge", "out_of_raters"}
        assert study.judge_runs.count() == 5
        assert "Magpie 2 LLM (recorded)" in {display_name(run.judge_key) for run in study.judge_runs.all()}
        votes = Candidate.objects.filter(state=Candidate.State.DECIDED).annotate(
            votes=Count("judgments", filter=Q(judgments__state=Judgment.State.COUNTED))
        )
        assert set(votes.filter(project=study).values_list("votes", flat=True)) == {2, 3}
        assert study.questions.values("dataset").distinct().count() == 2
        assert study.connections.get().name.endswith("(example, not connected)")
        assert study.prompts.count() == 1

    def test_the_other_one_is_decided_to_the_end(self, studies: list[Project]) -> None:
        study = studies[1]
        assert study.questions.filter(in_sample=True).count() == 34
        asked = Candidate.objects.filter(project=study, question__in_sample=True)
        assert set(asked.values_list("state", flat=True)) == {Candidate.State.DECIDED}
        assert read_queue(project=study).items == []

    def test_the_decided_one_has_question_checks_on_which_annotators_differ(
        self, studies: list[Project]
    ) -> None:
        assert [CheckAnswer.objects.filter(question__project=each).count() > 0 for each in studies] == [
            False,
            True,
            False,
        ]
        said = CheckAnswer.objects.filter(question__project=studies[1], round="first")
        asked = studies[1].questions.filter(in_sample=True).count()
        for key in ("ambiguous", "changes_over_time"):
            of_check = said.filter(check_key=key)
            # Both annotators of every question, and whoever breaks a tie on it.
            assert of_check.values("question").distinct().count() == asked < of_check.count() / 2
            of_question = of_check.values("question").annotate(
                yes=Count("pk", filter=Q(answer=True)), no=Count("pk", filter=Q(answer=False))
            )
            assert of_question.filter(yes__gt=0, no=0).exists()
            assert of_question.filter(yes__gt=0, no__gt=0).exists()
            assert of_question.filter(yes=0).exists()
            assert read_report(project=studies[1], way=Way(check=key)).disagreements > 0

    def test_what_is_decided_is_tagged_and_set_beside_published_numbers(self, studies: list[Project]) -> None:
        study = studies[1]
        rounds = {each.tag_set.key: each for each in study.tagging_rounds.all()}
        assert set(rounds) == {"kamalloo", "evouna-evaluators"}
        for each in rounds.values():
            tagged = Tagging.objects.in_force().filter(item__round=each).count()
            assert 0 < tagged < each.items.count()
        assert study.reference_scores.count() == 4
        assert all("(invented)" in name for name in study.reference_scores.values_list("name", flat=True))
        assert [each.answer_views.count() for each in studies] == [2, 2, 0]

    def test_a_certified_judge_settled_the_third_but_for_an_audit(self, studies: list[Project]) -> None:
        study = studies[2]
        certificate = Certificate.objects.get(sample__project=study)
        assert (certificate.refusal, certificate.lapse) == ("", "")
        settled = PrejudgedAnswer.objects.filter(application__project=study)
        assert settled.filter(is_audited=False).count() > 20
        assert settled.filter(is_audited=True).count() >= 20
        asked = Candidate.objects.filter(project=study, question__in_sample=True)
        assert set(asked.values_list("state", flat=True)) == {Candidate.State.DECIDED}
        sources = Decision.objects.in_force().filter(candidate__project=study)
        assert "prejudged" in set(sources.values_list("source", flat=True))
        # Fewer, and a system has no corrected score.
        board = read_corrected(project=study, wanted=Filter())
        assert min(row.labels for row in board.rows) >= FEWEST_LABELS
        assert {row.people.why for row in board.rows} == {None}

    def test_a_newcomer_trains_first(self, studies: list[Project]) -> None:
        for member in studies[2].members.filter(role="annotator"):
            assert is_training_due(rater=member) == (member.user.username == "newcomer")
        newcomer = studies[2].members.get(user__username="newcomer")
        first, second = newcomer.training_attempts.order_by("number")
        assert (first.answers.filter(is_right=True).count(), first.answers.count()) == (3, 6)
        assert second.finished_at is None

    def test_the_one_at_work_has_tags_training_and_published_numbers_too(self, study: Project) -> None:
        for each in study.tagging_rounds.all():
            tagged = Tagging.objects.in_force().filter(item__round=each).count()
            assert 0 < tagged < each.items.count()
        assert study.tagging_rounds.count() == 2
        assert study.reference_scores.count() == 4
        assert study.known_answers.exclude(explanation="").count() == 6
        assert not any(is_training_due(rater=member) for member in study.members.filter(role="annotator"))

    def test_known_answers_and_activity_have_something_to_show(self, studies: list[Project]) -> None:
        words = Path("frontend/src/features/settings/activity-words.ts").read_text(encoding="utf-8")
        for each in studies:
            assert each.known_answers.count() == 6
            noted = list(list_activity(each))
            assert len(noted) == 8
            assert all(f"  {entry.operation}: " in words for entry in noted)
            assert all(entry.finished_at == entry.begun_at < now() for entry in noted)

    def test_both_annotators_have_a_history_and_open_work(self, study: Project) -> None:
        for member in study.members.filter(user__username__in=["annotator1", "annotator2"]):
            assert Judgment.objects.filter(rater=member).exclude(comment="").count() > 10
            assert open_candidates(rater=member).values("question").distinct().count() >= 8

    def test_loading_again_changes_nothing(self, studies: list[Project]) -> None:
        before = Judgment.objects.count(), User.objects.count()
        assert load_demo_studies() == studies
        assert (Judgment.objects.count(), User.objects.count()) == before

    def test_the_command_prints_logins_that_work(
        self, studies: list[Project], capsys: pytest.CaptureFixture[str]
    ) -> None:
        call_command("load_demo")
        printed = capsys.readouterr().out
        for username in PEOPLE:
            assert username in printed
            assert authenticate(None, username=username, password=PASSWORD) is not None

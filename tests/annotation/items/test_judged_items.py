"""Answers that come with people's votes: pooled, replayed, kept apart where votes differ, taken back."""

import json
from typing import Any

import pytest

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.assignments.models import Assignment
from annotation.assignments.services.handing_out import hand_out
from annotation.items.models import Candidate, DataImport, Prediction, Question, System
from annotation.items.services.applying import undo_import
from annotation.judgments.models import CheckAnswer, Judgment
from annotation.projects.models import Membership, Project
from tests.annotation.items.conftest import import_into, upload_to
from tests.factories import make_member, make_project

GROUP = "fid+gpt35+chatgpt"


@pytest.fixture
def project(lead: User) -> Project:
    return make_project(lead=lead, slug="evouna", preset="evouna")


def row(question: str, *, improper: bool = False, **said: tuple[Any, Any]) -> dict[str, Any]:
    """A row: by system its answer and the verdict on it."""
    answers = {f"answer_{system}": answer for system, (answer, _) in said.items()}
    votes = {f"judge_{system}": verdict for system, (_, verdict) in said.items()}
    return {"question": question, "golden_answer": "Rome/Roma", **answers, **votes, "improper": improper}


def import_rows(project: Project, *rows: dict[str, Any], **options: Any) -> DataImport:
    return import_into(project, files={"NQ.json": json.dumps(list(rows))}, **options)


def decisions() -> set[tuple[str, str, str]]:
    """System, its answer, and what was decided of it."""
    rows = Prediction.objects.filter(candidate__decisions__is_current=True)
    return set(rows.values_list("system__name", "text", "candidate__decisions__label"))


class TestImport:
    def test_what_raters_said_before_stays_and_is_named(self, project: Project) -> None:
        import_rows(project, row("capital", fid=("Rome", True)))
        again = row("capital", improper=True, gpt35=("Rome", False), chatgpt=("Roma!", True))
        made = upload_to(project, files={"more.json": json.dumps([again])})
        assert [(each["code"], each["line"]) for each in made.problems] == [
            ("vote_differs", 1),
            ("mark_differs", 1),
        ]
        assert made.counts["votes"] == 1

    def test_equal_answers_with_different_votes_in_two_files_stay_apart(self, project: Project) -> None:
        files = {
            "one.json": json.dumps([row("capital", fid=("Rome", True))]),
            "two.json": json.dumps([row("capital", gpt35=("Rome", False))]),
        }
        made = import_into(project, files=files)
        assert decisions() == {("fid", "Rome", "correct"), ("gpt35", "Rome", "incorrect")}
        assert [(each["file"], each["code"]) for each in made.problems] == [("two.json", "votes_differ")]
        assert made.counts["votes"] == Judgment.objects.count() == 2

    def test_every_vote_becomes_a_decision(self, project: Project) -> None:
        made = import_rows(
            project, row("capital", fid=("Rome", True), gpt4=("It is Rome.", True), newbing=("Paris", False))
        )
        assert made.state == DataImport.State.APPLIED
        assert made.format == "evouna"
        assert decisions() == {
            ("fid", "Rome", "correct"),
            ("gpt4", "It is Rome.", "correct"),
            ("newbing", "Paris", "incorrect"),
        }
        assert dict(System.objects.values_list("name", "group")) == {
            "fid": GROUP,
            "gpt4": "gpt4",
            "newbing": "newbing",
        }

    def test_each_group_has_a_rater_of_its_own_who_answers_the_checks_once(self, project: Project) -> None:
        import_rows(project, row("a", fid=("Rome", True), gpt4=("Rome", True)), row("b", gpt4=("x", False)))
        raters = Membership.objects.filter(user__is_imported=True)
        assert set(raters.values_list("user__name", "group")) == {(GROUP, GROUP), ("gpt4", "gpt4")}
        assert CheckAnswer.objects.count() == 2 * 3
        assert not CheckAnswer.objects.filter(answer=True).exists()

    def test_equal_answers_of_a_group_are_one_and_of_two_groups_are_two(self, project: Project) -> None:
        import_rows(project, row("a", fid=("Rome", True), gpt35=("rome.", True), gpt4=("Rome", True)))
        assert Candidate.objects.count() == 2
        assert Judgment.objects.count() == 2
        assert len(decisions()) == 3

    def test_equal_answers_that_were_judged_differently_stay_apart(self, project: Project) -> None:
        data = {"NQ.json": json.dumps([row("a", gpt35=("Rome", False), chatgpt=("Rome.", True))])}
        checked = upload_to(project, files=data)
        assert [problem["code"] for problem in checked.problems] == ["votes_differ"]
        assert (checked.counts["votes"], checked.counts["answers"]) == (2, 2)
        import_into(project, files=data)
        assert decisions() == {("gpt35", "Rome", "incorrect"), ("chatgpt", "Rome.", "correct")}

    def test_an_answer_without_a_vote_waits_for_raters(self, project: Project) -> None:
        import_rows(project, row("a", fid=("Rome", None), gpt4=("Rome", True)))
        waiting = Candidate.objects.get(state=Candidate.State.OPEN)
        assert (waiting.group, waiting.taken, waiting.wanted) == (GROUP, 0, 1)

    def test_only_answers_without_a_settling_vote_are_counted_as_work(self, project: Project) -> None:
        made = import_rows(
            project,
            row("a", fid=("Rome", True), gpt35=("rome.", True), newbing=("Paris", None), gpt4=("x", False)),
            row("b", improper=True, fid=("Rome", None), gpt4=("x", None)),
            row("c", fid=("Rome", None)),
        )
        assert made.counts["answers_to_judge"] == 2
        assert Candidate.objects.filter(state=Candidate.State.OPEN).count() == 2

    def test_a_vote_that_settles_nothing_yet_leaves_its_answer_to_judge(self, lead: User) -> None:
        plain = make_project(lead=lead, slug="plain", preset="openqa-eval")
        rows = row("a", fid=("Rome", True), gpt4=("Rome", True), newbing=("Paris", True))
        made = import_rows(plain, rows)
        assert made.counts["answers_to_judge"] == 1
        assert Candidate.objects.filter(state=Candidate.State.OPEN).count() == 1

    def test_rows_of_one_question_are_two_questions(self, project: Project) -> None:
        import_rows(project, row("a", fid=("Rome", True)), row("a", fid=("Paris", False)))
        assert Question.objects.count() == 2
        assert len(decisions()) == 2

    def test_a_protocol_without_groups_pools_all_systems(self, lead: User) -> None:
        plain = make_project(lead=lead, slug="plain", preset="openqa-eval")
        made = import_rows(plain, row("a", improper=True, fid=("Rome", True), gpt4=("Rome", True)))
        assert [problem["code"] for problem in made.problems] == ["no_check"]
        assert list(Decision.objects.values_list("label", "source")) == [("correct", "unanimous")]

    def test_answers_without_a_group_are_told_where_the_protocol_needs_one(self, project: Project) -> None:
        items = {"question": "a", "golden_answer": "Rome", "answer_fid": "Rome", "answer_gpt4": "Paris"}
        made = upload_to(project, files={"NQ.json": json.dumps([items])})
        assert [(problem["code"], problem["severity"]) for problem in made.problems] == [
            ("no_groups", "warning")
        ]
        assert "2 answers belong to no group" in made.problems[0]["message"]
        named = upload_to(project, files={"NQ.json": json.dumps([items])}, group="fid+gpt4")
        assert named.problems == []


class TestImproper:
    @pytest.fixture
    def imported(self, project: Project) -> DataImport:
        return import_rows(
            project,
            row("a", improper=True, fid=("Rome", None), chatgpt=("x", False), gpt4=("y", None)),
            row("b", fid=("Rome", True)),
        )

    def test_all_raters_say_yes_to_one_check(self, imported: DataImport) -> None:
        yes = CheckAnswer.objects.filter(answer=True)
        assert set(yes.values_list("question__text", "check_key", "rater__group")) == {
            ("a", "gold_improper", GROUP),
            ("a", "gold_improper", "gpt4"),
        }

    def test_votes_given_nonetheless_are_kept_and_not_counted(self, imported: DataImport) -> None:
        assert imported.counts["improper_questions"] == 1
        assert len(decisions()) == 1
        vote = Judgment.objects.get(candidate__question__text="a")
        assert (vote.state, vote.label) == (Judgment.State.SURPLUS, "incorrect")
        skipped = Assignment.objects.filter(state=Assignment.State.SKIPPED)
        assert set(skipped.values_list("skip_reason", flat=True)) == {"check:gold_improper"}

    def test_nobody_is_asked_about_them_any_more(self, project: Project, imported: DataImport) -> None:
        assert set(Candidate.objects.values_list("question__text", "state")) == {
            ("a", "unasked"),
            ("b", "decided"),
        }
        assert hand_out(rater=make_member(project=project)) == []

    def test_it_can_be_undone_whole(self, imported: DataImport) -> None:
        undo_import(data_import=imported)
        assert not Question.objects.exists()
        assert not Judgment.objects.exists()
        assert not CheckAnswer.objects.exists()

import pytest
from django.db import IntegrityError, transaction

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.services.deciding import decide_answer
from annotation.adjudication.services.recorded import replay_votes
from annotation.gold.models import GoldChange
from annotation.gold.selectors.ledger import gold_lists, gold_version, ledger_summary, list_conflicts
from annotation.gold.services.ledger import AlreadyUndone, ReasonMissing, amend_questions, undo_change
from annotation.items.events import ItemsChanged
from annotation.items.formats.records import Vote
from annotation.items.models import Candidate, GoldAnswer
from annotation.projects.models import Project
from common.clock import now
from common.events import publish
from tests.annotation.adjudication.factories import make_answers, make_ballot

YES, NO = "correct", "incorrect"


@pytest.fixture
def answers(project: Project) -> list[Candidate]:
    return make_answers(
        project=project, question="capital of france", gold=["Paris", "lyon"], texts=["Lyon", "paris", "Nice"]
    )


@pytest.fixture
def judged(project: Project, answers: list[Candidate]) -> list[Candidate]:
    """Lyon rejected, paris accepted, Nice rejected, all by agreement."""
    words = ["No", "Yes", "No"]
    ballots = [
        make_ballot(answer.pk, [Vote("r1", word), Vote("r2", word)])
        for answer, word in zip(answers, words, strict=True)
    ]
    replay_votes(project=project, ballots=ballots)
    return answers


def ledger() -> list[tuple[str, str, bool]]:
    return [(row.action, row.text, row.undone_at is None) for row in GoldChange.objects.order_by("pk")]


def current(project: Project) -> tuple[str, ...]:
    (answers,) = gold_lists(project, amended=True).values()
    return answers


def accept_and_reject(project: Project) -> list[Candidate]:
    """Have two raters accept one answer and reject another that exact match holds equal."""
    answers = make_answers(project=project, question="who", texts=["abraham", "Abraham"])
    ballots = [
        make_ballot(answer.pk, [Vote("r1", word), Vote("r2", word)])
        for answer, word in zip(answers, ["Yes", "No"], strict=True)
    ]
    replay_votes(project=project, ballots=ballots)
    return answers


class TestAmendQuestions:
    def test_decisions_change_the_gold_list(self, project: Project, judged: list[Candidate]) -> None:
        assert ledger() == [("added", "paris", True), ("removed", "lyon", True)]
        assert current(project) == ("Paris", "paris")
        assert list(gold_lists(project, amended=False).values()) == [("Paris", "lyon")]

    def test_amending_again_changes_nothing(self, project: Project, judged: list[Candidate]) -> None:
        before = list(GoldChange.objects.values())
        amend_questions(project_id=project.pk, question_ids=[judged[0].question_id])
        assert list(GoldChange.objects.values()) == before

    def test_another_decision_undoes_the_change_and_keeps_its_row(
        self, project: Project, judged: list[Candidate], lead: User
    ) -> None:
        decide_answer(
            project=project, candidate_id=judged[1].public_id, by=lead, label=NO, reason="lower case"
        )
        # "paris" is rejected now: its addition falls, and there is no such gold answer to remove.
        assert ledger() == [("added", "paris", False), ("removed", "lyon", True)]
        assert current(project) == ("Paris",)

    def test_the_same_label_decided_anew_is_a_change_of_its_own(
        self, project: Project, judged: list[Candidate], lead: User
    ) -> None:
        decide_answer(
            project=project, candidate_id=judged[1].public_id, by=lead, label=YES, reason="Yes indeed."
        )
        assert ledger()[-1] == ("added", "paris", True)
        assert GoldChange.objects.latest("pk").reason == "Yes indeed."
        assert GoldChange.objects.latest("pk").changed_by == lead

    def test_a_row_that_stands_twice_makes_one_change(self, project: Project) -> None:
        first, second = make_answers(project=project, question="q", texts=["a", "b"])
        Candidate.objects.filter(pk=second.pk).update(text="a")
        votes = [Vote("r1", "Yes"), Vote("r2", "Yes")]
        replay_votes(project=project, ballots=[make_ballot(first.pk, votes), make_ballot(second.pk, votes)])
        assert ledger() == [("added", "a", True)]

    def test_what_people_accepted_stays_where_they_rejected_an_equal_answer(self, project: Project) -> None:
        accept_and_reject(project)
        assert current(project) == ("abraham",)
        (found,) = list_conflicts(project=project)
        assert (found.question, found.accepted, found.rejected) == ("who", "abraham", "Abraham")

    def test_a_conflict_is_over_once_people_agree(self, project: Project, lead: User) -> None:
        first, second = make_answers(project=project, question="who", texts=["abraham", "Abraham"])
        for answer, label in ((first, YES), (second, NO)):
            decide_answer(project=project, candidate_id=answer.public_id, by=lead, label=label, reason="why")
        assert len(list_conflicts(project=project)) == 1
        decide_answer(project=project, candidate_id=first.public_id, by=lead, label=NO, reason="settled")
        assert list_conflicts(project=project) == ()
        assert current(project) == ()

    def test_what_only_a_program_accepted_leaves(self, project: Project) -> None:
        answers = accept_and_reject(project)
        Decision.objects.filter(candidate=answers[0]).update(source=Decision.Source.PREJUDGED)
        amend_questions(project_id=project.pk, question_ids=[answers[0].question_id])
        assert current(project) == ()
        assert list_conflicts(project=project) == ()

    def test_what_a_rater_and_a_judge_accepted_stays(self, project: Project) -> None:
        answers = accept_and_reject(project)
        Decision.objects.filter(candidate=answers[0]).update(source=Decision.Source.ROUTED)
        amend_questions(project_id=project.pk, question_ids=[answers[0].question_id])
        assert current(project) == ("abraham",)
        assert len(list_conflicts(project=project)) == 1

    def test_a_change_is_in_force_once(self, judged: list[Candidate]) -> None:
        change = GoldChange.objects.first()
        assert change is not None
        with pytest.raises(IntegrityError), transaction.atomic():
            GoldChange.objects.create(
                question=change.question,
                action=change.action,
                text=change.text,
                text_hash=change.text_hash,
                rule="by hand",
                changed_at=now(),
            )


class TestAmendProject:
    def test_gold_answers_that_come_after_the_decisions_are_amended_too(
        self, project: Project, judged: list[Candidate]
    ) -> None:
        question = judged[0].question
        late = GoldAnswer(question=question, data_import=question.data_import, text="Nice", position=2)
        late.save()
        publish(ItemsChanged(project_id=project.pk))
        assert ledger()[-1] == ("removed", "Nice", True)
        assert current(project) == ("Paris", "paris")

    def test_changes_fall_with_the_gold_answers_they_were_about(
        self, project: Project, judged: list[Candidate]
    ) -> None:
        GoldAnswer.objects.filter(text="lyon").delete()
        publish(ItemsChanged(project_id=project.pk))
        assert ledger() == [("added", "paris", True), ("removed", "lyon", False)]


class TestUndoChange:
    def test_an_undone_change_stays_undone_whatever_is_decided_beside_it(
        self, project: Project, judged: list[Candidate], lead: User
    ) -> None:
        change = GoldChange.objects.get(action="added")
        undo_change(project=project, public_id=change.public_id, by=lead, reason="A variant of Paris.")
        decide_answer(
            project=project, candidate_id=judged[2].public_id, by=lead, label=YES, reason="a city, too"
        )
        assert current(project) == ("Paris", "Nice")

    def test_another_decision_on_the_answer_brings_it_back(
        self, project: Project, judged: list[Candidate], lead: User
    ) -> None:
        change = GoldChange.objects.get(action="added")
        undo_change(project=project, public_id=change.public_id, by=lead, reason="A variant of Paris.")
        decide_answer(
            project=project, candidate_id=judged[1].public_id, by=lead, label=YES, reason="No, keep."
        )
        assert current(project) == ("Paris", "paris")
        assert len(ledger()) == 3

    def test_it_needs_a_reason_and_happens_once(
        self, project: Project, judged: list[Candidate], lead: User
    ) -> None:
        change = GoldChange.objects.get(action="added")
        with pytest.raises(ReasonMissing):
            undo_change(project=project, public_id=change.public_id, by=lead, reason=" ")
        undo_change(project=project, public_id=change.public_id, by=lead, reason="why")
        with pytest.raises(AlreadyUndone):
            undo_change(project=project, public_id=change.public_id, by=lead, reason="why")


class TestGoldVersion:
    def test_the_version_follows_the_state_not_the_way_there(
        self, project: Project, judged: list[Candidate], lead: User
    ) -> None:
        assert gold_version(project, amended=False) == "original"
        amended = gold_version(project, amended=True)
        decide_answer(project=project, candidate_id=judged[1].public_id, by=lead, label=NO, reason="why")
        assert gold_version(project, amended=True) != amended
        decide_answer(project=project, candidate_id=judged[1].public_id, by=lead, label=YES, reason="why")
        assert gold_version(project, amended=True) == amended

    def test_the_summary_counts_what_is_in_force(self, project: Project, judged: list[Candidate]) -> None:
        summary = ledger_summary(project=project)
        assert (summary.original, summary.added, summary.removed) == (2, 1, 1)

    def test_gold_lists_take_three_queries_however_many_questions(
        self,
        project: Project,
        judged: list[Candidate],
        django_assert_num_queries,
    ) -> None:
        for number in range(5):
            make_answers(project=project, question=f"q{number}", gold=["a"])
        with django_assert_num_queries(3):
            assert len(gold_lists(project, amended=True)) == 6

from typing import Any

import pytest

from annotation.assignments.services.handing_out import NotHandedOut, hand_out
from annotation.items.models import Candidate, Passage
from annotation.judgments.models import Judgment
from annotation.known_answers.models import KnownAnswer, TrainingAnswer, TrainingPass
from annotation.known_answers.rules import TrainingResult
from annotation.known_answers.selectors import list_trainees, training_of
from annotation.known_answers.services import (
    Feedback,
    NoTraining,
    UnusableTrainingSheet,
    answer_training,
    let_through,
    mark_known,
    start_again,
    withdraw_mark,
)
from annotation.projects.models import Membership, Project
from annotation.projects.services.protocols import set_protocol
from tests.annotation.assignments.factories import make_question
from tests.annotation.known_answers.factories import make_known, use_plan
from tests.factories import read_what_is_new


@pytest.fixture
def rater(project: Project, annotators: list[Membership]) -> Membership:
    """Somebody new in a project with work, a training of two questions and a mark of 75%."""
    make_question(project=project)
    for _ in range(2):
        make_known(project=project, use="training")
    use_plan(project, is_training=True, pass_share=0.75, least_answers=4, known_share=0)
    return annotators[0]


def judge_sheet(rater: Membership, label: str) -> list[Feedback]:
    sheet = training_of(rater=rater).sheet
    assert sheet is not None
    labels = {item.id: label for item in sheet.answers}
    return answer_training(rater=rater, question_id=sheet.question_id, labels=labels)


class TestTraining:
    def test_no_work_is_handed_out_before_it_is_passed(self, rater: Membership) -> None:
        with pytest.raises(NotHandedOut) as refused:
            hand_out(rater=rater)
        assert refused.value.error_code == "training_due"
        for _ in range(2):
            judge_sheet(rater, "correct")
        assert training_of(rater=rater).state == "passed"
        assert len(hand_out(rater=rater)) == 1

    def test_each_sheet_is_answered_with_what_is_right_and_why(self, rater: Membership) -> None:
        feedback = judge_sheet(rater, "incorrect")
        assert {item.is_right for item in feedback} == {False}
        assert {item.known_label for item in feedback} == {"correct"}
        assert sorted(item.explanation for item in feedback) == [
            "Because answer 0.",
            "Because answer 1.",
        ]

    def test_who_gets_too_few_right_may_try_again(self, rater: Membership) -> None:
        judge_sheet(rater, "correct")
        judge_sheet(rater, "incorrect")
        failed = training_of(rater=rater)
        assert (failed.state, failed.sheet) == ("failed", None)
        assert failed.result == TrainingResult(2, 4, False)
        with pytest.raises(NotHandedOut):
            hand_out(rater=rater)
        start_again(rater=rater)
        again = training_of(rater=rater)
        assert (again.state, again.attempt, again.done, again.total) == ("due", 2, 0, 4)
        for _ in range(2):
            judge_sheet(rater, "correct")
        assert training_of(rater=rater).state == "passed"

    def test_a_sheet_sent_twice_keeps_its_first_labels(self, rater: Membership) -> None:
        sheet = training_of(rater=rater).sheet
        assert sheet is not None
        first = judge_sheet(rater, "incorrect")
        again = answer_training(
            rater=rater,
            question_id=sheet.question_id,
            labels={item.id: "correct" for item in sheet.answers},
        )
        assert again == first
        assert TrainingAnswer.objects.count() == 2

    def test_a_sheet_needs_a_label_for_every_answer(self, rater: Membership) -> None:
        sheet = training_of(rater=rater).sheet
        assert sheet is not None
        labels = {sheet.answers[0].id: "correct"}
        for given in (labels, {**labels, sheet.answers[1].id: "nonsense"}):
            with pytest.raises(UnusableTrainingSheet):
                answer_training(rater=rater, question_id=sheet.question_id, labels=given)
        assert not TrainingAnswer.objects.exists()

    @pytest.mark.parametrize(("shown", "texts"), [("none", None), ("given", ["Given."])])
    def test_a_sheet_has_the_passages_that_the_protocol_shows(
        self, rater: Membership, project: Project, shown: str, texts: list[str] | None
    ) -> None:
        assert project.protocol is not None
        for question in project.questions.all():
            for text, is_given in (("Given.", True), ("Retrieved.", False)):
                Passage.objects.create(
                    question=question,
                    data_import=question.data_import,
                    is_given=is_given,
                    text=text,
                    text_hash=text,
                    position=0,
                )
        set_protocol(project=project, spec={**project.protocol.spec, "passages_shown": shown})
        sheet = training_of(rater=Membership.objects.get(pk=rater.pk)).sheet
        assert sheet is not None
        found = None if sheet.passages is None else [each.text for each in sheet.passages]
        assert found == texts

    def test_nothing_of_it_is_a_vote(self, rater: Membership) -> None:
        judge_sheet(rater, "correct")
        assert not Judgment.objects.exists()
        assert set(Candidate.objects.values_list("taken", flat=True)) == {0}

    def test_a_lead_may_let_somebody_through(self, rater: Membership) -> None:
        let_through(rater=rater, by=rater.project.created_by)
        assert len(hand_out(rater=rater)) == 1
        (trainee, *others) = list_trainees(project=rater.project)
        assert trainee.state == "let_through"
        assert {other.state for other in others} == {"due"}

    def test_an_answer_that_leaves_the_training_leaves_nobody_stuck(
        self, rater: Membership, project: Project
    ) -> None:
        judge_sheet(rater, "correct")
        sheet = training_of(rater=rater).sheet
        assert sheet is not None
        for item in sheet.answers:
            known = KnownAnswer.objects.get(candidate__public_id=item.id)
            withdraw_mark(project=project, public_id=known.public_id)
        assert TrainingPass.objects.filter(rater=rater).exists()

    def test_nor_does_one_that_is_hidden_from_now_on(self, rater: Membership, project: Project) -> None:
        judge_sheet(rater, "correct")
        sheet = training_of(rater=rater).sheet
        assert sheet is not None
        for item in sheet.answers:
            candidate = Candidate.objects.get(public_id=item.id)
            mark_known(
                project=project, candidate=candidate, by=project.created_by, use="hidden", label="correct"
            )
        assert TrainingPass.objects.filter(rater=rater).exists()

    def test_who_passed_once_needs_no_other_training(self, rater: Membership, project: Project) -> None:
        for _ in range(2):
            judge_sheet(rater, "correct")
        make_known(project=project, use="training")
        assert training_of(rater=rater).state == "passed"
        with pytest.raises(NoTraining):
            start_again(rater=rater)

    def test_an_answer_learned_in_training_is_never_judged_blindly(
        self, rater: Membership, project: Project
    ) -> None:
        for _ in range(2):
            judge_sheet(rater, "correct")
        told = Candidate.objects.filter(known__use="training")
        told.update(state=Candidate.State.OPEN, wanted=2)
        sheets = hand_out(rater=rater, ahead=9)
        assert [sheet.question.position for sheet in sheets] == [0]

    def test_a_group_is_trained_on_its_own_answers(self, rater: Membership) -> None:
        Candidate.objects.filter(known__use="training", question__position=1).update(group="first")
        rater.group = "first"
        rater.save()
        assert training_of(rater=rater).total == 2

    def test_a_paused_rater_has_no_training(self, rater: Membership) -> None:
        rater.state = Membership.State.PAUSED
        with pytest.raises(NoTraining):
            judge_sheet(rater, "correct")


class TestHttp:
    def test_the_sheet_tells_nothing_of_what_is_right(self, rater: Membership, client_of: Any) -> None:
        client = client_of(rater.user)
        reply = client.get("/api/projects/small/training").json()
        assert reply["state"] == "due"
        assert set(reply["sheet"]["answers"][0]) == {"id", "text"}
        body = {
            "question_id": reply["sheet"]["question_id"],
            "answers": [{"id": item["id"], "label": "correct"} for item in reply["sheet"]["answers"]],
        }
        told = client.post("/api/projects/small/training/answers", body, format="json").json()
        assert [item["is_right"] for item in told["feedback"]] == [True, True]
        assert told["training"]["done"] == 2

    def test_once_failed_it_begins_again(self, rater: Membership, client_of: Any) -> None:
        for _ in range(2):
            judge_sheet(rater, "incorrect")
        client = client_of(rater.user)
        assert client.get("/api/projects/small/training").json()["state"] == "failed"
        assert client.post("/api/projects/small/training/again").json()["state"] == "due"
        read_what_is_new(rater)
        assert (
            client.post("/api/projects/small/sheets/next", {}, format="json").json()["error"]["code"]
            == "training_due"
        )

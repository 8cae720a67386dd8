from typing import Any

import pytest

from annotation.accounts.models import User
from annotation.items.models import Candidate
from annotation.known_answers.models import KnownAnswer, TrainingPass
from annotation.known_answers.services import UnusableMark, mark_known
from annotation.projects.models import Membership, Project
from annotation.quality.services import (
    NothingToDraw,
    NotKnown,
    PlanWish,
    UnusableQualityPlan,
    draw_known_answers,
    mark_known_answers,
    save_quality_plan,
)
from tests.annotation.assignments.factories import judge_next, make_question, one_candidate
from tests.annotation.known_answers.factories import make_known

ROOT = "/api/projects/small"
WISH = PlanWish(
    known_share=0.05,
    repeat_share=0.0,
    repeat_distance=30,
    repeat_hours=24,
    second_share=0.0,
    is_training=False,
    pass_share=0.8,
    least_answers=2,
)


class TestMarking:
    def test_an_answer_that_people_still_judge_is_refused(self, project: Project, lead: User) -> None:
        candidate = one_candidate(make_question(project=project))
        with pytest.raises(UnusableMark, match="still judging"):
            mark_known(project=project, candidate=candidate, by=lead, use="hidden", label="correct")

    def test_only_labels_that_say_what_is_right_are_known(self, project: Project, lead: User) -> None:
        (known, *_) = make_known(project=project)
        with pytest.raises(UnusableMark, match="one of the protocol's"):
            mark_known(project=project, candidate=known.candidate, by=lead, use="hidden", label="x")

    def test_a_mark_is_made_changed_and_withdrawn_by_leads(
        self, project: Project, lead: User, client_of: Any
    ) -> None:
        (known, *_) = make_known(project=project, answers=1)
        client = client_of(lead)
        body = {"answer": known.candidate.public_id, "use": "training", "label": "incorrect"}
        made = client.post(f"{ROOT}/known-answers", body, format="json").json()
        (listed,) = client.get(f"{ROOT}/known-answers").json()
        assert listed == made
        assert (listed["use"], listed["label"]) == ("training", "incorrect")
        assert client.delete(f"{ROOT}/known-answers/{made['id']}").status_code == 204
        assert client.get(f"{ROOT}/known-answers").json() == []
        assert client.delete(f"{ROOT}/known-answers/{made['id']}").status_code == 404


class TestDrawing:
    @pytest.fixture(autouse=True)
    def decided(self, project: Project, annotators: list[Membership]) -> None:
        """Four questions judged alike and one decided by majority."""
        for _ in range(5):
            make_question(project=project, answers=1)
        for number in range(5):
            judge_next(annotators[0], "correct")
            judge_next(annotators[1], "incorrect" if number == 4 else "correct")
        judge_next(annotators[2], "incorrect")

    def test_several_are_marked_by_their_decisions(
        self, project: Project, lead: User, client_of: Any
    ) -> None:
        ids = list(Candidate.objects.filter(project=project).values_list("public_id", flat=True))
        body = {"answers": ids, "use": "training"}
        reply = client_of(lead).post(f"{ROOT}/known-answers/several", body, format="json")
        assert (reply.status_code, reply.json()) == (200, {"marked": 5})
        labels = sorted(KnownAnswer.objects.values_list("label", flat=True))
        assert labels == ["correct"] * 4 + ["incorrect"]

    def test_one_that_is_not_decided_keeps_all_and_is_named(self, project: Project, lead: User) -> None:
        waiting = one_candidate(make_question(project=project, answers=["Baikal"]))
        decided = Candidate.objects.filter(project=project).exclude(pk=waiting.pk).first()
        assert decided is not None
        chosen = [decided.public_id, waiting.public_id]
        with pytest.raises(NotKnown, match="“Baikal” is not decided") as refusal:
            mark_known_answers(project=project, answers=chosen, by=lead, use="hidden")
        assert refusal.value.details == {"answers": [waiting.public_id]}
        assert not KnownAnswer.objects.exists()

    @pytest.mark.parametrize("answers", [[], ["gone"]])
    def test_nothing_and_nobody_are_refused(self, project: Project, lead: User, answers: list[str]) -> None:
        with pytest.raises(NotKnown):
            mark_known_answers(project=project, answers=answers, by=lead, use="hidden")

    def test_the_same_seed_draws_the_same(self, project: Project, lead: User) -> None:
        first = draw_known_answers(project=project, by=lead, use="hidden", number=2, seed=3)
        drawn = {known.candidate_id for known in first}
        KnownAnswer.objects.all().delete()
        again = draw_known_answers(project=project, by=lead, use="hidden", number=2, seed=3)
        assert {known.candidate_id for known in again} == drawn
        assert {known.label for known in again} == {"correct"}

    def test_unanimous_ones_only_unless_others_are_wanted_and_each_once(
        self, project: Project, lead: User
    ) -> None:
        assert len(draw_known_answers(project=project, by=lead, use="hidden", number=9, seed=1)) == 4
        with pytest.raises(NothingToDraw, match="all raters agreed"):
            draw_known_answers(project=project, by=lead, use="hidden", number=9, seed=1)
        (majority,) = draw_known_answers(
            project=project, by=lead, use="training", number=9, seed=1, only_unanimous=False
        )
        assert majority.label == "incorrect"

    def test_one_key_passes_no_training(self, project: Project, lead: User) -> None:
        """Of four answers that are correct and one that is not, the one is drawn by every seed."""
        for seed in range(12):
            KnownAnswer.objects.all().delete()
            drawn = draw_known_answers(
                project=project, by=lead, use="training", number=2, seed=seed, only_unanimous=False
            )
            assert {known.label for known in drawn} == {"correct", "incorrect"}

    def test_the_page_draws_them(self, project: Project, lead: User, client_of: Any) -> None:
        body = {"use": "hidden", "number": 3, "seed": 1}
        assert len(client_of(lead).post(f"{ROOT}/known-answers/draw", body, format="json").json()) == 3


class TestPlan:
    def test_a_project_without_a_plan_has_the_defaults(
        self, lead: User, project: Project, client_of: Any
    ) -> None:
        plan = client_of(lead).get(f"{ROOT}/quality-plan").json()
        assert (plan["known_share"], plan["repeat_share"], plan["is_training"]) == (0.05, 0.0, False)

    def test_a_plan_is_saved(self, lead: User, project: Project, client_of: Any) -> None:
        saved = client_of(lead).put(
            f"{ROOT}/quality-plan", {**WISH._asdict(), "known_share": 0.1}, format="json"
        )
        assert saved.json()["known_share"] == 0.1
        assert client_of(lead).get(f"{ROOT}/quality-plan").json() == saved.json()

    def test_a_training_without_answers_is_refused_in_words(self, lead: User, project: Project) -> None:
        with pytest.raises(UnusableQualityPlan, match="has no answer yet"):
            save_quality_plan(project=project, by=lead, wish=WISH._replace(is_training=True))

    def test_whoever_has_judged_goes_on_without_the_training(
        self, lead: User, project: Project, annotators: list[Membership]
    ) -> None:
        make_question(project=project)
        judge_next(annotators[0])
        make_known(project=project, use="training")
        save_quality_plan(project=project, by=lead, wish=WISH._replace(is_training=True))
        assert [item.rater for item in TrainingPass.objects.all()] == [annotators[0]]

    def test_the_lead_lets_somebody_through(
        self, lead: User, project: Project, annotators: list[Membership], client_of: Any
    ) -> None:
        address = f"{ROOT}/trainees/{annotators[1].public_id}/let-through"
        plan = client_of(lead).post(address).json()
        states = {trainee["pseudonym"]: trainee["state"] for trainee in plan["trainees"]}
        assert states[annotators[1].pseudonym] == "let_through"
        assert list(states.values()).count("due") == 2
        assert client_of(lead).post(f"{ROOT}/trainees/nobody/let-through").status_code == 404

    def test_answers_outside_the_sample_stay_outside(self, project: Project) -> None:
        (known, *_) = make_known(project=project)
        assert known.candidate.state == Candidate.State.UNASKED

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.services.deciding import decide_answer
from annotation.items.models import Candidate
from annotation.known_answers.models import KnownAnswer, TrainingPass
from annotation.known_answers.services import UnusableMark, mark_known, withdraw_mark
from annotation.projects.models import Membership, Project
from annotation.quality.selectors import BY_PEOPLE
from annotation.quality.services import (
    NothingToDraw,
    NotKnown,
    PlanWish,
    UnusableQualityPlan,
    draw_known_answers,
    mark_known_answers,
    save_quality_plan,
)
from common.memory import forget_everything
from tests.annotation.assignments.factories import judge_next, make_question, one_candidate
from tests.annotation.known_answers.factories import make_known

ROOT = "/api/projects/small"
ANSWERS = ("Caspian", "Superior", "Victoria")
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
        with pytest.raises(UnusableMark, match="says whether the answer is correct"):
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
        with pytest.raises(NothingToDraw, match="all annotators agreed"):
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


class TestMarkingSeveral:
    @pytest.fixture
    def decided(self, project: Project, lead: User) -> list[Candidate]:
        """Three answers that a lead decided, the first for a reason that raters may read."""
        answers = [one_candidate(make_question(project=project, answers=[text])) for text in ANSWERS]
        for number, answer in enumerate(answers):
            decide_answer(
                project=project,
                candidate_id=answer.public_id,
                by=lead,
                label="correct",
                reason=f"Why {answer.text}.",
                is_reason_shown=number == 0,
            )
        return answers

    def mark(self, project: Project, *answers: Candidate, use: str = "hidden") -> int:
        ids = [answer.public_id for answer in answers]
        return mark_known_answers(project=project, answers=ids, by=project.created_by, use=use)

    def refused(self, project: Project, *answers: Candidate) -> NotKnown:
        before = list(KnownAnswer.objects.order_by("pk").values())
        with pytest.raises(NotKnown) as refusal:
            self.mark(project, *answers)
        assert list(KnownAnswer.objects.order_by("pk").values()) == before
        return refusal.value

    def test_each_has_the_label_it_was_decided_to_have(
        self, project: Project, lead: User, decided: list[Candidate], client_of: Any
    ) -> None:
        body = {"answers": [answer.public_id for answer in decided], "use": "training"}
        reply = client_of(lead).post(f"{ROOT}/known-answers/several", body, format="json")
        assert (reply.status_code, reply.json()) == (200, {"marked": 3})
        assert set(KnownAnswer.objects.values_list("label", "use")) == {("correct", "training")}

    def test_trainees_read_a_reason_only_where_raters_may(
        self, project: Project, decided: list[Candidate]
    ) -> None:
        self.mark(project, *decided, use="training")
        explanations = KnownAnswer.objects.order_by("candidate").values_list("explanation", flat=True)
        assert list(explanations) == [f"Why {ANSWERS[0]}.", "", ""]

    def test_so_they_do_of_answers_that_were_drawn(
        self, project: Project, lead: User, decided: list[Candidate]
    ) -> None:
        wish = {"use": "training", "number": 3, "seed": 1, "only_unanimous": False}
        drawn = draw_known_answers(project=project, by=lead, **wish)
        assert sorted(known.explanation for known in drawn) == ["", "", f"Why {ANSWERS[0]}."]

    @pytest.mark.parametrize("source", sorted({*Decision.Source.values} - {*BY_PEOPLE}))
    def test_what_a_program_settled_is_none(
        self, project: Project, decided: list[Candidate], source: str
    ) -> None:
        Decision.objects.filter(candidate=decided[1]).update(source=source)
        refusal = self.refused(project, *decided)
        assert f"“{ANSWERS[1]}” cannot be a known answer" in refusal.message
        assert refusal.details == {"answers": [decided[1].public_id]}

    def test_nor_is_one_whose_label_is_not_in_the_protocol(
        self, project: Project, decided: list[Candidate]
    ) -> None:
        Decision.objects.filter(candidate=decided[2]).update(label="former")
        assert self.refused(project, *decided).details == {"answers": [decided[2].public_id]}

    def test_nor_is_one_to_an_improper_question(
        self, project: Project, decided: list[Candidate], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        improper = frozenset({decided[0].question_id, decided[1].question_id})
        monkeypatch.setattr("annotation.quality.selectors.improper_questions", lambda _: improper)
        refusal = self.refused(project, *decided)
        assert "Nor can 1 other." in refusal.message
        assert set(refusal.details["answers"]) == {answer.public_id for answer in decided[:2]}

    def test_nor_is_one_that_is_not_decided(self, project: Project, decided: list[Candidate]) -> None:
        waiting = one_candidate(make_question(project=project, answers=["Baikal " * 40]))
        refusal = self.refused(project, *decided, waiting)
        assert refusal.details == {"answers": [waiting.public_id]}
        assert len(refusal.message) < 300, "an answer of any length stands in no refusal whole"

    @pytest.mark.parametrize("answers", [[], ["gone"], [str(number) for number in range(201)]])
    def test_nothing_nobody_and_too_many_are_refused(
        self, project: Project, lead: User, answers: list[str]
    ) -> None:
        with pytest.raises(NotKnown):
            mark_known_answers(project=project, answers=answers, by=lead, use="hidden")

    def test_what_a_lead_said_of_one_stays(
        self, project: Project, lead: User, decided: list[Candidate]
    ) -> None:
        said = {"use": "training", "label": "incorrect", "explanation": "Carefully written."}
        mark_known(project=project, candidate=decided[0], by=lead, **said)
        assert self.mark(project, *decided) == 2
        (kept,) = KnownAnswer.objects.filter(candidate=decided[0]).values(*said)
        assert kept == said

    def test_one_that_was_taken_out_is_known_again(
        self, project: Project, lead: User, decided: list[Candidate]
    ) -> None:
        known = mark_known(project=project, candidate=decided[0], by=lead, use="training", label="incorrect")
        withdraw_mark(project=project, public_id=known.public_id)
        assert self.mark(project, decided[0]) == 1
        known.refresh_from_db()
        assert (known.use, known.label, known.withdrawn_at) == ("hidden", "correct", None)

    def test_queries_are_as_many_however_many_answers(
        self, project: Project, decided: list[Candidate], lead: User
    ) -> None:
        def count(*answers: Candidate) -> int:
            forget_everything()
            with CaptureQueriesContext(connection) as asked:
                self.mark(project, *answers)
            return len(asked)

        assert count(decided[0]) == count(*decided[1:])


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
        with pytest.raises(UnusableQualityPlan, match="has none yet"):
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

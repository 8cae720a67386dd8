"""One answer's whole history."""

from collections.abc import Callable
from typing import Any

from annotation.accounts.models import User
from annotation.items.models import Candidate
from annotation.items.services.corrections import correct_question
from annotation.projects.models import Membership, Project
from judges.runs.models import JudgeRun
from tests.annotation.adjudication.factories import vote
from tests.judges.comparison.conftest import make_run

Decider = Callable[[str, str], None]
Client = Callable[[User], Any]


class TestAnswerHistoryView:
    def test_tells_everything(
        self,
        client_of: Client,
        lead: User,
        study: Project,
        annotators: list[Membership],
        decide: Decider,
        exact_match: JudgeRun,
    ) -> None:
        vote(rater=annotators[0], labels={"Paris": None, "the city of Paris": "correct"})
        decide("the city of Paris", "correct")
        candidate = Candidate.objects.get(text="the city of Paris")
        body = client_of(lead).get(f"/api/projects/small/answers/{candidate.public_id}").json()
        assert body["question"]["gold"] == ["Paris"]
        assert body["question"]["amended_gold"] == ["Paris", "the city of Paris"]
        assert [prediction["system"] for prediction in body["predictions"]] == ["Alpha"]
        assert [(vote["letter"], vote["label"]) for vote in body["votes"]] == [("A", "correct")]
        assert body["decisions"][0]["label"] == "correct"
        assert [change["action"] for change in body["gold_changes"]] == ["added"]
        assert [(verdict["judge"], verdict["accepted"]) for verdict in body["verdicts"]] == [
            ("exact_match", False)
        ]

    def test_says_why_the_learned_judges_decided_so(
        self, client_of: Client, lead: User, study: Project, decide: Decider
    ) -> None:
        decide("Paris", "correct")
        for key in ("learned", "learned_memory", "exact_match"):
            make_run(study, key, {"the city of Paris": 1.0})
        candidate = Candidate.objects.get(text="the city of Paris")
        body = client_of(lead).get(f"/api/projects/small/answers/{candidate.public_id}").json()
        reasons = {verdict["judge"]: verdict["reasons"] for verdict in body["verdicts"]}
        overlap = {"ground": "overlap", "about": "Paris", "missing": [], "spans": [{"start": 12, "end": 17}]}
        assert reasons["exact_match"] == []
        assert reasons["learned"] == [overlap]
        assert reasons["learned_memory"] == [overlap, {**overlap, "ground": "like_accepted"}]

    def test_names_the_other_answers_and_which_votes_came_before_a_correction(
        self, client_of: Client, lead: User, study: Project, annotators: list[Membership]
    ) -> None:
        vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "correct"})
        candidate = Candidate.objects.get(text="Paris")
        question = candidate.question
        correct_question(
            project=study, public_id=question.public_id, text="capital of France", reason="typo", by=lead
        )
        vote(rater=annotators[1], labels={"Paris": "correct", "the city of Paris": "incorrect"})
        body = client_of(lead).get(f"/api/projects/small/answers/{candidate.public_id}").json()
        told = {each["text"]: each for each in body["question"]["answers"]}
        assert {text: (each["votes"], each["votes_before"]) for text, each in told.items()} == {
            "Paris": (2, 1),
            "the city of Paris": (2, 1),
        }
        assert (told["Paris"]["label"], told["the city of Paris"]["label"]) == ("correct", None)

    def test_one_that_waits_for_the_lead_is_called_so_wherever_it_stands(
        self, client_of: Client, lead: User, study: Project, annotators: list[Membership]
    ) -> None:
        vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "correct"})
        Membership.objects.filter(pk__in=[rater.pk for rater in annotators[1:]]).update(state="left")
        client = client_of(lead)
        listed = client.get("/api/projects/small/answers", {"search": "paris"}).json()["answers"]
        assert {line["state"] for line in listed} == {"disputed"}
        history = client.get(f"/api/projects/small/answers/{listed[0]['id']}").json()
        assert history["state"] == "disputed"
        assert {answer["state"] for answer in history["question"]["answers"]} == {"disputed"}
        dossier = client.get(f"/api/projects/small/queue/{listed[0]['id']}").json()
        assert {answer["state"] for answer in dossier["siblings"]} == {"disputed"}

    def test_a_skip_is_told_without_its_rater(
        self, client_of: Client, lead: User, study: Project, annotators: list[Membership]
    ) -> None:
        vote(rater=annotators[0], labels={"Paris": None, "the city of Paris": "correct"})
        candidate = Candidate.objects.get(text="Paris")
        reply = client_of(lead).get(f"/api/projects/small/answers/{candidate.public_id}")
        (skip,) = reply.json()["skips"]
        assert (skip["round"], skip["reason"]) == ("first", "not sure")
        assert annotators[0].pseudonym not in reply.content.decode()

    def test_an_answer_of_another_project_is_not_found(
        self, client_of: Client, lead: User, project: Project
    ) -> None:
        reply = client_of(lead).get("/api/projects/small/answers/nothing")
        assert (reply.status_code, reply.json()["error"]["code"]) == (404, "answer_not_found")

    def test_annotators_may_not_look(
        self, client_of: Client, project: Project, annotators: list[Membership]
    ) -> None:
        reply = client_of(annotators[0].user).get("/api/projects/small/answers/x")
        assert reply.status_code == 403

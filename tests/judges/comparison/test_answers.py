"""The list of answers, and one answer's whole history."""

from collections.abc import Callable
from typing import Any

import pytest

from annotation.accounts.models import User
from annotation.adjudication.services.deciding import decide_answer
from annotation.assignments.models import QuestionFlag
from annotation.items.models import Candidate, GoldAnswer, Question
from annotation.items.services.corrections import correct_question
from annotation.judgments.models import Judgment
from annotation.projects.models import Membership, Project
from common.clock import now
from judges.comparison.selectors.answers import find_answers
from judges.comparison.selectors.judge_board.judges import read_judge_board
from judges.runs.models import JudgeRun
from tests.annotation.adjudication.factories import make_answers, vote
from tests.factories import make_project
from tests.judges.comparison.conftest import make_run

Decider = Callable[[str, str], None]
Client = Callable[[User], Any]


def found(project: Project, **wanted: str) -> list[str]:
    return [answer.text for answer in find_answers(project=Project.objects.get(pk=project.pk), **wanted)]


class TestFindAnswers:
    def test_finds_words_of_question_and_answer(self, study: Project) -> None:
        assert found(study, search="hamlet") == ["William S.", "Marlowe"]
        assert found(study, search="CITY") == ["the city of Paris"]

    def test_finds_what_is_written_about_an_answer(
        self, study: Project, annotators: list[Membership], lead: User
    ) -> None:
        vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "correct"})
        Judgment.objects.filter(candidate__text="Paris").update(
            comment="Lutetia then", evidence_quote="quoted", evidence_url="https://encyclopedia.test/"
        )
        for words in ("lutetia", "quoted", "encyclopedia"):
            assert found(study, search=words) == ["Paris"]
        decided = Candidate.objects.get(text="Pacific")
        decide_answer(
            project=study, candidate_id=decided.public_id, by=lead, label="correct", reason="Surely so."
        )
        assert found(study, search="surely") == ["Pacific"]

    @pytest.mark.parametrize("alone", ["comment", "evidence_quote", "evidence_url"])
    def test_finds_the_one_thing_that_a_rater_left(
        self, study: Project, annotators: list[Membership], alone: str
    ) -> None:
        vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "correct"})
        Judgment.objects.filter(candidate__text="Paris").update(**{alone: "Lutetia"})
        assert found(study, search="lutetia") == ["Paris"]

    def test_finds_what_is_written_about_a_question(
        self, study: Project, annotators: list[Membership]
    ) -> None:
        question = Question.objects.get(text="largest ocean")
        QuestionFlag.objects.create(
            question=question, rater=annotators[0], kind="unclear", note="by area?", flagged_at=now()
        )
        GoldAnswer.objects.filter(question=question).update(text="Mar del Sur")
        Question.objects.filter(pk=question.pk).update(external_id="q-4711")
        for words in ("BY AREA", "del sur", "q-4711"):
            assert found(study, search=words) == ["Pacific"]

    def test_finds_nothing_of_another_project(self, study: Project, lead: User) -> None:
        other = make_project(lead=lead, slug="other")
        make_answers(project=other, question="largest lake", gold=["Caspian"], texts=["Baikal"])
        assert found(study, search="caspian") == found(study, search="baikal") == []

    def test_judged_questions_come_first(self, study: Project) -> None:
        Question.objects.filter(position=0).update(in_sample=False)
        assert found(study)[0] == "Pacific"

    def test_narrows_to_a_state(self, study: Project, decide: Decider) -> None:
        decide("Pacific", "correct")
        assert found(study, state="decided") == ["Pacific"]
        assert "Pacific" not in found(study, state="open")

    def test_a_disagreement_is_of_the_first_raters(
        self, study: Project, annotators: list[Membership]
    ) -> None:
        vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "correct"})
        vote(rater=annotators[1], labels={"Paris": "correct", "the city of Paris": "incorrect"})
        vote(rater=annotators[2], labels={"the city of Paris": "correct"})
        assert found(study, state="disagreement") == ["the city of Paris"]

    def test_lists_the_disputed_answers_of_one_part_of_the_study(
        self, study: Project, annotators: list[Membership]
    ) -> None:
        texts = {"Paris": "correct", "the city of Paris": "correct"}
        vote(rater=annotators[0], labels=texts)
        vote(rater=annotators[1], labels={**texts, "the city of Paris": "incorrect"})
        part = {"state": "disagreement", "by": "answer_length"}
        assert found(study, **part, part="2 to 5 words") == ["the city of Paris"]
        assert found(study, **part, part="1 word") == []
        assert found(study, by="exact_match", part="equals a gold answer") == ["Paris"]
        assert found(study, by="exact_match", part="no such part") == []

    def test_a_question_flagged_twice_lists_its_answers_once(
        self, study: Project, annotators: list[Membership]
    ) -> None:
        question = Question.objects.get(text="largest ocean")
        for kind in ("list", "unclear"):
            QuestionFlag.objects.create(question=question, rater=annotators[0], kind=kind, flagged_at=now())
        assert found(study, state="flagged") == ["Pacific"]

    def test_lists_what_a_run_gets_wrong(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        assert found(study, errors_of=exact_match.public_id) == ["the city of Paris", "William S."]

    def test_a_reopened_answer_is_no_error(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        Candidate.objects.get(text="William S.").decisions.update(is_reopening=True)
        assert found(study, errors_of=exact_match.public_id) == ["the city of Paris"]

    @pytest.mark.parametrize("text", ["William S.", "the city of Paris"])
    def test_an_answer_that_the_judge_board_leaves_out_is_no_error(
        self, study: Project, all_decided: None, exact_match: JudgeRun, text: str
    ) -> None:
        answer = Candidate.objects.get(text=text)
        if text == "William S.":
            answer.decisions.update(source="prejudged")
        else:
            Question.objects.filter(pk=answer.question_id).update(in_sample=False)
        (row,) = read_judge_board(project=Project.objects.get(pk=study.pk))
        errors = found(study, errors_of=exact_match.public_id)
        assert text not in errors
        assert len(errors) == row.counts["fn"] + row.counts["fp"] == 1


class TestAnswersView:
    def test_a_line_says_who_gave_it_and_what_became_of_it(
        self, client_of: Client, lead: User, study: Project, decide: Decider
    ) -> None:
        decide("Pacific", "correct")
        body = client_of(lead).get("/api/projects/small/answers", {"search": "pacific"}).json()
        (line,) = body["answers"]
        assert (body["count"], body["page"], body["page_count"]) == (1, 1, 1)
        assert line["systems"] == ["Alpha", "Beta"]
        assert (line["state"], line["label"], line["source"]) == ("decided", "correct", "adjudicated")

    def test_an_unknown_state_is_refused(self, client_of: Client, lead: User, project: Project) -> None:
        assert client_of(lead).get("/api/projects/small/answers?state=lost").status_code == 400

    def test_pages_follow_each_other_and_one_past_the_end_is_the_last(
        self, client_of: Client, lead: User, study: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("judges.comparison.api.answers.ANSWERS_A_PAGE", 2)
        client = client_of(lead)
        pages = [client.get("/api/projects/small/answers", {"page": page}).json() for page in (1, 2, 3, 9)]
        shown = [[line["answer"] for line in page["answers"]] for page in pages]
        assert shown[0] + shown[1] + shown[2] == found(study)
        assert shown[3] == shown[2]
        assert {(page["count"], page["page_count"]) for page in pages} == {(5, 3)}

    def test_texts_are_looked_through_once(
        self, client_of: Client, lead: User, study: Project, django_assert_max_num_queries: Any
    ) -> None:
        client = client_of(lead)
        with django_assert_max_num_queries(14) as asked:
            client.get("/api/projects/small/answers?search=pacific")
        assert sum("pacific" in query["sql"] for query in asked.captured_queries) == 1

    def test_a_page_costs_the_same_however_long(
        self, client_of: Client, lead: User, study: Project, django_assert_max_num_queries: Any
    ) -> None:
        client = client_of(lead)
        with django_assert_max_num_queries(14):
            client.get("/api/projects/small/answers")


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

    @pytest.mark.parametrize("route", ["answers", "answers/x"])
    def test_annotators_may_not_look(
        self, route: str, client_of: Client, project: Project, annotators: list[Membership]
    ) -> None:
        reply = client_of(annotators[0].user).get(f"/api/projects/small/{route}")
        assert reply.status_code == 403

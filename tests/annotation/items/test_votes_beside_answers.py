"""Votes beside answers, in tables and in exports of other tools, come in as votes of their annotators."""

import json
from typing import Any

import pytest

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.items.models import DataImport, GoldAnswer, Prediction, Question
from annotation.items.services.applying import undo_import
from annotation.judgments.models import Judgment
from annotation.projects.models import Membership, Project
from tests.annotation.items.conftest import import_into, rows_stored, upload_to
from tests.factories import make_project

State = DataImport.State
LONG = "question,gold,model,response,annotator,label\n"
WHO = "Who painted it?"


def said(answer: str = "Raphael", *, by: str, label: str, model: str = "gpt", question: str = WHO) -> str:
    return f"{question},Michelangelo,{model},{answer},{by},{label}\n"


def votes() -> list[tuple[str, str, str]]:
    """Return the system, the annotator, and the label of each vote."""
    rows = Judgment.objects.order_by("pk").values_list(
        "candidate__predictions__system__name", "assignment__rater__user__name", "label"
    )
    return sorted(rows)


class TestTables:
    def test_a_row_for_each_vote(self, project: Project) -> None:
        rows = [
            said(by="ann", label="Correct"),
            said("Leo", by="ann", label="no", model="llama"),
            said(by="bob", label="correct"),
        ]
        made = import_into(project, files={"votes.csv": LONG + "".join(rows)})
        assert (made.format, made.state, made.causes) == ("generic", State.APPLIED, [])
        assert (made.counts["votes"], made.counts["raters"], made.counts["answers_to_judge"]) == (3, 2, 1)
        assert votes() == [
            ("gpt", "ann", "correct"),
            ("gpt", "bob", "correct"),
            ("llama", "ann", "incorrect"),
        ]
        assert [each.label for each in Decision.objects.filter(is_current=True)] == ["correct"]
        assert list(GoldAnswer.objects.values_list("text", flat=True)) == ["Michelangelo"]

    def test_a_column_for_each_annotator(self, project: Project) -> None:
        table = "question,gold,response,Annotator 1,Annotator 2\nWho?,Ann,Bea,1,0\nWhat?,Sun,Moon,1.0,\n"
        made = import_into(project, files={"wide.csv": table})
        assert (made.state, made.causes) == (State.APPLIED, [])
        assert votes() == [
            ("wide", "Annotator 1", "correct"),
            ("wide", "Annotator 1", "correct"),
            ("wide", "Annotator 2", "incorrect"),
        ]

    def test_votes_beside_gold_answers_and_systems_are_read_with_them(self, project: Project) -> None:
        table = "question,gold,model,prediction,annotator1\nWho?,Ann,gpt,Bea,Yes\nWho?,Ann,llama,Cy,No\n"
        made = import_into(project, files={"human.csv": table})
        assert (made.format, made.causes, made.counts["gold_answers"]) == ("generic", [], 1)
        assert votes() == [("gpt", "annotator1", "correct"), ("llama", "annotator1", "incorrect")]

    def test_one_mapping_names_a_column_of_votes(self, project: Project) -> None:
        files = {"form.csv": "Question,Response,Is it correct?\nWho?,Ann,Yes\n"}
        refused = upload_to(project, files=files)
        assert {each["code"] for each in refused.causes} == {"unknown_column", "votes_left_out"}
        made = import_into(project, files=files, map={"Is it correct?": "vote"})
        assert (made.state, votes()) == (State.APPLIED, [("form", "Is it correct?", "correct")])

    def test_one_mapping_names_several_columns(self, project: Project) -> None:
        files = {"wide.csv": "question,response,votes_ann,votes_bob\nWho?,Ann,yes,no\n"}
        made = import_into(project, files=files, map={"votes_*": "vote"})
        assert made.state == State.APPLIED
        assert votes() == [("wide", "ann", "correct"), ("wide", "bob", "incorrect")]

    def test_an_answer_beside_votes_is_the_systems(self, project: Project) -> None:
        made = import_into(project, files={"x.csv": "question,answer,rater,verdict\nWho?,Ann,r1,yes\n"})
        assert (made.causes, GoldAnswer.objects.count()) == ([], 0)
        assert votes() == [("x", "r1", "correct")]

    def test_votes_in_a_file_of_each_annotator_are_added_up(self, project: Project) -> None:
        files = {
            f"{name}.csv": LONG + said(by=name, label=label)
            for name, label in (("ann", "yes"), ("bob", "no"))
        }
        made = import_into(project, files=files)
        assert (made.counts["predictions"], made.counts["votes"]) == (1, 2)
        assert votes() == [("gpt", "ann", "correct"), ("gpt", "bob", "incorrect")]

    def test_without_votes_a_column_of_annotators_is_left_out(self, project: Project) -> None:
        made = import_into(project, files={"x.csv": "question,gold,annotator\nWho?,Ann,r1\n"})
        assert [each["code"] for each in made.causes] == ["left_out_fields"]
        assert "“annotator”" in made.causes[0]["message"]

    @pytest.mark.parametrize(
        ("content", "code", "line"),
        [
            (LONG + said(by="ann", label="yes") + said(by="ann", label="no"), "two_votes", 3),
            (LONG + said(by="", label="yes"), "no_rater", 2),
            ("question,gold,response,rater,label,verdict\nWho?,a,b,ann,yes,no\n", "unknown_column", 2),
            ("question,response,rater,human_label,human_vote\nWho?,b,ann,yes,no\n", "several_choices", 2),
            ("question,GPT output,Llama output,human_label\nWho?,a,b,yes\n", "vote_without_answer", 2),
        ],
    )
    def test_what_is_no_vote_is_refused_with_its_line(
        self, project: Project, content: str, code: str, line: int
    ) -> None:
        made = upload_to(project, files={"x.csv": content})
        first = made.causes[0]
        assert (made.state, first["code"], first["line"]) == (State.REFUSED, code, line)

    def test_a_word_that_is_no_label_is_told_with_its_place(self, project: Project) -> None:
        content = LONG + said("Leo", by="ann", label="yes") + said("Leo", by="bob", label="fine")
        made = upload_to(project, files={"x.csv": content})
        (cause,) = made.causes
        assert (cause["code"], cause["line"]) == ("unknown_label", 3)
        for words in ("“fine”", "“bob”", "“Leo”", "labels: Correct, Incorrect.", "“Meaning of votes”"):
            assert words in cause["message"]
        assert not any(rows_stored().values())
        import_into(project, files={"x.csv": content}, labels="FINE=correct")
        assert votes() == [("gpt", "ann", "correct"), ("gpt", "bob", "correct")]

    def test_one_is_not_correct_beside_other_ratings(self, project: Project) -> None:
        content = LONG + said("Leo", by="ann", label="1") + said("Leo", by="bob", label="5")
        made = upload_to(project, files={"x.csv": content})
        assert {(each["code"], each["line"]) for each in made.causes} == {
            ("unknown_label", 3),
            ("unclear_rating", 2),
        }
        (cause,) = upload_to(project, files={"x.csv": content}, labels="5=correct").causes
        assert (cause["line"], "“1” usually means correct, but “5” is a vote" in cause["message"]) == (
            2,
            True,
        )
        import_into(project, files={"x.csv": content}, labels="5=correct, 1=incorrect")
        assert votes() == [("gpt", "ann", "incorrect"), ("gpt", "bob", "correct")]

    def test_undoing_the_import_takes_the_votes_out(self, project: Project) -> None:
        made = import_into(project, files={"x.csv": LONG + said(by="ann", label="yes")})
        undo_import(data_import=made)
        assert (Judgment.objects.count(), Question.objects.count()) == (0, 0)

    def test_votes_cannot_be_matched_to_votes(self, project: Project) -> None:
        made = upload_to(project, files={"x.csv": LONG + said(by="ann", label="yes")}, candidates="votes")
        assert [each["code"] for each in made.causes] == ["votes_of_own"]

    def test_who_voted_in_a_file_is_handed_no_work(self, project: Project) -> None:
        import_into(project, files={"x.csv": LONG + said(by="ann", label="yes")})
        (rater,) = Membership.objects.filter(project=project, user__is_imported=True)
        assert (rater.user.name, rater.user.has_usable_password()) == ("ann", False)

    def test_degrees_of_a_protocol_are_understood(self, lead: User) -> None:
        graded = make_project(lead=lead, slug="graded", preset="efficientqa")
        import_into(graded, files={"x.csv": LONG + said(by="ann", label="possibly correct")})
        assert votes() == [("gpt", "ann", "possibly_correct")]


HIT = {"HITId": "h", "HITTypeId": "t", "AssignmentId": "a", "AssignmentStatus": "Approved"}


def batch(*rows: dict[str, Any]) -> dict[str, str]:
    """A batch's results as they are downloaded: every cell is quoted."""
    whole = [{**HIT, "Input.question": WHO, "Input.answer": "Raphael", **row} for row in rows]
    names = list(dict.fromkeys(name for row in whole for name in row))
    cells = [names, *([row.get(name, "") for name in names] for row in whole)]
    quoted = [",".join('"' + str(cell).replace('"', '""') + '"' for cell in row) for row in cells]
    return {"Batch_results.csv": "\n".join(quoted) + "\n"}


class TestMechanicalTurk:
    @pytest.mark.parametrize(
        "answers",
        [
            ({"Answer.verdict": "yes"}, {"Answer.verdict": "no"}),
            ({"Answer.verdict.label": "Correct"}, {"Answer.verdict.label": "Incorrect"}),
            (
                {"Answer.verdict.yes": "true", "Answer.verdict.no": "false"},
                {"Answer.verdict.yes": "false", "Answer.verdict.no": "true"},
            ),
            (
                {"Answer.taskAnswers": '[{"verdict": {"no": false, "yes": true}}]'},
                {"Answer.taskAnswers": '[{"verdict": {"no": true, "yes": false}}]'},
            ),
        ],
    )
    def test_workers_choices_are_votes(self, project: Project, answers: tuple[dict[str, str], ...]) -> None:
        rows = [{"WorkerId": f"W{number}", **each} for number, each in enumerate(answers)]
        made = import_into(project, files=batch(*rows))
        assert (made.format, made.state, made.causes) == ("mturk", State.APPLIED, [])
        assert votes() == [("Batch_results", "W0", "correct"), ("Batch_results", "W1", "incorrect")]
        assert Prediction.objects.count() == 1

    def test_what_was_rejected_is_no_vote(self, project: Project) -> None:
        rows = [
            {"WorkerId": "W1", "Answer.v": "yes", "Answer.comment": "Sure."},
            {"WorkerId": "W2", "Answer.v": "no", "AssignmentStatus": "Rejected"},
        ]
        made = import_into(project, files=batch(*rows))
        assert [each["code"] for each in made.causes] == ["votes_not_counted"]
        assert votes() == [("Batch_results", "W1", "correct")]
        assert Judgment.objects.get().comment == "Sure."

    def test_one_choice_says_which_field_has_the_votes(self, project: Project) -> None:
        files = batch({"WorkerId": "W1", "Answer.v": "yes", "Answer.tone": "polite"})
        (cause,) = upload_to(project, files=files).causes
        assert (cause["code"], cause["line"]) == ("several_choices", 2)
        import_into(project, files=files, format_key="mturk", choice="v")
        assert votes() == [("Batch_results", "W1", "correct")]


def record(**more: Any) -> dict[str, Any]:
    fields = {"question": WHO, "answer": "Raphael"}
    return {"id": "r1", "fields": fields, "metadata": {"model": "gpt"}, "suggestions": {}, **more}


def response(value: Any, *, by: str = "u1", **more: Any) -> dict[str, Any]:
    return {"value": value, "user_id": by, **more}


class TestArgilla:
    @pytest.mark.parametrize(
        "row",
        [
            record(
                responses={
                    "verdict": [response("correct"), response("incorrect", by="u2")],
                    "comment": [response("Sure.")],
                }
            ),
            record(
                responses=[
                    {
                        "user_id": user,
                        "status": "submitted",
                        "values": {"verdict": {"value": value}, "comment": {"value": comment}},
                    }
                    for user, value, comment in (("u1", "correct", "Sure."), ("u2", "incorrect", ""))
                ]
            ),
            {
                "id": "r1",
                "status": "completed",
                "_server_id": "s",
                "question": WHO,
                "answer": "Raphael",
                "model": "gpt",
                "verdict.responses": ["correct", "incorrect"],
                "verdict.responses.users": ["u1", "u2"],
                "verdict.responses.status": ["submitted", "submitted"],
                "comment.responses": ["Sure."],
                "comment.responses.users": ["u1"],
                "verdict.suggestion": "correct",
            },
        ],
    )
    def test_responses_are_votes(self, project: Project, row: dict[str, Any]) -> None:
        made = import_into(project, files={"records.json": json.dumps([row])})
        assert (made.format, made.state, made.causes) == ("argilla", State.APPLIED, [])
        assert votes() == [("gpt", "u1", "correct"), ("gpt", "u2", "incorrect")]
        assert Judgment.objects.order_by("pk").values_list("comment", flat=True)[0] == "Sure."

    def test_drafts_are_no_votes(self, project: Project) -> None:
        row = record(responses={"v": [response("yes"), response("no", by="u2", status="draft")]})
        made = import_into(project, files={"records.json": json.dumps([row])})
        assert [each["code"] for each in made.causes] == ["votes_not_counted"]
        assert votes() == [("gpt", "u1", "correct")]

    @pytest.mark.parametrize(
        ("responses", "code"),
        [
            ({"v": [{"value": "yes"}]}, "no_rater"),
            ({"v": [response(["yes", "no"])]}, "not_one_choice"),
            ({"v": [response("yes")], "tone": [response("polite")]}, "several_choices"),
        ],
    )
    def test_what_is_no_vote_is_refused(self, project: Project, responses: Any, code: str) -> None:
        files = {"records.json": json.dumps([record(responses=responses)])}
        made = upload_to(project, files=files)
        assert (made.state, [each["code"] for each in made.causes]) == (State.REFUSED, [code])

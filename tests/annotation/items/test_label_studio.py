"""Label Studio's tasks come in with the votes of their annotators."""

import json
from typing import Any

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.items.models import Candidate, DataImport, GoldAnswer, Prediction
from annotation.judgments.models import Judgment
from annotation.projects.models import Project
from tests.annotation.items.conftest import import_into, rows_stored, upload_to
from tests.factories import make_project

State = DataImport.State


def chosen(word: str, *, by: Any = 1, field: str = "verdict", **more: Any) -> dict[str, Any]:
    result = {"from_name": field, "to_name": "text", "type": "choices", "value": {"choices": [word]}}
    return {"id": 7, "completed_by": by, "result": [result], "was_cancelled": False, **more}


def task(*annotations: dict[str, Any], **data: Any) -> dict[str, Any]:
    said = {"question": "Who painted it?", "answer": "Michelangelo", "model": "gpt", **data}
    return {"id": 1, "data": said, "annotations": list(annotations), "predictions": []}


def content(*tasks: dict[str, Any]) -> dict[str, Any]:
    return {"export.json": json.dumps(tasks)}


class TestImport:
    def test_votes_of_two_annotators_come_to_a_decision(self, project: Project) -> None:
        made = import_into(project, files=content(task(chosen("correct"), chosen("Correct", by={"id": 2}))))
        assert (made.format, made.state, made.counts["votes"]) == ("label-studio", State.APPLIED, 2)
        assert [each.label for each in Decision.objects.filter(is_current=True)] == ["correct"]
        raters = Judgment.objects.values_list("assignment__rater__user__name", flat=True).order_by("pk")
        assert list(raters) == ["annotator 1", "annotator 2"]
        assert list(Prediction.objects.values_list("system__name", "text")) == [("gpt", "Michelangelo")]

    def test_where_they_differ_the_answer_stays_open(self, project: Project) -> None:
        made = import_into(project, files=content(task(chosen("correct"), chosen("incorrect", by=2))))
        assert (made.counts["votes"], made.counts["answers_to_judge"]) == (2, 1)
        assert not Decision.objects.exists()

    def test_an_answer_with_a_vote_is_counted_though_it_equals_a_gold_answer(self, lead: User) -> None:
        graded = make_project(lead=lead, slug="graded", preset="efficientqa")
        votes = [(), (chosen("definitely_correct"),)]
        tasks = [
            *(task(*given, correct_answer="Michelangelo", model=f"gpt {n}") for n, given in enumerate(votes)),
            task(question="Who else?", correct_answer="Michelangelo"),
        ]
        made = import_into(graded, files=content(*tasks), format_key="label-studio")
        assert (made.counts["answers"], made.counts["answers_to_judge"]) == (2, 1)
        (waiting,) = Candidate.objects.filter(state=Candidate.State.OPEN)
        assert waiting.question.text == "Who painted it?"

    def test_two_systems_with_one_answer_share_its_votes(self, project: Project) -> None:
        tasks = [task(chosen("correct"), chosen("yes", by=2), model=model) for model in ("gpt", "llama")]
        made = import_into(project, files=content(*tasks))
        assert (made.counts["answers"], made.counts["votes"], made.counts["predictions"]) == (1, 2, 2)
        assert Judgment.objects.count() == 2

    def test_a_word_that_is_no_label_is_refused_when_the_file_is_checked(self, project: Project) -> None:
        tasks = [task(chosen("correct")), task(chosen("splendid"), question="Who?")]
        made = upload_to(project, files=content(*tasks))
        assert (made.state, [each["code"] for each in made.causes]) == (State.REFUSED, ["unknown_label"])
        assert not any(rows_stored().values())

    def test_one_choice_says_what_other_words_mean(self, project: Project) -> None:
        tasks = content(task(chosen("splendid"), chosen("awful", by=2)))
        made = import_into(project, files=tasks, labels="splendid=correct, awful=incorrect")
        assert made.state == State.APPLIED
        assert sorted(Judgment.objects.values_list("label", flat=True)) == ["correct", "incorrect"]

    def test_an_answer_beside_a_prediction_is_gold(self, project: Project) -> None:
        import_into(project, files=content(task(chosen("incorrect"), prediction="Raphael")))
        assert list(GoldAnswer.objects.values_list("text", flat=True)) == ["Michelangelo"]
        assert list(Prediction.objects.values_list("text", flat=True)) == ["Raphael"]

"""Passages come in once a question, belong to the question or to what systems retrieved, and go with it."""

import json
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from annotation.items.formats.passages import MOST_PASSAGES
from annotation.items.models import DataImport, Passage, Question, RetrievedPassage
from annotation.items.services.applying import undo_import
from annotation.projects.models import Project
from common.database import rows
from tests.annotation.items.conftest import import_into, jsonl, rows_stored, upload_to

State = DataImport.State


def row(question: str = "q1", prediction: str | None = "Paris", **cells: Any) -> dict[str, Any]:
    given = {} if prediction is None else {"prediction": prediction}
    return {"question": question, "answer": ["gold"], **given, **cells}


def given() -> list[tuple[str, str]]:
    found = Passage.objects.filter(is_given=True).order_by("question", "position")
    return list(found.values_list("question__text", "text"))


def retrieved() -> list[tuple[str, str, int, float | None]]:
    found = RetrievedPassage.objects.order_by("prediction__question", "prediction__system__name", "rank")
    names = ("prediction__system__name", "passage__text", "rank", "score")
    return list(found.values_list(*names))


class TestImport:
    def test_passages_belong_to_the_question_or_to_a_prediction(self, project: Project) -> None:
        contexts = [{"text": "One.", "title": "T", "url": "u", "score": 2.5}, "Two."]
        data_import = import_into(
            project, files={"gpt.jsonl": jsonl([row(passages=["Zero."], contexts=contexts)])}
        )
        assert (data_import.counts["passages"], data_import.counts["passages_retrieved"]) == (1, 2)
        assert given() == [("q1", "Zero.")]
        assert retrieved() == [("gpt", "One.", 1, 2.5), ("gpt", "Two.", 2, None)]
        one = Passage.objects.get(text="One.")
        assert (one.title, one.source, one.is_given) == ("T", "u", False)

    @pytest.mark.parametrize("most", [1, 2_000])
    def test_a_passage_is_stored_once_a_question(
        self, project: Project, monkeypatch: pytest.MonkeyPatch, most: int
    ) -> None:
        monkeypatch.setattr(rows, "LARGEST", most)
        files = {
            f"{name}.jsonl": jsonl(
                row(question, name, contexts=["One.", "Two.", "One."], passages=["One.", "One."])
                for question in ("q1", "q2")
            )
            for name in ("a", "b")
        }
        data_import = import_into(project, files=files)
        assert given() == [("q1", "One."), ("q2", "One.")]
        assert Passage.objects.filter(is_given=False).count() == 4
        assert [each[:3] for each in retrieved()] == [
            (name, text, rank)
            for _ in ("q1", "q2")
            for name in ("a", "b")
            for text, rank in (("One.", 1), ("Two.", 2))
        ]
        assert data_import.counts["passages"] == 2
        assert data_import.counts["passages_retrieved"] == 8

    def test_a_later_import_adds_only_what_is_new(self, project: Project) -> None:
        import_into(project, files={"a.jsonl": jsonl([row(passages=["One."], contexts=["Three."])])})
        more = {"questions.jsonl": jsonl([row(prediction=None, passages=["One.", "Two."])])}
        data_import = import_into(project, files=more)
        assert (data_import.counts["passages"], data_import.counts["passages_known"]) == (1, 1)
        assert given() == [("q1", "One."), ("q1", "Two.")]
        again = {"more.jsonl": jsonl([row(prediction=None, system="a", retrieved=["Three.", "Four."])])}
        assert import_into(project, files=again).counts["passages_retrieved"] == 1
        assert [text for _, text, *_ in retrieved()] == ["Three.", "Four."]

    def test_what_a_system_without_an_answer_retrieved_is_named(self, project: Project) -> None:
        file = jsonl([row(prediction=None, system="b", retrieved=["One."])])
        data_import = import_into(project, files={"x.jsonl": file})
        assert [each["code"] for each in data_import.problems] == ["retrieved_without_answer"]
        assert Passage.objects.count() == 0

    def test_too_many_passages_of_a_question_refuse_the_import(self, project: Project) -> None:
        some = [[f"{part}.{number}" for number in range(MOST_PASSAGES // 2 + 1)] for part in range(2)]
        file = jsonl(row(prediction=None, passages=each) for each in some)
        data_import = upload_to(project, files={"x.jsonl": file})
        assert data_import.state == State.REFUSED
        assert [(each["line"], each["code"]) for each in data_import.problems] == [(2, "too_many_passages")]

    def test_rows_with_unusable_passages_can_be_left_out(self, project: Project) -> None:
        files = {"x.jsonl": jsonl([row("q1", passages=[7]), row("q2", passages=["One."])])}
        assert upload_to(project, files=files).state == State.REFUSED
        import_into(project, files=files, bad_rows="leave_out")
        assert given() == [("q2", "One.")]

    def test_the_check_counts_what_the_import_stores(self, project: Project) -> None:
        files = {"a.jsonl": jsonl([row(passages=["One.", "Two."], contexts=["One."])])}
        checked = upload_to(project, files=files)
        assert rows_stored()["Passage"] == 0
        import_into(project, files=files)
        assert (checked.counts["passages"], checked.counts["passages_retrieved"]) == (2, 1)
        assert (len(given()), len(retrieved())) == (2, 1)


class TestConstraints:
    def test_a_passage_twice_is_refused_by_the_database(self, project: Project) -> None:
        import_into(project, files={"a.jsonl": jsonl([row(passages=["One."])])})
        one = Passage.objects.get()
        one.pk = None
        with pytest.raises(IntegrityError), transaction.atomic():
            one.save()

    def test_an_empty_passage_is_refused_by_the_database(self, project: Project) -> None:
        import_into(project, files={"a.jsonl": jsonl([row(passages=["One."])])})
        with pytest.raises(IntegrityError), transaction.atomic():
            Passage.objects.update(text="")


class TestUndo:
    def test_passages_go_with_their_import(self, project: Project) -> None:
        import_into(project, files={"a.jsonl": jsonl([row(passages=["One."])])})
        more = {
            "more.jsonl": jsonl(
                [
                    row(prediction=None, passages=["Two."]),
                    row(prediction=None, system="a", retrieved=["Three."]),
                ]
            )
        }
        undo_import(data_import=import_into(project, files=more))
        assert (given(), retrieved(), Passage.objects.count()) == ([("q1", "One.")], [], 1)

    def test_what_another_import_uses_stays_with_it(self, project: Project) -> None:
        first = import_into(
            project, files={"a.jsonl": jsonl([row(passages=["Zero."], contexts=["One.", "Two."])])}
        )
        second = import_into(project, files={"b.jsonl": jsonl([row(contexts=["Two.", "Three."])])})
        undo_import(data_import=first)
        assert given() == [("q1", "Zero.")]
        assert [each[:3] for each in retrieved()] == [("b", "Two.", 1), ("b", "Three.", 2)]
        assert set(Passage.objects.values_list("text", "data_import")) == {
            ("Zero.", second.pk),
            ("Two.", second.pk),
            ("Three.", second.pk),
        }
        undo_import(data_import=second)
        assert not any(rows_stored().values())
        assert Question.objects.count() == 0

    def test_of_predictions_that_leave_nothing_stays(self, project: Project) -> None:
        first = import_into(project, files={"a.jsonl": jsonl([row()])})
        import_into(project, files={"x.jsonl": jsonl([row(prediction=None, system="a", retrieved=["One."])])})
        undo_import(data_import=first)
        assert not RetrievedPassage.objects.exists()


def test_the_same_file_again_changes_nothing(project: Project) -> None:
    file = json.dumps({"question": "q1", "system": "a", "retrieved": ["One."]})
    import_into(project, files={"a.jsonl": jsonl([row()])})
    import_into(project, files={"x.jsonl": file})
    before = retrieved()
    assert import_into(project, files={"x.jsonl": file}).counts.get("passages_retrieved", 0) == 0
    assert retrieved() == before

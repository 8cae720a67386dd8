"""Passages leave with their ids, come back by the same file, and stand on the page of an answer."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotation.accounts.models import User
from annotation.items.models import Candidate, Passage, Question, RetrievedPassage
from annotation.items.rules import key_of_question, text_hash
from annotation.items.services.applying import undo_import
from annotation.projects.models import Membership, Project
from annotation.release.services import write_file
from judges.comparison.selectors import answers
from judges.verification.rules.study import Passage as StoredPassage
from judges.verification.rules.study import Retrieved, gather, read_lines
from judges.verification.selectors import study_lines
from tests.annotation.items.conftest import import_into, jsonl

Client = Callable[[User], Any]
PARIS, OCEAN = "capital of france", "largest ocean"
ROWS = [
    {"question": PARIS, "passages": [{"text": "A town.", "title": "Paris", "url": "u", "is_gold": True}]},
    {"question": PARIS, "passages": ["Another town."]},
    {"question": PARIS, "system": "beta", "retrieved": [{"text": "Seine.", "score": 0.5}, "A town."]},
    {"question": PARIS, "system": "alpha", "retrieved": [{"text": "Seine.", "rank": 3}]},
    {"question": OCEAN, "system": "alpha", "retrieved": [{"title": "Ocean"}]},
]


@pytest.fixture(autouse=True)
def passages(study: Project) -> Any:
    for question in study.questions.all():
        key = key_of_question(text=question.text)
        Question.objects.filter(pk=question.pk).update(key=key, key_hash=text_hash(key))
    return import_into(study, files={"passages.jsonl": jsonl(ROWS)})


def written(project: Project, key: str, folder: Path) -> str:
    path = folder / "file"
    write_file(project=Project.objects.get(pk=project.pk), format_key=key, path=path)
    return path.read_text()


def stored() -> tuple[list[Any], list[Any]]:
    given = ("question__text", "is_given", "text_hash", "text", "title", "source", "is_gold")
    links = ("prediction__system__name", "prediction__question__text", "passage__text", "rank", "score")
    return (
        sorted(Passage.objects.values_list(*given), key=str),
        sorted(RetrievedPassage.objects.values_list(*links), key=str),
    )


class TestFile:
    def test_an_import_of_it_brings_the_same(self, study: Project, passages: Any, tmp_path: Path) -> None:
        file, before = written(study, "passages-jsonl", tmp_path), stored()
        undo_import(data_import=passages)
        assert stored() == ([], [])
        import_into(study, files={"again.jsonl": file})
        assert stored() == before
        assert written(study, "passages-jsonl", tmp_path) == file

    def test_a_line_is_a_passage_with_its_id(self, study: Project, tmp_path: Path) -> None:
        rows = [json.loads(line) for line in written(study, "passages-jsonl", tmp_path).splitlines()]
        town = Passage.objects.get(text="A town.", is_given=True).text_hash
        assert rows[0] == {
            "question_id": "1",
            "question": PARIS,
            "passages": [
                {"sha256": town, "text": "A town.", "title": "Paris", "source": "u", "is_gold": True}
            ],
        }
        assert [(row.get("system"), row.get("retrieved", [{}])[0].get("rank")) for row in rows] == [
            (None, None),
            (None, None),
            ("alpha", 3),
            ("alpha", 1),
            ("beta", 1),
            ("beta", 2),
        ]

    def test_answers_name_them_by_their_ids(self, study: Project, tmp_path: Path) -> None:
        rows = [json.loads(line) for line in written(study, "answers-jsonl", tmp_path).splitlines()]
        (paris,) = (row for row in rows if row["answer"] == "Paris")
        ids = dict(Passage.objects.values_list("text", "text_hash"))
        assert paris["passages"] == [ids["A town."], ids["Another town."]]
        assert paris["retrieved"] == {"beta": [ids["Seine."], ids["A town."]]}

    def test_a_stored_study_has_them(self, study: Project) -> None:
        found = gather(read_lines(study_lines(project=study)))
        assert [each.is_given for each in found.passages] == [True, True, False, False, False]
        assert all(isinstance(each, StoredPassage) for each in found.passages)
        assert {(each.system, each.rank) for each in found.retrieved} == {
            ("alpha", 3),
            ("alpha", 1),
            ("beta", 1),
            ("beta", 2),
        }
        assert all(isinstance(each, Retrieved) for each in found.retrieved)


def shown(client_of: Client, user: User, text: str = "Paris") -> Any:
    candidate = Candidate.objects.get(text=text)
    return client_of(user).get(f"/api/projects/small/answers/{candidate.public_id}").json()["question"]


class TestPageOfAnAnswer:
    def test_each_text_stands_once_with_whose_it_is(self, client_of: Client, lead: User) -> None:
        found = shown(client_of, lead)
        assert [(each["text"], each["is_given"], each["is_gold"]) for each in found["passages"]] == [
            ("A town.", True, True),
            ("Another town.", True, None),
            ("Seine.", False, None),
        ]
        assert [[by["system"] for by in each["retrieved_by"]] for each in found["passages"]] == [
            ["Beta"],
            [],
            ["Alpha", "Beta"],
        ]
        assert found["passage_count"] == 3

    def test_of_many_the_first_stand_there(
        self, client_of: Client, lead: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(answers, "MOST_PASSAGES", 2)
        found = shown(client_of, lead)
        assert (len(found["passages"]), found["passage_count"]) == (2, 3)

    def test_who_may_not_see_systems_sees_nothing_that_they_retrieved(
        self, client_of: Client, adjudicator: Membership
    ) -> None:
        found = shown(client_of, adjudicator.user)
        assert [each["text"] for each in found["passages"]] == ["A town.", "Another town."]
        assert [each["retrieved_by"] for each in found["passages"]] == [[], []]

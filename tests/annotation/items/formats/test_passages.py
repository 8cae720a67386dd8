"""Passages are read from whatever files keep them in, and limits are said with their place."""

import json
from typing import Any

import pytest

from annotation.items.formats.passages import (
    LEAVE_OUT,
    LONGEST_PASSAGE,
    LONGEST_SOURCE,
    LONGEST_TITLE,
    MOST_PASSAGES,
    SHORTEN,
    passages_in,
)
from annotation.items.formats.records import PassageRecord, Retrieved
from annotation.items.formats.tables import BadCell
from tests.annotation.items.formats.conftest import Read

ONE, TWO = PassageRecord("One.", rank=1), PassageRecord("Two.", rank=2)


class TestPassagesIn:
    @pytest.mark.parametrize(
        "cell",
        [
            ["One.", "Two."],
            [{"text": "One."}, {"content": "Two."}],
            {"text": ["One.", "Two."]},
            '["One.", "Two."]',
            "['One.', 'Two.']",
            [" One. ", "Two.", "", None, {"text": ""}],
            [{"text": ["One", "."]}, {"text": "Two."}],
        ],
    )
    def test_each_way_of_two_passages_is_read(self, cell: Any) -> None:
        assert passages_in(cell, "ctxs") == (ONE, TWO)

    @pytest.mark.parametrize(
        "cell",
        [
            [["T", ["One.", " Two."]]],
            [["T", ["One.", "Two."]]],
            {"title": ["T"], "sentences": [["One.", " Two."]]},
            [{"title": "T", "paragraph_text": "One. Two."}],
        ],
    )
    def test_a_title_may_stand_beside_sentences(self, cell: Any) -> None:
        assert passages_in(cell, "context") == (PassageRecord("One. Two.", title="T", rank=1),)

    @pytest.mark.parametrize("cell", [[["T", [1]]], [["T", "text"]], [["T", ["a"], "b"]], [[["T"], ["a"]]]])
    def test_other_lists_in_a_list_are_refused(self, cell: Any) -> None:
        with pytest.raises(BadCell, match=r"[Pp]assage 1"):
            passages_in(cell, "context")

    @pytest.mark.parametrize("cell", [None, "", [], {}, [None], [{}]])
    def test_nothing_is_no_passage(self, cell: Any) -> None:
        assert passages_in(cell, "ctxs") == ()

    @pytest.mark.parametrize("text", ["One.", "[sic]", "[1]", "[1, 2]"])
    def test_a_text_is_one_passage(self, text: str) -> None:
        assert passages_in(text, "context") == (PassageRecord(text),)

    def test_all_that_is_said_of_a_passage_is_kept(self) -> None:
        cell = [
            {
                "passage_text": "He did.",
                "title": "Rome",
                "url": "u",
                "is_selected": 1,
                "rank": 4,
                "score": "8",
            }
        ]
        assert passages_in(cell, "ctxs") == (PassageRecord("He did.", "Rome", "u", True, 4, 8.0),)

    @pytest.mark.parametrize(
        ("rank", "score"), [(0, "nan"), (-1, "x"), (True, True), ("2", None), (10**30, 10**400), (1.5, [])]
    )
    def test_what_is_no_rank_or_score_is_none(self, rank: Any, score: Any) -> None:
        (passage,) = passages_in([{"text": "a", "rank": rank, "score": score}], "ctxs")
        assert (passage.rank, passage.score) == (1, None)

    @pytest.mark.parametrize(
        "cell", [7, True, [7], [["a"]], [{"a": 1}], [{"text": {"b": 1}}], [{"text": "a", "title": [1]}]]
    )
    def test_what_is_no_passage_is_refused(self, cell: Any) -> None:
        with pytest.raises(BadCell) as refused:
            passages_in(cell, "ctxs")
        assert (refused.value.column, refused.value.code) == ("ctxs", "passage_not_text")

    @pytest.mark.parametrize(
        ("cell", "code"),
        [
            (["a"] * (MOST_PASSAGES + 1), "too_many_passages"),
            (["a", "b" * (LONGEST_PASSAGE + 1)], "passage_too_long"),
            ([{"text": "a", "title": "t" * (LONGEST_TITLE + 1)}], "passage_too_long"),
            ([{"text": "a", "url": "u" * (LONGEST_SOURCE + 1)}], "passage_too_long"),
        ],
    )
    def test_what_is_too_much_is_refused_shortened_or_left_out(self, cell: Any, code: str) -> None:
        with pytest.raises(BadCell) as refused:
            passages_in(cell, "ctxs")
        assert refused.value.code == code
        assert "“shorten” or “leave out.”" in refused.value.message
        assert passages_in(cell, "ctxs", way=LEAVE_OUT) == ()
        shortened = passages_in(cell, "ctxs", way=SHORTEN)
        assert len(shortened) == min(len(cell), MOST_PASSAGES)
        assert max(len(each.text) for each in shortened) <= LONGEST_PASSAGE

    def test_as_much_as_is_allowed_is_taken(self) -> None:
        cell = [f"{number:03}" + "x" * (LONGEST_PASSAGE - 3) for number in range(MOST_PASSAGES)]
        assert len(passages_in(cell, "ctxs")) == MOST_PASSAGES


class TestWhoseTheyAre:
    def test_of_one_system_in_the_row(self, read: Read) -> None:
        row = {"question": "q", "prediction": "a", "contexts": ["One."], "context": "Two."}
        (record,) = read("gpt.jsonl", json.dumps(row)).records
        assert record.passages == (PassageRecord("Two."),)
        assert record.retrieved == (Retrieved("gpt", (ONE,)),)

    def test_of_a_system_that_is_named_without_an_answer(self, read: Read) -> None:
        row = {"question": "q", "system": "gpt", "retrieved": ["One."]}
        (record,) = read("x.jsonl", json.dumps(row)).records
        assert (record.passages, record.retrieved) == ((), (Retrieved("gpt", (ONE,)),))

    @pytest.mark.parametrize("answers", [{}, {"answer_a": "1", "answer_b": "2"}])
    def test_of_no_single_system_they_are_the_questions(self, read: Read, answers: dict[str, str]) -> None:
        row = {"question": "q", "contexts": ["One."], **answers}
        (record,) = read("x.jsonl", json.dumps(row)).records
        assert (record.passages, record.retrieved) == ((ONE,), ())

    def test_a_mapping_names_fields_of_them(self, read: Read) -> None:
        row = {"question": "q", "evidence": {"docs": ["One.", "Two."]}}
        (record,) = read("x.jsonl", json.dumps(row), map={"evidence.docs": "passages"}).records
        assert record.passages == (ONE, TWO)

    def test_limits_are_said_with_line_and_column(self, read: Read) -> None:
        long = json.dumps({"question": "q", "passages": ["x" * (LONGEST_PASSAGE + 1)]})
        (error,) = read("x.jsonl", f"{json.dumps({'question': 'p'})}\n{long}\n").errors
        assert (error.line, error.column, error.code) == (2, "passages", "passage_too_long")
        reading = read("x.jsonl", long, passages=LEAVE_OUT)
        assert (reading.errors, reading.records[0].passages) == ([], ())


class TestParagraphsOfSquad:
    @pytest.mark.parametrize("is_before", [True, False])
    def test_each_question_has_the_paragraph_it_stands_in(self, read: Read, *, is_before: bool) -> None:
        def paragraph(text: str, *ids: str) -> dict[str, Any]:
            qas = {"qas": [{"id": each, "question": f"{each}?", "answers": []} for each in ids]}
            return {"context": text, **qas} if is_before else {**qas, "context": text}

        articles = [
            {
                "title": "A",
                "paragraphs": [paragraph("one", "1", "2"), paragraph("two"), paragraph("three", "3")],
            },
            {"title": "B", "paragraphs": [paragraph("four", "4"), {"qas": [{"id": "5", "question": "5?"}]}]},
        ]
        records = read("dev.json", json.dumps({"data": articles}), "squad").records
        found = {each.question.external_id: each.passages for each in records}
        assert {key: [(each.title, each.text) for each in held] for key, held in found.items()} == {
            "1": [("A", "one")],
            "2": [("A", "one")],
            "3": [("A", "three")],
            "4": [("B", "four")],
            "5": [],
        }

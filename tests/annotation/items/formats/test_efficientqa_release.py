"""EfficientQA's released file, and what is refused of it."""

import json
from typing import Any

import pytest

from annotation.items.formats.papers.efficientqa_release import MAX_ANSWERS
from annotation.items.formats.records import ListedAnswer, Source
from annotation.items.formats.registry import detect
from tests.annotation.items.formats.conftest import Read, Reading

NAME = "NQ-open.efficientqa.test.1.1.jsonl"


def released(**changes: Any) -> dict[str, Any]:
    """A line with one gold answer and one answer on each list."""
    return {
        "question": "who",
        "answer": ["a"],
        "def_correct_predictions": ["b"],
        "poss_correct_predictions": ["c"],
        "def_incorrect_predictions": ["d"],
        "answer_and_def_correct_predictions": ["a", "b"],
        **changes,
    }


def read_lines(read: Read, *lines: dict[str, Any]) -> Reading:
    return read(NAME, "".join(json.dumps(line) + "\n" for line in lines), "efficientqa-release")


class TestRead:
    def test_answers_come_list_by_list_with_what_the_list_says(self, read: Read) -> None:
        (record,) = read_lines(read, released()).records
        assert [gold.text for gold in record.question.golds] == ["a"]
        assert record.listed == (
            ListedAnswer("b", "definitely correct"),
            ListedAnswer("c", "possibly correct"),
            ListedAnswer("d", "definitely incorrect"),
        )
        assert record.predictions == ()

    def test_no_text_is_changed(self, read: Read) -> None:
        texts = ['\\"Sesenne\\"', "Gonz\\u00e1lez", "Perry\n\n107", " a / b | c ", ""]
        (record,) = read_lines(read, released(question=" who? ", poss_correct_predictions=texts)).records
        assert record.question.text == " who? "
        assert [text for text, _ in record.listed[1:-1]] == texts

    def test_lists_may_be_empty(self, read: Read) -> None:
        nothing: dict[str, list[str]] = {name: [] for name in released() if name != "question"}
        (record,) = read_lines(read, released(**nothing)).records
        assert (record.question.golds, record.listed) == ((), ())

    def test_what_stands_twice_is_kept_and_named(self, read: Read) -> None:
        reading = read_lines(
            read,
            released(
                answer=["a", "a"],
                def_incorrect_predictions=["b", "d", "d"],
                answer_and_def_correct_predictions=["a", "a", "b"],
            ),
            released(),
        )
        assert reading.errors == []
        assert [(problem.line, problem.code) for problem in reading.warnings] == [
            (1, "repeated_answer"),
            (1, "repeated_answer"),
            (1, "repeated_gold"),
            (2, "repeated_question"),
        ]
        assert [text for text, _ in reading.records[0].listed] == ["b", "c", "b", "d", "d"]
        assert [record.question.repeat for record in reading.records] == [0, 1]

    @pytest.mark.parametrize(
        ("changes", "code", "column"),
        [
            ({"answer": None}, "not_a_list", "answer"),
            ({"poss_correct_predictions": "c"}, "not_a_list", "poss_correct_predictions"),
            ({"def_incorrect_predictions": [1]}, "answer_not_text", "def_incorrect_predictions"),
            ({"question": "  "}, "missing_question", "question"),
            ({"question": ["who"]}, "not_text", "question"),
            ({"colour": "red"}, "unknown_column", "colour"),
            (
                {"def_incorrect_predictions": ["d"] * (MAX_ANSWERS + 1)},
                "too_many_answers",
                "def_incorrect_predictions",
            ),
        ],
    )
    def test_a_broken_line_is_named(
        self, read: Read, changes: dict[str, Any], code: str, column: str
    ) -> None:
        reading = read_lines(read, released(), released(**changes))
        assert [(error.line, error.code, error.column) for error in reading.errors] == [(2, code, column)]

    def test_a_line_without_one_of_the_keys_is_refused(self, read: Read) -> None:
        line = released()
        del line["def_correct_predictions"]
        (error,) = read_lines(read, line).errors
        assert (error.line, error.code, error.column) == (1, "missing_column", "def_correct_predictions")

    @pytest.mark.parametrize(
        ("together", "place"),
        [
            (["b", "a"], "position 1 contains “b” where “a” is expected"),
            (["a"], "position 2 contains nothing where “b” is expected"),
        ],
    )
    def test_the_last_list_must_be_the_first_two_joined(
        self, read: Read, together: list[str], place: str
    ) -> None:
        reading = read_lines(
            read, released(), released(), released(answer_and_def_correct_predictions=together)
        )
        (error,) = reading.errors
        assert (error.line, error.code) == (3, "lists_differ")
        assert place in error.message


class TestDetect:
    def test_exactly_the_six_keys_are_recognized(self, read: Read, tmp_path: Any) -> None:
        read_lines(read, released())
        assert detect(Source(NAME, tmp_path / NAME)).key == "efficientqa-release"
        read_lines(read, {"question": "who", "answer": ["a"]})
        assert detect(Source(NAME, tmp_path / NAME)).key == "generic"

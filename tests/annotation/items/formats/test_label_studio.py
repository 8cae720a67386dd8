"""Label Studio's tasks are read with what annotators chose, and refused by line."""

import json
from typing import Any

import pytest

from tests.annotation.items.formats.conftest import Read
from tests.annotation.items.test_label_studio import chosen, task


class TestReading:
    def test_a_text_is_a_comment_and_a_cancelled_annotation_no_vote(self, read: Read) -> None:
        said = chosen("correct")
        said["result"].append({"from_name": "why", "type": "textarea", "value": {"text": ["Sure.", "Yes."]}})
        reading = read(
            "x.json", json.dumps([task(said, chosen("correct", by=2, was_cancelled=True))]), "label-studio"
        )
        (vote,) = reading.records[0].predictions[0].votes
        assert (reading.errors, vote.rater, vote.comment) == ([], "annotator 1", "Sure.\nYes.")

    def test_of_several_fields_somebody_must_say_which_has_the_votes(self, read: Read) -> None:
        both = chosen("correct")
        both["result"] += chosen("polite", field="tone")["result"]
        text = json.dumps([task(both)])
        (error,) = read("x.json", text, "label-studio").errors
        assert (error.code, error.line) == ("several_choices", 1)
        reading = read("x.json", text, "label-studio", choice="verdict")
        assert [vote.label for vote in reading.records[0].predictions[0].votes] == ["correct"]
        assert "“tone”" in reading.warnings[0].message

    def test_what_was_marked_in_a_text_is_no_comment(self, read: Read) -> None:
        said = chosen("correct")
        span = {"start": 0, "end": 4, "text": "Mich", "labels": ["name"]}
        said["result"].append({"from_name": "marks", "type": "labels", "value": span})
        reading = read("x.json", json.dumps([task(said)]), "label-studio")
        assert reading.records[0].predictions[0].votes[0].comment == ""
        assert "“marks”" in reading.warnings[0].message

    @pytest.mark.parametrize("words", [("correct", "incorrect"), ("correct", "correct")])
    def test_two_choices_in_one_field_are_no_vote(self, read: Read, words: tuple[str, str]) -> None:
        said = chosen(words[0])
        said["result"] += chosen(words[1])["result"]
        reading = read("x.json", json.dumps([task(said)]), "label-studio")
        assert (reading.codes, reading.records) == (["not_one_choice"], [])

    @pytest.mark.parametrize(
        ("changed", "code"),
        [
            ({"data": []}, "not_an_object"),
            ({"data": {"question": "Who?"}}, "missing_answer"),
            ({"data": {"answer": "x"}}, "missing_question"),
            ({"annotations": [7]}, "not_an_object"),
            ({"annotations": [{"result": [], "completed_by": None}]}, "no_rater"),
            ({"annotations": [chosen("a"), chosen("b")]}, "two_votes"),
            (
                {"annotations": [{**chosen("a"), "result": [{"type": "choices", "value": 3}]}]},
                "not_one_choice",
            ),
        ],
    )
    def test_what_cannot_be_a_task_is_refused_with_its_line(
        self, read: Read, changed: dict[str, Any], code: str
    ) -> None:
        text = f"[{json.dumps(task())},\n{json.dumps({**task(), **changed})}]"
        (error,) = read("x.json", text, "label-studio").errors
        assert (error.code, error.line) == (code, 2)

"""EVOUNA's file and the traps in it."""

import json
from typing import Any

import pytest

from annotation.items.formats.papers.evouna import groups_of
from annotation.items.formats.records import Vote
from tests.annotation.items.formats.conftest import Read, Reading


def row(**changes: Any) -> dict[str, Any]:
    """A row of two systems, fid and gpt4, both judged right."""
    usual: dict[str, Any] = {"question": "who", "golden_answer": "X/Y", "improper": False}
    for system in ("fid", "gpt4"):
        usual |= {f"answer_{system}": "A", f"judge_{system}": True}
    return {**usual, **changes}


def read_rows(read: Read, *rows: dict[str, Any], **options: Any) -> Reading:
    return read("NQ.json", json.dumps(list(rows)), "evouna", **options)


class TestRead:
    def test_a_row_holds_answers_with_their_votes(self, read: Read) -> None:
        (record,) = read_rows(read, row(judge_gpt4=False)).records
        assert [gold.text for gold in record.question.golds] == ["X", "Y"]
        assert [(each.system, each.group, each.votes) for each in record.predictions] == [
            ("fid", "fid+gpt35+chatgpt", (Vote("fid+gpt35+chatgpt", "Yes"),)),
            ("gpt4", "gpt4", (Vote("gpt4", "No"),)),
        ]
        assert record.marked_by == ()

    @pytest.mark.parametrize("nothing", [None, "nan", "NaN", ""])
    def test_a_missing_verdict_is_no_vote(self, read: Read, nothing: str | None) -> None:
        # Trap 6: null, or in other files of the family the string "nan".
        (record,) = read_rows(read, row(judge_fid=nothing)).records
        assert record.predictions[0].votes == ()

    def test_an_answer_that_is_missing_is_none_unless_it_was_judged(self, read: Read) -> None:
        judged = row(answer_fid=None, judge_fid=False, answer_gpt4=None, judge_gpt4=None)
        reading = read_rows(read, judged)
        (record,) = reading.records
        assert [(each.system, each.text) for each in record.predictions] == [("fid", "")]
        assert {problem.code for problem in reading.warnings} >= {"verdict_without_answer", "missing_answer"}

    def test_a_question_without_gold_and_one_whose_gold_vanishes_are_named(self, read: Read) -> None:
        reading = read_rows(
            read, row(golden_answer=None), row(question="b", golden_answer=")"), row(question="c")
        )
        assert [(problem.line, problem.code) for problem in reading.warnings] == [
            (1, "missing_gold"),
            (1, "empty_gold"),
        ]
        assert reading.records[0].question.golds == ()

    def test_a_slash_may_belong_to_the_answer(self, read: Read) -> None:
        (record,) = read_rows(read, row(golden_answer="AC/DC"), gold_separator="none").records
        assert [gold.text for gold in record.question.golds] == ["AC/DC"]

    def test_an_improper_question_is_marked_by_every_rater(self, read: Read) -> None:
        (record,) = read_rows(read, row(improper=True)).records
        assert record.marked_by == ("fid+gpt35+chatgpt", "gpt4")

    def test_a_question_that_stands_twice_is_two(self, read: Read) -> None:
        twice = read_rows(read, row(), row(question="Who?"))
        assert [record.question.repeat for record in twice.records] == [0, 1]
        assert [problem.code for problem in twice.warnings] == ["repeated_question"]
        once = read_rows(read, row(), row(), keep_duplicate_rows="no")
        assert [record.question.repeat for record in once.records] == [0, 0]

    def test_the_first_rows_only(self, read: Read) -> None:
        reading = read_rows(read, row(), row(question="b"), row(question="c"), first_rows="2")
        assert [record.question.text for record in reading.records] == ["who", "b"]
        assert read_rows(read, row(), first_rows="some").codes == ["bad_option"]
        assert read_rows(read, row(), first_rows="9" * 20).codes == ["bad_option"]
        assert read_rows(read, row(), first_rows="²").codes == ["bad_option"]

    @pytest.mark.parametrize(
        ("changes", "code"),
        [
            ({"judge_fid": "perhaps"}, "unknown_label"),
            ({"improper": 3}, "unknown_label"),
            ({"question": ""}, "missing_question"),
            ({"answer_fid": {"text": "A"}}, "answer_not_text"),
            ({"colour": "red"}, "unknown_column"),
        ],
    )
    def test_what_is_wrong_is_named(self, read: Read, changes: dict[str, Any], code: str) -> None:
        assert read_rows(read, row(**changes)).codes == [code]

    def test_rows_without_gold_column_are_refused(self, read: Read) -> None:
        assert read("x.json", '[{"question": "who"}]', "evouna").codes == ["missing_column"]


class TestGroupsOf:
    def test_systems_are_joined_and_groups_parted(self) -> None:
        assert groups_of("a+b, c") == {"a": "a+b", "b": "a+b", "c": "c"}

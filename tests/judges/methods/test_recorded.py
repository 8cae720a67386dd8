"""Recorded verdicts: parsers by hand, and on the released replies."""

import csv

import pytest

from judges.methods.recorded import Recorded, RecordedOptions, read_first_word, read_probabilities
from judges.protocol import Verdict
from tests.judges.methods.conftest import OpenQAEval


class TestReadFirstWord:
    @pytest.mark.parametrize(
        ("reply", "accepted"),
        [
            ("Yes, the candidate is correct.", True),
            ("“no” is my answer", False),
            ("NO", False),
            (" **Yes**", True),
            ("No, the candidate is correct.", False),
        ],
    )
    def test_takes_the_first_word(self, reply: str, accepted: bool) -> None:
        assert read_first_word(reply) == Verdict(accepted, raw_reply=reply)

    @pytest.mark.parametrize(
        "reply", ["Nothing is known.", "The candidate is partially correct.", "Yesterday"]
    )
    def test_leaves_other_replies_unscored(self, reply: str) -> None:
        assert read_first_word(reply) == Verdict(None, unscored_reason="unparsable", raw_reply=reply)

    def test_calls_silence_an_abstention(self) -> None:
        assert read_first_word(" ").unscored_reason == "abstained"


class TestReadProbabilities:
    def test_takes_the_largest_over_the_golds(self) -> None:
        verdict = read_probabilities("[[0.9, 0.1], [0.3, 0.7]]")
        assert (verdict.accepted, verdict.score) == (True, 0.7)

    def test_needs_more_than_the_threshold(self) -> None:
        assert read_probabilities("[[0.5, 0.5]]").accepted is False

    @pytest.mark.parametrize("cell", ["", "[]", "[[0.5]]", "yes", "{}"])
    def test_leaves_anything_else_unscored(self, cell: str) -> None:
        assert read_probabilities(cell).unscored_reason == "unparsable"


class TestRecorded:
    def test_reads_the_column_and_keeps_the_reply(self) -> None:
        verdict = Recorded(RecordedOptions()).read(raw_reply="No, partly.", column="Yes")
        assert verdict == Verdict(True, raw_reply="No, partly.")

    def test_calls_a_blank_column_an_abstention(self) -> None:
        verdict = Recorded(RecordedOptions()).read(raw_reply="I cannot say.", column="")
        assert verdict == Verdict(None, unscored_reason="abstained", raw_reply="I cannot say.")


class TestOnOpenQAEval:
    def test_first_word_equals_the_column_of_davinci(self, openqa_eval: OpenQAEval) -> None:
        rows = openqa_eval.table("NQ301_text-davinci-003.tsv")
        assert sum(read_first_word(row[-1]).accepted is (row[-2] == "Yes") for row in rows) == 1490

    def test_first_word_equals_the_column_of_gpt4_but_for_nine(self, openqa_eval: OpenQAEval) -> None:
        rows = openqa_eval.table("NQ301_gpt-4.tsv")
        column = {"Yes": True, "No": False, "": None}
        assert sum(read_first_word(row[-1]).accepted is column[row[-2]] for row in rows) == 1481

    def test_probabilities_equal_the_column_of_bem(self, openqa_eval: OpenQAEval) -> None:
        text = (openqa_eval.folder / "NQ301_BEM.tsv").read_text(encoding="utf-8")
        rows = list(csv.reader(text.splitlines(), delimiter="\t"))[1:]
        assert sum(read_probabilities(row[5]).accepted is (row[4] == "Yes") for row in rows) == 1490

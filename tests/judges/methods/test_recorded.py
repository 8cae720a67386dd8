"""Recorded verdicts: parsers by hand, and on the released replies."""

import csv

import pytest

from judges.methods.recorded import Recorded, RecordedOptions, read_probabilities
from judges.protocol import Verdict
from tests.judges.methods.conftest import OpenQAEval


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

    @pytest.mark.parametrize(("parser", "reason"), [("first-word", ""), ("strict", "contradictory")])
    def test_reads_the_reply_where_asked_to(self, parser: str, reason: str) -> None:
        reply = "No, the candidate is correct."
        verdict = Recorded(RecordedOptions(parser=parser)).read(raw_reply=reply, column="Yes")
        assert verdict == Verdict(None if reason else False, unscored_reason=reason, raw_reply=reply)


class TestOnOpenQAEval:
    def test_probabilities_equal_the_column_of_bem(self, openqa_eval: OpenQAEval) -> None:
        text = (openqa_eval.folder / "NQ301_BEM.tsv").read_text(encoding="utf-8")
        rows = list(csv.reader(text.splitlines(), delimiter="\t"))[1:]
        assert sum(read_probabilities(row[5]).accepted is (row[4] == "Yes") for row in rows) == 1490

"""Exact match: by hand, and on the released outputs."""

import pytest

from analysis.text import question_key
from judges.methods.lexical.exact_match import ExactMatch, ExactMatchOptions
from judges.protocol import JudgeInput, Verdict
from tests.golden.openqa_eval import ENTIRE, NQ301
from tests.judges.methods.conftest import OpenQAEval

JUDGE = ExactMatch(ExactMatchOptions())


def _score(rows: list[dict[str, object]]) -> int:
    inputs = []
    for row in rows:
        answer = row["prediction"]
        answer = answer[0] if isinstance(answer, list) else answer
        inputs.append(JudgeInput(str(row["question"]), str(answer), tuple(row["answer"])))
    return sum(verdict.accepted is True for verdict in JUDGE.judge(inputs))


class TestExactMatch:
    def test_ignores_case_articles_and_punctuation(self) -> None:
        batch = [JudgeInput("who", "The Beatles!", ("beatles",)), JudgeInput("who", "Beatle", ("beatles",))]
        assert JUDGE.judge(batch) == [Verdict(True, 1.0), Verdict(False, 0.0)]

    def test_rejects_everything_where_there_is_no_gold(self) -> None:
        assert JUDGE.judge([JudgeInput("who", "x", ())]) == [Verdict(False, 0.0)]

    def test_equals_where_nothing_remains_of_either(self) -> None:
        assert JUDGE.judge([JudgeInput("who", "the", ("a",))]) == [Verdict(True, 1.0)]

    @pytest.mark.parametrize("system", NQ301)
    def test_equals_the_published_counts_on_nq301(self, openqa_eval: OpenQAEval, system: str) -> None:
        rows = openqa_eval.outputs(system, sample_only=True)
        assert (len(rows), _score(rows)) == (301, NQ301[system][0])

    @pytest.mark.parametrize("system", ENTIRE)
    def test_equals_the_published_counts_on_the_entire_data(
        self, openqa_eval: OpenQAEval, system: str
    ) -> None:
        rows = openqa_eval.outputs(system, sample_only=False)
        assert (len(rows), _score(rows)) == (3610, ENTIRE[system][0])

    def test_agrees_with_people_as_published(self, openqa_eval: OpenQAEval) -> None:
        golds = openqa_eval.golds()
        batch = [JudgeInput(row[1], row[2], golds[question_key(row[1])]) for row in openqa_eval.votes]
        said = [verdict.accepted for verdict in JUDGE.judge(batch)]
        pairs = list(zip((row[3] == "Yes" for row in openqa_eval.votes), said, strict=True))
        counts = [pairs.count(pair) for pair in ((True, True), (True, False), (False, True), (False, False))]
        assert counts == [321, 495, 20, 654]

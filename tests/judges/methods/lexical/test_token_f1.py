"""Token F1: by hand, and on the released outputs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.baselines import squad_loop
from judges.methods.lexical.token_f1 import TokenF1, TokenF1Options, token_f1
from judges.protocol import JudgeInput, Verdict
from tests.golden.openqa_eval import ENTIRE, NQ301
from tests.judges.methods.conftest import OpenQAEval


def _mean(rows: list[dict[str, object]]) -> float:
    total = 0.0
    for row in rows:
        answer = row["prediction"]
        total += token_f1(answer=str(answer[0] if isinstance(answer, list) else answer), golds=row["answer"])
    return 100 * total / len(rows)


class TestTokenF1:
    def test_is_the_harmonic_mean_of_both_shares(self) -> None:
        # Shared: 2 of 3 words of the answer, 2 of 4 of the gold: 2 * (2/3 * 2/4) / (2/3 + 2/4) = 4/7.
        assert token_f1(answer="new york city", golds=["york new jersey state"]) == pytest.approx(4 / 7)

    def test_counts_a_repeated_word_as_often_as_both_have_it(self) -> None:
        assert token_f1(answer="no no no", golds=["no no"]) == pytest.approx(0.8)

    def test_takes_the_best_gold(self) -> None:
        assert token_f1(answer="york", golds=["paris", "york"]) == 1.0

    @pytest.mark.parametrize(("answer", "golds"), [("x", []), ("", ["x"]), ("the", ["the"]), ("x", ["y"])])
    def test_is_zero_where_nothing_is_shared(self, answer: str, golds: list[str]) -> None:
        assert token_f1(answer=answer, golds=golds) == 0.0

    @given(*2 * [st.lists(st.sampled_from(["no", "yes", "n", "the", "é"])).map(" ".join)])
    def test_equals_the_script_on_repeated_words(self, answer: str, gold: str) -> None:
        expected = squad_loop.f1(answer, gold, squad_loop.normalize)
        assert token_f1(answer=answer, golds=[gold]) == pytest.approx(expected)

    @given(st.text(), st.text())
    def test_is_a_share_and_symmetric(self, one: str, other: str) -> None:
        there, back = token_f1(answer=one, golds=[other]), token_f1(answer=other, golds=[one])
        assert 0 <= there <= 1
        assert there == pytest.approx(back)

    def test_accepts_from_its_threshold_on(self) -> None:
        item = JudgeInput("q", "new york city", ("york new jersey state",))
        assert TokenF1(TokenF1Options(threshold=4 / 7)).judge([item]) == [Verdict(True, 4 / 7)]
        assert TokenF1(TokenF1Options(threshold=0.6)).judge([item])[0].accepted is False

    @pytest.mark.parametrize("system", NQ301)
    def test_equals_the_computed_means_on_nq301(self, openqa_eval: OpenQAEval, system: str) -> None:
        mean = _mean(openqa_eval.outputs(system, sample_only=True))
        assert mean == pytest.approx(NQ301[system][1], abs=0.005)

    @pytest.mark.parametrize("system", ENTIRE)
    def test_equals_the_computed_means_on_the_entire_data(self, openqa_eval: OpenQAEval, system: str) -> None:
        mean = _mean(openqa_eval.outputs(system, sample_only=False))
        assert mean == pytest.approx(ENTIRE[system][1], abs=0.005)

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.tagging.rules.rounds import AnswerFacts, Filter, People, Said, draw, fits


def facts(pk: int = 1, **fields: Any) -> AnswerFacts:
    base = AnswerFacts(
        id=pk,
        name=f"answer {pk}",
        question=pk // 3,
        question_name=f"question {pk // 3}",
        credit="definite",
        accepted=True,
        equals_gold=False,
    )
    return base._replace(**fields)


class TestFits:
    @pytest.mark.parametrize(
        ("people", "expected"),
        [
            (People.ANY, {"definite", "possible", "none"}),
            (People.ACCEPT, {"definite"}),
            (People.POSSIBLY, {"possible"}),
            (People.ACCEPT_OR_POSSIBLY, {"definite", "possible"}),
            (People.REJECT, {"none"}),
        ],
    )
    def test_asks_what_people_decided(self, people: People, expected: set[str]) -> None:
        found = {
            credit
            for credit in ("definite", "possible", "none", "missing", "")
            if fits(facts(credit=credit), Filter(people))
        }
        assert found == expected

    @pytest.mark.parametrize(
        ("said", "expected"),
        [
            (Said.ANY, {("definite", True), ("definite", False), ("none", True), ("none", False)}),
            (Said.ACCEPTS, {("definite", True), ("none", True)}),
            (Said.REJECTS, {("definite", False), ("none", False)}),
            (Said.ERRS, {("definite", False), ("none", True)}),
        ],
    )
    def test_asks_what_the_judge_said(self, said: Said, expected: set[tuple[str, bool]]) -> None:
        wanted = Filter(run="run", said=said)
        found = {
            (credit, accepted)
            for credit in ("definite", "none")
            for accepted in (True, False)
            if fits(facts(credit=credit, accepted=accepted), wanted)
        }
        assert found == expected

    def test_an_answer_without_verdict_is_nothing_for_a_judge(self) -> None:
        assert not fits(facts(accepted=None), Filter(run="run"))
        assert fits(facts(accepted=None), Filter())

    def test_leaves_gold_answers_out_where_asked(self) -> None:
        assert not fits(facts(equals_gold=True), Filter(beyond_gold=True))
        assert fits(facts(equals_gold=True), Filter())

    def test_a_filter_is_read_back(self) -> None:
        wanted = Filter(People.REJECT, "run", Said.ERRS, "system", "list", beyond_gold=True)
        assert Filter.from_json(wanted.to_json()) == wanted
        assert Filter.from_json({}) == Filter()


ANSWERS = [facts(pk) for pk in range(60)]


class TestDraw:
    @given(order=st.randoms(use_true_random=False), size=st.integers(1, 70), seed=st.integers(0, 9))
    def test_the_same_seed_draws_the_same_whatever_the_order(
        self, order: random.Random, size: int, seed: int
    ) -> None:
        drawn = draw(order.sample(ANSWERS, k=60), size=size, seed=seed, by_question=False)
        assert drawn == draw(ANSWERS, size=size, seed=seed, by_question=False)
        assert len(set(drawn)) == min(size, 60)

    def test_a_larger_size_draws_further_ones(self) -> None:
        few = draw(ANSWERS, size=10, seed=3, by_question=False)
        assert draw(ANSWERS, size=20, seed=3, by_question=False)[:10] == few

    def test_another_seed_draws_others(self) -> None:
        assert draw(ANSWERS, size=10, seed=1, by_question=False) != draw(
            ANSWERS, size=10, seed=2, by_question=False
        )

    def test_without_a_size_draws_all(self) -> None:
        assert sorted(draw(ANSWERS, size=None, seed=1, by_question=False)) == list(range(60))

    def test_a_question_is_drawn_once(self) -> None:
        drawn = draw(ANSWERS, size=None, seed=1, by_question=True)
        assert sorted(pk // 3 for pk in drawn) == list(range(20))

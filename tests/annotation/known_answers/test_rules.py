import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.known_answers.rules import (
    Turn,
    hidden_ahead,
    problem_of_plan,
    result_of,
    turn_of,
)

WORK, KNOWN, REPEAT = Turn.WORK, Turn.KNOWN, Turn.REPEAT


def turns(count: int, *, known: float = 0.05, repeat: float = 0.03, rater: str = "r") -> list[Turn]:
    return [
        turn_of(seed=1, rater=rater, number=number, known_share=known, repeat_share=repeat)
        for number in range(count)
    ]


class TestTurnOf:
    def test_as_many_come_as_the_shares_say(self) -> None:
        drawn = turns(20_000)
        assert drawn.count(KNOWN) / 20_000 == pytest.approx(0.05, abs=0.005)
        assert drawn.count(REPEAT) / 20_000 == pytest.approx(0.03, abs=0.004)

    def test_the_draw_is_the_raters_own_and_always_the_same(self) -> None:
        assert turns(500) == turns(500)
        assert turns(500) != turns(500, rater="another")

    def test_shares_of_nothing_and_of_all(self) -> None:
        assert set(turns(200, known=0, repeat=0)) == {WORK}
        assert set(turns(200, known=1, repeat=0)) == {KNOWN}

    def test_a_larger_share_keeps_the_turns_of_a_smaller_one(self) -> None:
        few, many = turns(500, known=0.05, repeat=0), turns(500, known=0.2, repeat=0)
        assert all(more is KNOWN for less, more in zip(few, many, strict=True) if less is KNOWN)


class TestHiddenAhead:
    def test_hidden_sheets_come_among_the_work_and_not_after_it(self) -> None:
        come = [WORK, KNOWN, WORK, REPEAT, KNOWN]
        assert hidden_ahead(turns=come, work_left=2, known_left=9, repeats_left=9) == 1
        assert hidden_ahead(turns=come, work_left=3, known_left=9, repeats_left=9) == 3

    def test_what_is_used_up_does_not_come(self) -> None:
        come = [KNOWN, KNOWN, WORK, WORK]
        assert hidden_ahead(turns=come, work_left=4, known_left=1, repeats_left=0) == 1

    def test_without_work_nothing_hidden_comes(self) -> None:
        assert hidden_ahead(turns=[KNOWN], work_left=0, known_left=3, repeats_left=0) == 0

    @given(
        st.lists(st.sampled_from(Turn), min_size=60, max_size=60),
        st.integers(0, 20),
        st.integers(0, 9),
        st.integers(0, 9),
    )
    def test_every_sheet_handed_out_leaves_one_less(
        self, come: list[Turn], work: int, known: int, repeats: int
    ) -> None:
        left = work + hidden_ahead(turns=come, work_left=work, known_left=known, repeats_left=repeats)
        while work:
            turn, *come = come
            if turn is KNOWN and known:
                known -= 1
            elif turn is REPEAT and repeats:
                repeats -= 1
            else:
                work -= 1
            left -= 1
            hidden = hidden_ahead(turns=come, work_left=work, known_left=known, repeats_left=repeats)
            assert work + hidden == left


class TestResultOf:
    def test_enough_is_the_share_of_what_was_judged(self) -> None:
        assert result_of(outcomes=[True] * 4 + [False], pass_share=0.8).is_passed
        assert not result_of(outcomes=[True] * 3 + [False] * 2, pass_share=0.8).is_passed

    @pytest.mark.parametrize(("total", "share", "right"), [(10, 0.7, 7), (5, 0.6, 3), (10, 0.3, 3)])
    def test_a_share_that_no_binary_fraction_holds_is_met_exactly(
        self, total: int, share: float, right: int
    ) -> None:
        outcomes = [True] * right + [False] * (total - right)
        assert result_of(outcomes=outcomes, pass_share=share).is_passed
        assert not result_of(outcomes=[False, *outcomes[1:]], pass_share=share).is_passed

    def test_nothing_judged_is_not_passed(self) -> None:
        assert not result_of(outcomes=[], pass_share=0).is_passed


class TestProblemOfPlan:
    def test_hidden_sheets_are_half_at_most(self) -> None:
        wish = {"is_training": False, "least_answers": 5, "training_answers": 0}
        assert problem_of_plan(known_share=0.3, repeat_share=0.2, **wish) is None
        problem = problem_of_plan(known_share=0.4, repeat_share=0.2, **wish)
        assert problem is not None
        assert problem.field == "known_share"

    def test_a_training_without_enough_answers_says_how_many_it_has(self) -> None:
        problem = problem_of_plan(
            known_share=0, repeat_share=0, is_training=True, least_answers=5, training_answers=3
        )
        assert problem is not None
        assert "needs 5 answers but has 3 so far" in problem.words

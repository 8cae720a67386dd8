from hypothesis import given
from hypothesis import strategies as st

from annotation.assignments.rules import (
    REFUSAL_WORDS,
    Refusal,
    filler_count,
    is_tie_break,
    lowest_free_slot,
    own_order,
    round_of,
    why_refused,
)

MAY_JUDGE = {
    "is_annotator": True,
    "is_unblinded": False,
    "is_active": True,
    "is_archived": False,
    "has_protocol": True,
}


class TestWhyRefused:
    def test_an_active_annotator_is_not(self) -> None:
        assert why_refused(**MAY_JUDGE) is None

    def test_each_reason_has_its_name(self) -> None:
        assert why_refused(**MAY_JUDGE | {"is_annotator": False}) is Refusal.NOT_ANNOTATOR
        assert why_refused(**MAY_JUDGE | {"is_unblinded": True}) is Refusal.UNBLINDED
        assert why_refused(**MAY_JUDGE | {"is_active": False}) is Refusal.PAUSED
        assert why_refused(**MAY_JUDGE | {"is_archived": True}) is Refusal.ARCHIVED
        assert why_refused(**MAY_JUDGE | {"has_protocol": False}) is Refusal.NO_PROTOCOL

    def test_what_cannot_be_helped_is_said_first(self) -> None:
        refusal = why_refused(**MAY_JUDGE | {"is_unblinded": True, "is_active": False})
        assert refusal is Refusal.UNBLINDED

    def test_every_reason_has_words(self) -> None:
        assert set(REFUSAL_WORDS) == set(Refusal)


class TestOwnOrder:
    def test_is_the_same_every_time_whatever_the_order_of_the_names(self) -> None:
        names = [f"answer {number}" for number in range(12)]
        order = own_order(seed=1, rater="anna", names=names)
        assert order == own_order(seed=1, rater="anna", names=reversed(names))
        assert sorted(order) == sorted(names)

    def test_differs_between_raters_and_seeds(self) -> None:
        names = [f"answer {number}" for number in range(12)]
        anna = own_order(seed=1, rater="anna", names=names)
        assert anna != own_order(seed=1, rater="bert", names=names)
        assert anna != own_order(seed=2, rater="anna", names=names)

    def test_does_not_move_two_answers_when_a_third_joins(self) -> None:
        names = [f"answer {number}" for number in range(8)]
        longer = own_order(seed=1, rater="anna", names=[*names, "late"])
        assert [name for name in longer if name != "late"] == own_order(seed=1, rater="anna", names=names)


class TestSlots:
    def test_the_lowest_free_slot_is_given_first(self) -> None:
        assert lowest_free_slot(held=set()) == 1
        assert lowest_free_slot(held={1, 2}) == 3
        assert lowest_free_slot(held={2, 3}) == 1

    @given(st.sets(st.integers(1, 9)))
    def test_a_free_slot_is_held_by_nobody(self, held: set[int]) -> None:
        slot = lowest_free_slot(held=held)
        assert slot not in held
        assert all(lower in held for lower in range(1, slot))

    def test_slots_past_the_raters_break_ties(self) -> None:
        assert not is_tie_break(slot=2, raters_per_answer=2)
        assert is_tie_break(slot=3, raters_per_answer=2)

    def test_the_first_raters_are_the_first_round_even_where_one_skipped(self) -> None:
        assert round_of(slot=1, raters_per_answer=2, turns_before=0) == "first"
        assert round_of(slot=1, raters_per_answer=2, turns_before=1) == "first"

    def test_whoever_comes_later_replaces_somebody_or_breaks_a_tie(self) -> None:
        assert round_of(slot=1, raters_per_answer=2, turns_before=2) == "replacement"
        assert round_of(slot=3, raters_per_answer=2, turns_before=2) == "tie_break"


class TestFillerCount:
    def test_a_tie_break_sheet_is_filled_where_the_protocol_wants_it(self) -> None:
        sheet = {"shown": 2, "sheet_size": 20, "slots": [3, 3], "raters_at_first": 2}
        assert filler_count(is_filling=True, **sheet) == 18
        assert filler_count(is_filling=False, **sheet) == 0

    def test_other_sheets_are_not(self) -> None:
        assert filler_count(shown=2, sheet_size=20, slots=[1, 2], is_filling=True, raters_at_first=2) == 0

    def test_a_full_sheet_takes_none(self) -> None:
        assert filler_count(shown=2, sheet_size=2, slots=[3, 3], is_filling=True, raters_at_first=2) == 0

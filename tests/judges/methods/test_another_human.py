"""Raters are compared with each other: with the others' majority, else with the other rater."""

from hypothesis import given
from hypothesis import strategies as st

from judges.methods.another_human import AnotherHuman, AnotherHumanOptions, Comparison, HumanVote

compare = AnotherHuman(AnotherHumanOptions()).compare


def votes(*accepted: bool) -> list[HumanVote]:
    return [HumanVote(rater=slot, slot=slot, accepted=said) for slot, said in enumerate(accepted, start=1)]


class TestCompare:
    def test_two_raters_are_compared_with_each_other(self) -> None:
        assert compare(votes(True, False)) == [Comparison(1, True, False), Comparison(2, False, True)]

    def test_of_three_each_is_compared_with_the_two_others(self) -> None:
        assert compare(votes(True, True, False))[2] == Comparison(3, False, True)

    def test_where_the_others_are_level_the_next_by_slot_stands_for_them(self) -> None:
        first, second, _ = compare(votes(True, True, False))
        assert (first.reference, second.reference) == (True, False)

    def test_an_only_vote_has_nothing_to_be_compared_with(self) -> None:
        assert compare(votes(True)) == [Comparison(1, True, None)]
        assert compare([]) == []

    def test_a_second_pass_is_compared_with_the_first(self) -> None:
        second = HumanVote(rater=9, slot=0, accepted=False, is_second_pass=True)
        assert compare([*votes(True), second]) == [Comparison(9, False, True)]

    @given(st.lists(st.booleans(), min_size=2, max_size=2))
    def test_two_raters_agree_with_each_other_alike(self, accepted: list[bool]) -> None:
        agreed = [each.accepted is each.reference for each in compare(votes(*accepted))]
        assert agreed == [accepted[0] is accepted[1]] * 2

    @given(st.lists(st.booleans(), min_size=2, max_size=7), st.randoms())
    def test_every_vote_counts_once_in_whatever_order_it_comes(self, accepted: list[bool], chance) -> None:
        given_votes = votes(*accepted)
        shuffled = chance.sample(given_votes, len(given_votes))
        assert compare(shuffled) == compare(given_votes)
        assert [each.accepted for each in compare(shuffled)] == accepted

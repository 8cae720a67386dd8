from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.adjudication.rules import (
    Basis,
    Need,
    QueueReason,
    Route,
    VoteOutcome,
    decide,
    decide_columns,
    follow_route,
    label_of_word,
    letters_of,
    queue_reason,
    wanted_slots,
)
from annotation.projects.presets import find_preset
from annotation.projects.rules import Credit, DecisionRule, Label, Protocol, TieBreak

YES, NO, UNSURE = "correct", "incorrect", "cannot_judge"
DEFINITELY, POSSIBLY, NEVER = "definitely_correct", "possibly_correct", "definitely_incorrect"


def preset(key: str) -> Protocol:
    found = find_preset(key)
    assert found is not None
    return found.protocol


def binary(*, raters: int = 2, tie_break: TieBreak = TieBreak.THIRD_RATER) -> Protocol:
    return Protocol(
        preset="test",
        labels=(
            Label(key=YES, name="Correct", credit=Credit.DEFINITE),
            Label(key=NO, name="Incorrect", credit=Credit.NONE),
            Label(key=UNSURE, name="Cannot judge", credit=Credit.MISSING),
        ),
        raters_per_answer=raters,
        decision_rule=DecisionRule.MAJORITY,
        tie_break=tie_break,
    )


class TestDecide:
    @pytest.mark.parametrize(
        ("votes", "tie_breaks", "expected"),
        [
            ([], [], VoteOutcome(None, None, Need.RATERS, 2)),
            ([YES], [], VoteOutcome(None, None, Need.RATERS, 1)),
            ([YES, YES], [], VoteOutcome(YES, Basis.UNANIMOUS, Need.NOTHING)),
            ([NO, NO], [], VoteOutcome(NO, Basis.UNANIMOUS, Need.NOTHING)),
            ([YES, NO], [], VoteOutcome(None, None, Need.TIE_BREAK, 1)),
            ([YES, NO], [NO], VoteOutcome(NO, Basis.MAJORITY, Need.NOTHING)),
        ],
    )
    def test_two_raters_and_a_third_on_disagreement(
        self, votes: list[str], tie_breaks: list[str], expected: VoteOutcome
    ) -> None:
        assert decide(votes=votes, tie_breaks=tie_breaks, protocol=binary()) == expected

    def test_a_tie_break_does_not_matter_once_the_others_agree(self) -> None:
        outcome = decide(votes=[YES, YES], tie_breaks=[NO], protocol=binary())
        assert outcome == VoteOutcome(YES, Basis.UNANIMOUS, Need.NOTHING)

    def test_a_tie_break_does_not_stand_in_for_a_missing_rater(self) -> None:
        assert decide(votes=[YES], tie_breaks=[YES], protocol=binary()).need is Need.RATERS

    def test_cannot_judge_is_no_vote(self) -> None:
        assert decide(votes=[YES, UNSURE], protocol=binary()) == VoteOutcome(None, None, Need.RATERS, 1)
        assert decide(votes=[YES, UNSURE, YES], protocol=binary()).label == YES

    @pytest.mark.parametrize("tie_break", [TieBreak.LEAD, TieBreak.NOBODY])
    def test_without_a_third_rater_the_lead_settles_a_tie(self, tie_break: TieBreak) -> None:
        assert decide(votes=[YES, NO], protocol=binary(tie_break=tie_break)).need is Need.LEAD

    def test_three_raters_never_tie_on_two_labels(self) -> None:
        assert decide(votes=[YES, NO, YES], protocol=binary(raters=3)) == VoteOutcome(
            YES, Basis.MAJORITY, Need.NOTHING
        )

    def test_four_raters_may_tie_and_a_fifth_decides(self) -> None:
        votes = [YES, NO, YES, NO]
        assert decide(votes=votes, protocol=binary(raters=4)).need is Need.TIE_BREAK
        assert decide(votes=votes, tie_breaks=[NO], protocol=binary(raters=4)).label == NO

    def test_more_raters_are_asked_one_by_one_up_to_the_most(self) -> None:
        protocol = replace(binary(tie_break=TieBreak.MORE_RATERS), most_raters=4)
        assert decide(votes=[YES, NO], protocol=protocol) == VoteOutcome(None, None, Need.TIE_BREAK, 1)
        assert decide(votes=[YES, NO], tie_breaks=[NO], protocol=protocol).label == NO
        three = replace(protocol, labels=(*protocol.labels, Label("maybe", "Maybe", Credit.POSSIBLE)))
        assert decide(votes=[YES, NO], tie_breaks=["maybe"], protocol=three).need is Need.TIE_BREAK
        assert decide(votes=[YES, NO], tie_breaks=["maybe", NO], protocol=three).need is Need.LEAD

    def test_a_single_rater_decides_alone(self) -> None:
        assert decide(votes=[NO], protocol=preset("evouna")).label == NO

    def test_a_label_the_protocol_does_not_have_is_an_error(self) -> None:
        with pytest.raises(KeyError):
            decide(votes=["maybe", YES], protocol=binary())

    @pytest.mark.parametrize(
        ("votes", "label"),
        [
            ([DEFINITELY, DEFINITELY, NEVER], DEFINITELY),
            ([DEFINITELY, DEFINITELY, POSSIBLY], DEFINITELY),
            ([DEFINITELY, POSSIBLY, NEVER], POSSIBLY),
            ([POSSIBLY, POSSIBLY, NEVER], POSSIBLY),
            ([DEFINITELY, POSSIBLY, POSSIBLY], POSSIBLY),
            ([DEFINITELY, NEVER, NEVER], NEVER),
            ([POSSIBLY, NEVER, NEVER], NEVER),
            ([NEVER, NEVER, NEVER], NEVER),
        ],
    )
    def test_two_of_three_by_hand(self, votes: list[str], label: str) -> None:
        assert decide(votes=votes, protocol=preset("efficientqa")).label == label

    @given(st.permutations([DEFINITELY, DEFINITELY, POSSIBLY, POSSIBLY, NEVER, NEVER]))
    def test_two_of_three_does_not_depend_on_the_order_of_votes(self, votes: Sequence[str]) -> None:
        votes = votes[:3]
        protocol = preset("efficientqa")
        assert decide(votes=votes, protocol=protocol) == decide(votes=sorted(votes), protocol=protocol)

    @given(st.lists(st.sampled_from([YES, NO, UNSURE]), max_size=6), st.permutations(range(6)))
    def test_a_majority_does_not_depend_on_the_order_of_votes(
        self, votes: list[str], order: Sequence[int]
    ) -> None:
        shuffled = [votes[place] for place in order if place < len(votes)]
        assert decide(votes=votes, protocol=binary()) == decide(votes=shuffled, protocol=binary())


class TestFollowRoute:
    """Where one rater may be enough, beside the protocol that asks two."""

    ROUTE = Route(
        label=YES,
        confidence=0.95,
        is_drawn=False,
        asks_one_first=True,
        is_noted=True,
        is_over=False,
        number=1,
        reason="Agreed.",
    )

    def follow(
        self,
        *votes: str,
        held: int = 0,
        protocol: Protocol | None = None,
        is_routed: bool = False,
        **route: Any,
    ) -> VoteOutcome:
        protocol = protocol or binary()
        return follow_route(
            decide(votes=votes, protocol=protocol),
            route=self.ROUTE._replace(**route),
            votes=votes,
            held=held,
            protocol=protocol,
            is_routed=is_routed,
        )

    def test_one_rater_and_a_judge_who_agrees_decide(self) -> None:
        assert self.follow(YES) == VoteOutcome(YES, Basis.ROUTED, Need.NOTHING)

    def test_one_is_asked_first(self) -> None:
        assert self.follow().votes_missing == 1
        assert self.follow(asks_one_first=False).votes_missing == 2

    @pytest.mark.parametrize(
        ("vote", "changes"),
        [(NO, {}), (YES, {"label": ""}), (YES, {"is_drawn": True}), (YES, {"held": 1})],
    )
    def test_else_the_protocol_goes_on(self, vote: str, changes: dict[str, Any]) -> None:
        assert self.follow(vote, **changes) == VoteOutcome(None, None, Need.RATERS, votes_missing=1)

    def test_a_rule_that_is_off_keeps_what_it_settled_and_settles_nothing(self) -> None:
        assert self.follow(YES, is_over=True).need is Need.RATERS
        assert self.follow(YES, is_over=True, is_routed=True).basis is Basis.ROUTED

    def test_two_votes_are_the_protocols(self) -> None:
        assert self.follow(YES, YES).basis is Basis.UNANIMOUS
        assert self.follow(YES, YES, protocol=binary(raters=3)).need is Need.RATERS

    def test_a_label_that_is_no_vote_is_none(self) -> None:
        assert self.follow(UNSURE).votes_missing == 1

    def test_a_rule_of_a_fixed_number_of_votes_takes_no_route(self) -> None:
        found = self.follow(DEFINITELY, protocol=preset("efficientqa"), label=DEFINITELY)
        assert found.need is Need.RATERS


class TestDecideColumns:
    @pytest.mark.parametrize(
        ("columns", "expected"),
        [
            ([], VoteOutcome(None, None, Need.RATERS, 2)),
            ([YES, NO, ""], VoteOutcome(None, None, Need.TIE_BREAK, 1)),
            ([YES, NO, NO], VoteOutcome(NO, Basis.MAJORITY, Need.NOTHING)),
            ([YES, YES, NO], VoteOutcome(YES, Basis.UNANIMOUS, Need.NOTHING)),
            (["", YES, YES], VoteOutcome(YES, Basis.UNANIMOUS, Need.NOTHING)),
            ([UNSURE, YES, NO, NO], VoteOutcome(NO, Basis.MAJORITY, Need.NOTHING)),
        ],
    )
    def test_later_columns_count_only_while_votes_are_needed(
        self, columns: list[str], expected: VoteOutcome
    ) -> None:
        assert decide_columns(columns=columns, protocol=binary()) == expected

    def test_more_raters_are_asked_one_by_one(self) -> None:
        protocol = replace(binary(tie_break=TieBreak.MORE_RATERS), most_raters=5)
        outcome = decide_columns(columns=[YES, NO, NO, YES, YES], protocol=protocol)
        assert (outcome.label, outcome.basis) == (NO, Basis.MAJORITY)


class TestWantedSlots:
    def test_a_missing_vote_opens_a_slot(self) -> None:
        assert wanted_slots(taken=1, votes_missing=1, held_for_them=0) == 2

    def test_a_slot_somebody_is_at_is_not_opened_again(self) -> None:
        assert wanted_slots(taken=2, votes_missing=1, held_for_them=1) == 2

    def test_a_decided_answer_keeps_only_what_is_taken(self) -> None:
        assert wanted_slots(taken=2, votes_missing=0, held_for_them=0) == 2


class TestLabelOfWord:
    @pytest.mark.parametrize(
        ("word", "label"),
        [
            *(("Yes", YES), ("no", NO), (" Correct ", YES), ("0", NO), ("TRUE", YES)),
            *(("Cannot  judge", UNSURE), ("richtig", YES), ("Falsch", NO)),
        ],
    )
    def test_usual_words(self, word: str, label: str) -> None:
        assert label_of_word(word, protocol=binary()) == label

    def test_three_labels(self) -> None:
        protocol = preset("efficientqa")
        words = ["Definitely correct", "possibly", "no", "yes"]
        labels = [label_of_word(word, protocol=protocol) for word in words]
        assert labels == [DEFINITELY, POSSIBLY, NEVER, DEFINITELY]

    def test_other_words_mean_nothing(self) -> None:
        assert label_of_word("perhaps", protocol=binary()) is None


class TestLettersOf:
    def test_letters_are_the_same_whenever_asked(self) -> None:
        assert letters_of(rater_ids=[7, 3, 5], salt="a") == letters_of(rater_ids=[5, 3, 7], salt="a")

    def test_each_rater_has_a_letter_of_their_own(self) -> None:
        assert sorted(letters_of(rater_ids=range(30), salt="a").values())[:3] == ["A", "AA", "B"]
        assert len(set(letters_of(rater_ids=range(30), salt="a").values())) == 30

    def test_a_letter_does_not_follow_a_rater(self) -> None:
        letters = {letters_of(rater_ids=[1, 2, 3], salt=str(answer))[1] for answer in range(50)}
        assert letters == {"A", "B", "C"}


class TestQueueReason:
    def test_disagreement_comes_before_everything(self) -> None:
        assert queue_reason(is_disputed=True, unable=True) is QueueReason.DISPUTED

    def test_raters_who_could_not_judge_are_named_as_the_reason(self) -> None:
        assert queue_reason(is_disputed=False, unable=True) is QueueReason.CANNOT_JUDGE
        assert queue_reason(is_disputed=False, unable=False) is QueueReason.OUT_OF_RATERS

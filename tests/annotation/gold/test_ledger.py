from hypothesis import given
from hypothesis import strategies as st

from annotation.gold.rules.ledger import (
    Action,
    Change,
    Contradiction,
    Judged,
    find_conflicts,
    wanted_changes,
)
from annotation.gold.selectors.ledger import amended_gold

ADDED, REMOVED = Action.ADDED, Action.REMOVED
texts = st.text(alphabet="aAbB", min_size=1, max_size=2)


def amend(original: list[str], accepted: list[str], rejected: list[str]) -> tuple[str, ...]:
    changes = wanted_changes(original=original, accepted=accepted, rejected=rejected)
    return amended_gold(original=original, changes=changes)


class TestWantedChanges:
    def test_accepted_answers_join_and_rejected_gold_leaves(self) -> None:
        changes = wanted_changes(original=["Lyon"], accepted=["Paris"], rejected=["Lyon"])
        assert changes == {Change(ADDED, "Paris"): ("Paris",), Change(REMOVED, "Lyon"): ("Lyon",)}

    def test_an_accepted_gold_answer_changes_nothing(self) -> None:
        assert wanted_changes(original=["Paris"], accepted=["Paris"], rejected=[]) == {}

    def test_a_rejected_answer_that_is_no_gold_answer_changes_nothing(self) -> None:
        assert wanted_changes(original=["Paris"], accepted=[], rejected=["Lyon"]) == {}

    def test_the_string_as_typed_goes_before_its_lower_case_form(self) -> None:
        assert amend(["Lyon", "lyon"], [], ["Lyon"]) == ("lyon",)
        assert amend(["lyon"], [], ["Lyon"]) == ()

    def test_only_the_rejected_string_is_lowered_never_the_gold_answer(self) -> None:
        assert amend(["Lyon"], [], ["lyon"]) == ("Lyon",)

    def test_removal_comes_after_addition(self) -> None:
        assert amend([], ["lyon"], ["Lyon"]) == ()

    def test_a_string_accepted_and_rejected_leaves(self) -> None:
        assert amend(["a"], ["b"], ["b"]) == ("a",)

    def test_what_is_kept_stays_whichever_equal_form_was_rejected(self) -> None:
        for rejected in ("Lyon", "lyon"):
            changes = wanted_changes(original=[], accepted=["lyon"], rejected=[rejected], kept={"lyon"})
            assert changes == {Change(ADDED, "lyon"): ("lyon",)}

    def test_two_rejected_forms_of_one_gold_answer_are_one_removal(self) -> None:
        changes = wanted_changes(original=["lyon"], accepted=[], rejected=["Lyon", "LYON"])
        assert changes == {Change(REMOVED, "lyon"): ("Lyon", "LYON")}

    @given(st.lists(texts), st.lists(texts), st.lists(texts), st.randoms())
    def test_the_order_of_decisions_does_not_matter(self, original, accepted, rejected, random) -> None:
        once = set(amend(original, accepted, rejected))
        random.shuffle(accepted)
        random.shuffle(rejected)
        assert set(amend(original, accepted, rejected)) == once

    @given(st.lists(texts), st.lists(texts), st.lists(texts))
    def test_it_equals_the_rule_carried_out_step_by_step(
        self, original: list[str], accepted: list[str], rejected: list[str]
    ) -> None:
        gold = {*original, *accepted}
        for text in dict.fromkeys(rejected):
            gold.discard(text if text in gold else text.lower())
        assert set(amend(original, accepted, rejected)) == gold


class TestFindConflicts:
    def test_equal_answers_decided_differently_are_named_once_each(self) -> None:
        yes, also, no = (
            Judged("1", "Abraham.", True),
            Judged("2", "abraham", True),
            Judged("3", "abraham", False),
        )
        other = Judged("4", "Isaac", False)
        assert find_conflicts([yes, also, no, other]) == [Contradiction(also, no)]
        assert find_conflicts([yes, other]) == []

"""The gold list as changes make it, and the name of its state."""

from annotation.gold.rules.ledger import Action, Change
from annotation.gold.selectors.ledger import amended_gold, gold_list_version


class TestAmendedGold:
    def test_originals_keep_their_order_and_added_ones_follow(self) -> None:
        changes = [Change(Action.ADDED, "c"), Change(Action.REMOVED, "a"), Change(Action.ADDED, "d")]
        assert amended_gold(original=["b", "a"], changes=changes) == ("b", "c", "d")


class TestGoldListVersion:
    def test_equal_states_have_equal_names(self) -> None:
        first = gold_list_version({"q1": ["a", "b"], "q2": []})
        assert first == gold_list_version({"q2": [], "q1": ["b", "a"]})
        assert first != gold_list_version({"q1": ["a"], "q2": ["b"]})

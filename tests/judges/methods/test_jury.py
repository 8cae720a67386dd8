"""A jury decides by its rule, and only what no missing verdict could turn around."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.methods.jury import RULES, TIED, UNDECIDED, Jury, JuryOptions, members_of
from judges.protocol import JudgeInput

SAID = st.lists(st.sampled_from([True, False, None]), max_size=5)


def decide(rule: str, *said: bool | None) -> tuple[bool | None, str]:
    (verdict,) = Jury(JuryOptions(rule=rule)).judge(
        [JudgeInput(question="q", answer="a", golds=(), verdicts=said)]
    )
    return verdict.accepted, verdict.unscored_reason


class TestDecide:
    @pytest.mark.parametrize(
        ("rule", "said", "accepted"),
        [
            ("any", (False, True, None), True),
            ("any", (False, False), False),
            ("all", (True, False, None), False),
            ("all", (True, True), True),
            ("majority", (True, True, None), True),
            ("majority", (False, True, False), False),
            ("first_decided", (None, False, True), False),
        ],
    )
    def test_by_hand(self, rule: str, said: tuple[bool | None, ...], accepted: bool) -> None:
        assert decide(rule, *said) == (accepted, "")

    @pytest.mark.parametrize(
        ("rule", "said", "reason"),
        [
            ("any", (False, None), UNDECIDED),
            ("all", (True, None), UNDECIDED),
            ("majority", (True, False, None), UNDECIDED),
            ("majority", (True, False), TIED),
            ("first_decided", (None, None), UNDECIDED),
            ("majority", (), UNDECIDED),
            ("any", (), UNDECIDED),
            ("all", (), UNDECIDED),
        ],
    )
    def test_what_cannot_be_decided_says_why(
        self, rule: str, said: tuple[bool | None, ...], reason: str
    ) -> None:
        assert decide(rule, *said) == (None, reason)

    @given(SAID, st.sampled_from(["any", "all", "majority"]))
    def test_a_decision_is_what_every_completion_comes_to(self, said: list[bool | None], rule: str) -> None:
        """Independent: fill in every missing verdict in every way and see whether the outcome moves."""
        share = {"any": 0.0, "all": 1.0, "majority": 0.5}[rule]
        outcomes = set()
        for filled in product(*([True, False] if verdict is None else [verdict] for verdict in said)):
            accepting = sum(filled) / len(filled) if filled else share
            level = rule == "majority" and accepting == share
            outcomes.add(
                None if level or not filled else accepting == 1 if rule == "all" else accepting > share
            )
        expected = outcomes.pop() if len(outcomes) == 1 else None
        assert RULES[rule](said) is expected

    def test_the_score_is_the_share_that_accepts(self) -> None:
        items = [JudgeInput("q", "a", (), verdicts=said) for said in ((True, False, None, True), (None,))]
        verdicts = Jury(JuryOptions(rule="any")).judge(items)
        assert [verdict.score for verdict in verdicts] == [pytest.approx(2 / 3), None]

    @pytest.mark.parametrize("rule", RULES)
    @pytest.mark.parametrize(
        "said", [(True, True), (False, False), (True, False), (True, None), (None, None)]
    )
    def test_carries_its_members_flags_under_every_rule(
        self, rule: str, said: tuple[bool | None, ...]
    ) -> None:
        flags = ("injection", "unstable")
        items = [
            JudgeInput("q", "a", (), verdicts=said, flags=flags),
            JudgeInput("q", "b", (), verdicts=said),
        ]
        verdicts = Jury(JuryOptions(rule=rule)).judge(items)
        assert [verdict.flags for verdict in verdicts] == [flags, ()]


class TestMembersOf:
    def test_are_parted_by_commas(self) -> None:
        assert members_of(JuryOptions(members=" one, two ,,three")) == ["one", "two", "three"]
        assert members_of(JuryOptions()) == []

"""Proposals for a gold list, and which answers each would make right."""

from analysis.text import gold_entries_of
from annotation.gold.rules.proposals import (
    Effect,
    Judged,
    Proposal,
    ProposalKind,
    find_effect,
    gold_with,
    propose,
)

WHO = "who led the second expedition"


class TestPropose:
    def test_proposes_short_answers_and_patterns_of_both(self) -> None:
        answer = "The second expedition was led by Ada Cole in all of its many years."
        found = propose(question=WHO, gold=[answer])
        assert [(each.kind, each.examples) for each in found] == [
            (ProposalKind.ALIAS, ("Ada Cole",)),
            (ProposalKind.NAME, ("Ada Cole",)),
        ]
        assert {each.source for each in found} == {answer}

    def test_proposes_nothing_twice_and_nothing_that_is_on_the_list(self) -> None:
        gold = ["Ada Cole", "ada cole.", "the one (Ada Cole)"]
        found = propose(question=WHO, gold=gold)
        assert len({each.text for each in found}) == len(found)
        assert not [each for each in found if each.kind is ProposalKind.ALIAS and each.text == "Ada Cole"]
        patterns = [each.text for each in found if each.kind.is_pattern]
        again = propose(question=WHO, gold=gold, patterns=patterns)
        assert not [each for each in again if each.kind.is_pattern]

    def test_proposes_nothing_without_gold(self) -> None:
        assert propose(question=WHO, gold=[]) == ()


class TestFindEffect:
    def test_tells_what_is_supported_wrong_and_open(self) -> None:
        (proposal,) = propose(question=WHO, gold=["Ada Cole"])
        answers = [
            Judged("Ada Cole", True),
            Judged("Ada B. Cole", False),
            Judged("Captain Ada Cole", None),
            Judged("Bertha Cole", False),
        ]
        gold = gold_entries_of([("Ada Cole", False)])
        assert find_effect(proposal, answers=answers, gold=gold) == Effect((0,), (), (1,), (2,))

    def test_is_not_blamed_for_what_the_list_has_already(self) -> None:
        (proposal,) = propose(question=WHO, gold=["Ada Cole"])
        gold = gold_entries_of([("Ada Cole", False)])
        assert find_effect(proposal, answers=[Judged("Ada Cole.", False)], gold=gold).wrong == ()


class TestGoldWith:
    def test_holds_strings_and_patterns_apart(self) -> None:
        alias = Proposal(ProposalKind.ALIAS, "a.b", "a.b and more", ("a.b",))
        pattern = Proposal(ProposalKind.SPELLING, r"\Ac.d\z", "c-d", ("c-d",))
        entries = gold_with([alias, pattern], gold=["x"])
        assert entries.has("ab")
        assert not entries.has("axb")
        assert entries.has("cxd")
        assert entries.has("X")

import pytest

from judges.tagging.rules.proposals import propose
from judges.tagging.rules.ready_made import READY_MADE


def tag(set_key: str, answer: str, *golds: str, accepted: bool | None = None) -> str | None:
    found = propose(set_key=set_key, answer=answer, golds=golds, accepted=accepted)
    return found.tags[0] if found else None


class TestProposeForKamalloo:
    @pytest.mark.parametrize(
        ("answer", "golds", "expected"),
        [
            ("Sea Eagle II", ("Sea-Eagle II",), "tokenization"),
            ("12 May 1931", ("1931",), "granularity-temporal"),
            ("1931", ("May 12, 1931",), "granularity-temporal"),
            ("It was painted by Rembrandt in the year 1642", ("Rembrandt",), "in-explanation"),
            ("Lisbon", ("Lisbon, Portugal",), "bridging"),
            ("the city of Lisbon", ("Lisbon",), "bridging"),
            ("seven hills", ("7",), "symbolic"),
            ("about 1,200 people", ("1200 inhabitants",), "symbolic"),
            ("Bergen", ("Oslo",), None),
            ("Lisbonne", ("Lisbon",), None),
            ("", ("Oslo",), None),
            ("Oslo", ("the",), None),
            ("Oslo", (), None),
        ],
    )
    def test_by_gold_and_answer(self, answer: str, golds: tuple[str, ...], expected: str | None) -> None:
        assert tag("kamalloo", answer, *golds) == expected


class TestProposeForOtherSets:
    def test_a_part_of_gold_is_incomplete(self) -> None:
        assert tag("evouna-answers", "copper", "copper and zinc") == "incom"
        assert tag("evouna-answers", "lead", "copper and zinc") is None

    @pytest.mark.parametrize(
        ("answer", "gold", "accepted", "expected"),
        [
            ("Many say Oslo, but it was Bergen", "Oslo", True, "overall-misleading"),
            ("April 3, 1902", "3 April 1902", False, "structure-variation"),
            ("Mostly tin", "tin", False, "extended-answer"),
            ("Hamburg", "Port of Hamburg", False, "partial-match"),
            ("Bergen", "Oslo", True, None),
        ],
    )
    def test_errors_of_a_judge_go_by_its_verdict(
        self, answer: str, gold: str, accepted: bool, expected: str | None
    ) -> None:
        assert tag("evouna-evaluators", answer, gold, accepted=accepted) == expected

    def test_what_is_as_valid_as_gold(self) -> None:
        assert tag("efficientqa", "water ice", "ice") == "semantically-same"
        assert tag("efficientqa", "March 1804", "1804") == "different-granularity"
        assert tag("efficientqa", "nine", "9") == "semantically-same"

    def test_own_sets_have_no_rules(self) -> None:
        assert tag("own", "Lisbon", "Lisbon, Portugal") is None


class TestPropose:
    def test_only_tags_that_are_offered(self) -> None:
        golds = ("tin",)
        found = propose(
            set_key="evouna-evaluators", answer="Mostly tin", golds=golds, accepted=False, offered=["synonym"]
        )
        assert found is None

    def test_proposes_tags_of_the_set_only(self) -> None:
        from judges.tagging.rules.proposals import _RULES

        for key, rules in _RULES.items():
            assert {rule[0] for rule in rules} <= READY_MADE[key].keys

from dataclasses import replace

import pytest

from annotation.judgments.rules import AnswerGiven, Fate, fate_of, problems_of_sheet, skipping_check
from annotation.projects.presets import find_preset
from annotation.projects.rules import Credit, Protocol


def protocol_of(key: str) -> Protocol:
    preset = find_preset(key)
    assert preset is not None
    return preset.protocol


@pytest.fixture
def protocol() -> Protocol:
    return protocol_of("openqa-eval")


def problems(protocol: Protocol, *given: AnswerGiven, **checks: bool) -> dict[str, list[str]]:
    return problems_of_sheet(
        protocol=protocol,
        given=given,
        required={"a", "b"},
        allowed={"a", "b", "late"},
        checks=checks,
        asked=[check.key for check in protocol.question_checks],
    )


A = AnswerGiven(id="a", label="correct")
B = AnswerGiven(id="b", label="incorrect")


class TestFateOf:
    def test_a_label_in_a_slot_counts(self) -> None:
        assert fate_of(credit=Credit.DEFINITE, holds_slot=True, is_needless=False) is Fate.COUNTED

    def test_a_label_without_a_slot_is_surplus(self) -> None:
        assert fate_of(credit=Credit.NONE, holds_slot=False, is_needless=False) is Fate.SURPLUS

    def test_a_tie_break_nobody_needs_any_more_is_surplus(self) -> None:
        assert fate_of(credit=Credit.NONE, holds_slot=True, is_needless=True) is Fate.SURPLUS

    def test_cannot_judge_is_kept_and_passes_the_slot_on(self) -> None:
        assert fate_of(credit=Credit.MISSING, holds_slot=True, is_needless=False) is Fate.MISSING

    def test_no_label_is_a_skip_with_or_without_a_slot(self) -> None:
        assert fate_of(credit=None, holds_slot=True, is_needless=False) is Fate.SKIPPED
        assert fate_of(credit=None, holds_slot=False, is_needless=True) is Fate.SKIPPED


class TestProblemsOfSheet:
    def test_a_label_for_every_answer_is_complete(self, protocol: Protocol) -> None:
        assert problems(protocol, A, B) == {}

    def test_a_skip_with_a_reason_will_do(self, protocol: Protocol) -> None:
        assert problems(protocol, A, AnswerGiven(id="b", label=None, skip_reason="unclear")) == {}

    def test_a_skip_without_a_reason_will_not(self, protocol: Protocol) -> None:
        assert "answers.b" in problems(protocol, A, AnswerGiven(id="b", label=None, skip_reason=" "))

    def test_a_missing_answer_is_told_with_how_many(self, protocol: Protocol) -> None:
        assert problems(protocol, A) == {"answers": ["1 of the answers on this sheet have no label yet."]}

    def test_an_answer_of_another_sheet_is_refused(self, protocol: Protocol) -> None:
        assert problems(protocol, A, B, replace(A, id="foreign")) == {
            "answers": ["An answer does not belong to this sheet."]
        }

    def test_an_answer_that_others_took_meanwhile_may_still_be_judged(self, protocol: Protocol) -> None:
        assert problems(protocol, A, B, replace(A, id="late")) == {}

    def test_an_answer_must_not_stand_twice(self, protocol: Protocol) -> None:
        assert problems(protocol, A, A, B) == {"answers": ["An answer stands twice in this request."]}

    def test_a_label_the_protocol_lacks_is_refused_at_its_answer(self, protocol: Protocol) -> None:
        assert problems(protocol, A, replace(B, label="perhaps")) == {
            "answers.b": ["There is no such label in this project."]
        }

    def test_every_check_is_answered_first(self) -> None:
        evouna = protocol_of("evouna")
        assert "checks" in problems(evouna, A, B, changes_over_time=False)
        assert problems(evouna, A, B, changes_over_time=False, gold_improper=False) == {}

    def test_a_yes_that_skips_the_answers_needs_no_labels(self) -> None:
        assert problems(protocol_of("evouna"), changes_over_time=True, gold_improper=False) == {}


class TestSkippingCheck:
    def test_names_the_check_whose_yes_skips(self) -> None:
        evouna = protocol_of("evouna")
        assert skipping_check(protocol=evouna, checks={"gold_improper": True}) == "gold_improper"

    def test_is_nothing_for_a_no_or_a_check_that_skips_nothing(self) -> None:
        assert skipping_check(protocol=protocol_of("evouna"), checks={"gold_improper": False}) == ""
        assert skipping_check(protocol=protocol_of("efficientqa"), checks={"ambiguous": True}) == ""

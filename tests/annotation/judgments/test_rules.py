from dataclasses import replace

import pytest

from annotation.judgments.rules import (
    AnswerGiven,
    Fate,
    Inquiry,
    fate_of,
    heard_checks,
    inquire,
    problems_of_sheet,
    skipping_check,
)
from annotation.projects.presets import find_preset
from annotation.projects.rules import CheckRule, Credit, Protocol


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
        assert problems(protocol, A) == {"answers": ["Label all answers first. Answers without a label: 1."]}

    def test_an_answer_of_another_sheet_is_refused(self, protocol: Protocol) -> None:
        assert problems(protocol, A, B, replace(A, id="foreign")) == {
            "answers": ["An answer does not belong to this question."]
        }

    def test_an_answer_that_others_took_meanwhile_may_still_be_judged(self, protocol: Protocol) -> None:
        assert problems(protocol, A, B, replace(A, id="late")) == {}

    def test_an_answer_must_not_stand_twice(self, protocol: Protocol) -> None:
        assert problems(protocol, A, A, B) == {"answers": ["An answer appears twice in this request."]}

    def test_a_label_the_protocol_lacks_is_refused_at_its_answer(self, protocol: Protocol) -> None:
        assert problems(protocol, A, replace(B, label="perhaps")) == {
            "answers.b": ["There is no such label in this project."]
        }

    def test_evidence_is_wanted_for_labels_of_the_chosen_worth(self, protocol: Protocol) -> None:
        strict = replace(protocol, evidence_required_for=(Credit.DEFINITE,))
        assert list(problems(strict, A, B)) == ["answers.a"]
        assert problems(strict, replace(A, evidence_url="https://example.org"), B) == {}
        assert problems(strict, replace(A, evidence_quote="as it says"), B) == {}
        assert "needs evidence" in problems(strict, replace(A, evidence_url=" "), B)["answers.a"][0]

    def test_a_comment_is_wanted_for_labels_of_the_chosen_worth(self, protocol: Protocol) -> None:
        strict = replace(protocol, comment_required_for=(Credit.NONE,))
        assert list(problems(strict, A, B)) == ["answers.b"]
        assert problems(strict, A, replace(B, comment="a misspelling")) == {}

    def test_every_check_is_answered_first(self) -> None:
        evouna = protocol_of("evouna")
        assert "checks" in problems(evouna, A, B, changes_over_time=False)
        assert problems(evouna, A, B, changes_over_time=False, gold_improper=False) == {}

    def test_a_yes_that_skips_the_answers_needs_no_labels(self) -> None:
        assert problems(protocol_of("evouna"), changes_over_time=False, gold_improper=True) == {}

    def test_a_yes_that_skips_the_rest_needs_no_further_checks(self) -> None:
        assert problems(protocol_of("evouna"), changes_over_time=True) == {}
        assert "checks" in problems(protocol_of("evouna"), gold_improper=True)

    def test_a_check_that_skips_nothing_leaves_the_labels_wanted(self) -> None:
        assert "answers" in problems(protocol_of("efficientqa"), ambiguous=True)


class TestSkippingCheck:
    def test_names_the_check_whose_yes_skips(self) -> None:
        evouna = protocol_of("evouna")
        assert skipping_check(protocol=evouna, checks={"gold_improper": True}) == "gold_improper"

    def test_is_nothing_for_a_no_or_a_check_that_skips_nothing(self) -> None:
        assert skipping_check(protocol=protocol_of("evouna"), checks={"gold_improper": False}) == ""
        assert skipping_check(protocol=protocol_of("efficientqa"), checks={"ambiguous": True}) == ""


class TestHeardChecks:
    def heard(self, **checks: bool) -> dict[str, bool | None]:
        evouna = protocol_of("evouna")
        return heard_checks(protocol=evouna, asked=evouna.skipping_keys, checks=checks)

    def test_end_with_a_yes_that_skips_the_rest(self) -> None:
        assert self.heard(changes_over_time=True, gold_improper=True) == {"changes_over_time": True}

    def test_name_what_is_still_to_be_answered(self) -> None:
        assert self.heard(changes_over_time=False) == {"changes_over_time": False, "gold_improper": None}

    def test_leave_out_what_was_not_asked(self) -> None:
        evouna = protocol_of("evouna")
        assert heard_checks(protocol=evouna, asked=[], checks={"changes_over_time": True}) == {}


YES: set[str] = {"gold_improper"}
NO: set[str] = set()


class TestInquire:
    def inquiry(self, *marks: set[str], is_waiting: bool = False) -> Inquiry:
        return inquire(
            protocol=protocol_of("evouna"), marks=dict(enumerate(marks, start=1)), is_waiting=is_waiting
        )

    def test_one_no_against_two_yes_is_asked_again(self) -> None:
        assert self.inquiry(YES, NO, YES) == Inquiry(is_improper=True, checks=frozenset({2}))

    def test_nobody_is_asked_again_where_all_agree(self) -> None:
        assert self.inquiry(YES, YES, YES) == Inquiry(is_improper=True)
        assert self.inquiry(NO, NO, NO) == Inquiry(is_improper=False)

    def test_one_yes_against_two_no_judges_after_all(self) -> None:
        assert self.inquiry(NO, YES, NO) == Inquiry(is_improper=False, answers=frozenset({2}))

    def test_nobody_judges_after_all_while_another_may_still_say_yes(self) -> None:
        assert self.inquiry(NO, YES, is_waiting=True) == Inquiry(is_improper=False)

    def test_a_single_rater_who_is_all_there_is_judges_after_all(self) -> None:
        assert self.inquiry(YES) == Inquiry(is_improper=False, answers=frozenset({1}))

    def test_where_any_yes_suffices_nobody_is_asked_to_reconsider(self) -> None:
        evouna = protocol_of("evouna")
        checks = tuple(replace(check, rule=CheckRule.ANY) for check in evouna.question_checks)
        inquiry = inquire(
            protocol=replace(evouna, question_checks=checks), marks={1: YES, 2: NO}, is_waiting=False
        )
        assert inquiry == Inquiry(is_improper=True)

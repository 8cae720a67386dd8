"""The protocol as plain values."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.projects.presets import Preset, all_presets
from annotation.projects.rules import (
    CheckRule,
    Credit,
    Protocol,
    ProtocolError,
    QuestionCheck,
    TieBreak,
    differences,
    is_improper,
    pseudonym_for,
)

CORRECT = {"key": "correct", "name": "Correct", "credit": "definite"}
INCORRECT = {"key": "incorrect", "name": "Incorrect", "credit": "none"}
PRESETS = {preset.key: preset.protocol for preset in all_presets()}


def spec(**changes: object) -> dict[str, object]:
    return {**PRESETS["openqa-eval"].to_spec(), **changes}


class TestPresets:
    def test_one_is_recommended_and_stands_first(self) -> None:
        assert [preset.is_recommended for preset in all_presets()] == [True, False, False, False]

    @pytest.mark.parametrize("preset", all_presets(), ids=lambda preset: preset.key)
    def test_say_in_a_line_how_people_judge(self, preset: Preset) -> None:
        assert 0 < len(preset.summary.split()) <= 12

    def test_one_lets_judges_be_tested_in_a_raters_place(self) -> None:
        protocol = PRESETS["openqa-eval-3"]
        assert protocol.preset == "openqa-eval-3"
        assert (protocol.raters_per_answer, protocol.annotators_needed) == (3, 3)
        assert protocol.tie_break is TieBreak.NOBODY
        assert protocol.labels == PRESETS["openqa-eval"].labels


class TestProtocol:
    @pytest.mark.parametrize("key", sorted(PRESETS))
    def test_presets_survive_being_written_and_read(self, key: str) -> None:
        assert Protocol.from_spec(PRESETS[key].to_spec()) == PRESETS[key]

    @pytest.mark.parametrize("key", sorted(PRESETS))
    def test_presets_have_guidelines(self, key: str) -> None:
        assert len(PRESETS[key].guidelines) > 500

    def test_openqa_eval_is_two_blind_raters_and_a_third_on_disagreement(self) -> None:
        protocol = PRESETS["openqa-eval"]
        assert (protocol.raters_per_answer, protocol.tie_break, protocol.gold_shown) == (
            2,
            "third_rater",
            False,
        )

    def test_evouna_shows_gold_answers(self) -> None:
        assert PRESETS["evouna"].gold_shown

    def test_what_leads_may_open_is_closed_unless_the_protocol_says_so(self) -> None:
        closed = Protocol.from_spec(spec())
        opened = Protocol.from_spec(spec(decisions_shown=True, adjudication_unblinded=True))
        assert (closed.decisions_shown, closed.adjudication_unblinded) == (False, False)
        assert (opened.decisions_shown, opened.adjudication_unblinded) == (True, True)

    def test_hash_changes_with_the_guidelines(self) -> None:
        other = Protocol.from_spec(spec(guidelines="Judge well."))
        assert other.content_hash != PRESETS["openqa-eval"].content_hash

    def test_credit_says_what_a_label_is_worth(self) -> None:
        assert PRESETS["efficientqa"].credit("possibly_correct") is Credit.POSSIBLE

    def test_credit_of_an_unknown_label_is_a_key_error(self) -> None:
        with pytest.raises(KeyError):
            PRESETS["efficientqa"].credit("maybe")

    @pytest.mark.parametrize(
        ("changes", "field"),
        [
            ({"labels": []}, "labels"),
            ({"labels": [{"key": "a", "name": "A", "credit": "definite"}] * 2}, "labels"),
            ({"raters_per_answer": 0}, "raters_per_answer"),
            ({"sheet_size": 21}, "sheet_size"),
            ({"decision_rule": "two_of_three"}, "raters_per_answer"),
            ({"decision_rule": "only_rater"}, "raters_per_answer"),
            ({"decision_rule": "dice"}, "decision_rule"),
            ({"tie_break": None}, "tie_break"),
            ({"gold_shown": "no"}, "gold_shown"),
            ({"passages_shown": "all"}, "passages_shown"),
            (
                {"question_checks": [{"key": "attributable", "text": "In the passages?"}]},
                "question_checks.0.text",
            ),
            ({"raters_per_answer": 2.5}, "raters_per_answer"),
            ({"labels": "correct"}, "labels"),
            ({"labels": ["correct"]}, "labels"),
            ({"raters_per_answer": True}, "raters_per_answer"),
            ({"labels": [{**CORRECT, "credit": "much"}, INCORRECT]}, "labels.0.credit"),
            ({"labels": [CORRECT, {**INCORRECT, "name": " "}]}, "labels.1.name"),
            ({"labels": [CORRECT, {**INCORRECT, "name": "correct"}]}, "labels.1.name"),
            ({"tie_break": "more_raters", "most_raters": 2}, "most_raters"),
            ({"question_checks": [{"key": "a", "text": ""}]}, "question_checks.0.text"),
            ({"question_checks": [{"key": "a", "text": "?", "at_least": 0}]}, "question_checks.0.at_least"),
            ({"evidence_required_for": ["much"]}, "evidence_required_for"),
            ({"gold_among_answers": True, "gold_shown": True}, "gold_among_answers"),
            ({"gold_among_answers": True, "gold_equal": "correct"}, "gold_among_answers"),
        ],
    )
    def test_refuses_what_contradicts_itself_and_names_the_field(
        self, changes: dict[str, object], field: str
    ) -> None:
        with pytest.raises(ProtocolError) as caught:
            Protocol.from_spec(spec(**changes))
        assert field in caught.value.fields

    def test_names_every_field_that_is_wrong_at_once(self) -> None:
        with pytest.raises(ProtocolError) as caught:
            Protocol.from_spec(spec(sheet_size=0, raters_per_answer=10))
        assert set(caught.value.fields) == {"sheet_size", "raters_per_answer"}

    def test_quotes_no_more_of_what_is_wrong_than_finds_it_again(self) -> None:
        with pytest.raises(ProtocolError) as caught:
            Protocol.from_spec(spec(tie_break="x" * 1_000_000, labels=["y"] * 1_000))
        assert caught.value.fields == {
            "labels": ["“y” is not a valid value here."],
            "tie_break": [f"“{'x' * 60}…” is not a valid value here."],
        }

    def test_a_spec_of_an_earlier_release_asks_for_nothing_new(self) -> None:
        old = spec()
        for name in ("evidence_required_for", "comment_required_for", "checks_first", "gold_equal"):
            del old[name]
        assert Protocol.from_spec(old) == PRESETS["openqa-eval"]

    def test_says_with_each_label_what_it_is_taken_in_only_with(self) -> None:
        protocol = Protocol.from_spec(spec(evidence_required_for=["definite"], comment_required_for=["none"]))
        assert [(each.needs_evidence, each.needs_comment) for each in protocol.choices] == [
            (True, False),
            (False, True),
        ]

    def test_equal_sets_of_labels_are_equal_however_they_are_written(self) -> None:
        one = Protocol.from_spec(spec(evidence_required_for=["none", "definite", "none"]))
        other = Protocol.from_spec(spec(evidence_required_for=["definite", "none"]))
        assert one.content_hash == other.content_hash

    def test_efficientqa_asks_about_the_question_before_it_shows_the_answers(self) -> None:
        assert [key for key, protocol in PRESETS.items() if protocol.checks_first] == ["efficientqa"]

    def test_names_a_field_that_is_missing(self) -> None:
        incomplete = spec()
        del incomplete["tie_break"]
        with pytest.raises(ProtocolError, match="tie_break"):
            Protocol.from_spec(incomplete)


class TestPseudonymFor:
    @given(st.text(alphabet="abcdefgh2345", min_size=14, max_size=14))
    def test_is_free_and_made_of_chance(self, chance: str) -> None:
        taken = [f"R-{chance[:4].upper()}", f"R-{chance[:5].upper()}"]
        assert pseudonym_for(chance=chance, taken=taken) == f"R-{chance[:6].upper()}"


class TestIsImproper:
    def protocol(self, *checks: QuestionCheck) -> Protocol:
        return replace(PRESETS["evouna"], question_checks=checks)

    def check(self, key: str = "gold_improper", **changes: Any) -> QuestionCheck:
        fields = {"rule": CheckRule.AT_LEAST, "at_least": 2, "skips_answers": True, **changes}
        return QuestionCheck(key=key, text="?", **fields)

    def test_enough_raters_take_a_question_out(self) -> None:
        protocol = self.protocol(self.check())
        assert is_improper(protocol=protocol, marks=[{"gold_improper"}, set(), {"gold_improper"}])
        assert not is_improper(protocol=protocol, marks=[{"gold_improper"}, set(), set()])

    def test_raters_need_not_give_the_same_reason(self) -> None:
        marks = [{"changes_over_time"}, {"gold_improper"}, set[str]()]
        assert is_improper(protocol=PRESETS["evouna"], marks=marks)

    def test_one_rater_with_two_reasons_is_one_rater(self) -> None:
        marks = [{"changes_over_time", "gold_improper"}, set[str]()]
        assert not is_improper(protocol=PRESETS["evouna"], marks=marks)

    def test_any_rater_suffices_where_the_protocol_says_so(self) -> None:
        protocol = self.protocol(self.check(rule=CheckRule.ANY), self.check("other"))
        assert is_improper(protocol=protocol, marks=[{"gold_improper"}])
        assert not is_improper(protocol=protocol, marks=[{"other"}])

    def test_a_check_that_leaves_answers_alone_takes_nothing_out(self) -> None:
        protocol = self.protocol(self.check(skips_answers=False))
        assert not is_improper(protocol=protocol, marks=[{"gold_improper"}] * 3)
        assert not is_improper(protocol=PRESETS["efficientqa"], marks=[{"ambiguous"}] * 3)


class TestDifferences:
    def test_a_check_says_when_it_counts(self) -> None:
        old = PRESETS["evouna"]
        check = QuestionCheck(key="a", text="Old?", rule=CheckRule.ANY, at_least=1, skips_answers=False)
        enough = replace(check, rule=CheckRule.AT_LEAST, at_least=2, skips_answers=True)
        (difference,) = differences(
            replace(old, question_checks=(check,)), replace(old, question_checks=(enough,))
        )
        assert difference.before == "Old? (result is yes if any annotator says yes)"
        assert difference.after == (
            "Old? (result is yes if at least 2 annotators say yes; a yes skips the remaining checks and "
            "all answers)"
        )

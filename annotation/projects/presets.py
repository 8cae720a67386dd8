"""The ready-made protocols: the three published ones, and one by which judges can be tested."""

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from annotation.projects.rules import (
    CheckRule,
    Credit,
    DecisionRule,
    GoldEqual,
    Label,
    Protocol,
    QuestionCheck,
    TieBreak,
)

GUIDELINES = Path(__file__).parent / "guidelines"

CORRECT = Label(key="correct", name="Correct", credit=Credit.DEFINITE)
INCORRECT = Label(key="incorrect", name="Incorrect", credit=Credit.NONE)


class Preset(NamedTuple):
    """A ready-made protocol with the words that introduce it.

    goal: what one finds out by it; summary: how, in at most twelve words; details: what else to know before
    choosing it.
    """

    key: str
    name: str
    goal: str
    summary: str
    details: str
    protocol: Protocol
    is_recommended: bool = False


def _guidelines(key: str) -> str:
    return (GUIDELINES / f"{key}.md").read_text(encoding="utf-8")


def _openqa_eval() -> Preset:
    return Preset(
        key="openqa-eval",
        name="OpenQA-eval",
        goal="Which systems are best, and which automatic judges can I trust?",
        summary="Several automatic judges run by themselves; you can also connect language models.",
        details=(
            "You see how often each automatic judge agrees with people. To test whether a judge can replace "
            "a person, choose that goal instead."
        ),
        is_recommended=True,
        protocol=Protocol(
            preset="openqa-eval",
            labels=(CORRECT, INCORRECT),
            raters_per_answer=2,
            decision_rule=DecisionRule.MAJORITY,
            tie_break=TieBreak.THIRD_RATER,
            fill_tie_break_sheets=False,
            guidelines=_guidelines("openqa-eval"),
        ),
    )


def _efficientqa() -> Preset:
    return Preset(
        key="efficientqa",
        name="EfficientQA",
        goal="Which systems are best if questions are ambiguous?",
        summary="Three people judge each answer. They can also choose “possibly correct.”",
        details=(
            "People also say whether each question could have several answers. “Definitely correct” needs "
            "two of the three votes."
        ),
        protocol=Protocol(
            preset="efficientqa",
            labels=(
                Label(key="definitely_correct", name="Definitely correct", credit=Credit.DEFINITE),
                Label(key="possibly_correct", name="Possibly correct", credit=Credit.POSSIBLE),
                Label(key="definitely_incorrect", name="Definitely incorrect", credit=Credit.NONE),
            ),
            raters_per_answer=3,
            decision_rule=DecisionRule.TWO_OF_THREE,
            tie_break=TieBreak.NOBODY,
            # Answers that equal a reference were never shown to raters.
            gold_equal=GoldEqual.CORRECT,
            question_checks=(
                QuestionCheck(key="ambiguous", text="Could this question have several answers?"),
            ),
            checks_first=True,
            guidelines=_guidelines("efficientqa"),
        ),
    )


def _evouna() -> Preset:
    return Preset(
        key="evouna",
        name="EVOUNA",
        goal="How well do automatic judges agree with one person?",
        summary="One person judges each answer and sees the gold answers.",
        details=(
            "You cannot measure how much people agree, or test whether a judge can replace an annotator. "
            "To share the work, you can put systems in groups, with one person for each group. Questions "
            "whose gold answers are incorrect or change over time are left out of the scores."
        ),
        protocol=Protocol(
            preset="evouna",
            labels=(CORRECT, INCORRECT),
            raters_per_answer=1,
            decision_rule=DecisionRule.ONLY_RATER,
            tie_break=TieBreak.NOBODY,
            gold_shown=True,
            question_checks=(
                QuestionCheck(
                    key="changes_over_time",
                    text="Does the answer change over time?",
                    rule=CheckRule.AT_LEAST,
                    at_least=2,
                    skips_answers=True,
                ),
                QuestionCheck(
                    key="gold_improper",
                    text="Do the gold answers have severe errors?",
                    rule=CheckRule.AT_LEAST,
                    at_least=2,
                    skips_answers=True,
                ),
            ),
            pool_within_groups=True,
            guidelines=_guidelines("evouna"),
        ),
    )


def _three_raters() -> Preset:
    """OpenQA-eval with the three raters whom the alternative annotator test needs (Calderon et al. 2025)."""
    return Preset(
        key="openqa-eval-3",
        name="OpenQA-eval (three annotators)",
        goal="Can an automatic judge replace an annotator (statistical test)?",
        summary="Three people judge each answer, for a statistical test of each judge.",
        details=(
            "The alternative annotator test compares each judge with three people who judged the same "
            "answers. The majority of the three decides. Judging with three people takes about 50% more "
            "work than judging with two."
        ),
        protocol=replace(
            _openqa_eval().protocol,
            preset="openqa-eval-3",
            raters_per_answer=3,
            tie_break=TieBreak.NOBODY,
        ),
    )


def all_presets() -> tuple[Preset, ...]:
    """Return the presets in the order in which pages list them, with the recommended one first."""
    return (_openqa_eval(), _three_raters(), _evouna(), _efficientqa())


def find_preset(key: str) -> Preset | None:
    """Return the preset with this key, or None."""
    return next((preset for preset in all_presets() if preset.key == key), None)

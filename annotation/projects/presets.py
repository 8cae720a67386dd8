"""The three published protocols, ready-made."""

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
    """A published protocol with the words that introduce it; goal: what one finds out by it."""

    key: str
    name: str
    goal: str
    summary: str
    protocol: Protocol


def _guidelines(key: str) -> str:
    return (GUIDELINES / f"{key}.md").read_text(encoding="utf-8")


def _openqa_eval() -> Preset:
    return Preset(
        key="openqa-eval",
        name="OpenQA-eval",
        goal="How often is each system correct?",
        summary=(
            "Two people judge each answer as correct or incorrect. If they disagree, a third decides "
            "without seeing their labels. Every project also compares automatic judges with people: choose "
            "this goal if you want both."
        ),
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
        goal="How often is each system correct if questions can be read in several ways?",
        summary=(
            "Three people judge each answer as definitely correct, possibly correct or definitely "
            "incorrect. The label that two of them choose counts."
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
        goal="How well do automatic judges agree with people?",
        summary=(
            "One person judges each answer as correct or incorrect and sees the gold answers. To share "
            "the work, you can put systems in groups, with one person for each group. Questions whose "
            "gold answers are incorrect or change over time are left out of the scores."
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


def all_presets() -> tuple[Preset, ...]:
    """Return the presets in the order in which pages list them."""
    return (_openqa_eval(), _efficientqa(), _evouna())


def find_preset(key: str) -> Preset | None:
    """Return the preset with this key, or None."""
    return next((preset for preset in all_presets() if preset.key == key), None)

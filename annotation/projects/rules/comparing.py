"""What differs between two versions of a protocol, in words."""

import difflib
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from annotation.projects.rules.protocol import Protocol
from annotation.projects.rules.values import CheckRule, Label, QuestionCheck

NAMES = {
    "preset": "Made from",
    "labels": "Labels",
    "raters_per_answer": "Raters for each answer",
    "decision_rule": "Decision rule",
    "tie_break": "Where raters differ",
    "most_raters": "Most raters",
    "gold_shown": "Gold answers shown",
    "gold_equal": "Answers that equal a gold answer",
    "gold_among_answers": "Gold answers among the answers",
    "question_checks": "Asked about the question",
    "checks_first": "Answers held back until then",
    "evidence_required_for": "Evidence wanted for",
    "comment_required_for": "Comment wanted for",
    "sheet_size": "Answers on a sheet",
    "fill_tie_break_sheets": "Tie-break sheets filled up",
    "pool_within_groups": "A rater for each group of systems",
    "decisions_shown": "Raters read decisions",
    "adjudication_unblinded": "Adjudicators see systems",
}
# Lines that stay the same, around those that do not.
CONTEXT_LINES = 1


class Difference(NamedTuple):
    """A field that differs, and what it said before and says now."""

    field: str
    name: str
    before: str
    after: str


class Line(NamedTuple):
    """A line of guidelines: "added", "removed", "same", or "gap" where unchanged lines are left out."""

    kind: str
    text: str


def differences(old: Protocol, new: Protocol) -> list[Difference]:
    """Return the fields that differ, in the protocol's order; guidelines are told by `guideline_lines`."""
    pairs = ((field, getattr(old, field), getattr(new, field)) for field in NAMES)
    return [
        Difference(field, NAMES[field], _words(before), _words(after))
        for field, before, after in pairs
        if before != after
    ]


def guideline_lines(old: str, new: str) -> list[Line]:
    """Return the lines of the guidelines that came and went, with one line around them."""
    kinds = {"+": "added", "-": "removed", " ": "same", "@": "gap"}
    diff = difflib.unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=CONTEXT_LINES)
    # The first two name the files.
    lines = [Line(kinds[line[0]], "" if line[0] == "@" else line[1:]) for line in list(diff)[2:]]
    return lines[1:] if lines and lines[0].kind == "gap" else lines


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return _words_of_all(value)
    return value.replace("_", " ") if isinstance(value, StrEnum) else str(value)


def _words_of_all(values: Sequence[Any]) -> str:
    return " · ".join(_words_of_item(value) for value in values) or "nothing"


def _words_of_item(value: Any) -> str:
    if isinstance(value, Label):
        return f"{value.name} ({value.credit})"
    if isinstance(value, QuestionCheck):
        rule = "any rater" if value.rule is CheckRule.ANY else f"at least {value.at_least}"
        return f"{value.text} ({rule}{', a yes skips the rest' if value.skips_answers else ''})"
    return _words(value)

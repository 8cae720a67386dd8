"""Compare protocols: what changes, whether two match, which questions they leave out."""

import difflib
from collections.abc import Collection, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from annotation.projects.rules.protocol import Protocol
from annotation.projects.rules.reading import CheckRule, Credit, Label, QuestionCheck


def is_improper(*, protocol: Protocol, marks: Sequence[Collection[str]]) -> bool:
    """Say whether raters took a question out of the scores by checks that make its answers pointless.

    `marks`: for each rater the keys of the checks answered yes. A yes skips the checks that follow, so
    a rater counts towards "at least n" by a yes to any check of that rule (Wang et al. 2023: a question
    is improper when two of three raters marked it, for whichever reason).
    """
    skipping = [check for check in protocol.question_checks if check.skips_answers]
    alone = {check.key for check in skipping if check.rule is CheckRule.ANY}
    together = {check.key for check in skipping if check.rule is CheckRule.AT_LEAST}
    if any(alone & set(keys) for keys in marks):
        return True
    count = sum(bool(together & set(keys)) for keys in marks)
    return bool(together) and count >= min(check.at_least for check in skipping if check.key in together)


def skipping_check_key(protocol: Protocol) -> str:
    """Return the check whose yes takes a question out of the scores, for files that name none, or nothing.

    Of several it is the last: in the published protocol that the gold answers are improper.
    """
    keys = protocol.skipping_keys
    return keys[-1] if keys else ""


def labels_across(*, source: Protocol, target: Protocol) -> dict[str, str]:
    """Return what each label of one protocol is called in another: by key, else the only one worth as much.

    Nothing where the two do not know the same worths ("cannot judge" aside) or a label has no clear match:
    then decisions under one say nothing under the other.
    """
    theirs = [label for label in source.labels if label.credit is not Credit.MISSING]
    ours = [label for label in target.labels if label.credit is not Credit.MISSING]
    if {label.credit for label in theirs} != {label.credit for label in ours}:
        return {}
    across: dict[str, str] = {}
    for label in theirs:
        equal = [other.key for other in ours if other.credit is label.credit]
        match = [key for key in equal if key == label.key] or equal
        if len(match) != 1:
            return {}
        across[label.key] = match[0]
    return across


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

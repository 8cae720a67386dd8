"""What contradicts itself in a protocol, in words by field."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from annotation.projects.rules.reading import DecisionRule, GoldEqual, TieBreak

if TYPE_CHECKING:
    from annotation.projects.rules.protocol import Protocol

Problem = tuple[str, str]
LONGEST_KEY = 60
LONGEST_NAME = 60
LONGEST_CHECK = 300
MOST_CHECKS = 5
MOST_RATERS = 9
LARGEST_SHEET = 20


def problems_of_protocol(protocol: "Protocol") -> dict[str, list[str]]:
    """Return what is wrong with a protocol, in words by field; nothing where it can be."""
    problems: dict[str, list[str]] = {}
    found = (_of_labels, _of_raters, _of_checks, _of_gold, _of_sheets)
    for place, message in (problem for part in found for problem in part(protocol)):
        problems.setdefault(place, []).append(message)
    return problems


def _of_labels(protocol: "Protocol") -> Iterator[Problem]:
    if not 2 <= len(protocol.labels) <= 5:
        yield "labels", "A protocol has two to five labels."
    elif not protocol.accepted_keys or not protocol.rejected_keys:
        yield "labels", "One label must mean correct and one must mean incorrect."
    if _repeats(label.key for label in protocol.labels):
        yield "labels", "Two labels have the same key."
    names = _repeats(label.name.casefold() for label in protocol.labels)
    for index, label in enumerate(protocol.labels):
        if not label.name or len(label.name) > LONGEST_NAME:
            yield f"labels.{index}.name", f"A label has a name of at most {LONGEST_NAME} characters."
        elif label.name.casefold() in names:
            yield f"labels.{index}.name", "Another label has this name."
        if not label.key or len(label.key) > LONGEST_KEY:
            yield f"labels.{index}.key", f"A label has a key of at most {LONGEST_KEY} characters."


def _of_raters(protocol: "Protocol") -> Iterator[Problem]:
    raters = protocol.raters_per_answer
    if not 1 <= raters <= MOST_RATERS:
        yield "raters_per_answer", "An answer has one to nine raters."
    if protocol.decision_rule is DecisionRule.TWO_OF_THREE and raters != 3:
        yield "raters_per_answer", "The rule “two of three” needs three raters."
    if protocol.decision_rule is DecisionRule.ONLY_RATER and raters != 1:
        yield "raters_per_answer", "The rule “only rater” needs exactly one rater."
    if protocol.tie_break is TieBreak.MORE_RATERS and not raters < protocol.most_raters <= MOST_RATERS:
        yield "most_raters", f"The most raters are more than the first {raters}, and at most {MOST_RATERS}."


def _of_checks(protocol: "Protocol") -> Iterator[Problem]:
    if len(protocol.question_checks) > MOST_CHECKS:
        yield "question_checks", f"A protocol asks at most {MOST_CHECKS} things about a question."
    if _repeats(check.key for check in protocol.question_checks):
        yield "question_checks", "Two checks have the same key."
    for index, check in enumerate(protocol.question_checks):
        if not check.text or len(check.text) > LONGEST_CHECK:
            yield f"question_checks.{index}.text", f"Ask something, in at most {LONGEST_CHECK} characters."
        if not check.key or len(check.key) > LONGEST_KEY:
            yield (
                f"question_checks.{index}.key",
                f"A check has a key of at most {LONGEST_KEY} characters.",
            )
        if not 1 <= check.at_least <= MOST_RATERS:
            yield f"question_checks.{index}.at_least", "At least one to nine raters say yes."


def _of_gold(protocol: "Protocol") -> Iterator[Problem]:
    if not protocol.gold_among_answers:
        return
    field = "gold_among_answers"
    if protocol.gold_shown:
        yield field, "Gold answers that are shown cannot be judged blind. Choose one of the two."
    if protocol.gold_equal is GoldEqual.CORRECT:
        yield field, "Answers that equal gold are left out, so gold answers would be, too. Choose one."
    if protocol.pool_within_groups:
        yield field, "Raters judge one group of systems each, and gold answers belong to none."


def _of_sheets(protocol: "Protocol") -> Iterator[Problem]:
    if not 1 <= protocol.sheet_size <= LARGEST_SHEET:
        yield "sheet_size", "A sheet holds one to twenty answers."


def _repeats(names: Iterable[str]) -> set[str]:
    return {name for name, count in Counter(names).items() if count > 1}

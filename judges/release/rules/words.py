"""Figures with their intervals and a protocol in words, as the paragraph and the report say them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from analysis.intervals import Figure
from annotation.projects.rules import (
    CheckRule,
    Credit,
    DecisionRule,
    GoldEqual,
    Protocol,
    QuestionCheck,
    TieBreak,
)
from common.figures import words_of

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
DASH = "–"


def count_of(count: int, noun: str) -> str:
    """Return "1 system", "12 systems"."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def questions_words(*, scored: int, judged: int) -> str:
    """Return "3,610 questions", and how many of them are judged once some and not all are."""
    partly = f", {judged:,} of them judged so far" if 0 < judged < scored else ""
    return count_of(scored, "question") + partly


def word_of(count: int) -> str:
    """Return a small number in letters."""
    return NUMBERS[count] if count < len(NUMBERS) else f"{count:,}"


def joined(words: Sequence[str], last: str) -> str:
    """Return "a", "a or b", "a, b or c"."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def share_with_interval(figure: Figure) -> str:
    """Return "86.4 % (84.2–88.7)"."""
    text, bracket, bounds = with_interval(figure, digits=1, scale=100).partition(" (")
    return DASH if figure.value is None else f"{text} %{bracket}{bounds}"


def with_interval(figure: Figure, *, digits: int, scale: float = 1) -> str:
    """Return "0.728 (0.682–0.773)", without the bounds where there are none."""
    if figure.value is None:
        return DASH
    text = f"{scale * figure.value:.{digits}f}"
    if figure.low is None or figure.high is None:
        return text
    low, high = (f"{scale * bound:.{digits}f}" for bound in (figure.low, figure.high))
    # Two minus signs and a dash between them would not be read.
    return f"{text} ({low} to {high})" if figure.low < 0 else f"{text} ({low}–{high})"


class FigureWords(NamedTuple):
    """A figure in a cell, and below it the bounds of its interval; empty where there are none."""

    value: str
    bounds: str


def share_words(figure: Figure) -> FigureWords:
    """Return "86.4 %" and "84.2–88.7"."""
    return _words(share_with_interval(figure))


def coefficient_words(figure: Figure) -> FigureWords:
    """Return "0.73" and "0.68–0.77"."""
    # A hyphen for a minus sign is hardly seen beside the dash between bounds.
    return _words(with_interval(figure, digits=2).replace("-", "−"))


def why_lacking(subject: str, figures: Iterable[tuple[str, Figure]]) -> Iterator[str]:
    """Yield why figures, each by its name, are undefined or have no interval, a sentence for each reason."""
    lacking: dict[str, list[str]] = {}
    for name, figure in figures:
        if reason := words_of(figure):
            lacking.setdefault(reason, []).append(name)
    for reason, names in lacking.items():
        yield f"{subject} ({'; '.join(names)}): {reason}"


def _words(text: str) -> FigureWords:
    value, _, bounds = text.partition(" (")
    return FigureWords(value, bounds.removesuffix(")"))


def protocol_lines(protocol: Protocol, *, shares_with_programs: bool = False) -> Iterator[tuple[str, str]]:
    """Yield what the protocol says, as name and words."""
    yield "Made from", protocol.preset
    yield "Labels", joined([label.name for label in protocol.labels], "or")
    yield "Raters", raters_words(protocol, shares_with_programs=shares_with_programs)
    # What happened stands in the paragraph above; this is what was agreed on before.
    yield "Decision, as planned", decision_words(protocol)
    yield "Gold answers", gold_words(protocol)
    for check in protocol.question_checks:
        yield "Asked about the question", check_words(check)


def raters_words(protocol: Protocol, *, shares_with_programs: bool = False) -> str:
    """Say who judges an answer; shares_with_programs: rules of pre-judging settled part of them."""
    left = " that programs left to people" if shares_with_programs else ""
    count = protocol.raters_per_answer
    raters = f"{word_of(count)} rater{'s' * (count > 1)}"
    if protocol.pool_within_groups:
        return f"Systems stood in groups, and {raters} judged each group’s answers{left}"
    return f"{raters.capitalize()} judged each answer{left}"


def decision_words(protocol: Protocol) -> str:
    """Say how votes become a decision."""
    if protocol.decision_rule is DecisionRule.ONLY_RATER:
        return "the rater’s label decided"
    if protocol.decision_rule is DecisionRule.TWO_OF_THREE:
        return _two_of_three(protocol)
    return {
        TieBreak.THIRD_RATER: "where they differed, a further rater judged the answer, too, equally blind, "
        "and the majority decided",
        TieBreak.MORE_RATERS: "where they differed, further raters were asked one by one, up to "
        f"{word_of(protocol.most_raters)} in all, and the majority decided",
        TieBreak.LEAD: "where they differed, the lead of the study decided",
        TieBreak.NOBODY: "the majority decided",
    }[protocol.tie_break]


def _two_of_three(protocol: Protocol) -> str:
    names = {label.credit: label.name.lower() for label in reversed(protocol.labels)}
    definite, rejected = names[Credit.DEFINITE], names[Credit.NONE]
    possible = names.get(Credit.POSSIBLE)
    milder = f", else {possible} where two said so or {definite}" if possible else ""
    return f"an answer counted as {definite} where two of three said so{milder}, and else as {rejected}"


def gold_words(protocol: Protocol) -> str:
    """Say what raters saw of gold answers."""
    shown = f"Gold answers were {'' if protocol.gold_shown else 'not '}shown to raters"
    if protocol.gold_equal is GoldEqual.CORRECT:
        return f"{shown}; answers equal to one counted as correct unjudged"
    if protocol.gold_among_answers:
        return f"{shown}; they were judged among the answers, unmarked"
    return shown


def check_words(check: QuestionCheck) -> str:
    """Say what is asked about a question and when it counts."""
    rule = (
        "any rater’s yes counts" if check.rule is CheckRule.ANY else f"counts from {check.at_least} raters on"
    )
    return (
        f"“{check.text}” ({rule}{'; it takes the question out of the scores' if check.skips_answers else ''})"
    )

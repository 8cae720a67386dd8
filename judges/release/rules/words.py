"""Figures with their intervals and a protocol in words, as the paragraph and the report say them."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from analysis.intervals import Figure
from annotation.projects.rules import (
    CheckRule,
    Credit,
    DecisionRule,
    GoldEqual,
    PassagesShown,
    Protocol,
    QuestionCheck,
    TieBreak,
)
from annotation.release.rules import count_of
from common.figures import share_with_interval, with_interval, words_of

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def questions_words(*, scored: int, judged: int) -> str:
    """Return "3,610 questions", and how many of them people judged once some and not all are."""
    partly = f", {judged:,} of them judged by people" if 0 < judged < scored else ""
    return count_of(scored, "question") + partly


def word_of(count: int) -> str:
    """Return a small number in letters."""
    return NUMBERS[count] if count < len(NUMBERS) else f"{count:,}"


def joined(words: Sequence[str], last: str) -> str:
    """Return "a", "a or b", "a, b, or c"."""
    if len(words) < 2:
        return "".join(words)
    comma = "," if len(words) > 2 else ""
    return f"{', '.join(words[:-1])}{comma} {last} {words[-1]}"


def rank_words(rank: Figure) -> str:
    """Return "2 (1–3)", or "1" where no other rank is possible."""
    return with_interval(Figure(rank.value) if rank.low == rank.high else rank, digits=0)


class FigureWords(NamedTuple):
    """A figure in a cell, and below it the bounds of its interval; empty where there are none."""

    value: str
    bounds: str


def share_words(figure: Figure) -> FigureWords:
    """Return "86.4%" and "84.2–88.7"."""
    return _words(share_with_interval(figure))


def coefficient_words(figure: Figure) -> FigureWords:
    """Return "0.73" and "0.68–0.77"."""
    return _words(with_minus(with_interval(figure, digits=2)))


def with_minus(number: str) -> str:
    """Return a number with a minus sign: a hyphen is hardly seen beside the dash between bounds."""
    return number.replace("-", "−")


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
    yield "Based on", protocol.preset
    yield "Labels", joined([label.name for label in protocol.labels], "or")
    yield "Annotators", raters_words(protocol, shares_with_programs=shares_with_programs)
    # What happened stands in the paragraph above; this is what was agreed on before.
    yield "Planned decision rule", decision_words(protocol)
    yield "Gold answers", gold_words(protocol)
    if passages := passage_words(protocol):
        yield "Passages", passages
    for check in protocol.question_checks:
        yield "Question checks", check_words(check)


def raters_words(protocol: Protocol, *, shares_with_programs: bool = False, may_stop: bool = False) -> str:
    """Say who judges an answer.

    shares_with_programs: rules of pre-judging settled part of them. may_stop: one rater is enough where a
    judge agrees.
    """
    count = protocol.raters_per_answer
    raters = f"{word_of(count)} annotator{'s' * (count > 1)}"
    raters += " (only one if a judge agreed)" * may_stop
    if protocol.pool_within_groups and shares_with_programs:
        return (
            f"Systems were sorted into groups, and {raters} judged each of a group’s answers that automatic "
            "judges did not settle (including all sampled answers)"
        )
    if protocol.pool_within_groups:
        return f"Systems were sorted into groups, and {raters} judged each group’s answers"
    if shares_with_programs:
        return (
            f"{raters.capitalize()} judged each answer that automatic judges did not settle (including all "
            "sampled answers)"
        )
    return f"{raters.capitalize()} judged each answer"


def decision_words(protocol: Protocol) -> str:
    """Say how votes become a decision."""
    if protocol.decision_rule is DecisionRule.ONLY_RATER:
        return "the annotator’s label was the decision"
    if protocol.decision_rule is DecisionRule.TWO_OF_THREE:
        return _two_of_three(protocol)
    return {
        TieBreak.THIRD_RATER: "if they disagreed, another annotator judged the answer without "
        "seeing their labels, and the majority decided",
        TieBreak.MORE_RATERS: "if they disagreed, more annotators were asked one at a time, up to "
        f"{word_of(protocol.most_raters)} in all, and the majority decided",
        TieBreak.LEAD: "if they disagreed, the study’s lead or an adjudicator decided",
        TieBreak.NOBODY: "the majority decided",
    }[protocol.tie_break]


def _two_of_three(protocol: Protocol) -> str:
    names = {label.credit: label.name.lower() for label in reversed(protocol.labels)}
    definite, rejected = names[Credit.DEFINITE], names[Credit.NONE]
    possible = names.get(Credit.POSSIBLE)
    milder = f", as “{possible}” if two chose “{possible}” or “{definite},”" if possible else ","
    return (
        f"an answer counted as “{definite}” if two of three annotators chose that label{milder} and "
        f"as “{rejected}” in all other cases"
    )


def gold_words(protocol: Protocol) -> str:
    """Say what raters saw of gold answers."""
    shown = f"Gold answers were {'' if protocol.gold_shown else 'not '}shown to annotators"
    if protocol.gold_equal is GoldEqual.CORRECT:
        return f"{shown}; answers that equal a gold answer counted as correct without being judged"
    if protocol.gold_among_answers:
        return (
            "Gold answers were not identified to annotators, but were mixed, unmarked, with the answers to "
            "judge"
        )
    return shown


def passage_words(protocol: Protocol) -> str:
    """Say which passages raters saw; empty where they saw none."""
    return {
        PassagesShown.NONE: "",
        PassagesShown.GIVEN: "Annotators saw the passages given with the question",
        PassagesShown.POOLED: "Annotators saw the passages given with the question, together with those that "
        "any system retrieved, without the systems’ names",
    }[protocol.passages_shown]


def check_words(check: QuestionCheck) -> str:
    """Say what is asked about a question and when it counts."""
    rule = (
        "the result is yes if any annotator says yes"
        if check.rule is CheckRule.ANY or check.at_least == 1
        else f"the result is yes if at least {check.at_least} annotators say yes"
    )
    skips = "; the question is then left out of the scores" if check.skips_answers else ""
    return f"“{check.text}” ({rule}{skips})"

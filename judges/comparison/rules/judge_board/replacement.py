"""Whether a judge may take a rater's place: the alternative annotator test for every judge of a page."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from analysis.arrays import Floats, Integers
from analysis.intervals import Figure, Why
from analysis.raters.alternative_annotator import (
    FALSE_DISCOVERIES,
    FEWEST_RATERS,
    PASSING_SHARE,
    AlternativeAnnotator,
    adjust_discoveries,
    compare_with_raters,
)
from judges.comparison.rules.study import NO_VERDICT, Codes


class Replaces(StrEnum):
    """May a judge take a rater's place on this study?

    CHANCE: it may by its own tests alone, and not once the tests of all judges of the page are corrected
    together, as whoever picks one of many must. FEW_VOTES: nobody can say.
    """

    YES = "yes"
    NO = "no"
    CHANCE = "chance"
    FEW_VOTES = "few_votes"


@dataclass(frozen=True)
class BesideRater:
    """A judge compared with one annotator on the answers that other annotators also judged.

    `rater`: the annotator’s pseudonym. `judge_ahead`, `rater_ahead`: how often each is at least as close to
    the other annotators as its counterpart, from 0 to 1. `p_value`: corrected for multiple tests across this
    judge’s annotators. `is_level`: whether the test shows that the judge is at most slightly worse than the
    annotator (by less than ε).
    """

    rater: str
    shared: int
    judge_ahead: float
    rater_ahead: float
    p_value: float
    is_level: bool


@dataclass(frozen=True)
class Replacement:
    """One judge in the alternative annotator test.

    `figures`: `winning_rate` and `advantage`. `compared`: the number of annotators with answers in common
    with the judge. `raters`: the annotators tested. `won`: the number of these annotators for whom the test
    shows that the judge is at most slightly worse (by less than ε). `won_together`: the same, corrected for
    the tests of all judges on the page.
    """

    run: str
    name: str
    replaces: Replaces
    figures: dict[str, Figure]
    compared: int
    won: int
    won_together: int
    raters: list[BesideRater]


class VoteTable(NamedTuple):
    """Raters' votes on the answers that at least two of them judged.

    votes: answers × raters, 1 accepted, 0 not, -1 not rated; answers: their numbers; raters: pseudonyms.
    questions, weights: of each answer, and how many answers it stands for.
    """

    votes: Integers
    answers: Integers
    raters: tuple[str, ...]
    questions: Integers
    weights: Floats


def judge_replacements(
    table: VoteTable, *, verdicts: Mapping[str, Codes], names: Mapping[str, str], epsilon: float
) -> list[Replacement]:
    """Test each judge against the raters, in the order of `verdicts`, which are by run and by answer."""
    found = {run: _test(table, verdict[table.answers], epsilon) for run, verdict in verdicts.items()}
    enough = {run: test for run, test in found.items() if len(test.tests) >= FEWEST_RATERS}
    together = iter(adjust_discoveries([each.p_value for test in enough.values() for each in test.tests]))
    won_together = {
        run: sum(next(together) <= FALSE_DISCOVERIES for _ in test.tests) for run, test in enough.items()
    }
    return [
        _replacement(table, run, names[run], test, won_together.get(run, 0)) for run, test in found.items()
    ]


def _test(table: VoteTable, verdict: Codes, epsilon: float) -> AlternativeAnnotator:
    has_spoken = verdict != NO_VERDICT
    return compare_with_raters(
        votes=table.votes[has_spoken],
        judge=verdict[has_spoken].astype("int64"),
        clusters=table.questions[has_spoken],
        weights=table.weights[has_spoken],
        epsilon=epsilon,
    )


def _replacement(
    table: VoteTable, run: str, name: str, test: AlternativeAnnotator, won_together: int
) -> Replacement:
    adjusted = adjust_discoveries([each.p_value for each in test.tests])
    raters = [
        BesideRater(
            rater=table.raters[each.rater],
            shared=each.shared,
            judge_ahead=each.judge_ahead,
            rater_ahead=each.rater_ahead,
            p_value=p_value,
            is_level=p_value <= FALSE_DISCOVERIES,
        )
        for each, p_value in zip(test.tests, adjusted, strict=True)
    ]
    won = sum(each.is_level for each in raters)
    is_tested = len(raters) >= FEWEST_RATERS
    nothing = Figure(None, why=Why.FEW_TO_REPLACE)
    rate = Figure(won / len(raters), why=Why.THESE_RATERS) if is_tested else nothing
    return Replacement(
        run=run,
        name=name,
        replaces=_answer(won, won_together, len(raters)),
        figures={"winning_rate": rate, "advantage": test.advantage if is_tested else nothing},
        compared=test.compared,
        won=won,
        won_together=won_together,
        raters=raters,
    )


def _answer(won: int, won_together: int, raters: int) -> Replaces:
    if raters < FEWEST_RATERS:
        return Replaces.FEW_VOTES
    if won < PASSING_SHARE * raters:
        return Replaces.NO
    return Replaces.YES if won_together >= PASSING_SHARE * raters else Replaces.CHANCE

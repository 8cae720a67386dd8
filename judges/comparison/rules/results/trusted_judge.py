"""Which judge agrees most with people, how sure that is, and what it can be used for."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from analysis.intervals import Figure
from judges.comparison.rules.boards import BoardRow, ComparedPair
from judges.comparison.rules.judge_board.replacement import Replaces
from judges.comparison.rules.results.best_system import FEW

# How far off a score may be and still be reported: what the label plan takes as sure unless told.
SMALL_BIAS = 0.02
# What share of the pairs of systems that people tell apart a judge must surely order as they do.
ENOUGH_ALIKE = 0.8


class NoTrustedJudge(StrEnum):
    """Why no judge is recommended.

    UNCHECKED: judges settled answers that people have checked none of, so nothing is known of all answers.
    UNDECIDED: an audit runs, and people have yet to decide answers; those they decide first are the easy
    ones, so another judge may agree most in the end.
    CHANCE: none surely agrees with people more often than chance would have it.
    """

    NOTHING_DECIDED = "nothing_decided"
    FEW_ANSWERS = "few_answers"
    NO_JUDGE = "no_judge"
    UNCHECKED = "unchecked"
    UNDECIDED = "undecided"
    CHANCE = "chance"


class Trust(StrEnum):
    """Whether a judge can be used for something; UNSURE: too little is judged to tell."""

    YES = "yes"
    NO = "no"
    UNSURE = "unsure"


class Contender(NamedTuple):
    """A judge of the board. is_told: it was told what people decided, so that it must agree with them.

    row: with intervals; all rows are of the same answers.
    """

    run: str
    row: BoardRow
    is_told: bool

    @property
    def answers(self) -> int:
        """The answers that people decided."""
        return sum(self.row.counts.values())

    @property
    def agreement(self) -> float:
        """The share of them on which it says what people say; one without a usable verdict is an error."""
        return self.row.figures["accuracy_all"].value or 0.0

    @property
    def has_spoken(self) -> bool:
        """Whether it has verdicts of its own."""
        return self.row.counts["unscored"] < self.answers


@dataclass(frozen=True)
class RivalJudge:
    """A judge whose agreement with people is not significantly lower than the best judge’s."""

    name: str
    agreement: Figure


class Choice(NamedTuple):
    """The best judge, if any, and how it stands beside the other contenders.

    sure: the contenders, the best first. rivals: those from which it does not differ significantly; worse:
    how many do. by_chance: names of judges that may agree with people by chance alone, which are no
    contenders where another surely does not.
    """

    because: NoTrustedJudge | None
    sure: list[Contender]
    contenders: int
    rivals: list[RivalJudge]
    worse: int
    by_chance: list[str]

    @property
    def best(self) -> Contender | None:
        """The judge that agrees most with people, unless there is none to trust."""
        return self.sure[0] if self.sure else None


def choose_judge(
    found: Sequence[Contender],
    pairs: Sequence[ComparedPair],
    *,
    answers: int,
    unchecked: int,
    undecided: int,
) -> Choice:
    """Choose among judges that have dealt with every answer that people decided, so on the same answers.

    pairs: every two by their agreement with people, corrected. answers: that people decided; unchecked: that
    judges settled and these do not stand for; undecided: that people have yet to decide beside an audit.
    """
    able = [each for each in found if each.has_spoken and not each.is_told]
    able.sort(key=lambda each: -each.agreement)
    # One that accepts everything agrees most often where most answers are right.
    sure = [each for each in able if _beats_chance(each.row.figures["cohen_kappa"])]
    because = _why_nobody(able, sure, answers=answers, unchecked=unchecked, undecided=undecided)
    if because:
        return Choice(because, [], len(able), [], 0, [])
    best, *others = sure
    tests = _tests_of(best, pairs)
    # One that is significantly better where both gave a verdict, and left out more, is no worse.
    rivals = [each for each in others if each.run not in tests or not _is_behind(tests[each.run], best)]
    return Choice(
        because=None,
        sure=sure,
        contenders=len(sure),
        rivals=[RivalJudge(each.row.name, each.row.figures["accuracy_all"]) for each in rivals],
        worse=len(others) - len(rivals),
        by_chance=[each.row.name for each in able if each not in sure],
    )


def _why_nobody(
    able: Sequence[Contender],
    sure: Sequence[Contender],
    *,
    answers: int,
    unchecked: int,
    undecided: int,
) -> NoTrustedJudge | None:
    if not answers:
        return NoTrustedJudge.NOTHING_DECIDED
    if answers < FEW:
        return NoTrustedJudge.FEW_ANSWERS
    if not able:
        return NoTrustedJudge.NO_JUDGE
    if unchecked:
        return NoTrustedJudge.UNCHECKED
    if undecided:
        return NoTrustedJudge.UNDECIDED
    return None if sure else NoTrustedJudge.CHANCE


def _beats_chance(kappa: Figure) -> bool:
    """Say whether the interval lies above 0; agreement without any error has none."""
    return kappa.low > 0 if kappa.low is not None else kappa.value == 1.0


def _tests_of(best: Contender, pairs: Sequence[ComparedPair]) -> dict[str, ComparedPair]:
    own = [pair for pair in pairs if best.run in (pair.first, pair.second)]
    return {pair.second if pair.first == best.run else pair.first: pair for pair in own}


def _is_behind(pair: ComparedPair, best: Contender) -> bool:
    lead = (pair.difference.value or 0.0) * (1 if pair.first == best.run else -1)
    return pair.is_distinguishable and lead > 0


@dataclass(frozen=True)
class SystemBias:
    """How much higher the judge’s score for a system is than people’s score for it."""

    label: str
    difference: Figure


@dataclass(frozen=True)
class Ranking:
    """Whether a judge ranks systems as people do.

    `pairs`: the number of pairs of systems that people distinguish. `same`: the number of these that the
    judge puts in the same order. `alike`: the number of these that it also distinguishes significantly.
    `rank_of_best`: the judge’s rank for the system that people rank first, the lowest such rank if several
    tie; null if either has no ranks.
    """

    trust: Trust
    pairs: int
    same: int
    alike: int
    rank_of_best: int | None


@dataclass(frozen=True)
class Scoring:
    """Whether a judge’s scores can be reported.

    `bias`: how far its score is above people’s, over all answers. `most`: the system whose score is furthest
    off; null if unknown.
    """

    trust: Trust
    bias: Figure
    most: SystemBias | None


@dataclass(frozen=True)
class StandingIn:
    """Whether the judge may replace an annotator, by the alternative annotator test.

    `raters`: the number of annotators tested; 0 if the judge was not tested. `won`: the number of these that
    the judge can replace. `first_raters`: how many annotators judge each answer under the protocol; the test
    leaves out tie-breaks.
    """

    replaces: Replaces
    won: int
    raters: int
    first_raters: int


def judge_ranking(
    order: Figure | None,
    *,
    pairs: int | None,
    same: int | None,
    alike: int | None,
    rank_of_best: int | None = None,
) -> Ranking:
    """Say whether a judge ranks systems as people do; order: the share of the pairs, with its interval.

    It does not where it puts a pair in another order; it does where it surely puts `ENOUGH_ALIKE` of them in
    the same. A few pairs in the same order, which it does not tell apart itself, may be chance.
    """
    surely = (order.low if order else None) or 0.0
    if not pairs or same is None:
        trust = Trust.UNSURE
    elif same < pairs:
        trust = Trust.NO
    else:
        trust = Trust.YES if surely >= ENOUGH_ALIKE else Trust.UNSURE
    return Ranking(trust, pairs or 0, same or 0, alike or 0, rank_of_best)


def judge_scoring(bias: Figure, of_systems: Sequence[SystemBias]) -> Scoring:
    """Say whether a judge's scores can be reported.

    They can where they are surely off by at most `SMALL_BIAS` in all, and of no system by more; they cannot
    where they are surely off by any other amount. Where no system's is known nobody can say that they can.
    """
    known = [each for each in of_systems if each.difference.value is not None]
    most = max(known, key=lambda each: abs(each.difference.value or 0.0), default=None)
    if bias.low is None or bias.high is None:
        return Scoring(Trust.UNSURE, bias, most)
    is_small = max(-bias.low, bias.high) <= SMALL_BIAS
    if is_small and most and abs(most.difference.value or 0.0) <= SMALL_BIAS:
        return Scoring(Trust.YES, bias, most)
    is_off = not is_small and (bias.low > 0 or bias.high < 0)
    return Scoring(Trust.NO if is_off else Trust.UNSURE, bias, most)

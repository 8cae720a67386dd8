"""The alternative annotator test: may a judge stand in for any one of a study's raters?

Source: Calderon, Reichart and Dror 2025, "The Alternative Annotator Test for LLM-as-a-Judge", section 3.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from analysis.intervals import (
    ROUNDING,
    Figure,
    Interval,
    Scale,
    Undefined,
    Why,
    add_by_cluster,
    divide,
    linearize,
    students_interval,
)
from analysis.raters.agreement import NOT_RATED

# By how much a judge may lie behind a rater and still be worth more, being quick and cheap: the paper's for
# skilled raters; it has .2 for experts and .1 for crowd workers.
EPSILON = 0.15
# The share of rejections that may be wrong.
FALSE_DISCOVERIES = 0.05
# From here on the paper takes differences as normal.
FEWEST_SHARED = 30
# Two raters say which of them a judge resembles, and nothing of a group.
FEWEST_RATERS = 3
# Of the raters, how many a judge must be as good as.
PASSING_SHARE = 0.5


class RaterTest(NamedTuple):
    """One rater beside the judge, on the `shared` answers that others judged, too.

    judge_ahead, rater_ahead: the shares of answers on which it is at least as near to the others as the other
    one is; level answers are in both. p_value: one-sided, that the judge is behind by epsilon or more.
    """

    rater: int
    shared: int
    judge_ahead: float
    rater_ahead: float
    p_value: float


class AlternativeAnnotator(NamedTuple):
    """A judge against raters. tests: of the raters with enough answers. compared: how many have any.

    advantage: the mean of `judge_ahead` over tested raters, the average advantage probability ρ; of no test
    there is none.
    """

    tests: tuple[RaterTest, ...]
    compared: int
    advantage: Figure


def compare_with_raters(
    *,
    votes: Integers,
    judge: Integers,
    clusters: Integers,
    weights: Floats,
    epsilon: float = EPSILON,
    fewest_shared: int = FEWEST_SHARED,
) -> AlternativeAnnotator:
    """Compare a judge with each rater by who says more often what the other raters say.

    votes: answers × raters, label numbers, -1 = not rated. judge: its label of each answer; a negative one
    agrees with nobody, as where it could not judge. clusters: the question of each answer; answers to one are
    no independent rows, so differences are tested by whole questions: with one answer a question that is the
    paper's t test. weights: how many answers each one stands for; an answer of weight 0 is left out.
    Raises `ValueError` for an epsilon outside 0 to 1.
    """
    if not 0.0 <= epsilon <= 1.0:
        raise ValueError(f"epsilon must be a share from 0 to 1, not {epsilon}")
    others = (votes != NOT_RATED).sum(axis=1)[:, np.newaxis] - 1
    is_shared = (votes != NOT_RATED) & (others > 0) & (weights > 0)[:, np.newaxis]
    of_judge, of_rater = _nearness(votes, judge)
    judge_ahead, rater_ahead = of_judge >= of_rater - ROUNDING, of_rater >= of_judge - ROUNDING
    shared = is_shared.sum(axis=0)
    tested = np.flatnonzero(shared >= max(fewest_shared, 1))
    tests = []
    for rater in tested.tolist():
        rows = is_shared[:, rater]
        ahead = judge_ahead[rows, rater], rater_ahead[rows, rater]
        tests.append(
            _test_rater(
                rater=rater, ahead=ahead, clusters=clusters[rows], weights=weights[rows], epsilon=epsilon
            )
        )
    return AlternativeAnnotator(
        tests=tuple(tests),
        compared=int((shared > 0).sum()),
        advantage=_bound_advantage(judge_ahead[:, tested], is_shared[:, tested], clusters, weights),
    )


def _nearness(votes: Integers, judge: Integers) -> tuple[Floats, Floats]:
    """Return answers × raters: the share of the others whose label is the judge's, and the rater's own."""
    rated = votes != NOT_RATED
    others = (rated.sum(axis=1)[:, np.newaxis] - 1).astype(np.float64)
    is_judges = rated & (votes == judge[:, np.newaxis]) & (judge >= 0)[:, np.newaxis]
    of_judge = divide(is_judges.sum(axis=1)[:, np.newaxis] - is_judges.astype(np.float64), others)
    same = np.zeros(votes.shape)
    for label in np.unique(votes[rated]):
        has_label = votes == label
        same += has_label * (has_label.sum(axis=1)[:, np.newaxis] - 1)
    return of_judge, divide(same, others)


def _test_rater(
    *, rater: int, ahead: tuple[Flags, Flags], clusters: Integers, weights: Floats, epsilon: float
) -> RaterTest:
    of_judge, of_rater = (each.astype(np.float64) for each in ahead)
    whole = weights.sum()
    behind = of_rater - of_judge
    mean = float((behind * weights).sum() / whole)
    moves = add_by_cluster(sums=(weights * (behind - mean) / whole)[:, np.newaxis], clusters=clusters)
    return RaterTest(
        rater=rater,
        shared=len(weights),
        judge_ahead=float((of_judge * weights).sum() / whole),
        rater_ahead=float((of_rater * weights).sum() / whole),
        p_value=_p_value(mean - epsilon, moves[:, 0]),
    )


def _p_value(behind: float, moves: Floats) -> float:
    """Return how often a judge that is behind by epsilon seems as good as here; moves: of each question."""
    size = len(moves)
    if size < 2:
        return 1.0
    error = float(np.sqrt((moves**2).sum() * size / (size - 1.0)))
    if error <= ROUNDING:
        # All questions say the same.
        return 0.0 if behind < -ROUNDING else 1.0
    # Loaded where it is first used: processes that need no test start without SciPy.
    from scipy.special import stdtr

    return float(stdtr(size - 1, behind / error))


def _bound_advantage(ahead: Flags, is_shared: Flags, clusters: Integers, weights: Floats) -> Figure:
    """Return ρ with its interval over questions, 95%."""
    raters = ahead.shape[1]
    if not raters:
        return Figure(None, why=Why.FEW_TO_REPLACE)
    of_rows = is_shared * weights[:, np.newaxis]
    sums = add_by_cluster(sums=np.hstack([ahead * of_rows, of_rows]), clusters=clusters)
    sums = sums[sums.any(axis=1)]

    def figures(counts: Floats) -> Floats:
        shares = divide(counts[..., :raters], counts[..., raters:])
        return np.asarray(shares.mean(axis=-1))[..., np.newaxis]

    (value,), (error,) = linearize(sums=sums, figures=figures)
    bounds: Interval | Undefined = students_interval(
        value=float(value), error=float(error), clusters=len(sums), scale=Scale.SHARE
    )
    return Figure.of(float(value), bounds)


def adjust_discoveries(p_values: Sequence[float]) -> list[float]:
    """Correct p-values of one family for how many of the rejections may be false, whatever they depend on.

    In their order, 0 to 1; those at most q are the ones rejected where a share q of rejections may be wrong.
    Source: Benjamini and Yekutieli 2001, theorem 1.3, stepping up.
    """
    size = len(p_values)
    harmonic = sum(1.0 / rank for rank in range(1, size + 1))
    adjusted = [0.0] * size
    least = 1.0
    ranked = sorted(range(size), key=lambda place: p_values[place], reverse=True)
    for rank, place in zip(range(size, 0, -1), ranked, strict=True):
        least = min(least, p_values[place] * size * harmonic / rank)
        adjusted[place] = least
    return adjusted

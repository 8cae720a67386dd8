"""Agreement of a million ratings from raw votes beside scikit-learn, statsmodels and krippendorff."""

from collections.abc import Callable

import krippendorff
import numpy as np
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import aggregate_raters
from statsmodels.stats.inter_rater import fleiss_kappa as statsmodels_fleiss

from analysis.arrays import Integers
from analysis.raters import agreement
from analysis.raters.agreement import Coefficient
from benchmarks.apparatus.inputs import ROUNDS, seconds, show

ITEMS = 500_000
LABELS = 3


def run() -> None:
    """Print ratings per second of each, and the values, which must be equal."""
    votes = _make_votes(raters=2)
    print(f"{votes.size:,} ratings, {LABELS} labels, median of {ROUNDS} rounds")
    first, second = np.ascontiguousarray(votes[:, 0]), np.ascontiguousarray(votes[:, 1])
    _compare(
        "Cohen's kappa",
        ("scikit-learn", lambda: cohen_kappa_score(first, second)),
        lambda: _cohen(first, second),
        votes.size,
    )
    _compare(
        "Fleiss' kappa",
        ("statsmodels", lambda: statsmodels_fleiss(aggregate_raters(votes)[0])),
        lambda: _coefficient(agreement.fleiss_kappa, votes),
        votes.size,
    )
    _compare(
        "Krippendorff's alpha, nominal",
        ("krippendorff", lambda: krippendorff.alpha(votes.T.astype(float), level_of_measurement="nominal")),
        lambda: _coefficient(agreement.krippendorff_alpha, votes),
        votes.size,
    )
    _compare(
        "Krippendorff's alpha, ordinal",
        ("krippendorff", lambda: krippendorff.alpha(votes.T.astype(float), level_of_measurement="ordinal")),
        lambda: _coefficient(agreement.krippendorff_alpha_ordinal, votes),
        votes.size,
    )


def _make_votes(*, raters: int) -> Integers:
    generator = np.random.default_rng(7)
    truth = generator.integers(0, LABELS, size=(ITEMS, 1))
    guesses = generator.integers(0, LABELS, size=(ITEMS, raters))
    return np.where(generator.random((ITEMS, raters)) < 0.8, truth, guesses)


def _cohen(first: Integers, second: Integers) -> float:
    return float(
        agreement.cohen_kappa(agreement.tabulate_two(first=first, second=second, label_count=LABELS))
    )


def _coefficient(coefficient: Coefficient, votes: Integers) -> float:
    return float(coefficient(agreement.sum_votes(votes=votes, label_count=LABELS)))


def _compare(
    name: str, library: tuple[str, Callable[[], float]], ours: Callable[[], float], ratings: int
) -> None:
    library_name, theirs = library
    baseline = seconds(theirs)
    show(f"{library_name}, {name}", ratings, baseline, unit="ratings")
    show(f"Assay, {name}", ratings, seconds(ours), baseline, unit="ratings")
    print(f"{'difference of the two values':<44}{abs(ours() - theirs()):>12.1e}")

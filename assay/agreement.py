"""Agreement among raters, from rows of labels: no Django, no database.

`ratings` holds a row for each item and a label for each rater, `None` where one did not rate. Labels may be
anything that can be compared for equality; `labels` lists those that could be chosen, in their order, where
not all of them were. What is not defined is NaN: fewer than two votes on every item, or one label alone.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeAlias

import numpy as np

from analysis.arrays import Floats, Integers
from analysis.raters import agreement

Label: TypeAlias = Hashable
Ratings: TypeAlias = Sequence[Sequence[Label | None]]

__all__ = ["cohen_kappa", "fleiss_kappa", "gwet_ac1", "krippendorff_alpha", "observed_agreement"]


def observed_agreement(ratings: Ratings) -> float:
    """Return the share of rater pairs that agree, each item weighing the same; 0 to 1."""
    return _coefficient(agreement.observed_agreement, ratings, None)


def fleiss_kappa(ratings: Ratings) -> float:
    """Return Fleiss' kappa, -1 to 1. Source: Fleiss 1971, eq. 3 to 7.

    With unequal numbers of votes the label shares are means of the items' shares, as irrCAC has them.
    """
    return _coefficient(agreement.fleiss_kappa, ratings, None)


def gwet_ac1(ratings: Ratings, *, labels: Sequence[Label] | None = None) -> float:
    """Return Gwet's AC1, -1 to 1; labels that nobody used count. Source: Gwet 2008, eq. 6 and 7."""
    return _coefficient(agreement.gwet_ac1, ratings, labels)


def krippendorff_alpha(
    ratings: Ratings, *, labels: Sequence[Label] | None = None, ordinal: bool = False
) -> float:
    """Return Krippendorff's alpha, at most 1. Source: Krippendorff 2011, sections C and D.

    ordinal: labels are in the order of `labels`, which must then be given; raises `ValueError` otherwise.
    """
    if ordinal and labels is None:
        raise ValueError("Ordinal alpha needs the order of the labels. Pass labels=[…].")
    chosen = agreement.krippendorff_alpha_ordinal if ordinal else agreement.krippendorff_alpha
    return _coefficient(chosen, ratings, labels)


def cohen_kappa(first: Sequence[Label | None], second: Sequence[Label | None]) -> float:
    """Return Cohen's kappa of two raters of the same items, -1 to 1. Source: Cohen 1960, eq. 1."""
    votes, label_count = _number(list(zip(first, second, strict=True)), None)
    table = agreement.tabulate_two(first=votes[:, 0], second=votes[:, 1], label_count=label_count)
    return float(agreement.cohen_kappa(table))


def _coefficient(
    compute: Callable[[agreement.Sums], Floats], ratings: Ratings, labels: Sequence[Label] | None
) -> float:
    votes, label_count = _number(ratings, labels)
    return float(compute(agreement.sum_votes(votes=votes, label_count=label_count)))


def _number(ratings: Ratings, labels: Sequence[Label] | None) -> tuple[Integers, int]:
    """Return items × raters as label numbers, -1 = not rated; raises `ValueError` for what is no table."""
    if len({len(row) for row in ratings}) > 1:
        raise ValueError("Every item needs a label or None for each annotator.")
    known = _known_labels(ratings) if labels is None else list(labels)
    numbers = {label: number for number, label in enumerate(known)}
    unknown = [label for row in ratings for label in row if label is not None and label not in numbers]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is not one of the labels.")
    width = len(ratings[0]) if ratings else 0
    rows = [[-1 if label is None else numbers[label] for label in row] for row in ratings]
    return np.asarray(rows, dtype=np.int64).reshape(len(ratings), width), max(len(known), 1)


def _known_labels(ratings: Iterable[Iterable[Label | None]]) -> list[Label]:
    return list(dict.fromkeys(label for row in ratings for label in row if label is not None))

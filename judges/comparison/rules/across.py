"""One judge in several studies: which runs are the same judge, and how far its scores are from people's."""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from analysis.arrays import Floats
from analysis.intervals import Undefined, Value, Why, divide
from common.identifiers import spell
from judges.comparison.rules.study import AMENDED_PREFIX, Column, RunFacts, name_columns

MOST_PROJECTS = 20


class Distance(NamedTuple):
    """How far a judge's scores of systems are from people's, on average.

    mean: of absolute differences of accuracy, 0–1, over `systems` systems of all studies. It has no interval:
    it is never below zero, and chance alone makes it larger, so that none around it holds the true one.
    """

    mean: Value
    systems: int


def identity_of(run: RunFacts) -> str:
    """Return what a judge's runs in several studies have in common: all but whose files and whose gold."""
    return spell(**dict(_common(run)))


def _common(run: RunFacts) -> Iterator[tuple[str, str]]:
    for name, value in run.stated:
        if name != "files":
            is_amended = name == "gold" and value.startswith(AMENDED_PREFIX)
            yield name, AMENDED_PREFIX if is_amended else value


def name_evaluators(runs: Iterable[RunFacts]) -> dict[str, Column]:
    """Return a column for each judge of all studies, by identity, in the order in which they first appear."""
    first: dict[str, RunFacts] = {}
    for run in runs:
        first.setdefault(identity_of(run), run)
    named = name_columns(
        run._replace(id=place, public_id=_short(identity), signature=identity, stated=tuple(_common(run)))
        for place, (identity, run) in enumerate(first.items())
    )
    return {identity: named[place] for place, identity in enumerate(first)}


def _short(identity: str) -> str:
    return blake2b(identity.encode(), digest_size=6).hexdigest()


def differences(judge: Floats, people: Floats) -> tuple[Value, ...]:
    """Return by how much a judge's score of each system is above people's, on the questions both judged.

    judge, people: systems × questions, NaN = no value.
    """
    apart = judge - people
    counts = (~np.isnan(apart)).sum(axis=1)
    means = divide(np.nansum(apart, axis=1), counts.astype(np.float64))
    return tuple(
        float(mean) if count else Undefined(Why.NOTHING_BESIDE_PEOPLE)
        for mean, count in zip(means, counts, strict=True)
    )


def measure_distance(studies: Sequence[tuple[Floats, Floats]]) -> Distance:
    """Return a judge's mean distance from people over all systems of all studies.

    studies: judge and people of each, systems × questions. Systems without a common question are left out.
    """
    sums = [_sums(judge, people) for judge, people in studies]
    points = np.array([value for each in sums for value in _distances(each.sum(axis=0)[np.newaxis])[0]])
    points = points[~np.isnan(points)]
    if not len(points):
        return Distance(Undefined(Why.NOTHING_BESIDE_PEOPLE), 0)
    return Distance(float(points.mean()), len(points))


def _sums(judge: Floats, people: Floats) -> Floats:
    """Return differences, then counts, by system: questions × 2 systems."""
    apart = (judge - people).T
    return np.hstack([np.nan_to_num(apart), (~np.isnan(apart)).astype(np.float64)])


def _distances(summed: Floats) -> Floats:
    half = summed.shape[1] // 2
    return np.abs(divide(summed[:, :half], summed[:, half:]))

"""How often an audit that is looked at after every answer is wrong at some look, on EVOUNA-NQ.

Audited are answers that the judge's own verdicts settled, in random order. Beside the confidence sequence
stands the exact interval of one look, which is what a page would show that did not know it is watched.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np

from analysis.arrays import Flags
from analysis.intervals import Interval, Undefined, clopper_pearson_interval, confidence_sequence
from benchmarks.prejudging.released.scored import NO_DATA, has_data, score_evouna

DRAWS = 2_000
LOOKS = 300
SEED = 17
SHARES = (0.5, 0.9, 1.0)

Bounds: TypeAlias = Callable[[int, int], Interval | Undefined]


class Watched(NamedTuple):
    """In which share of replays the interval lacked the truth at some look, and at the last one."""

    at_some_look: float
    at_the_end: float


def run() -> None:
    """Print a row for the surest half, nine tenths and all of the judge's verdicts."""
    if not has_data():
        print(NO_DATA)
        return
    scored = score_evouna()
    order = np.argsort(-scored.confidence, kind="stable")
    print("| settled | people disagree | interval | wrong at some look | wrong at the last |")
    print("| --- | --- | --- | --- | --- |")
    for share in SHARES:
        wrong = scored.is_wrong[order[: round(share * len(order))]]
        for name, bounds in INTERVALS.items():
            found = watch(wrong, bounds)
            print(
                f"| {share:.0%} | {wrong.mean():.1%} | {name} | {found.at_some_look:.1%} | "
                f"{found.at_the_end:.1%} |"
            )


def watch(
    wrong: Flags, bounds: Bounds, *, draws: int = DRAWS, looks: int = LOOKS, seed: int = SEED
) -> Watched:
    """Look after each of so many audited answers; wrong: of all settled ones, whether people disagree."""
    generator, truth = np.random.default_rng(seed), float(wrong.mean())

    @cache
    def lacks(found: int, looked: int) -> bool:
        held = bounds(found, looked)
        return isinstance(held, Interval) and not held.low <= truth <= held.high

    ever, last = 0, 0
    for _ in range(draws):
        found = np.cumsum(wrong[generator.choice(len(wrong), size=looks, replace=False)]).tolist()
        misses = [lacks(each, place) for place, each in enumerate(found, start=1)]
        ever += any(misses)
        last += misses[-1]
    return Watched(ever / draws, last / draws)


def _sequence(found: int, looked: int) -> Interval | Undefined:
    return confidence_sequence(successes=found, total=looked)


def _one_look(found: int, looked: int) -> Interval | Undefined:
    return clopper_pearson_interval(successes=found, total=looked)


INTERVALS: dict[str, Bounds] = {"confidence sequence": _sequence, "exact, one look": _one_look}

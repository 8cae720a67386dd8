"""Regular expressions on 100 kB: what hangs other engines, and whatever else takes long."""

import time
from typing import NamedTuple

from analysis.text import LARGEST_WORK, TooCostly, compile_pattern, matches_pattern
from tests.analysis.redos import HANGS_BACKTRACKERS, TEXTS

# The slowest there are: so large that the next size is not begun on 100 kB.
_LARGEST = LARGEST_WORK // 100_000
AT_THE_BOUND = tuple(f"[ab]*a[ab]{{{_LARGEST - spare}}}c" for spare in range(7, 15))


class Searches(NamedTuple):
    """How many searches there were, how many were not begun, and the longest in milliseconds."""

    tried: int
    not_begun: int
    longest: float
    slowest_pattern: str


def measure() -> Searches:
    """Search every text for every pattern."""
    patterns = (*HANGS_BACKTRACKERS, *AT_THE_BOUND)
    timed = [(_milliseconds(pattern, text), pattern) for pattern in patterns for text in TEXTS]
    begun = [(took, pattern) for took, pattern in timed if took is not None]
    return Searches(len(timed), len(timed) - len(begun), *max(begun))


def run() -> None:
    """Print the longest search, and how many were not begun since they could have been longer."""
    found = measure()
    print(f"{found.tried} searches on 100 kB, {found.not_begun} not begun as too costly")
    print(f"longest: {found.longest:.1f} ms, {found.slowest_pattern}")


def _milliseconds(pattern: str, text: str) -> float | None:
    compile_pattern(pattern)
    start = time.process_time()
    try:
        matches_pattern(pattern, text)
    except TooCostly:
        return None
    return 1000 * (time.process_time() - start)

"""Regular expressions on 100 kB: what hangs other engines, and whatever else takes long."""

import time

from analysis.patterns import LARGEST_WORK, TooCostly, compile_pattern, matches_pattern
from tests.analysis.redos import HANGS_BACKTRACKERS, TEXTS

# The slowest there are: so large that the next size is not begun on 100 kB.
_LARGEST = LARGEST_WORK // 100_000
AT_THE_BOUND = tuple(f"[ab]*a[ab]{{{_LARGEST - spare}}}c" for spare in range(7, 15))


def run() -> None:
    """Print the longest search, and how many were not begun since they could have been longer."""
    timed = [
        (_milliseconds(pattern, text), pattern)
        for pattern in (*HANGS_BACKTRACKERS, *AT_THE_BOUND)
        for text in TEXTS
    ]
    begun = [(took, pattern) for took, pattern in timed if took is not None]
    longest, pattern = max(begun)
    print(f"{len(timed)} searches on 100 kB, {len(timed) - len(begun)} not begun as too costly")
    print(f"longest: {longest:.1f} ms, {pattern}")


def _milliseconds(pattern: str, text: str) -> float | None:
    compile_pattern(pattern)
    start = time.process_time()
    try:
        matches_pattern(pattern, text)
    except TooCostly:
        return None
    return 1000 * (time.process_time() - start)

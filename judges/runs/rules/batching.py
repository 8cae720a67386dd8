"""How a run is cut into batches, when a batch is given up, and how fast a run is."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from judges.methods.golds import TOO_LONG, is_too_long
from judges.protocol import JudgeInput
from judges.registry import JudgeEntry, Reads

# A batch that took a worker down this often is failed, and the run goes on without it.
MAX_ATTEMPTS = 3
# Refused by the provider's rate limit this often, a batch pauses its run: somebody must look.
MAX_REFUSALS = 30
# Well below a minute: so long after a fault has passed, everything must be at work again.
LONGEST_PAUSE_SECONDS = 20
# A worker that lives but hangs loses its batch after this time, however long it renews its lease.
LONGEST_HOLD_SECONDS = 1_800

# After so many letters of answers and gold answers a worker looks whether its batch is still wanted.
SLICE_LETTERS = 20_000

NO_GOLD = "no_gold"
NO_PATTERN = "no_pattern"
ONLY_PATTERNS = "gold_is_regex"


class Pace(NamedTuple):
    """How fast a run is, and how long it will take; None where nothing can be said."""

    rate_per_second: float | None
    seconds_left: float | None


def split_into_batches(ids: Sequence[int], *, size: int) -> list[list[int]]:
    """Cut ids into shares of at most `size`, in their order."""
    return [list(ids[start : start + size]) for start in range(0, len(ids), size)]


def split_into_slices(inputs: Mapping[int, JudgeInput]) -> list[dict[int, JudgeInput]]:
    """Cut a batch into shares of so many letters that a judge takes a second or two over each, in order."""
    slices: list[dict[int, JudgeInput]] = []
    left = 0
    for pk, item in inputs.items():
        letters = sum(map(len, (item.answer, *item.golds, *item.patterns)))
        if not slices or letters > left:
            slices.append({})
            left = SLICE_LETTERS
        slices[-1][pk] = item
        left -= letters
    return slices


def is_given_up(*, attempt: int, waits: int = 0) -> bool:
    """Say whether a batch that failed at this attempt (from 1) is not tried again.

    waits: how many of the attempts only waited for their turn, and do not count.
    """
    return attempt - waits >= MAX_ATTEMPTS


def is_taken_over(*, attempt: int, waits: int) -> bool:
    """Say whether somebody may have asked for this batch before, and died: it was tried, not only waiting."""
    return attempt - waits > 1


def pause_seconds(*, attempt: int, chance: float) -> float:
    """Return how long a batch rests after its nth attempt: exponential, full jitter; `chance` from 0 to 1."""
    return chance * min(LONGEST_PAUSE_SECONDS, 2.0**attempt)


def lease_end(*, at: datetime, seconds: int) -> datetime:
    """Return when a claim made now ends."""
    return at + timedelta(seconds=seconds)


def pace(*, judged: int, left: int, started_at: datetime | None, at: datetime) -> Pace:
    """Return the pace since the run (or its last extension) began to work."""
    elapsed = (at - started_at).total_seconds() if started_at else 0.0
    if judged == 0 or elapsed <= 0:
        return Pace(None, None)
    rate = judged / elapsed
    return Pace(rate, left / rate)


def reason_not_to_ask(item: JudgeInput, *, entry: JudgeEntry, is_original: bool) -> str:
    """Return why an answer has no verdict before its judge is asked; empty where it must be asked.

    A question whose files brought nothing to compare with says nothing of its answers; one that people
    left without gold accepts none, so its answers are judged.
    """
    if entry.reads is Reads.VERDICTS:
        return ""
    if not item.golds and not item.patterns:
        return NO_GOLD if is_original else ""
    read = item.patterns if entry.reads is Reads.PATTERNS else item.golds
    if not read:
        return NO_PATTERN if entry.reads is Reads.PATTERNS else ONLY_PATTERNS
    return TOO_LONG if entry.compares_pairs and is_too_long(answer=item.answer, golds=read) else ""

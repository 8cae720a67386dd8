"""Decisions about runs: batches and their retries, pace, whose turn it is, what a call may cost, samples."""

import json
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from judges.methods.lexical.golds import TOO_LONG, is_too_long
from judges.protocol import JudgeInput, Verdict
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


# What a verdict's row has room for; sums of the largest scores are still finite.
LONGEST_REASON, LONGEST_FLAGS, LARGEST_SCORE = 60, 200, 1e15


def fault_of_verdicts(said: object, *, asked: int, entry: JudgeEntry) -> str:
    """Return why what a judge returned cannot be kept as its verdicts; empty where it can.

    asked: of so many answers. Judges may be anybody's, so nothing is taken for what its type promises.
    """
    if not isinstance(said, Sequence) or len(said) != asked:
        count = f"{len(said)} verdicts" if isinstance(said, Sequence) else _kind(said)
        return f"it returned {count} for {asked} answers"
    return next(filter(None, (_fault_of(verdict, entry) for verdict in said)), "")


def _fault_of(verdict: object, entry: JudgeEntry) -> str:
    if not isinstance(verdict, Verdict):
        return f"a verdict is {_kind(verdict)}, not Verdict"
    cells: tuple[object, ...] = verdict
    accepted, score, reason, reply, flags = cells
    if not (accepted is None or isinstance(accepted, bool)):
        return f"`accepted` is {_kind(accepted)}, not bool or None"
    if not _is_word(reason, longest=LONGEST_REASON):
        return f"`unscored_reason` is not a line of at most {LONGEST_REASON} characters"
    if accepted is None and not reason:
        return "`accepted` is None without an `unscored_reason`"
    if not isinstance(reply, str):
        return f"`raw_reply` is {_kind(reply)}, not str"
    if not isinstance(flags, tuple) or not all(_is_word(flag, longest=LONGEST_FLAGS) for flag in flags):
        return "`flags` is not a tuple of words"
    if len(",".join(flags)) > LONGEST_FLAGS:
        return f"`flags` has more than {LONGEST_FLAGS} characters"
    return _fault_of_score(score, entry)


def _fault_of_score(score: object, entry: JudgeEntry) -> str:
    if score is None:
        return ""
    if isinstance(score, bool) or not isinstance(score, int | float):
        return f"`score` is {_kind(score)}, not float or None"
    if entry.states_probability and not 0 <= score <= 1:
        return "`score` is not a probability from 0 to 1"
    # Written so that “not a number” is refused, too.
    return "" if abs(score) <= LARGEST_SCORE else "`score` is not a finite number of at most 1e15"


def _kind(value: object) -> str:
    return type(value).__name__


def _is_word(value: object, *, longest: int) -> bool:
    return isinstance(value, str) and len(value) <= longest and value.isprintable()


MINUTE_SECONDS = 60.0
# So much of the quota may be called at once: a worker that comes now and then catches up.
BURST_SECONDS = 5.0


def spacing_seconds(*, calls_a_minute: int) -> float:
    """Return how far apart calls are, so that no minute holds more of them, bursts included."""
    # n calls take at least (n - 1) of these less a burst, which is a minute for the n after the quota.
    # Times are kept in microseconds: rounded down, so many of them would end before the minute does.
    return math.ceil((MINUTE_SECONDS + BURST_SECONDS) / calls_a_minute * 1e6) / 1e6


def free_from(
    *, next_call_at: datetime | None, calls_a_minute: int | None, rests_until: datetime | None, at: datetime
) -> datetime | None:
    """Return from when on a connection may be called; None where it may be called now."""
    times = [rests_until] if rests_until else []
    if next_call_at and calls_a_minute:
        times.append(next_call_at - timedelta(seconds=BURST_SECONDS))
    latest = max(times, default=at)
    return latest if latest > at else None


def book_turn(*, next_call_at: datetime | None, calls_a_minute: int | None, at: datetime) -> datetime | None:
    """Return when the call after one made now is due; None where calls are not counted."""
    if not calls_a_minute:
        return None
    due = max(next_call_at or at, at)
    return due + timedelta(seconds=spacing_seconds(calls_a_minute=calls_a_minute))


def expected_seconds(*, calls: int, seconds_a_call: float, at_once: int, calls_a_minute: int | None) -> float:
    """Return how long calls will take with so many at once, or as long as the rate limit wants."""
    working = calls * seconds_a_call / at_once
    pacing = calls * spacing_seconds(calls_a_minute=calls_a_minute) if calls_a_minute else 0.0
    return max(working, pacing)


class Scope(NamedTuple):
    """Which answers a run takes: those that people judge or all, of one data set, of one system (by its id).

    only_judged: None lets the judge and the study decide.
    """

    only_judged: bool | None = None
    dataset: str = ""
    system: str = ""


UNLIMITED = Scope()


class Means(NamedTuple):
    """What one answer took on average; seconds: of the run's time, not of a call's, None if not known."""

    cost: float
    input_tokens: float
    output_tokens: float
    seconds: float | None


@dataclass(frozen=True)
class Forecast:
    """The expected cost and time for a number of answers.

    `seconds`: null if unknown.
    """

    answers: int
    # In pico-USD, rounded up.
    cost: int
    input_tokens: int
    output_tokens: int
    seconds: float | None


def draw_sample(ids: Sequence[int], *, size: int, seed: int) -> list[int]:
    """Draw ids at random, each set equally likely, in the order they came; all where there are no more."""
    if size >= len(ids):
        return list(ids)
    places = sorted(random.Random(seed).sample(range(len(ids)), size))
    return [ids[place] for place in places]


def forecast(*, answers: int, means: Means) -> Forecast:
    """Return what so many answers will take if they are like those before."""
    return Forecast(
        answers=answers,
        cost=_round_up(answers * means.cost),
        input_tokens=_round_up(answers * means.input_tokens),
        output_tokens=_round_up(answers * means.output_tokens),
        seconds=None if means.seconds is None else answers * means.seconds,
    )


def _round_up(number: float) -> int:
    return int(-(-number // 1))


# A server wraps each message, and the whole, in words of its own.
TOKENS_A_MESSAGE = 16
TOKENS_A_PROMPT = 64


def most_input_tokens(*, texts: Sequence[str], schema: Mapping[str, Any] | None = None) -> int:
    """Return more tokens than any tokenizer over bytes can make of a prompt: one a byte, and the wrapping."""
    size = sum(len(text.encode("utf-8", "surrogatepass")) + TOKENS_A_MESSAGE for text in texts)
    spelled = len(json.dumps(schema).encode()) if schema else 0
    return size + spelled + TOKENS_A_PROMPT


def likely_tokens(texts: Sequence[str]) -> int:
    """Return about how many tokens a prompt has: four bytes make one in English, and less elsewhere."""
    return sum(len(text.encode("utf-8", "surrogatepass")) // 4 + 4 for text in texts)

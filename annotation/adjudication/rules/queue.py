"""Why answers are before the lead, which of them a filter keeps, and how raters stay anonymous there."""

import hashlib
import string
from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple


class QueueReason(StrEnum):
    """Why an answer is before the lead.

    REOPENED: a person withdrew the decision. CONFLICT: the raters' votes decided it, and a judge says
    otherwise; it waits for nobody and is listed only where asked for.
    """

    DISPUTED = "disputed"
    CANNOT_JUDGE = "cannot_judge"
    OUT_OF_RATERS = "out_of_raters"
    REOPENED = "reopened"
    CONFLICT = "conflict"


def queue_reason(*, is_disputed: bool, unable: bool, is_reopened: bool = False) -> QueueReason:
    """Return why an answer waits; `unable`: a rater skipped it or could not judge it."""
    if is_disputed:
        return QueueReason.REOPENED if is_reopened else QueueReason.DISPUTED
    return QueueReason.CANNOT_JUDGE if unable else QueueReason.OUT_OF_RATERS


class QueueEntry(NamedTuple):
    """An answer before the lead with what it can be filtered by; `pairs`: of raters who differ on it."""

    id: int
    reason: QueueReason
    flags: frozenset[str]
    pairs: frozenset[str]
    judges: frozenset[str]


class QueueFilter(NamedTuple):
    """Which answers are asked for; an empty part asks for any. A judge implies the conflicts with it."""

    reason: str = ""
    flag: str = ""
    pair: str = ""
    judge: str = ""


def keep(entry: QueueEntry, chosen: QueueFilter) -> bool:
    """Whether a filter keeps an answer."""
    wants_conflicts = bool(chosen.judge) or chosen.reason == QueueReason.CONFLICT
    return (
        wants_conflicts == (entry.reason is QueueReason.CONFLICT)
        and chosen.reason in ("", entry.reason)
        and (not chosen.flag or chosen.flag in entry.flags)
        and (not chosen.pair or chosen.pair in entry.pairs)
        and (not chosen.judge or chosen.judge in entry.judges)
    )


def count_choices(*, entries: Iterable[QueueEntry], chosen: QueueFilter) -> dict[str, Counter[str]]:
    """Return by part of the filter how many answers each choice would show, the other parts as chosen."""
    counts: dict[str, Counter[str]] = {part: Counter() for part in QueueFilter._fields}
    conflicts = chosen._replace(reason=QueueReason.CONFLICT)
    for entry in entries:
        is_conflict = entry.reason is QueueReason.CONFLICT
        if keep(entry, (conflicts if is_conflict else chosen)._replace(reason=entry.reason, judge="")):
            counts["reason"][entry.reason] += 1
        if is_conflict and keep(entry, conflicts._replace(judge="")):
            counts["judge"].update(entry.judges)
        if keep(entry, chosen._replace(flag="")):
            counts["flag"].update(entry.flags)
        if keep(entry, chosen._replace(pair="")):
            counts["pair"].update(entry.pairs)
    return counts


def pair_name(one: str, other: str) -> str:
    """Return how two raters together are called in an address; which comes first says nothing."""
    return "~".join(sorted((one, other)))


class JudgeConflicts(NamedTuple):
    """A judge, and the answers that it judged otherwise than the raters' votes decided."""

    key: str
    name: str
    candidate_ids: frozenset[int]


def letters_of(*, rater_ids: Iterable[int], salt: str) -> dict[int, str]:
    """Return letters A, B, C … for the raters of one answer, in an order that `salt` shuffles.

    The salt is the answer's own, so that a letter does not follow a rater from answer to answer.
    """
    shuffled = sorted(set(rater_ids), key=lambda rater: hashlib.sha256(f"{salt}:{rater}".encode()).digest())
    return {rater: _letter(place) for place, rater in enumerate(shuffled)}


def _letter(place: int) -> str:
    return string.ascii_uppercase[place % 26] * (place // 26 + 1)

"""Why answers are before the lead, which of them a filter keeps, and how raters stay anonymous there."""

import hashlib
import string
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from itertools import compress, groupby
from operator import itemgetter
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Integers: TypeAlias = NDArray[np.int64]


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


class QueueKind(NamedTuple):
    """What answers before the lead can be filtered by; `pairs`: of raters who differ on them."""

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


def keep(kind: QueueKind, chosen: QueueFilter) -> bool:
    """Whether a filter keeps answers of a kind."""
    wants_conflicts = bool(chosen.judge) or chosen.reason == QueueReason.CONFLICT
    return (
        wants_conflicts == (kind.reason is QueueReason.CONFLICT)
        and chosen.reason in ("", kind.reason)
        and (not chosen.flag or chosen.flag in kind.flags)
        and (not chosen.pair or chosen.pair in kind.pairs)
        and (not chosen.judge or chosen.judge in kind.judges)
    )


def count_choices(*, kinds: Mapping[QueueKind, int], chosen: QueueFilter) -> dict[str, Counter[str]]:
    """Return by part of the filter how many answers each choice would show, the other parts as chosen.

    kinds: how many answers there are of each.
    """
    counts: dict[str, Counter[str]] = {part: Counter() for part in QueueFilter._fields}
    conflicts = chosen._replace(reason=QueueReason.CONFLICT)
    for kind, answers in kinds.items():
        is_conflict = kind.reason is QueueReason.CONFLICT
        if keep(kind, (conflicts if is_conflict else chosen)._replace(reason=kind.reason, judge="")):
            counts["reason"][kind.reason] += answers
        if is_conflict and keep(kind, conflicts._replace(judge="")):
            counts["judge"].update(dict.fromkeys(kind.judges, answers))
        if keep(kind, chosen._replace(flag="")):
            counts["flag"].update(dict.fromkeys(kind.flags, answers))
        if keep(kind, chosen._replace(pair="")):
            counts["pair"].update(dict.fromkeys(kind.pairs, answers))
    return counts


def pair_name(one: str, other: str) -> str:
    """Return how two raters together are called in an address; which comes first says nothing."""
    return "~".join(sorted((one, other)))


class WordsOf(NamedTuple):
    """Which words many things have, where few different sets of them occur.

    ids: of those that have any, rising. numbers: the place of each one's words in `sets`, the first of which
    is empty.
    """

    ids: Integers
    numbers: Integers
    sets: tuple[frozenset[str], ...]


def group_words(rows: Iterable[tuple[int, str]]) -> WordsOf:
    """Collect the words of each id; ids rise."""
    places: dict[frozenset[str], int] = {frozenset(): 0}
    found = {
        each: places.setdefault(frozenset(word for _, word in own), len(places))
        for each, own in groupby(rows, key=itemgetter(0))
    }
    ids, numbers = (np.array(list(column), dtype=np.int64) for column in (found, found.values()))
    return WordsOf(ids, numbers, tuple(places))


def group_columns(ids: Integers, words: Sequence[str], has: NDArray[np.bool_]) -> WordsOf:
    """Return the same of a table; ids rise. has: ids × words."""
    is_any = has.any(axis=1)
    found, numbers = np.unique(np.packbits(has[is_any], axis=1), axis=0, return_inverse=True)
    rows = np.unpackbits(found, axis=1, count=len(words))
    sets = (frozenset(compress(words, row)) for row in rows.tolist())
    return WordsOf(ids[is_any], numbers + 1, (frozenset(), *sets))


def places_of(words: WordsOf, ids: Integers) -> Integers:
    """Return for each of these ids the place of its words in `words.sets`."""
    rows = np.searchsorted(words.ids, ids)
    is_among = np.append(words.ids, -1)[rows] == ids
    return np.where(is_among, np.append(words.numbers, 0)[rows], 0)


class JudgeConflicts(NamedTuple):
    """The names of judges by key, and which judged each answer otherwise than the raters' votes decided."""

    names: Mapping[str, str]
    judges: WordsOf


NO_CONFLICTS = JudgeConflicts({}, group_words(()))


def letters_of(*, rater_ids: Iterable[int], salt: str) -> dict[int, str]:
    """Return letters A, B, C … for the raters of one answer, in an order that `salt` shuffles.

    The salt is the answer's own, so that a letter does not follow a rater from answer to answer.
    """
    shuffled = sorted(set(rater_ids), key=lambda rater: hashlib.sha256(f"{salt}:{rater}".encode()).digest())
    return {rater: _letter(place) for place, rater in enumerate(shuffled)}


def _letter(place: int) -> str:
    return string.ascii_uppercase[place % 26] * (place // 26 + 1)

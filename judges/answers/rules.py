"""The order of the table's rows, where a page of them begins, and what columns say, over plain arrays."""

from enum import StrEnum
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from judges.comparison.rules.study import ACCEPTED, NO_VERDICT, UNDECIDED, UNSCORED, Codes, Predictions


class Sort(StrEnum):
    """What rows can be sorted by besides the score of a judge; QUESTION: the order of the study."""

    QUESTION = "question"
    ANSWER = "answer"
    WORDS = "words"
    VOTES = "votes"
    SYSTEMS = "systems"
    LABEL = "label"
    DECIDED_AT = "decided_at"


class Verdict(StrEnum):
    """What a column says of an answer; NONE: nothing, as nobody has decided it or the run left it out."""

    ACCEPTED = "accepted"
    REJECTED = "rejected"
    UNSCORED = "unscored"
    NONE = "none"


_CODES = {Verdict.ACCEPTED: 1, Verdict.REJECTED: 0, Verdict.UNSCORED: UNSCORED, Verdict.NONE: NO_VERDICT}


def says(codes: Codes, verdict: Verdict) -> Flags:
    """Say of which answers a column says this."""
    found: Flags = codes == _CODES[verdict]
    return found


def differ(first: Codes, second: Codes) -> Flags:
    """Say which answers one column accepts and the other rejects."""
    found: Flags = (first >= 0) & (second >= 0) & (first != second)
    return found


def people_say(decided: Codes) -> Codes:
    """Return what people decided as the verdicts of a column; only what is surely right is accepted."""
    said = np.where(decided == UNDECIDED, NO_VERDICT, decided == ACCEPTED)
    return said.astype(np.int8)


def only_one_is_right(predictions: Predictions, codes: Codes, *, right: int, wrong: int) -> Flags:
    """Say which answers two systems gave to the questions that only the first of them has right.

    codes: of the column that says what is right, by answer. right, wrong: places of systems.
    """
    said = codes[predictions.candidate]
    of_right, of_wrong = predictions.system == right, predictions.system == wrong
    questions = np.intersect1d(
        predictions.question[of_right & (said == 1)], predictions.question[of_wrong & (said == 0)]
    )
    theirs = (of_right | of_wrong) & np.isin(predictions.question, questions)
    found = np.zeros(len(codes), dtype=bool)
    found[predictions.candidate[theirs]] = True
    return found


def rank_by(values: Floats, *, study: Integers, descending: bool) -> Integers:
    """Return the place of every answer in the order of its value; NaN comes last either way.

    study: the place of every answer in the order of the study, by which equal values stand.
    """
    keys = -values if descending else values
    order = np.lexsort((study, keys))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    return rank


class Cut(NamedTuple):
    """A page of rows, of `total` in all.

    places: of its answers, in their order. before: how many rows stand before them.
    """

    places: Integers
    before: int
    total: int


def cut_page(
    rank: Integers, kept: Flags, *, size: int, after: int | None = None, before: int | None = None
) -> Cut:
    """Return so many of the answers that are kept, from the first on.

    after, before: the place of an answer that need not be among those kept any more: the rows that follow
    it, or the last ones that stand before it.
    """
    found = np.flatnonzero(kept)
    found = found[np.argsort(rank[found])]
    ranks = rank[found]
    start = 0
    if after is not None:
        start = int(np.searchsorted(ranks, rank[after], side="right"))
    elif before is not None:
        start = max(0, int(np.searchsorted(ranks, rank[before], side="left")) - size)
    if start >= len(found):
        # What followed is gone: the last rows there are.
        start = max(0, len(found) - size)
    return Cut(found[start : start + size], start, len(found))

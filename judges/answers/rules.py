"""The order of the table's rows, where a page begins, what columns say, and how large views may be."""

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from judges.comparison.rules.study import ACCEPTED, NO_VERDICT, UNDECIDED, UNSCORED, Codes

# Of a view that is saved: more of them than anybody reads through, and longer than any address of the page.
MOST_VIEWS = 100
LONGEST_NAME = 100
LONGEST_QUERY = 4_000


def is_too_long(query: Mapping[str, str]) -> bool:
    """Say whether a view asks for more than an address holds."""
    return sum(len(key) + len(value) for key, value in query.items()) > LONGEST_QUERY


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


# Before a pseudonym: the column of what one annotator says.
RATER = "rater:"


def is_rater(column: str) -> bool:
    """Say whether a column is one annotator's votes."""
    return column.startswith(RATER)


def differ(first: Codes, second: Codes) -> Flags:
    """Say of which answers both columns say something, and not the same: verdicts, or what labels mean."""
    found: Flags = (first >= 0) & (second >= 0) & (first != second)
    return found


def people_say(meant: Codes) -> Codes:
    """Return what people's labels mean as the verdicts of a column; only what is surely right is accepted."""
    said = np.where(meant == UNDECIDED, NO_VERDICT, meant == ACCEPTED)
    return said.astype(np.int8)


class GivenBy(NamedTuple):
    """What one system gave, a value a prediction: the answer's number, and the question's key."""

    answer: Integers
    question: Integers

    def flags(self, answer_count: int) -> Flags:
        """Say of every answer whether it is among them."""
        found = np.zeros(answer_count, dtype=bool)
        found[self.answer] = True
        return found


def only_one_is_right(codes: Codes, *, right: GivenBy, wrong: GivenBy) -> Flags:
    """Say which answers two systems gave to the questions that only the first of them has right.

    codes: of the column that says what is right, by answer.
    """
    questions = np.intersect1d(
        right.question[codes[right.answer] == 1], wrong.question[codes[wrong.answer] == 0]
    )
    found = np.zeros(len(codes), dtype=bool)
    for given in (right, wrong):
        found[given.answer[np.isin(given.question, questions)]] = True
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
    it, or the last ones that stand before it; -1 is the end.
    """
    found = np.flatnonzero(kept)
    found = found[np.argsort(rank[found])]
    ranks = rank[found]
    start = 0
    if after is not None:
        start = int(np.searchsorted(ranks, rank[after], side="right"))
    elif before is not None:
        end = len(ranks) if before < 0 else int(np.searchsorted(ranks, rank[before], side="left"))
        start = max(0, end - size)
    return Cut(found[start : start + size], start, len(found))

"""How often judges are right by the length of the answer."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from judges.comparison.rules.failures.board import CellUnits, Column, Cut, Row
from judges.comparison.rules.failures.cuts import JudgeSaid
from judges.comparison.rules.study import ACCEPTED, Codes, Flags, Floats, Integers


class Bands(StrEnum):
    """Into which classes lengths are cut."""

    # EVOUNA's.
    WIDE = "wide"
    # For short answers.
    NARROW = "narrow"


# Upper ends in white-space words; the last class is open.
_ENDS = {Bands.WIDE: (35, 70, 105, 140, 175), Bands.NARROW: (1, 2, 5, 15, 35)}
# A study with fewer long answers than this is told apart by narrow classes.
LONG_SHARE = 0.05


class Given(NamedTuple):
    """Answers as systems gave them, by prediction; counted: decided by people, in a question that counts.

    weights: how many answers each that counts stands for; None: itself.
    """

    candidate: Integers
    question: Integers
    words: Integers
    counted: Flags
    weights: Floats | None = None


def usual_bands(given: Given) -> Bands:
    """Return EVOUNA's classes where enough answers are longer than their first."""
    lengths = given.words[given.counted]
    is_long = len(lengths) > 0 and (lengths > _ENDS[Bands.WIDE][0]).mean() >= LONG_SHARE
    return Bands.WIDE if is_long else Bands.NARROW


def cut_lengths(given: Given, judges: Sequence[JudgeSaid], *, worth: Codes, bands: Bands) -> Cut:
    """Length × judge: of the answers it judged, how often it says what people say; over all, over them.

    worth: by candidate. An answer counts once for every system that gave it; lengths are of what the system
    wrote, in words between white space. Source: Wang et al. 2023 (EVOUNA), figure 3.
    """
    ends = _ENDS[bands]
    band = np.searchsorted(np.array(ends), given.words, side="left")
    truth = worth[given.candidate] == ACCEPTED
    columns = []
    for key, name, verdict in judges:
        own = verdict[given.candidate]
        scored = given.counted & (own >= 0)
        right = scored & ((own == 1) == truth)
        columns.append(Column(key, name, scored, scored.astype(np.float64), right, scored))

    def cell(row: int, column: int) -> CellUnits:
        within = columns[column].target & (band == row)
        return CellUnits(within & columns[column].rate, within)

    errors = _errors(given, columns, band, worth)
    return Cut(_rows(ends), tuple(columns), given.question, False, cell, errors, given.weights)


def _errors(
    given: Given, columns: Sequence[Column], band: Integers, worth: Codes
) -> Callable[[int | None, int], Flags]:
    """Behind a share of right verdicts stand the wrong ones: these are what people want to see."""

    def behind(row: int | None, column: int) -> Flags:
        chosen = columns[column]
        wrong = chosen.target & ~chosen.rate & (band == row if row is not None else True)
        found = np.zeros(len(worth), dtype=bool)
        found[given.candidate[wrong]] = True
        return found

    return behind


def _rows(ends: Sequence[int]) -> tuple[Row, ...]:
    starts = [0, *(end + 1 for end in ends)]
    closed = [Row(f"{start}-{end}", _closed(start, end)) for start, end in zip(starts, ends, strict=False)]
    return (*closed, Row(f"{starts[-1]}-", f"{starts[-1]} words or more"))


def _closed(start: int, end: int) -> str:
    if start == 0:
        return "1 word" if end == 1 else f"up to {end} words"
    return f"{start} words" if start == end else f"{start} to {end} words"

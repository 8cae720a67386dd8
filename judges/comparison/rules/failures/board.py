"""A failure board: shares by row and column, each with its counts and interval."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from analysis.sampling import Ratio, Share, measure_shares
from judges.comparison.rules.study import Flags, Floats, Integers


class Row(NamedTuple):
    """A tag, a class of length or a kind of answer."""

    key: str
    name: str
    group: str = ""
    meaning: str = ""


class Column(NamedTuple):
    """A judge, a system or a label, by unit of the study: answer, prediction or question.

    target: what the column is about. weights: how many units of the target each unit stands for that people
    looked at; 0 for all others. rate: the units, of `base`, whose share stands over the column.
    """

    key: str
    name: str
    target: Flags
    weights: Floats
    rate: Flags
    base: Flags


class CellUnits(NamedTuple):
    """What a cell is the share of (`within`), and which of these have what it counts (`hit`)."""

    hit: Flags
    within: Flags


class Cut(NamedTuple):
    """A board before it is counted.

    question: a unit's question. of_base: shares are of the column's whole base, so that they add up to its
    rate, rather than of what people looked at. cell: the units of a cell, by place of row and column.
    behind: the answers that a cell stands for, by candidate; without a row, those of the column's rate.
    stands_for: how many units each one stands for by the audit, tagged or not; None: itself.
    """

    rows: tuple[Row, ...]
    columns: tuple[Column, ...]
    question: Integers
    of_base: bool
    cell: Callable[[int, int], CellUnits]
    behind: Callable[[int | None, int], Flags]
    stands_for: Floats | None = None


class Figures(NamedTuple):
    """A column in numbers. stands_for: how many of `total` the tagged ones speak for."""

    key: str
    name: str
    total: int
    tagged: int
    stands_for: int
    rated: int
    base: int
    rate: Share


class Cell(NamedTuple):
    """One share: items counted, of so many looked at (or of all, where shares are of the column's base)."""

    row: int
    column: int
    items: int
    of: int
    share: Share


class Board(NamedTuple):
    """A board in numbers."""

    rows: tuple[Row, ...]
    columns: tuple[Figures, ...]
    cells: tuple[Cell, ...]


def measure_cut(cut: Cut) -> Board:
    """Count a board; intervals are over questions."""
    places = [(row, column) for column in range(len(cut.columns)) for row in range(len(cut.rows))]
    counts = [_count(cut, row, column) for row, column in places]
    shares = measure_shares(ratios=_ratios(cut, places), clusters=cut.question)
    rates, rest = shares[: len(cut.columns)], shares[len(cut.columns) :]
    return Board(
        rows=cut.rows,
        columns=tuple(_figures(column, rate) for column, rate in zip(cut.columns, rates, strict=True)),
        cells=tuple(
            Cell(row, column, items, of, share)
            for (row, column), (items, of), share in zip(places, counts, rest, strict=True)
        ),
    )


def _count(cut: Cut, row: int, column: int) -> tuple[int, int]:
    units, chosen = cut.cell(row, column), cut.columns[column]
    looked_at = chosen.weights > 0
    of = chosen.base if cut.of_base else units.within & looked_at
    return int((units.hit & looked_at).sum()), int(of.sum())


def _ratios(cut: Cut, places: list[tuple[int, int]]) -> Iterator[Ratio]:
    worth = np.ones(len(cut.question)) if cut.stands_for is None else cut.stands_for
    for column in cut.columns:
        base = worth * column.base
        yield Ratio(base * column.rate, base, base)
    for row, place in places:
        column = cut.columns[place]
        hit, within = cut.cell(row, place)
        weights = worth * column.weights
        seen = weights * within
        yield Ratio(weights * hit, worth * column.base if cut.of_base else seen, seen)


def _figures(column: Column, rate: Share) -> Figures:
    return Figures(
        key=column.key,
        name=column.name,
        total=int(column.target.sum()),
        tagged=int((column.weights > 0).sum()),
        stands_for=round(float(column.weights.sum())),
        rated=int((column.rate & column.base).sum()),
        base=int(column.base.sum()),
        rate=rate,
    )

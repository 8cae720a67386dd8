"""Failure boards in the report: what each is about, and its numbers in words."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from analysis.sampling import Share
from judges.comparison.rules.failures import Board, BoardKind
from judges.release.rules.words import DASH, share_words


class BoardWords(NamedTuple):
    """name: of the board. about: what its shares are of. rate: what stands under each column."""

    name: str
    about: str
    rate: str


WORDS: Mapping[BoardKind, BoardWords] = {
    BoardKind.MISSES: BoardWords(
        "What judges miss",
        "Of the answers that people accept and the judge rejects: how many have each tag.",
        "Misses, of answers people accept",
    ),
    BoardKind.REPAIRS: BoardWords(
        "What judges repair of exact match",
        "Of exact match’s misses with each tag: how many the other judge accepts.",
        "Repaired, of all its misses",
    ),
    BoardKind.WRONG: BoardWords(
        "What is wrong with wrong answers",
        "Of all answers of a system: how many are wrong with each tag.",
        "Wrong, of all its answers",
    ),
    BoardKind.ERRORS: BoardWords(
        "Why one judge errs",
        "Of the judge’s errors on a system’s answers: how many have each tag.",
        "Errors, of the answers it judged",
    ),
    BoardKind.LENGTH: BoardWords(
        "Accuracy by length of the answer",
        "Of the answers of each length: on how many the judge says what people say. An answer counts once "
        "for each system that gave it.",
        "Accuracy, all lengths",
    ),
    BoardKind.CREDIT: BoardWords(
        "Why people accept more than gold",
        "Of the questions with a tagged answer that people accept and that equals no gold answer: "
        "how many have each tag.",
        "Questions with such an answer, of all",
    ),
    BoardKind.UNATTRIBUTABLE: BoardWords(
        "Unattributable answers",
        "Of tagged answers that people reject: how many the judge accepts all the same, where nothing "
        "supports the answer and elsewhere.",
        "Accepted, of all answers people reject",
    ),
}


# Shares are of what is in the row, so that a row of none says something.
_OF_THE_ROW = frozenset({BoardKind.REPAIRS, BoardKind.LENGTH, BoardKind.UNATTRIBUTABLE})


class CellWords(NamedTuple):
    """A share, the bounds of its interval, and what it is made of."""

    value: str
    bounds: str
    counts: str


class RowWords(NamedTuple):
    """A row of a board's table."""

    name: str
    cells: list[CellWords]


class BoardTable(NamedTuple):
    """A failure board as the report prints it; without rows where nothing is tagged. foot: columns' rates."""

    words: BoardWords
    judge: str
    columns: list[str]
    rows: list[RowWords]
    foot: list[CellWords]


def lay_out_board(kind: BoardKind, board: Board, *, judge: str = "") -> BoardTable:
    """Return a board in words, without rows that say nothing. judge: whose errors it is of."""
    return BoardTable(
        words=WORDS[kind],
        judge=judge,
        columns=[column.name for column in board.columns],
        rows=list(_rows(kind, board)),
        foot=[_cell(column.rate, column.rated, column.base) for column in board.columns],
    )


def has_figures(board: Board) -> bool:
    """Say whether there is anything to print: the rate of a column needs no tags."""
    return any(column.base for column in board.columns) or any(cell.items for cell in board.cells)


def _rows(kind: BoardKind, board: Board) -> Iterator[RowWords]:
    for place, row in enumerate(board.rows):
        own = [cell for cell in board.cells if cell.row == place]
        if any(cell.of if kind in _OF_THE_ROW else cell.items for cell in own):
            yield RowWords(row.name, [_cell(cell.share, cell.items, cell.of) for cell in own])


def _cell(share: Share, items: int, of: int) -> CellWords:
    if of == 0:
        return CellWords(DASH, "", "")
    return CellWords(*share_words(share.value, share.interval), counts=f"{items:,} of {of:,}")

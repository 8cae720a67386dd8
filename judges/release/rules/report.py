"""The report's tables and bars, as values."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from analysis.classification import Confusion
from analysis.intervals import Figure
from annotation.agreement.rules.measures import MISSING, OF_RATERS, ORDINAL, AgreementReport
from annotation.projects.rules import Protocol
from common.figures import DASH, FIGURES, rounded, share_with_interval, with_interval, words_of
from judges.comparison.rules.failures import Board, BoardKind
from judges.comparison.rules.leaderboard.references import Reference, Subject
from judges.release.rules.facts import JudgeFacts
from judges.release.rules.words import FigureWords, coefficient_words, share_words, why_lacking, with_minus


class AgreementRow(NamedTuple):
    """A figure with its interval, and what there is to say of it."""

    name: str
    value: str
    remark: str


def agreement_rows(report: AgreementReport, protocol: Protocol | None) -> list[AgreementRow]:
    """Return every coefficient, then the share of each label, without which κ cannot be read."""
    return [*_coefficients(report), *_labels(report, protocol)]


def _coefficients(report: AgreementReport) -> Iterator[AgreementRow]:
    for key in OF_RATERS:
        if key == ORDINAL and not report.is_ordered:
            continue
        figure = report.figures[key]
        yield AgreementRow(FIGURES[key].plain, with_interval(figure, digits=3), words_of(figure))


def _labels(report: AgreementReport, protocol: Protocol | None) -> Iterator[AgreementRow]:
    names = {label.key: label.name for label in protocol.labels} if protocol else {}
    total = sum(report.distribution.values())
    for key, count in report.distribution.items() if total else ():
        share = report.label_shares[key]
        counted = f"{count:,} of {total:,} votes"
        yield AgreementRow(
            name="Missing votes as a share of votes"
            if key == MISSING
            else f"“{names.get(key, key)}” as a share of votes",
            value=share_with_interval(share),
            remark=". ".join(filter(None, (counted, words_of(share)))),
        )


WIDTH = 760
LABELS = 250
RIGHT = 60
ROW = 24
TOP = 26
BOTTOM = 48
TICKS = (0, 20, 40, 60, 80, 100)


class Mark(NamedTuple):
    """A share from 0 to 1 with its interval; kind: "main" or "other"."""

    kind: str
    value: float
    low: float | None = None
    high: float | None = None


class PlacedMark(NamedTuple):
    """A mark in the chart's points."""

    kind: str
    x: float
    low: float | None
    high: float | None


class Line(NamedTuple):
    """What a line of a chart shows; the first mark's number is printed."""

    label: str
    marks: tuple[Mark, ...]


class PlacedLine(NamedTuple):
    """A line in the chart's points; start, end: from the first to the last mark."""

    label: str
    y: float
    marks: tuple[PlacedMark, ...]
    start: float
    end: float
    text: str


class Tick(NamedTuple):
    """A number under the chart."""

    x: float
    text: str


class BarChart(NamedTuple):
    """A chart of shares, in points."""

    width: int
    height: int
    top: int
    bottom: int
    axis_y: int
    axis_middle: float
    axis_name_y: int
    lines: tuple[PlacedLine, ...]
    ticks: tuple[Tick, ...]


def lay_out(lines: Sequence[Line]) -> BarChart:
    """Return where everything stands, the scale from 0 to 100%; lines without marks are left out."""
    shown = [line for line in lines if line.marks]
    bottom = TOP + ROW * len(shown)
    return BarChart(
        width=WIDTH,
        height=bottom + BOTTOM,
        top=TOP,
        bottom=bottom,
        axis_y=bottom + 16,
        axis_middle=_x(0.5),
        axis_name_y=bottom + 36,
        lines=tuple(_placed(line, number) for number, line in enumerate(shown)),
        ticks=tuple(Tick(_x(tick / 100), str(tick)) for tick in TICKS),
    )


def _x(share: float) -> float:
    return round(LABELS + share * (WIDTH - LABELS - RIGHT), 1)


def _placed(line: Line, number: int) -> PlacedLine:
    marks = tuple(
        PlacedMark(
            mark.kind,
            _x(mark.value),
            None if mark.low is None else _x(mark.low),
            None if mark.high is None else _x(mark.high),
        )
        for mark in line.marks
    )
    places = [mark.x for mark in marks]
    text = rounded(line.marks[0].value, digits=1, scale=100)
    y = TOP + ROW * number + ROW / 2
    return PlacedLine(_short(line.label), y, marks, min(places), max(places), text)


def _short(label: str) -> str:
    return label if len(label) <= 36 else f"{label[:35]}…"


class BoardWords(NamedTuple):
    """name: of the board. about: what its shares are of. rate: what stands under each column."""

    name: str
    about: str
    rate: str


WORDS: Mapping[BoardKind, BoardWords] = {
    BoardKind.MISSES: BoardWords(
        "Correct answers that judges miss",
        "A miss is an answer that people accept and the judge rejects. The table shows the share of each "
        "judge’s misses with each tag.",
        "Miss rate among answers that people accept",
    ),
    BoardKind.REPAIRS: BoardWords(
        "Exact-match misses that judges accept",
        "A miss is an answer that people accept and exact match rejects. The table shows, for each tag, the"
        " share of misses that another judge accepts.",
        "Share of all misses accepted",
    ),
    BoardKind.WRONG: BoardWords(
        "System errors",
        "The table shows, for each tag, the share of a system’s answers that are incorrect and have this "
        "tag. If judges settled answers, the shares are estimated from the answers that people decided. "
        "In that case, the shares can differ from the corrected scores, which also use the judges’ verdicts.",
        "Error rate over all answers",
    ),
    BoardKind.ERRORS: BoardWords(
        "One judge’s errors",
        "An error is a verdict that disagrees with people’s decision. The table shows, for each system, the"
        " share of the judge’s errors with each tag.",
        "Error rate over the judged answers",
    ),
    BoardKind.LENGTH: BoardWords(
        "Accuracy by answer length",
        "Accuracy is the share of answers on which the judge agrees with people. Here, an answer counts "
        "once for each system that gave it. In “Judges compared with people,” it counts only once, so "
        "the accuracy differs slightly.",
        "Accuracy over all lengths",
    ),
    BoardKind.CREDIT: BoardWords(
        "Correct answers missing from gold",
        "This board covers questions with a tagged answer that people accept but that matches no gold "
        "answer. The table shows the share of these questions with each tag. A question may have several "
        "tags.",
        "Questions with a correct answer missing from gold",
    ),
    BoardKind.UNATTRIBUTABLE: BoardWords(
        "Unattributable answers",
        "The table shows the share of tagged incorrect answers that each judge accepts. Answers that no "
        "source supports are shown separately from the others.",
        "Share of all incorrect answers accepted",
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


def lay_out_board(kind: BoardKind, board: Board, *, judge: str = "", weighed: bool = False) -> BoardTable:
    """Return a board in words, without rows that say nothing.

    judge: whose errors it is of. weighed: its shares weigh answers, so that counts of them are others.
    """
    return BoardTable(
        words=WORDS[kind],
        judge=judge,
        columns=[column.name for column in board.columns],
        rows=list(_rows(kind, board, weighed=weighed)),
        foot=[_cell(column.rate, column.rated, column.base, weighed=weighed) for column in board.columns],
    )


def has_figures(board: Board) -> bool:
    """Say whether there is anything to print: the rate of a column needs no tags."""
    return any(column.base for column in board.columns) or any(cell.items for cell in board.cells)


def _rows(kind: BoardKind, board: Board, *, weighed: bool) -> Iterator[RowWords]:
    for row in board.rows:
        own = [cell for cell in board.cells if cell.row == row.key]
        if any(cell.of if kind in _OF_THE_ROW else cell.items for cell in own):
            cells = [_cell(cell.share, cell.items, cell.of, weighed=weighed) for cell in own]
            yield RowWords(row.name, cells)


def _cell(share: Figure, items: int, of: int, *, weighed: bool) -> CellWords:
    if of == 0:
        return CellWords(DASH, "", "")
    # A count beside a weighted share would contradict it.
    counts = f"weighted, from {of:,}" if weighed else f"{items:,} of {of:,}"
    return CellWords(*share_words(share), counts=counts)


OF_JUDGES = (
    *("accuracy_all", "coverage", "precision", "recall", "macro_f1"),
    *("cohen_kappa", "kendall_tau_b"),
)


class JudgeLine(NamedTuple):
    """A judge's figures, in the order of the table's names, and its counts."""

    name: str
    figures: list[FigureWords]
    counts: Confusion


class JudgeTable(NamedTuple):
    """Judges beside people; remarks: why figures are undefined or have no interval, a sentence each."""

    names: list[str]
    lines: list[JudgeLine]
    remarks: list[str]


def lay_out_judges(judges: Sequence[JudgeFacts]) -> JudgeTable:
    """Return what the report prints of judges, a line each."""
    return JudgeTable(
        names=[FIGURES[name].plain for name in OF_JUDGES],
        lines=[JudgeLine(judge.name, _figures(judge), judge.counts) for judge in judges],
        remarks=[
            remark
            for judge in judges
            for remark in why_lacking(
                judge.name, [(FIGURES[name].plain, judge.figures[name]) for name in OF_JUDGES]
            )
        ],
    )


def _figures(judge: JudgeFacts) -> list[FigureWords]:
    return [
        (share_words if FIGURES[name].look == "share" else coefficient_words)(judge.figures[name])
        for name in OF_JUDGES
    ]


class PublishedRow(NamedTuple):
    """A published number in words; percent: a coefficient times a hundred, too, as its page has it."""

    name: str
    measure: str
    percent: str
    n: str
    on: str
    source: str


def published_rows(
    references: Iterable[Reference], *, subject: Subject, measures: Mapping[str, str]
) -> list[PublishedRow]:
    """Return the numbers of systems or of judges; measures: names by key, other words stand as they are."""
    return [
        PublishedRow(
            name=reference.name,
            measure=measures.get(reference.measure, reference.measure),
            percent=with_minus(rounded(reference.value, digits=1, scale=100)),
            n="" if reference.n is None else f"{reference.n:,}",
            on=_on(reference),
            source=", ".join(filter(None, (reference.source, reference.source_url))),
        )
        for reference in references
        if reference.subject is subject
    ]


def _on(reference: Reference) -> str:
    parts = (
        reference.prompt and f"prompt {reference.prompt}",
        reference.dataset,
        reference.system and f"answers of {reference.system}",
        reference.about,
    )
    return ", ".join(filter(None, parts))

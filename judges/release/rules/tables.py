"""Tables for a paper: systems and judges, as rows of text, as CSV and as LaTeX."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from analysis.intervals import Figure
from annotation.release.rules import neutralize, separated
from common.figures import DASH, FIGURES, rounded, with_interval
from judges.comparison.rules.boards import BoardRow
from judges.comparison.rules.leaderboard.standings import (
    Leaderboard,
    LeaderboardColumn,
    SystemRow,
    is_of_few,
    people_column,
)
from judges.comparison.rules.study import CORRECTED, EXACT_MATCH, HUMAN, SETTLED, Kind
from judges.release.rules.words import rank_words, with_minus

# What orders systems, the best first; of two columns that say the same a board has only “as settled”.
BY_PEOPLE = (CORRECTED, HUMAN, SETTLED, EXACT_MATCH)

_ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        "κ": r"$\kappa$",
        "−": "$-$",
        "’": "'",
        "`": r"\textasciigrave{}",
        "'": r"\textquotesingle{}",
        **{sign: f"\\{sign}" for sign in "&%_#${}"},
    }
)
BOOKTABS = "% Needs \\usepackage{booktabs} in the preamble.\n"


class Cell(NamedTuple):
    """What a table prints, and the numbers of the file, unrounded; empty where there are none."""

    text: str
    numbers: tuple[str, ...]


class Heading(NamedTuple):
    """A column: what it is called in the table, and its numbers in the file by their names."""

    name: str
    names: tuple[str, ...]


@dataclass(frozen=True)
class PaperTable:
    """A table for a paper, as text and as files with names.

    `columns`: the names of the columns. `rows`: one text per column; the first is a name. `csv`: unrounded
    numbers with the bounds of their intervals. `latex`: a tabular environment for booktabs.
    """

    about: str
    columns: list[str]
    rows: list[list[str]]
    csv: str
    csv_name: str
    latex: str
    latex_name: str


@dataclass(frozen=True)
class PaperTables:
    """The tables for a paper."""

    systems: PaperTable
    judges: PaperTable


class Laid(NamedTuple):
    """A table before it has a form. signatures: of each row, what produced its numbers."""

    headings: list[Heading]
    rows: list[list[Cell]]
    signatures: list[str]


# Before the columns of those who judge.
SYSTEMS_BEGIN = "system,n"


def ordered(board: Leaderboard) -> list[SystemRow]:
    """Return the systems, the best by people first; those with scores over too few answers come last."""

    def place(row: SystemRow) -> tuple[bool, float]:
        score = next((score for key in BY_PEOPLE if (score := row.scores.get(key))), None)
        return (not is_of_few_answers(row, board), score.value if score else 0.0)

    return sorted(board.rows, key=place, reverse=True)


def is_of_few_answers(row: SystemRow, board: Leaderboard) -> bool:
    """Say whether the score that orders systems is over too few of this one's answers."""
    columns = {column.key: column for column in board.columns}
    key = next((key for key in BY_PEOPLE if row.scores.get(key)), None)
    return key is not None and is_of_few(row, columns[key])


def systems_table(board: Leaderboard) -> Laid:
    """Return systems with people's score, exact match, the other judges and the rank by people."""
    people = people_column(board)
    judges = [column for column in board.columns if column.kind is Kind.JUDGE]
    judges.sort(key=lambda column: column.key != EXACT_MATCH)
    headings = [Heading("System", ("system",)), Heading("n", ("n",))]
    headings += [_bounded(f"{people.name} (95% CI)", people.key)] if people else []
    headings += [_bounded(column.name, column.key) for column in judges]
    headings += [_bounded("Rank (95% CI)", "rank")] if people else []
    rows = [list(_system(row, people, judges)) for row in ordered(board)]
    return Laid(headings, rows, [board.signature] * len(rows))


def _bounded(name: str, key: str) -> Heading:
    return Heading(name, (key, f"{key}_low", f"{key}_high"))


def _system(
    row: SystemRow, people: LeaderboardColumn | None, judges: Sequence[LeaderboardColumn]
) -> Iterator[Cell]:
    yield _text(row.label)
    yield _count(row.n)
    if people:
        yield _share(row.scores.get(people.key), has_bounds=True)
    for column in judges:
        yield _share(row.scores.get(column.key))
    if people:
        score = row.scores.get(people.key)
        yield _rank(score.rank if score else None)


OF_JUDGES = ("accuracy_all", "cohen_kappa", "rejects_right", "accepts_wrong", "bias")
JUDGE_HEADINGS = [
    Heading("Judge", ("judge",)),
    Heading("n", ("n",)),
    _bounded("Agrees with people, % (95% CI)", "accuracy_all"),
    _bounded(f"{FIGURES['cohen_kappa'].plain} (95% CI)", "cohen_kappa"),
    _bounded("Correct rejected, %", "rejects_right"),
    _bounded("Incorrect accepted, %", "accepts_wrong"),
    _bounded("Bias, points", "bias"),
]


def judges_table(rows: Iterable[tuple[BoardRow, str]]) -> Laid:
    """Return judges with their agreement with people and their errors; each row with its signature."""
    found = list(rows)
    return Laid(
        JUDGE_HEADINGS, [list(_judge(row)) for row, _ in found], [signature for _, signature in found]
    )


def _judge(row: BoardRow) -> Iterator[Cell]:
    agrees, kappa, rejects, accepts, bias = (row.figures[name] for name in OF_JUDGES)
    yield _text(row.name)
    yield _count(sum(row.counts.values()))
    yield _share(agrees, has_bounds=True)
    yield Cell(with_minus(with_interval(kappa, digits=2)), _numbers(kappa))
    yield _share(rejects)
    yield _share(accepts)
    points = with_minus(with_interval(Figure(bias.value), digits=1, scale=100))
    is_more = bias.value is not None and float(rounded(bias.value, digits=1, scale=100)) > 0
    yield Cell(f"+{points}" if is_more else points, _numbers(bias))


def _text(text: str) -> Cell:
    return Cell(text, (text,))


def _count(count: int) -> Cell:
    return Cell(f"{count:,}", (str(count),))


def _share(figure: Figure | None, *, has_bounds: bool = False) -> Cell:
    if figure is None:
        return Cell(DASH, _numbers(figure))
    shown = figure if has_bounds else Figure(figure.value)
    return Cell(with_interval(shown, digits=1, scale=100), _numbers(figure))


def _rank(rank: Figure | None) -> Cell:
    return Cell(rank_words(rank) if rank else DASH, _numbers(rank))


def _numbers(figure: Figure | None) -> tuple[str, ...]:
    if figure is None:
        return ("", "", "")
    return tuple(
        "" if number is None else repr(float(number)) for number in (figure.value, figure.low, figure.high)
    )


# A spreadsheet may read it as it stands, with its sign.
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")


def to_csv(table: Laid) -> Iterator[str]:
    """Yield the lines of a table, every number unrounded with its interval, and what produced it."""
    return separated(
        [cell if _NUMBER.fullmatch(cell) else neutralize(cell) for cell in row] for row in _csv_rows(table)
    )


def _csv_rows(table: Laid) -> Iterator[list[str]]:
    yield [*(name for heading in table.headings for name in heading.names), "signature"]
    for cells, signature in zip(table.rows, table.signatures, strict=True):
        yield [*(number for cell in cells for number in cell.numbers), signature]


def to_latex(table: Laid) -> Iterator[str]:
    """Yield a tabular environment for booktabs line by line; what produced the numbers stands in comments."""
    yield BOOKTABS
    for signature in dict.fromkeys(table.signatures):
        yield f"% Signature: {' '.join(signature.split())}\n"
    yield f"\\begin{{tabular}}{{l{'r' * (len(table.headings) - 1)}}}\n"
    yield "\\toprule\n"
    yield _line(heading.name for heading in table.headings)
    yield "\\midrule\n"
    for cells in table.rows:
        yield _line(cell.text for cell in cells)
    yield "\\bottomrule\n"
    yield "\\end{tabular}\n"


def _line(texts: Iterable[str]) -> str:
    line = f"{' & '.join(map(escape_latex, texts))} \\\\\n"
    # The end of the line before would take either as an option of its own.
    return f"{{}}{line}" if line.startswith(("[", "*")) else line


def escape_latex(text: str) -> str:
    """Return a text that LaTeX prints as it stands, on one line."""
    escaped = " ".join(text.split()).translate(_ESCAPES)
    # Two hyphens side by side would be printed as a dash.
    return re.sub("-(?=-)", "-{}", escaped).replace("–", "--")


def print_table(table: Laid, *, about: str, name: str) -> PaperTable:
    """Return a table in every form; name: of its files, without their endings."""
    return PaperTable(
        about=about,
        columns=[heading.name for heading in table.headings],
        rows=[[cell.text for cell in cells] for cells in table.rows],
        csv="".join(to_csv(table)),
        csv_name=f"{name}.csv",
        latex="".join(to_latex(table)),
        latex_name=f"{name}.tex",
    )

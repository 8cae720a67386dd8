"""Failure boards: what goes wrong by tag or length, beside judges, systems or labels."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from analysis.intervals import Figure
from analysis.sampling import NEVER_DRAWN, Ratio, measure_shares, weigh_sample
from judges.comparison.rules.study import ACCEPTED, POSSIBLE, REJECTED, Codes
from judges.tagging.rules.rounds import Filter, People, Said
from judges.tagging.rules.sets import Subject


class BoardKind(StrEnum):
    """One board; what its rows, columns and shares are stands in docs/failure-modes.md."""

    MISSES = "misses"
    REPAIRS = "repairs"
    WRONG = "wrong"
    ERRORS = "errors"
    LENGTH = "length"
    CREDIT = "credit"
    UNATTRIBUTABLE = "unattributable"


_ANSWERS = frozenset({Subject.ANSWER})
_SUBJECTS: Mapping[BoardKind, frozenset[Subject]] = {
    BoardKind.MISSES: _ANSWERS,
    BoardKind.REPAIRS: _ANSWERS,
    BoardKind.WRONG: _ANSWERS,
    BoardKind.ERRORS: frozenset({Subject.VERDICT}),
    BoardKind.CREDIT: frozenset({Subject.ANSWER, Subject.QUESTION}),
}
_USUAL: Mapping[BoardKind, str] = {
    BoardKind.MISSES: "kamalloo",
    BoardKind.REPAIRS: "kamalloo",
    BoardKind.WRONG: "evouna-answers",
    BoardKind.ERRORS: "evouna-evaluators",
    BoardKind.CREDIT: "efficientqa",
}


def subjects_of(kind: BoardKind) -> frozenset[Subject]:
    """Return what the tags of a board's set belong to; nothing where the board has no set."""
    return _SUBJECTS.get(kind, frozenset())


def usual_set(kind: BoardKind) -> str:
    """Return the key of the set that a board is made for; empty where it has none."""
    return _USUAL.get(kind, "")


@dataclass(frozen=True)
class BoardLine:
    """A row: a tag, a range of answer lengths, or a kind of answer."""

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
    stands_for: how many units each one stands for that was drawn, tagged or not; None: itself.
    """

    rows: tuple[BoardLine, ...]
    columns: tuple[Column, ...]
    question: Integers
    of_base: bool
    cell: Callable[[int, int], CellUnits]
    behind: Callable[[int | None, int], Flags]
    stands_for: Floats | None = None


@dataclass(frozen=True)
class BoardFigures:
    """A column.

    `tagged`: the number of its `total` items that people examined; these represent `stands_for` items.
    `rate`: `rated` as a share of `base`, weighted if the items have weights, with its interval.
    """

    key: str
    name: str
    total: int
    tagged: int
    stands_for: int
    rated: int
    base: int
    rate: Figure


@dataclass(frozen=True)
class BoardCell:
    """A cell: the share for one row and one column.

    `items`: the number of items counted. `of`: the total, which is the number of examined items, or the
    column’s `base` if shares refer to `base`.
    """

    row: str
    column: str
    items: int
    of: int
    share: Figure


@dataclass(frozen=True)
class Board:
    """A board in numbers."""

    rows: list[BoardLine]
    columns: list[BoardFigures]
    cells: list[BoardCell]


def measure_cut(cut: Cut) -> Board:
    """Count a board; intervals are over questions."""
    places = [(row, column) for column in range(len(cut.columns)) for row in range(len(cut.rows))]
    counts = [_count(cut, row, column) for row, column in places]
    shares = measure_shares(ratios=_ratios(cut, places), clusters=cut.question)
    rates, rest = shares[: len(cut.columns)], shares[len(cut.columns) :]
    return Board(
        rows=list(cut.rows),
        columns=[_figures(column, rate) for column, rate in zip(cut.columns, rates, strict=True)],
        cells=[
            BoardCell(cut.rows[row].key, cut.columns[column].key, items, of, share)
            for (row, column), (items, of), share in zip(places, counts, rest, strict=True)
        ],
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


def _figures(column: Column, rate: Figure) -> BoardFigures:
    return BoardFigures(
        key=column.key,
        name=column.name,
        total=int(column.target.sum()),
        tagged=int((column.weights > 0).sum()),
        stands_for=round(float(column.weights.sum())),
        rated=int((column.rate & column.base).sum()),
        base=int(column.base.sum()),
        rate=rate,
    )


MARKED = BoardLine(
    "unattributable", "Unattributable", "", "People found no evidence that supports the answer."
)
UNMARKED = BoardLine(
    "other", "Other tagged answers", "", "Answers that people tagged without marking them unattributable."
)


class Answers(NamedTuple):
    """What people decided, by candidate; counted: by people, in a question that counts.

    weights: how many answers each that counts stands for, where programs settled the others; None: itself.
    """

    question: Integers
    worth: Codes
    counted: Flags
    weights: Floats | None = None

    @property
    def accepted(self) -> Flags:
        """Answers that people accept."""
        return np.asarray(self.counted & (self.worth == ACCEPTED))

    @property
    def rejected(self) -> Flags:
        """Answers that people reject."""
        return np.asarray(self.counted & (self.worth == REJECTED))

    def among(self, given: Flags | None) -> "Answers":
        """Return the same with no other answers counted than these; all of them without any named."""
        return self if given is None else self._replace(counted=np.asarray(self.counted & given))


class JudgeSaid(NamedTuple):
    """A judge's verdicts by candidate: 1 accepted, 0 rejected, less: none."""

    key: str
    name: str
    verdict: Codes


class SystemGave(NamedTuple):
    """The answers a system gave, by candidate."""

    key: str
    name: str
    gave: Flags


class Tagged(NamedTuple):
    """What people said of answers, by candidate.

    tags: by row of the board. cells: by which rounds could have drawn them. said: the verdict a tag is about,
    less than 0 where it is about none. is_marked: unattributable.
    """

    rows: tuple[BoardLine, ...]
    is_tagged: Flags
    tags: tuple[Flags, ...]
    cells: Integers
    said: Codes
    is_marked: Flags

    def weigh(self, target: Flags) -> Floats:
        """Return how many answers of a target each tagged one stands for."""
        return weigh_sample(target=target, sampled=self.is_tagged, cells=self.cells)


def _by_tag(answers: Answers, tagged: Tagged, columns: Sequence[Column], *, of_base: bool = False) -> Cut:
    """Share the columns' targets out among tags."""

    def cell(row: int, column: int) -> CellUnits:
        target = columns[column].target
        return CellUnits(target & tagged.tags[row], target)

    return _cut(answers, tagged.rows, columns, cell, of_base=of_base)


def _cut(
    answers: Answers,
    rows: tuple[BoardLine, ...],
    columns: Sequence[Column],
    cell: Callable[[int, int], CellUnits],
    *,
    of_base: bool = False,
) -> Cut:
    def behind(row: int | None, column: int) -> Flags:
        chosen = columns[column]
        if row is None:
            return chosen.rate & chosen.base
        return cell(row, column).hit & (chosen.weights > 0)

    return Cut(rows, tuple(columns), answers.question, of_base, cell, behind, answers.weights)


def _rates_in(columns: Sequence[Column], which: Callable[[int], Flags]) -> Callable[[int, int], CellUnits]:
    """Share out in each row, of the columns' targets there, what their rates count."""

    def cell(row: int, column: int) -> CellUnits:
        within = columns[column].target & which(row)
        return CellUnits(within & columns[column].rate, within)

    return cell


def _accepted_of(among: Flags, tagged: Tagged, judges: Sequence[JudgeSaid]) -> list[Column]:
    """Return what each judge accepts of those answers on which it has a verdict."""
    columns = []
    for key, name, verdict in judges:
        base = among & (verdict >= 0)
        columns.append(Column(key, name, base, tagged.weigh(base), base & (verdict == 1), base))
    return columns


def cut_misses(answers: Answers, tagged: Tagged, judges: Sequence[JudgeSaid]) -> Cut:
    """Tags × judge over answers that people accept and the judge rejects, as shares of these.

    Source: Kamalloo et al. 2023, figures 3 and 4.
    """
    columns = []
    for key, name, verdict in judges:
        base = answers.accepted & (verdict >= 0)
        missed = base & (verdict == 0)
        columns.append(Column(key, name, missed, tagged.weigh(missed), missed, base))
    return _by_tag(answers, tagged, columns)


def cut_repairs(answers: Answers, tagged: Tagged, judges: Sequence[JudgeSaid], *, baseline: JudgeSaid) -> Cut:
    """Tags × judge: of the baseline's misses with a tag, how many the judge accepts; over them, of all.

    Source: Kamalloo et al. 2023, figure 4 beside figure 3.
    """
    columns = _accepted_of(answers.accepted & (baseline.verdict == 0), tagged, judges)
    return _cut(answers, tagged.rows, columns, _rates_in(columns, lambda row: tagged.tags[row]))


def cut_wrong(answers: Answers, tagged: Tagged, systems: Sequence[SystemGave]) -> Cut:
    """Tags × system over answers that people reject, as shares of all the system's answers.

    With one tag an answer, and all of them tagged, a system's shares add up to its error rate.
    Source: Wang et al. 2023 (EVOUNA), table 9.
    """
    columns = []
    for key, name, gave in systems:
        wrong = answers.rejected & gave
        columns.append(Column(key, name, wrong, tagged.weigh(wrong), wrong, answers.counted & gave))
    return _by_tag(answers, tagged, columns, of_base=True)


def cut_errors(answers: Answers, tagged: Tagged, systems: Sequence[SystemGave], *, judge: JudgeSaid) -> Cut:
    """Tags × system over one judge's errors, as shares of these; over them its error rate.

    A tag about a verdict that the judge has changed since counts as none.
    Source: Wang et al. 2023 (EVOUNA), table 10.
    """
    scored = answers.counted & (judge.verdict >= 0)
    errs = scored & ((judge.verdict == 1) != (answers.worth == ACCEPTED))
    current = tagged._replace(is_tagged=tagged.is_tagged & (tagged.said == judge.verdict))
    columns = [
        Column(key, name, errs & gave, current.weigh(errs & gave), errs & gave, scored & gave)
        for key, name, gave in systems
    ]
    return _by_tag(answers, current, columns)


def cut_unattributable(answers: Answers, tagged: Tagged, judges: Sequence[JudgeSaid]) -> Cut:
    """Unattributable or not × judge: of such answers that people reject, how many the judge accepts.

    Source: Kamalloo et al. 2023, section 4.4.
    """
    columns, marks = _accepted_of(answers.rejected, tagged, judges), (tagged.is_marked, ~tagged.is_marked)
    return _cut(answers, (MARKED, UNMARKED), columns, _rates_in(columns, lambda row: marks[row]))


DEFINITELY = ("definitely", "Definitely correct", ACCEPTED)
POSSIBLY = ("possibly", "Possibly correct", POSSIBLE)
# Of a protocol without labels between right and wrong.
CORRECT = ("definitely", "Correct", ACCEPTED)


def cut_by_credit(answers: Answers, tagged: Tagged, *, beyond: Flags, has_possible: bool) -> Cut:
    """Tags × definitely or possibly correct over questions with such an answer that equals no gold answer.

    A question has the tags of all its tagged answers of the column, so its tags may be several; shares are
    of the questions with a tagged one, without the audit: what its answers stand for are answers, not
    questions. Source: Min et al. 2021 (EfficientQA), table 3.
    """
    size = int(answers.question.max(initial=-1)) + 1
    asked = _any(answers.counted, answers.question, size)
    alike = np.zeros(size, dtype=np.int64)
    labels = (DEFINITELY, POSSIBLY) if has_possible else (CORRECT,)
    chosen = [answers.counted & beyond & (answers.worth == worth) for _, _, worth in labels]
    columns = []
    for (key, name, _), own in zip(labels, chosen, strict=True):
        target = _any(own, answers.question, size)
        spoken = _any(own & tagged.is_tagged, answers.question, size)
        weights = weigh_sample(target=target, sampled=spoken, cells=alike)
        columns.append(Column(key, name, target, weights, target, asked))

    def cell(row: int, column: int) -> CellUnits:
        hit = _any(chosen[column] & tagged.is_tagged & tagged.tags[row], answers.question, size)
        return CellUnits(hit, columns[column].target)

    def behind(row: int | None, column: int) -> Flags:
        own: Flags = chosen[column]
        return own if row is None else own & tagged.is_tagged & tagged.tags[row]

    return Cut(tagged.rows, tuple(columns), np.arange(size), False, cell, behind)


def _any(which: Flags, question: Integers, size: int) -> Flags:
    found = np.zeros(size, dtype=bool)
    found[question[which]] = True
    return found


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
    cell = _rates_in(columns, lambda row: np.asarray(band == row))
    errors = _errors(given, columns, band, worth)
    return Cut(_bands(ends), tuple(columns), given.question, False, cell, errors, given.weights)


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


def _bands(ends: Sequence[int]) -> tuple[BoardLine, ...]:
    starts = [0, *(end + 1 for end in ends)]
    closed = [
        BoardLine(f"{start}-{end}", _closed(start, end)) for start, end in zip(starts, ends, strict=False)
    ]
    return (*closed, BoardLine(f"{starts[-1]}-", f"{starts[-1]} words or more"))


def _closed(start: int, end: int) -> str:
    if start == 0:
        return "1 word" if end == 1 else f"Up to {end} words"
    return f"{start} words" if start == end else f"{start} to {end} words"


_WORTHS: Mapping[People, tuple[int, ...]] = {
    People.ANY: (ACCEPTED, POSSIBLE, REJECTED),
    People.ACCEPT: (ACCEPTED,),
    People.POSSIBLY: (POSSIBLE,),
    People.ACCEPT_OR_POSSIBLY: (ACCEPTED, POSSIBLE),
    People.REJECT: (REJECTED,),
}


class Known(NamedTuple):
    """What a filter asks of answers, by candidate; None: nobody can tell any more, so none fits.

    verdict: of the filter's run. is_given: by the filter's system. is_flagged: with the filter's remark.
    """

    worth: Codes
    verdict: Codes | None
    is_given: Flags | None
    is_flagged: Flags | None
    is_beyond_gold: Flags


def could_draw(wanted: Filter, known: Known) -> Flags:
    """Say of each answer whether the filter holds for it now, as `judges.tagging.rules.fits` does for one.

    None where answers were chosen by hand: nothing else could have been drawn.
    """
    if wanted.by_hand:
        return np.zeros(len(known.worth), dtype=bool)
    found = np.isin(known.worth, _WORTHS[wanted.people])
    if wanted.beyond_gold:
        found &= known.is_beyond_gold
    if wanted.run:
        found &= False if known.verdict is None else _says(wanted.said, known.verdict, known.worth)
    if wanted.system:
        found &= False if known.is_given is None else known.is_given
    if wanted.flag:
        found &= False if known.is_flagged is None else known.is_flagged
    return found


def _says(said: Said, verdict: Codes, worth: Codes) -> Flags:
    accepts: Flags = np.asarray(verdict == 1)
    rejects: Flags = np.asarray(verdict == 0)
    if said is Said.ACCEPTS:
        return accepts
    if said is Said.REJECTS:
        return rejects
    scored: Flags = accepts | rejects
    return scored & (accepts != (worth == ACCEPTED)) if said is Said.ERRS else scored


def cells_of(drawable: Sequence[Flags], *, size: int) -> Integers:
    """Number answers by which rounds could have drawn them; `NEVER_DRAWN` where none could.

    Answers of one number had the same chance of being drawn, whatever seeds the rounds share.
    """
    cells = np.full(size, NEVER_DRAWN, dtype=np.int64)
    if not drawable:
        return cells
    rounds = np.stack(drawable)
    drawn = rounds.any(axis=0)
    _, numbers = np.unique(rounds[:, drawn], axis=1, return_inverse=True)
    cells[drawn] = numbers.reshape(-1)
    return cells

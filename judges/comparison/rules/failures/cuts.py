"""The boards made of tags: which answers each is about, and what its cells count."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from analysis.sampling import weigh_sample
from judges.comparison.rules.failures.board import CellUnits, Column, Cut, Row
from judges.comparison.rules.study import ACCEPTED, POSSIBLE, REJECTED, Codes, Flags, Floats, Integers

MARKED = Row("unattributable", "Unattributable", "", "People found nothing that supports the answer.")
UNMARKED = Row("other", "Other tagged answers", "", "Answers that people tagged without that mark.")


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

    rows: tuple[Row, ...]
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
    rows: tuple[Row, ...],
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
    missed = answers.accepted & (baseline.verdict == 0)
    columns = []
    for key, name, verdict in judges:
        base = missed & (verdict >= 0)
        columns.append(Column(key, name, base, tagged.weigh(base), base & (verdict == 1), base))

    def cell(row: int, column: int) -> CellUnits:
        within = columns[column].target & tagged.tags[row]
        return CellUnits(within & columns[column].rate, within)

    return _cut(answers, tagged.rows, columns, cell)


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
    columns = []
    for key, name, verdict in judges:
        base = answers.rejected & (verdict >= 0)
        columns.append(Column(key, name, base, tagged.weigh(base), base & (verdict == 1), base))

    def cell(row: int, column: int) -> CellUnits:
        mark = tagged.is_marked if row == 0 else ~tagged.is_marked
        within = columns[column].target & mark
        return CellUnits(within & columns[column].rate, within)

    return _cut(answers, (MARKED, UNMARKED), columns, cell)


DEFINITELY = ("definitely", "Definitely correct", ACCEPTED)
POSSIBLY = ("possibly", "Possibly correct", POSSIBLE)
# Of a protocol without labels between right and wrong.
CORRECT = ("definitely", "Correct", ACCEPTED)


def cut_by_credit(answers: Answers, tagged: Tagged, *, beyond: Flags, has_possible: bool) -> Cut:
    """Tags × definitely or possibly correct over questions with such an answer that equals no gold answer.

    A question has the tags of all its tagged answers of the column, so its tags may be several; shares are
    of the questions with a tagged one, unweighted: what an answer of the audit stands for are answers, not
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

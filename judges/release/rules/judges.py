"""Judges beside people in the report: their figures with intervals, and why one has none."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from analysis.classification import Confusion
from analysis.intervals import Interval
from analysis.undefined import Undefined, Value
from judges.release.rules.facts import JudgeFacts
from judges.release.rules.words import FigureWords, coefficient_words, share_words, why_lacking

SHARES = {
    "accuracy_all": "Accuracy",
    "coverage": "Coverage",
    "precision": "Precision",
    "recall": "Recall",
    "macro_f1": "Macro-F1",
}
COEFFICIENTS = {"cohen_kappa": "Cohen’s κ", "kendall_tau_b": "τ-b"}
FIGURES = {**SHARES, **COEFFICIENTS}


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
        names=list(FIGURES.values()),
        lines=[JudgeLine(judge.name, _figures(judge), judge.counts) for judge in judges],
        remarks=[remark for judge in judges for remark in why_lacking(judge.name, _named(judge))],
    )


def _figures(judge: JudgeFacts) -> list[FigureWords]:
    return [
        (share_words if name in SHARES else coefficient_words)(judge.figures[name], judge.intervals[name])
        for name in FIGURES
    ]


def _named(judge: JudgeFacts) -> Iterator[tuple[str, Value, Interval | Undefined]]:
    for name, words in FIGURES.items():
        yield words, judge.figures[name], judge.intervals[name]

"""A judge's counts beside people, every figure that follows from them, and their form in JSON."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from analysis.agreement import cohen_kappa, gwet_ac1, sums_of_table
from analysis.classification import Confusion, Quality, measure_quality
from analysis.figures import Interval, Undefined, Value, Why
from common.figures import WHY
from judges.comparison.rules.study.arrays import Codes, Flags, Floats
from judges.comparison.rules.study.scores import confusion_of

Figure = Value | Interval


class Beside(NamedTuple):
    """Judge and people: `quality` counts unscored answers, the coefficients are over scored ones.

    confusion: answers. weighed: what they stand for, of which all figures are; the same but for an audit.
    """

    confusion: Confusion
    weighed: Confusion
    quality: Quality
    cohen_kappa: Value
    gwet_ac1: Value

    @property
    def error(self) -> Value:
        """The share of answers on which it does not say what people say, unscored ones among them."""
        right = self.quality.accuracy_all
        return right if isinstance(right, Undefined) else 1.0 - right


def human_errs(confusion: Confusion) -> Value:
    """Return the share of votes that differ from the other raters', of those that have others."""
    right = measure_quality(confusion).accuracy_scored
    return right if isinstance(right, Undefined) else 1.0 - right


def multiple_of(error: Value, human: Value | None) -> Value:
    """Return an error as a multiple of another human's. Source: after Wang et al. 2023 (EVOUNA), table 7."""
    if human is None or isinstance(human, Undefined):
        return Undefined(Why.NO_HUMAN)
    if isinstance(error, Undefined):
        return error
    return error / human if human > 0 else Undefined(Why.HUMAN_NEVER_ERRS)


def stand_beside(confusion: Confusion, weighed: Confusion | None = None) -> Beside:
    """Compute what follows from a judge's counts, or from what these stand for."""
    weighed = confusion if weighed is None else weighed
    table = table_of_counts(weighed)
    return Beside(
        confusion=confusion,
        weighed=weighed,
        quality=measure_quality(weighed),
        cohen_kappa=_coefficient(float(cohen_kappa(table)), confusion),
        gwet_ac1=_coefficient(float(gwet_ac1(sums_of_table(table))), confusion),
    )


def compare(*, truth: Flags, verdict: Codes, counted: Flags, weights: Floats) -> Beside:
    """Compare a judge with people over what counts; weights: how many answers each one stands for."""
    return stand_beside(
        confusion_of(truth=truth, verdict=verdict, counted=counted),
        confusion_of(truth=truth, verdict=verdict, counted=counted, weights=weights),
    )


def _coefficient(value: float, confusion: Confusion) -> Value:
    if not confusion.scored:
        return Undefined(Why.NO_SCORED)
    return Undefined(Why.ONE_LABEL) if np.isnan(value) else value


def beside_figures(beside: Beside) -> dict[str, Figure | Undefined]:
    """Return every figure by the name it has in JSON."""
    return {
        **beside.quality._asdict(),
        "cohen_kappa": beside.cohen_kappa,
        "gwet_ac1": beside.gwet_ac1,
    }


def table_of_counts(confusion: Confusion) -> Floats:
    """Return people × judge: rows are what people said, columns what the judge said, accepted first."""
    tp, fn, fp, tn, _ = confusion
    return np.array([[tp, fn], [fp, tn]], dtype=np.float64)


def counts_json(confusion: Confusion, figures: Mapping[str, Figure | Undefined]) -> dict[str, Any]:
    """Return counts and figures; what is undefined is null, `words` says why; intervals are [low, high]."""
    tp, fn, fp, tn, unscored = confusion
    counts = {"tp": tp, "fn": fn, "fp": fp, "tn": tn, "unscored": unscored}
    return counts | figures_json(figures)


def beside_json(beside: Beside, figures: Mapping[str, Figure | Undefined]) -> dict[str, Any]:
    """Return counts and figures in that form, and what the counts stand for where that is something else."""
    found = counts_json(beside.confusion, figures)
    if beside.weighed == beside.confusion:
        return found
    return found | {"weighed": dict(zip(("tp", "fn", "fp", "tn", "unscored"), beside.weighed, strict=True))}


def figures_json(figures: Mapping[str, Figure | Undefined]) -> dict[str, Any]:
    """Return figures alone, in the same form."""
    return {
        **{name: _plain(figure) for name, figure in figures.items()},
        "words": {name: WHY[each.why] for name, each in figures.items() if isinstance(each, Undefined)},
    }


def _plain(figure: Figure | Undefined) -> float | list[float] | None:
    if isinstance(figure, Undefined):
        return None
    return list(figure) if isinstance(figure, Interval) else figure

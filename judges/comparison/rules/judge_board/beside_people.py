"""A judge's counts beside people, every figure that follows from them, and their form in JSON."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from analysis.classification import Confusion, measure_quality
from analysis.figures import Interval, Undefined, Value, Why
from common.figures import WHY
from judges.comparison.rules.study import Codes, Flags, Floats, confusion_of

Json = Value | Interval
CELLS = ("tp", "fn", "fp", "tn", "unscored")


class Beside(NamedTuple):
    """Judge and people. confusion: answers. weighed: what they stand for, of which all figures are."""

    confusion: Confusion
    weighed: Confusion

    @property
    def figures(self) -> dict[str, Value]:
        """Return every figure, by the name it has in `common.figures`."""
        return measure_quality(self.weighed)

    @property
    def error(self) -> Value:
        """The share of answers on which it does not say what people say, unscored ones among them."""
        rows = self.weighed.scored + self.weighed.unscored
        return 1.0 - self.weighed.right / rows if rows else Undefined(Why.NOT_BOTH)


def human_errs(confusion: Confusion) -> Value:
    """Return the share of votes that differ from the other raters', of those that have others."""
    scored = confusion.scored
    return 1.0 - confusion.right / scored if scored else Undefined(Why.NO_SCORED)


def multiple_of(error: Value, human: Value | None) -> Value:
    """Return an error as a multiple of another human's. Source: after Wang et al. 2023 (EVOUNA), table 7."""
    if human is None or isinstance(human, Undefined):
        return Undefined(Why.NO_HUMAN)
    if isinstance(error, Undefined):
        return error
    return error / human if human > 0 else Undefined(Why.HUMAN_NEVER_ERRS)


def stand_beside(confusion: Confusion, weighed: Confusion | None = None) -> Beside:
    """Return a judge's counts with what they stand for; itself where nothing is told."""
    return Beside(confusion, confusion if weighed is None else weighed)


def compare(*, truth: Flags, verdict: Codes, counted: Flags, weights: Floats) -> Beside:
    """Compare a judge with people over what counts; weights: how many answers each one stands for."""
    return stand_beside(
        confusion_of(truth=truth, verdict=verdict, counted=counted),
        confusion_of(truth=truth, verdict=verdict, counted=counted, weights=weights),
    )


def counts_of(confusion: Confusion) -> dict[str, float]:
    """Return counts by their short names."""
    return dict(zip(CELLS, confusion, strict=True))


def answers_of(confusion: Confusion) -> dict[str, int]:
    """Return counts of answers, which are whole."""
    return {name: int(count) for name, count in counts_of(confusion).items()}


def counts_json(confusion: Confusion, figures: Mapping[str, Json | Undefined]) -> dict[str, Any]:
    """Return counts and figures; what is undefined is null, `words` says why; intervals are [low, high]."""
    return counts_of(confusion) | figures_json(figures)


def beside_json(beside: Beside, figures: Mapping[str, Json | Undefined]) -> dict[str, Any]:
    """Return counts and figures in that form, and what the counts stand for where that is something else."""
    found = counts_json(beside.confusion, figures)
    if beside.weighed == beside.confusion:
        return found
    return found | {"weighed": counts_of(beside.weighed)}


def figures_json(figures: Mapping[str, Json | Undefined]) -> dict[str, Any]:
    """Return figures alone, in the same form."""
    return {
        **{name: _plain(figure) for name, figure in figures.items()},
        "words": {name: WHY[each.why] for name, each in figures.items() if isinstance(each, Undefined)},
    }


def _plain(figure: Json | Undefined) -> float | list[float] | None:
    if isinstance(figure, Undefined):
        return None
    return list(figure) if isinstance(figure, Interval) else figure

"""Agreement as JSON: what is undefined is null, and `words` says why."""

from collections.abc import Mapping

from analysis.figures import Undefined, Value, number_or_none
from annotation.agreement.rules.intervals import Intervals
from annotation.agreement.rules.measuring import AgreementReport, PairAgreement
from annotation.agreement.rules.slices import Slice
from common.figures import WHY


def to_json(report: AgreementReport) -> dict[str, object]:
    """Return the report's JSON form; what is undefined is null, and `words` says why."""
    return {
        "missing_votes": report.rule.value if report.rule else None,
        "rule_text": report.rule_text,
        "labels": report.view.value,
        "label_views": [view.value for view in report.views],
        "raters": report.raters,
        **_figures(report),
        "band": report.band,
        "pairs": [_pair_json(pair) for pair in report.pairs],
    }


def slice_json(part: Slice) -> dict[str, object]:
    """Return the JSON form of one part of a study."""
    return {"name": part.name, **_figures(part.report)}


def _figures(report: AgreementReport) -> dict[str, object]:
    shares = {f"share_{label}": bounds for label, bounds in report.label_intervals.items()}
    return {
        "items": report.items,
        "questions": report.questions,
        "disagreements": report.disagreements,
        **_bounded_json(report.values, {**report.intervals, **shares}),
        "is_paradox": report.is_paradox,
        "distribution": report.distribution,
    }


def _bounded_json(values: Mapping[str, Value], intervals: Intervals) -> dict[str, object]:
    words = words_of(values) | words_of(intervals, prefix="interval.")
    return {
        **{name: number_or_none(value) for name, value in values.items()},
        "interval": intervals_json(intervals),
        "words": words,
    }


def intervals_json(intervals: Intervals) -> dict[str, list[float] | None]:
    """Return both ends by the figure's name, null where there is no interval."""
    return {
        name: None if isinstance(bounds, Undefined) else list(bounds) for name, bounds in intervals.items()
    }


def words_of(values: Mapping[str, object], *, prefix: str = "") -> dict[str, str]:
    """Return why there is none of those that are undefined, by `prefix` and their names."""
    return {prefix + name: WHY[value.why] for name, value in values.items() if isinstance(value, Undefined)}


def _pair_json(pair: PairAgreement) -> dict[str, object]:
    return {
        "a": pair.a,
        "b": pair.b,
        "items": pair.items,
        "disagreements": pair.disagreements,
        **_bounded_json({"observed": pair.observed, "cohen": pair.cohen}, pair.intervals),
        "is_paradox": pair.is_paradox,
    }

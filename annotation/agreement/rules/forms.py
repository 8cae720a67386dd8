"""Agreement as JSON: what is undefined is null, and `words` says why."""

from collections.abc import Callable, Mapping

from analysis.undefined import Undefined, number_or_none
from annotation.agreement.rules.measuring import AgreementReport, PairAgreement
from annotation.agreement.rules.slices import Slice


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
    words = _words(report.values, lambda name: name)
    words |= _words(report.intervals, lambda name: f"interval.{name}")
    return {
        "items": report.items,
        "questions": report.questions,
        "disagreements": report.disagreements,
        **{name: number_or_none(value) for name, value in report.values.items()},
        "interval": {
            name: None if isinstance(bounds, Undefined) else list(bounds)
            for name, bounds in report.intervals.items()
        },
        "words": words,
        "is_paradox": report.is_paradox,
        "distribution": report.distribution,
    }


def _words(values: Mapping[str, object], name_of: Callable[[str], str]) -> dict[str, str]:
    return {name_of(name): value.reason for name, value in values.items() if isinstance(value, Undefined)}


def _pair_json(pair: PairAgreement) -> dict[str, object]:
    return {
        "a": pair.a,
        "b": pair.b,
        "items": pair.items,
        "disagreements": pair.disagreements,
        "observed": number_or_none(pair.observed),
        "cohen": number_or_none(pair.cohen),
        "is_paradox": pair.is_paradox,
        "words": pair.cohen.reason if isinstance(pair.cohen, Undefined) else "",
    }

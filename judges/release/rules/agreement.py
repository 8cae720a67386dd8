"""Raters' agreement in the report: coefficients, and how often each label was given."""

from collections.abc import Iterator
from typing import NamedTuple

from analysis.undefined import words_or_none
from annotation.agreement.rules import MISSING, ORDINAL, AgreementReport
from annotation.projects.rules import Protocol
from judges.release.rules.words import share_with_interval, with_interval

COEFFICIENTS = {
    "observed_agreement": "Agreement, share of answers",
    "fleiss_kappa": "Fleiss’ κ",
    "cohen_kappa": "Cohen’s κ, mean over pairs",
    "krippendorff_alpha": "Krippendorff’s α, nominal",
    ORDINAL: "Krippendorff’s α, ordinal",
    "gwet_ac1": "Gwet’s AC1",
}


class AgreementRow(NamedTuple):
    """A figure with its interval, and what there is to say of it."""

    name: str
    value: str
    remark: str


def agreement_rows(report: AgreementReport, protocol: Protocol | None) -> list[AgreementRow]:
    """Return every coefficient, then the share of each label, without which κ cannot be read."""
    return [*_coefficients(report), *_labels(report, protocol)]


def _coefficients(report: AgreementReport) -> Iterator[AgreementRow]:
    for key, name in COEFFICIENTS.items():
        if key == ORDINAL and not report.is_ordered:
            continue
        value, interval = report.values[key], report.intervals[key]
        remark = words_or_none(value) or words_or_none(interval) or ""
        yield AgreementRow(name, with_interval(value, interval, digits=3), remark)


def _labels(report: AgreementReport, protocol: Protocol | None) -> Iterator[AgreementRow]:
    names = {label.key: label.name for label in protocol.labels} if protocol else {}
    total = sum(report.distribution.values())
    for key, count in report.distribution.items() if total else ():
        interval = report.label_intervals[key]
        counted = f"{count:,} of {total:,} votes"
        yield AgreementRow(
            name="No vote, share of votes" if key == MISSING else f"“{names.get(key, key)}”, share of votes",
            value=share_with_interval(count / total, interval),
            remark=". ".join(filter(None, (counted, words_or_none(interval)))),
        )

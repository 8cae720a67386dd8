"""Published numbers in the report: whose each is, what it measures and where it stands."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from judges.comparison.rules.references import Reference, Subject

# What judges are measured by, by the names their page gives them.
JUDGE_MEASURES: Mapping[str, str] = {
    "accuracy_all": "Accuracy",
    "f1": "F1",
    "macro_f1": "Macro-F1",
    "precision": "Precision",
    "recall": "Recall",
    "cohen_kappa": "Cohen’s κ",
    "gwet_ac1": "Gwet’s AC1",
    "kendall_tau_b": "Kendall’s τ",
}


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
            percent=f"{100 * reference.value:.1f}".replace("-", "−"),
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

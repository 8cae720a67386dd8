"""Count what was decided, and by what, and bound the shares of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from django.db.models import Count, QuerySet

from annotation.adjudication.models import Decision
from annotation.agreement.rules import Intervals, bound_kinds
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Project
from annotation.projects.rules import Credit
from annotation.projects.selectors import name_sample
from common.identifiers import sign_figures


@dataclass(frozen=True)
class LabelDecided:
    """One label: how many decisions say so, by their source; a source without any is left out."""

    label: str
    name: str
    count: int
    sources: dict[str, int]


class DecisionIntervals(NamedTuple):
    """Of the shares of all decisions that bear a label, and that a source settled; by the label or source."""

    labels: Intervals
    sources: Intervals


def count_decisions(*, project: Project) -> list[LabelDecided]:
    """Count the decisions in force on proper questions, in the order of the protocol's labels.

    A label of an earlier protocol that decisions still bear comes last, under its key.
    """
    labels = project.protocol.rules.labels if project.protocol else ()
    names = {label.key: label.name for label in labels if label.credit is not Credit.MISSING}
    rows = (
        _decisions(project).values_list("label", "source").annotate(Count("pk")).order_by("label", "source")
    )
    found: dict[str, dict[str, int]] = {key: {} for key in names}
    for label, source, count in rows:
        found.setdefault(label, {})[source] = count
    return [
        LabelDecided(key, names.get(key, key), sum(sources.values()), sources)
        for key, sources in found.items()
    ]


def bound_decisions(*, project: Project) -> DecisionIntervals:
    """Bound the shares of the decisions that `count_decisions` counts, 95 %, resampling questions."""
    rows = list(
        _decisions(project)
        .values_list("candidate__question_id", "label", "source")
        .annotate(Count("pk"))
        .order_by("candidate__question_id", "label", "source")
    )
    questions, labels, sources, counts = zip(*rows, strict=True) if rows else ((), (), (), ())
    return DecisionIntervals(*(_bound(questions, kinds, counts) for kinds in (labels, sources)))


def sign_decisions(project: Project) -> str:
    """Return in one line what produced the counts and the intervals of what was decided."""
    return sign_figures(
        "decisions",
        of="answers to proper questions",
        sample=name_sample(project),
        protocol=project.protocol and project.protocol.number,
        has_intervals=True,
    )


def _bound(questions: Sequence[int], kinds: Sequence[str], counts: Sequence[int]) -> Intervals:
    names = sorted(set(kinds))
    place = {name: number for number, name in enumerate(names)}
    _, groups = np.unique(np.array(questions, dtype=np.int64), return_inverse=True)
    bounds = bound_kinds(
        np.array([place[kind] for kind in kinds], dtype=np.int64),
        groups=groups.reshape(-1),
        kind_count=len(names),
        counts=np.array(counts, dtype=np.int64),
    )
    return dict(zip(names, bounds, strict=True))


def _decisions(project: Project) -> QuerySet[Decision]:
    in_force = Decision.objects.in_force().filter(candidate__project=project)
    return in_force.exclude(candidate__question__in=improper_questions(project))

"""Count what was decided, and by what."""

from dataclasses import dataclass

from django.db.models import Count

from annotation.adjudication.models import Decision
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Project
from annotation.projects.rules import Credit


@dataclass(frozen=True)
class LabelDecided:
    """One label: how many decisions say so, by their source; a source without any is left out."""

    label: str
    name: str
    count: int
    sources: dict[str, int]


def count_decisions(*, project: Project) -> list[LabelDecided]:
    """Count the decisions in force on proper questions, in the order of the protocol's labels.

    A label of an earlier protocol that decisions still bear comes last, under its key.
    """
    labels = project.protocol.rules.labels if project.protocol else ()
    names = {label.key: label.name for label in labels if label.credit is not Credit.MISSING}
    rows = (
        Decision.objects.filter(candidate__project=project, is_current=True, is_reopening=False)
        .exclude(candidate__question__in=improper_questions(project))
        .values_list("label", "source")
        .annotate(Count("pk"))
        .order_by("label", "source")
    )
    found: dict[str, dict[str, int]] = {key: {} for key in names}
    for label, source, count in rows:
        found.setdefault(label, {})[source] = count
    return [
        LabelDecided(key, names.get(key, key), sum(sources.values()), sources)
        for key, sources in found.items()
    ]

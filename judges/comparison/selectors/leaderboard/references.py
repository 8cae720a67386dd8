"""Read the published numbers that a project keeps beside its own."""

from collections import Counter
from typing import NamedTuple

from django.db.models import F, QuerySet

from annotation.items.models import Question, System
from annotation.projects.models import Project
from common.errors import NotFound
from judges.comparison.models import ReferenceScore

IDENTITY = ("name", "prompt", "measure", "dataset", "system", "about")


class Places(NamedTuple):
    """What of a study a number can belong to; systems: names, by name and by label."""

    datasets: frozenset[str]
    systems: dict[str, str]


class ReferenceNotFound(NotFound):
    """The project has no such published number."""

    code = "reference_score_not_found"


def list_references(*, project: Project, with_removed: bool = False) -> QuerySet[ReferenceScore]:
    """Return the numbers in force, by whom and how they measure; those taken out follow where asked for."""
    rows = ReferenceScore.objects.filter(project=project).select_related("added_by", "removed_by")
    if not with_removed:
        rows = rows.filter(removed_at=None)
    last_removed_first = F("removed_at").desc(nulls_first=True)
    return rows.order_by(last_removed_first, "-subject", *IDENTITY, "pk")


def read_places(*, project: Project) -> Places:
    """Return the data sets of the questions, and the systems; of two with one label neither goes by it."""
    datasets = Question.objects.filter(project=project).order_by().values_list("dataset", flat=True)
    rows = list(System.objects.filter(project=project).values_list("name", "label"))
    count = Counter(label for _, label in rows)
    labels = {label: name for name, label in rows if count[label] == 1}
    return Places(frozenset(datasets.distinct()), labels | {name: name for name, _ in rows})


def get_reference(*, project: Project, public_id: str) -> ReferenceScore:
    """Return one number, in force or not; raises `ReferenceNotFound`."""
    found = list_references(project=project, with_removed=True).filter(public_id=public_id).first()
    if found is None:
        raise ReferenceNotFound("This project has no such published result.")
    return found

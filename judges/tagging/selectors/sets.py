"""Read the sets of tags a project may use: those of the papers, and its own."""

from typing import NamedTuple

from annotation.projects.models import Project
from common.errors import NotFound
from judges.tagging.models import TagSet
from judges.tagging.rules import READY_MADE, SetSpec


class TagSetNotFound(NotFound):
    """The project has no such set, and Assay brings none along."""

    code = "tag_set_not_found"


class ListedSet(NamedTuple):
    """A set with its newest version; 0 and not used where a ready-made one has no row yet."""

    spec: SetSpec
    version: int
    is_own: bool
    is_used: bool


def list_specs(*, project: Project) -> list[ListedSet]:
    """Return the ready-made sets, then the project's own by name."""
    newest = {row.key: row for row in TagSet.objects.filter(project=project).order_by("version")}
    used = set(TagSet.objects.filter(project=project, rounds__isnull=False).values_list("pk", flat=True))

    def listed(key: str, spec: SetSpec) -> ListedSet:
        row = newest.get(key)
        return ListedSet(
            spec, row.version if row else 0, key not in READY_MADE, row is not None and row.pk in used
        )

    own = [listed(key, row.as_spec()) for key, row in newest.items() if key not in READY_MADE]
    ready = [listed(key, spec) for key, spec in READY_MADE.items()]
    return ready + sorted(own, key=lambda each: (each.spec.name, each.spec.key))


def get_listed(*, project: Project, key: str) -> ListedSet:
    """Return one set as the list has it; raises `TagSetNotFound`."""
    for each in list_specs(project=project):
        if each.spec.key == key:
            return each
    raise TagSetNotFound("This project has no such set of tags.")


def newest_set(*, project: Project, key: str) -> TagSet | None:
    """Return the newest version of a set that has rows in this project."""
    return TagSet.objects.filter(project=project, key=key).order_by("-version").first()


def find_spec(*, project: Project, key: str) -> SetSpec:
    """Return a ready-made set, or the newest version of an own one; raises `TagSetNotFound`."""
    return get_listed(project=project, key=key).spec

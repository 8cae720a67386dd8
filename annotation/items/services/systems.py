"""Say more about a system than its file's name."""

from typing import Any

from annotation.items import selectors
from annotation.items.models import DataImport, System
from annotation.items.rules import CommonPrefix
from annotation.items.services.reading import SYSTEM_NAMES, WITHOUT_COMMON_PREFIX
from annotation.projects.models import Project

DESCRIPTION = ("retrieval_depth", "size_bytes", "track", "closed_book")


def describe_system(
    *, project: Project, public_id: str, label: str | None = None, description: dict[str, Any] | None = None
) -> System:
    """Change what pages call a system, or how it is described; raises `SystemNotFound`."""
    system = selectors.get_system(project=project, public_id=public_id)
    system.label = label or system.label
    if description is not None:
        given = {**system.description, **description}
        system.description = {name: given[name] for name in DESCRIPTION if given.get(name) is not None}
    system.save(update_fields=["label", "description"])
    return system


def shorten_names(*, data_import: DataImport) -> None:
    """Leave out of what pages call an import's systems what all of them begin with, if the lead chose so.

    A system whose short name another system of the project has keeps its name.
    """
    if data_import.options.get(SYSTEM_NAMES) != WITHOUT_COMMON_PREFIX:
        return
    new = list(data_import.systems.order_by("pk"))
    prefix = CommonPrefix(system.name for system in new).text
    others = data_import.project.systems.exclude(data_import=data_import)
    taken = set(others.values_list("label", flat=True))
    for system in new:
        short = system.name.removeprefix(prefix)
        system.label = system.name if short in taken else short
    System.objects.bulk_update(new, ["label"], batch_size=500)

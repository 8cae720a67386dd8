"""Say more about a system than its file's name."""

from typing import Any

from annotation.items import selectors
from annotation.items.models import System
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

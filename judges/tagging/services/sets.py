"""Keep a project's sets of tags: in place until a round uses them, from then on by version."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from annotation.accounts.models import User
from annotation.projects.models import Project
from common.clock import now
from common.errors import Conflict, Invalid
from judges.tagging.models import TagSet
from judges.tagging.rules import READY_MADE, SetSpec, UnusableSet, read_set
from judges.tagging.selectors import newest_set


class TagSetRefused(Invalid):
    """The set cannot be used; the message says why."""

    code = "unusable_tag_set"


class TagSetTaken(Conflict):
    """A set of this key is there already, or it is one of Assay's own."""

    code = "tag_set_taken"


@transaction.atomic
def save_tag_set(
    *,
    project: Project,
    by: User,
    key: str,
    name: str,
    subject: str,
    tags: Sequence[Mapping[str, Any]],
    several: bool = True,
    summary: str = "",
    is_new: bool = False,
    at: datetime | None = None,
) -> TagSet:
    """Keep a set of the project's own.

    A version that no round uses is changed in place; one in use stays as it is, and the change is the next
    version. is_new: refuse a key there is. Raises `TagSetRefused`, `TagSetTaken`.
    """
    if key in READY_MADE:
        raise TagSetTaken(f"“{key}” is a set of Assay's own. Choose another key.")
    spec = _read(key=key, name=name, summary=summary, subject=subject, several=several, tags=tags)
    # The project's row is the lock under which versions are numbered.
    Project.objects.select_for_update().get(pk=project.pk)
    newest = newest_set(project=project, key=key)
    if newest is not None and is_new:
        raise TagSetTaken(f"This project has a set “{key}”. Change that one, or choose another key.")
    if newest is not None and newest.content_hash == spec.content_hash:
        return newest
    if newest is not None and not newest.rounds.exists():
        newest.delete()
        return _insert(project, spec, version=newest.version, by=by, at=at)
    return _insert(project, spec, version=newest.version + 1 if newest else 1, by=by, at=at)


def _read(**given: Any) -> SetSpec:
    try:
        return read_set(**given)
    except UnusableSet as error:
        raise TagSetRefused(error.message, details={"fields": {error.field: [error.message]}}) from None


def keep_ready_made(*, project: Project, spec: SetSpec, at: datetime | None = None) -> TagSet:
    """Return the row of a ready-made set as it is today; to be called under the project's lock."""
    newest = newest_set(project=project, key=spec.key)
    if newest is not None and newest.content_hash == spec.content_hash:
        return newest
    return _insert(project, spec, version=newest.version + 1 if newest else 1, by=None, at=at)


def _insert(project: Project, spec: SetSpec, *, version: int, by: User | None, at: datetime | None) -> TagSet:
    return TagSet.objects.create(
        project=project,
        key=spec.key,
        version=version,
        name=spec.name,
        summary=spec.summary,
        source=spec.source,
        subject=spec.subject.value,
        several=spec.several,
        tags=[tag.to_json() for tag in spec.tags],
        content_hash=spec.content_hash,
        created_by=by,
        created_at=at or now(),
    )

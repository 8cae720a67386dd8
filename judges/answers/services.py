"""Save views of the table of answers, rename, change and delete them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import IntegrityError, transaction

from annotation.projects.models import Membership, Project
from common.clock import now
from common.errors import Conflict, Forbidden, Invalid
from judges.answers.models import AnswerView
from judges.answers.rules import LONGEST_QUERY, MOST_VIEWS, is_too_long
from judges.answers.selectors.views import get_view, may_change


class ViewNameTaken(Conflict):
    """The project has a view of this name."""


class TooManyViews(Conflict):
    """The project has as many views as it may have."""


class ViewTooLong(Invalid):
    """The view asks for more than an address holds."""


class NotYourView(Forbidden):
    """Somebody else saved the view, and only leads change those of others."""


@transaction.atomic
def save_view(
    *, project: Project, by: Membership, name: str, query: Mapping[str, str], at: datetime | None = None
) -> AnswerView:
    """Save what the table shows under a name; raises `ViewNameTaken`, `TooManyViews`, `ViewTooLong`."""
    _require_short(query)
    # The project's row is the lock under which views are counted.
    Project.objects.locked(project.pk)
    if AnswerView.objects.filter(project=project).count() >= MOST_VIEWS:
        raise TooManyViews(
            f"This project has {MOST_VIEWS} saved views, which is the maximum. Delete one first."
        )
    view = AnswerView(
        project=project, name=name, query=dict(query), created_by=by.user, created_at=at or now()
    )
    try:
        with transaction.atomic():
            view.save()
    except IntegrityError:
        raise _taken(name) from None
    return view


def change_view(
    *,
    project: Project,
    public_id: str,
    by: Membership,
    name: str | None = None,
    query: Mapping[str, str] | None = None,
) -> AnswerView:
    """Give a view another name, or let it show something else; what is None stays.

    Raises `ViewNotFound`, `NotYourView`, `ViewNameTaken`, `ViewTooLong`.
    """
    view = _changeable(project, public_id, by)
    changes: dict[str, Any] = {}
    if name is not None:
        changes["name"] = name
    if query is not None:
        _require_short(query)
        changes["query"] = dict(query)
    try:
        with transaction.atomic():
            AnswerView.objects.filter(pk=view.pk).update(**changes)
    except IntegrityError:
        raise _taken(name or view.name) from None
    return get_view(project=project, public_id=public_id)


def delete_view(*, project: Project, public_id: str, by: Membership) -> None:
    """Delete a view; its address leads nowhere then. Raises `ViewNotFound`, `NotYourView`."""
    _changeable(project, public_id, by).delete()


def _changeable(project: Project, public_id: str, by: Membership) -> AnswerView:
    view = get_view(project=project, public_id=public_id)
    if not may_change(view, by):
        raise NotYourView("Only leads and the person who saved this view can change or delete it.")
    return view


def _require_short(query: Mapping[str, str]) -> None:
    if is_too_long(query):
        raise ViewTooLong(
            f"This view is too long to save (more than {LONGEST_QUERY:,} characters). Remove a filter or "
            "some columns."
        )


def _taken(name: str) -> ViewNameTaken:
    message = f"This project already has a view named “{name}.” Choose another name."
    return ViewNameTaken(message, details={"fields": {"name": [message]}})

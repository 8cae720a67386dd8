"""Read the views of the table of answers that were saved."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from annotation.projects.models import Membership, Project
from common.errors import NotFound
from judges.answers.models import AnswerView


class ViewNotFound(NotFound):
    """The project has no such view."""


@dataclass(frozen=True)
class SavedView:
    """A saved view of the answers table.

    `query`: its filters, columns, and order, named as in the page’s address. `may_change`: whether the caller
    may rename, change, or delete it.
    """

    id: str
    name: str
    query: dict[str, str]
    by: str
    at: datetime
    may_change: bool


def views_of(project: Project) -> QuerySet[AnswerView]:
    """Return a project's views by name."""
    return AnswerView.objects.filter(project=project).select_related("created_by").order_by("name", "pk")


def get_view(*, project: Project, public_id: str) -> AnswerView:
    """Return one view; raises `ViewNotFound`."""
    found = views_of(project).filter(public_id=public_id).first()
    if found is None:
        raise ViewNotFound("This project has no such saved view.")
    return found


def may_change(view: AnswerView, member: Membership) -> bool:
    """Say whether a member may rename, change or delete a view: leads each, adjudicators their own."""
    is_own = view.created_by_id == member.user_id
    return member.role == Membership.Role.LEAD or (is_own and member.role != Membership.Role.VIEWER)


def read_view(view: AnswerView, *, member: Membership) -> SavedView:
    """Return a view as a member gets it."""
    return SavedView(
        id=view.public_id,
        name=view.name,
        query=view.query,
        by=view.created_by.name,
        at=view.created_at,
        may_change=may_change(view, member),
    )

"""Read the gold ledger as it leaves."""

from django.utils.timezone import localtime

from annotation.gold.selectors import list_changes
from annotation.projects.models import Project
from annotation.release.rules import ReleasedChange


def count_changes(project: Project) -> int:
    """Return how many changes the gold ledger has, those undone included."""
    return list_changes(project=project).count()


def released_changes(project: Project, *, limit: int | None = None) -> list[ReleasedChange]:
    """Return the gold ledger, the oldest change first; who made a change stays here."""
    return [
        ReleasedChange(
            question_id=change.question.public_id,
            question=change.question.text,
            action=change.action,
            answer=change.text,
            rule=change.rule,
            reason=change.reason,
            changed_at=localtime(change.changed_at).isoformat(),
            undone_at=localtime(change.undone_at).isoformat() if change.undone_at else "",
            undo_reason=change.undo_reason,
        )
        for change in list_changes(project=project).order_by("changed_at", "pk")[:limit]
    ]

"""Read the gold ledger as it leaves."""

from collections.abc import Iterator

from django.utils.timezone import localtime

from annotation.gold.models import GoldChange
from annotation.gold.selectors import list_changes
from annotation.projects.models import Project
from annotation.release.rules import ReleasedChange
from annotation.release.selectors.rows import in_shares


def count_changes(project: Project) -> int:
    """Return how many changes the gold ledger has, those undone included."""
    return list_changes(project=project).count()


def released_changes(project: Project, *, limit: int | None = None) -> Iterator[ReleasedChange]:
    """Yield the gold ledger, the oldest change first; who made a change stays here."""
    rows = GoldChange.objects.filter(question__project=project).select_related("question")
    for share in in_shares(rows.order_by("changed_at", "pk")[:limit]):
        yield from map(_released_change, share)


def _released_change(change: GoldChange) -> ReleasedChange:
    return ReleasedChange(
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

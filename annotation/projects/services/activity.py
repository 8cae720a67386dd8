"""Note what leads and adjudicators ask for in a project, so that leads can see who did what."""

from datetime import datetime
from typing import Any

from annotation.accounts.models import User
from annotation.projects.models import Activity, Project
from common.clock import now
from common.requests.naming import current_request_id

# Operations that write over HTTP but change nothing: they compute, and a body says of what.
CHANGES_NOTHING = frozenset(
    {
        "estimate_run",
        "foresee_protocol_change",
        "preview_gold_proposals",
        "preview_guidelines",
        "preview_prejudging",
        "preview_prompt",
        "preview_tagging_round",
    }
)

UNNAMED = "unnamed"


def begin_activity(
    *,
    project: Project,
    user: User,
    operation: str,
    place: dict[str, Any],
    token_name: str = "",
    at: datetime | None = None,
) -> Activity:
    """Note that somebody asks for an operation, before it begins.

    place: what the address names below the project, such as the id of a run.
    """
    named = " ".join(f"{key}={value}" for key, value in place.items())
    return Activity.objects.create(
        project=project,
        user=user,
        operation=operation,
        place=named[: Activity._meta.get_field("place").max_length],
        token_name=token_name,
        request_id=current_request_id(),
        begun_at=at or now(),
    )


def end_activity(activity: Activity, *, was_done: bool, at: datetime | None = None) -> None:
    """Say that the operation is done; one that was refused changed nothing and is taken out."""
    found = Activity.objects.filter(pk=activity.pk)
    if was_done:
        found.update(finished_at=at or now())
    else:
        found.delete()


def forget_token_names(*, user: User) -> None:
    """Forget what the tokens of a closed account were called; that one was used stays."""
    Activity.objects.filter(user=user).exclude(token_name="").update(token_name=UNNAMED)

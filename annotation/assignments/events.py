"""What later steps hear of handing out work."""

from dataclasses import dataclass

from annotation.projects.events import ProjectEvent


@dataclass(frozen=True, kw_only=True)
class PlanSaved(ProjectEvent):
    """Other questions may go first."""

    stored_as = "plan_saved"

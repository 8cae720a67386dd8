"""What concerns pre-judging and is carried through in shares."""

from dataclasses import dataclass

from annotation.projects.events import ProjectEvent


@dataclass(frozen=True, kw_only=True)
class CalibrationChanged(ProjectEvent):
    """A calibration sample was drawn or closed: other answers go first."""

    stored_as = "calibration_changed"

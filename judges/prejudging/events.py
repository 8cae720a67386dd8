"""What concerns pre-judging and is carried through in shares."""

from dataclasses import dataclass

from annotation.projects.events import ProjectEvent


@dataclass(frozen=True, kw_only=True)
class CalibrationChanged(ProjectEvent):
    """A calibration sample was drawn or closed: other answers go first."""

    stored_as = "calibration_changed"


@dataclass(frozen=True, kw_only=True)
class RoutingChanged(ProjectEvent):
    """Answers begin with one rater, or do so no longer; why: what withdrawn decisions say."""

    stored_as = "routing_changed"

    why: str

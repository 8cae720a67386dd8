"""What later steps hear of projects."""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, kw_only=True)
class ProjectEvent:
    """What concerns a whole project: may be told again, and is done in chunks, not under one lock."""

    # Its name in the table of what is due; JSON holds its other fields.
    stored_as: ClassVar[str]

    project_id: int


@dataclass(frozen=True, kw_only=True)
class ProtocolChanged(ProjectEvent):
    """Gold answers join or leave what is judged, and the votes are read by new rules."""

    stored_as = "protocol_changed"


@dataclass(frozen=True, kw_only=True)
class GuidelinesRead:
    """What a rater has in hand is judged by the guidelines just read."""

    member_id: int


@dataclass(frozen=True, kw_only=True)
class ResultsWanted:
    """Somebody who may see results asks for some: first all is settled that raters handed in."""

    project_id: int

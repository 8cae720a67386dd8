"""What later steps hear of decisions."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class DecisionsChanged:
    """Answers of these questions were decided, or are no longer."""

    project_id: int
    question_ids: Sequence[int]


@dataclass(frozen=True, kw_only=True)
class DecisionsDiscarded:
    """An import with votes is undone: what rests on its decisions goes with them."""

    decision_ids: Sequence[int]

"""What later steps hear of decisions."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.adjudication.rules import Weighed


@dataclass(frozen=True, kw_only=True)
class DecisionsChanged:
    """Answers of these questions were decided, or are no longer."""

    project_id: int
    question_ids: Sequence[int]


@dataclass(frozen=True, kw_only=True)
class DecisionsDiscarded:
    """An import with votes is undone: what rests on its decisions goes with them."""

    decision_ids: Sequence[int]


@dataclass(frozen=True, kw_only=True)
class VotesWeighed:
    """Answers on a route were settled, or not, by what their first raters say; the caller has the locks."""

    project_id: int
    weighed: Sequence[Weighed]

"""What later steps hear of judgments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True)
class AnswersJudged:
    """Votes came or went. Told after the reply, so that its time tells nothing of others' votes."""

    project_id: int
    candidate_ids: Sequence[int]


@dataclass(frozen=True, kw_only=True)
class JudgmentChanging:
    """A rater wants to change a vote, by answer. Whoever built on it may refuse."""

    project_id: int
    judged_at: Mapping[int, datetime]


@dataclass(frozen=True, kw_only=True)
class JudgmentsTakenBack:
    """A rater wants votes back, by answer. Whoever built on them may refuse."""

    project_id: int
    judged_at: Mapping[int, datetime]

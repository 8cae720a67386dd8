"""What later steps hear of runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from judges.protocol import Verdict


@dataclass(frozen=True, kw_only=True)
class RunStopped:
    """A run has finished, failed or been paused; told in the transaction that says so."""

    run_id: int


@dataclass(frozen=True, kw_only=True)
class TagsProposed:
    """A model replied to a tagging round that asked it, by answer."""

    run_id: int
    replies: Mapping[int, Verdict]
    at: datetime

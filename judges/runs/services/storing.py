"""Write verdicts."""

from collections.abc import Mapping
from datetime import datetime

from judges.protocol import Verdict as JudgeVerdict
from judges.runs.models import Verdict


def store_verdicts(*, run_id: int, verdicts: Mapping[int, JudgeVerdict], at: datetime) -> None:
    """Store a run's verdicts by answer id, inside the caller's transaction."""
    Verdict.objects.bulk_create(
        Verdict(
            run_id=run_id,
            candidate_id=candidate_id,
            accepted=verdict.accepted,
            score=verdict.score,
            unscored_reason=verdict.unscored_reason,
            raw_reply=verdict.raw_reply,
            flags=",".join(verdict.flags),
            judged_at=at,
        )
        for candidate_id, verdict in verdicts.items()
    )

"""Write verdicts."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from io import BytesIO

from django.db import connection

from judges.connections.rules.texts import storable
from judges.protocol import Verdict as JudgeVerdict
from judges.runs.models import Verdict

# In the order of `_line`.
_COLUMNS = (
    "run_id",
    "candidate_id",
    "accepted",
    "score",
    "unscored_reason",
    "raw_reply",
    "flags",
    "judged_at",
)
_NULL = "\\N"
_SPELLED = {None: _NULL, True: "t", False: "f"}
# COPY's text format: what parts columns and lines, and what escapes them.
_ESCAPES = str.maketrans({"\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r"})


def store_verdicts(*, run_id: int, verdicts: Mapping[int, JudgeVerdict], at: datetime) -> None:
    """Store a run's verdicts by answer id, inside the caller's transaction."""
    if connection.vendor == "postgresql":
        judged_at = at.isoformat()
        _copy(_line(run_id, pk, verdict, judged_at) for pk, verdict in verdicts.items())
    else:
        Verdict.objects.bulk_create(_row(run_id, pk, verdict, at) for pk, verdict in verdicts.items())


def _row(run_id: int, candidate_id: int, verdict: JudgeVerdict, at: datetime) -> Verdict:
    return Verdict(
        run_id=run_id,
        candidate_id=candidate_id,
        accepted=verdict.accepted,
        score=verdict.score,
        unscored_reason=verdict.unscored_reason,
        raw_reply=storable(verdict.raw_reply),
        flags=",".join(verdict.flags),
        judged_at=at,
    )


def _copy(lines: Iterable[str]) -> None:
    """Write rows by COPY: a third of what INSERT costs, and 100,000 answers times some judges are many."""
    rows = BytesIO("".join(lines).encode())
    with connection.cursor() as cursor, connection.wrap_database_errors:
        cursor.copy_expert(f"COPY {Verdict._meta.db_table} ({', '.join(_COLUMNS)}) FROM STDIN", rows)


def _line(run_id: int, candidate_id: int, verdict: JudgeVerdict, judged_at: str) -> str:
    score = _NULL if verdict.score is None else repr(float(verdict.score))
    return (
        f"{run_id}\t{candidate_id}\t{_SPELLED[verdict.accepted]}\t{score}"
        f"\t{_escaped(verdict.unscored_reason)}\t{_escaped(storable(verdict.raw_reply))}"
        f"\t{_escaped(','.join(verdict.flags))}\t{judged_at}\n"
    )


def _escaped(text: str) -> str:
    return text.translate(_ESCAPES) if text else text

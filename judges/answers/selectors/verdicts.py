"""Read what every run of a judge said, a verdict a row, as the lines of a file."""

from collections.abc import Iterator
from typing import NamedTuple

from annotation.projects.models import Project
from annotation.release.rules import csv_lines, json_line, table_rows
from annotation.release.selectors import rows
from common.database.rows import batched
from judges.answers.selectors.columns import read_judges
from judges.comparison.rules.study import RunFacts, name_columns
from judges.runs.models import Verdict


class ReleasedVerdict(NamedTuple):
    """What a run said of an answer. run: its id; judge: the key of its columns in other files.

    accepted: empty in CSV and null in JSON where it could not judge, with `unscored_reason`.
    """

    run: str
    judge: str
    question_id: str
    item_id: str
    question: str
    answer: str
    accepted: bool | None
    score: float | None
    unscored_reason: str
    flags: tuple[str, ...]
    reply: str
    signature: str


def count_verdicts(project: Project) -> int:
    """Return how many verdicts leave, of all judges together."""
    return Verdict.objects.filter(run__in=[run.id for run in read_judges(project)]).count()


def verdict_json_lines(*, project: Project, limit: int | None) -> Iterator[str]:
    """Yield a verdict a line; `limit`: so many."""
    return (json_line(each._asdict()) for each in released_verdicts(project, limit=limit))


def verdict_csv_lines(*, project: Project, limit: int | None) -> Iterator[str]:
    """Yield the header, then a verdict a row."""
    return csv_lines(table_rows(ReleasedVerdict._fields, released_verdicts(project, limit=limit)))


def released_verdicts(project: Project, *, limit: int | None = None) -> Iterator[ReleasedVerdict]:
    """Yield the verdicts run by run, in the order of the boards, and of each run in that of the answers."""
    runs = read_judges(project)
    columns = name_columns(runs)
    left = limit
    for run in runs:
        if left == 0:
            return
        # As the index has them: a preview reads as little of many as of few.
        found = (
            Verdict.objects.filter(run=run.id).select_related("candidate__question").order_by("candidate_id")
        )
        for chunk in batched(found[:left].iterator(chunk_size=rows.ROWS_AT_ONCE), rows.ROWS_AT_ONCE):
            left = None if left is None else left - len(chunk)
            for row in chunk:
                yield _released(row, run, columns[run.id].key)


def _released(row: Verdict, run: RunFacts, judge: str) -> ReleasedVerdict:
    question = row.candidate.question
    return ReleasedVerdict(
        run=run.public_id,
        judge=judge,
        question_id=rows.question_name(question.external_id, question.position),
        item_id=row.candidate.public_id,
        question=question.text,
        answer=row.candidate.text,
        accepted=row.accepted,
        score=row.score,
        unscored_reason=row.unscored_reason,
        flags=tuple(flag for flag in row.flags.split(",") if flag),
        reply=row.raw_reply,
        signature=run.signature,
    )

"""What a judged study takes on disk: bytes a row of the main tables and of their indexes, on PostgreSQL."""

import json
import os
import time

from django.db import connection
from django.db.models import DateTimeField, Model

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.assignments.models import Assignment, Sheet
from annotation.items.models import Candidate, Question
from annotation.judgments.models import Judgment, JudgmentRevision
from annotation.projects.models import Membership, Project
from annotation.projects.services.members import add_member
from benchmarks.apparatus.databases import postgres_only
from benchmarks.apparatus.processes import run_apart
from benchmarks.raters.assay import SLUG
from benchmarks.raters.platforms import RATERS_AN_ANSWER
from benchmarks.raters.studies import fill
from common.clock import now
from common.database.rows import refresh_statistics
from common.identifiers import new_public_id
from judges.runs.models import JudgeRun, Verdict

ANSWERS_A_SHEET = 5
SIZES = (100_000, 1_000_000)
TABLES: tuple[type[Model], ...] = (
    *(Question, Candidate, Sheet, Assignment, Judgment, JudgmentRevision, Decision, Verdict),
)
# As long as ours, which are drawn by Python.
PUBLIC_ID = f"substr(md5(random()::text) || md5(random()::text), 1, {len(new_public_id())})"


def run(*sizes: str) -> None:
    """Print for each size how many bytes a row takes; skipped without PostgreSQL."""
    for size in sizes or map(str, SIZES):
        for environment in postgres_only("size_bench"):
            run_apart("raters.sizes", "measure", size, environment=environment)


def measure(answers: str) -> None:
    """Fill a study, let every answer be judged, decided and given one verdict, and print what that takes."""
    start = time.perf_counter()
    fill(answers, "nq")
    judge_all()
    took = time.perf_counter() - start
    print(f"{int(answers):,} answers, filled and judged in {took:.0f} s, load {os.getloadavg()[0]:.0f}")
    for model in TABLES:
        rows, heap, indexes = _sizes(model)
        print(
            f"{model.__name__:<18}{rows:>10,} rows {heap / rows:>6.0f} bytes a row "
            f"{indexes / rows:>6.0f} in indexes {(heap + indexes) / 1e6:>8,.0f} MB"
        )


def _sizes(model: type[Model]) -> tuple[int, int, int]:
    table = model._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT COUNT(*), pg_table_size('{table}'), pg_indexes_size('{table}') FROM {table}")
        rows, heap, indexes = cursor.fetchall()[0]
    return rows, heap, indexes


def judge_all() -> None:
    """Let raters and a program judge every answer, by statements that write the rows that work leaves."""
    project = Project.objects.get(slug=SLUG)
    for slot in range(1, RATERS_AN_ANSWER + 1):
        user = User.objects.create_user(username=f"rater-{slot}")
        _judge(project, add_member(project=project, user=user, role="annotator"), slot)
    Candidate.objects.update(state="decided", taken=RATERS_AN_ANSWER)
    answers = {"candidate_id": "c.id"}
    _copy(Decision, "annotation_candidate c", **answers, number="1", label="'correct'", source="'majority'")
    run = JudgeRun.objects.create(project=project, judge_key="exact_match", created_at=now())
    _copy(Verdict, "annotation_candidate c", **answers, run_id=str(run.pk), accepted="true", score="1.0")
    refresh_statistics()


def _judge(project: Project, rater: Membership, slot: int) -> None:
    assert project.protocol is not None
    version, mine = str(project.protocol.pk), {"rater_id": str(rater.pk)}
    counts = {"counted": ANSWERS_A_SHEET, "surplus": 0, "came_back": False, "unblinded": False}
    _copy(
        Sheet,
        "annotation_question q",
        **mine,
        project_id=str(project.pk),
        question_id="q.id",
        protocol_version_id=version,
        state="'submitted'",
        closed_at="now()",
        submission_key="md5(random()::text)",
        seconds="5",
        outcome=f"'{json.dumps(counts)}'",
    )
    _copy(
        Assignment,
        f"annotation_candidate c JOIN annotation_sheet s USING (question_id) WHERE s.rater_id = {rater.pk}",
        **mine,
        sheet_id="s.id",
        candidate_id="c.id",
        slot=str(slot),
        state="'done'",
    )
    _copy(
        Judgment,
        f"annotation_assignment a WHERE a.rater_id = {rater.pk}",
        **mine,
        assignment_id="a.id",
        candidate_id="a.candidate_id",
        slot=str(slot),
        round="'first'",
        label="'correct'",
    )
    _copy(
        JudgmentRevision,
        f"annotation_judgment j WHERE j.rater_id = {rater.pk}",
        judgment_id="j.id",
        number="1",
        action="'submit'",
        state="'counted'",
        label="'correct'",
        seconds="1",
        protocol_version_id=version,
    )


def _copy(model: type[Model], rows: str, /, **values: str) -> None:
    """Insert a row for each of the source: these columns as expressions of SQL, the others as by default."""
    values.setdefault("public_id", PUBLIC_ID)
    columns = [field for field in model._meta.concrete_fields if not field.primary_key]
    shown, given = [], []
    for field in columns:
        if field.attname in values:
            shown.append(values[field.attname])
        elif isinstance(field, DateTimeField) and not field.null:
            shown.append("now()")
        else:
            shown.append("%s")
            given.append(field.get_db_prep_save(field.get_default(), connection))
    names = ", ".join(connection.ops.quote_name(field.column) for field in columns)
    with connection.cursor() as cursor:
        cursor.execute(
            f"INSERT INTO {model._meta.db_table} ({names}) SELECT {', '.join(shown)} FROM {rows}", given
        )

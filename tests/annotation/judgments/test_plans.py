"""What a submit with the next sheet asks is found by indexes, in a study of 100,000 answers, too."""

import re

import pytest
from django.conf import LazySettings
from django.db import connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from annotation.assignments.models import Assignment, Sheet
from annotation.assignments.selectors.open_work import open_candidates
from annotation.items.models import Candidate, Question
from annotation.judgments.models import Judgment
from annotation.judgments.services.settling import settle_due
from annotation.projects.models import Membership
from tests.annotation.assignments.factories import judge_next, make_question
from tests.annotation.judgments.test_api import Rater, statements
from tests.factories import make_member, make_project, read_what_is_new

ANSWERS, OF_A_QUESTION = 100_000, 4
QUESTIONS = ANSWERS // OF_A_QUESTION
# Far beyond the keys that databases give by themselves.
FIRST = 10**9
NAME = "'m' || copied.id || '-' || n"
LARGE = "question|candidate|sheet|assignment|judgment"


def copy_of(key: str) -> str:
    return f"{FIRST} + copied.{key} * {ANSWERS} + n"


def multiply(model: type[Model], rows: str, **changes: str) -> None:
    """Copy rows for half the questions; changes: columns as SQL, with the number n of the copy."""
    columns = {field.column: f'copied."{field.column}"' for field in model._meta.local_concrete_fields}
    columns |= {"id": copy_of("id")} | changes
    table, quoted = model._meta.db_table, connection.ops.quote_name
    with connection.cursor() as cursor:
        cursor.execute(
            "WITH RECURSIVE numbers(n) AS "
            f"(SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 2 < {QUESTIONS // 2}) "
            f"INSERT INTO {table} ({', '.join(map(quoted, columns))}) SELECT {', '.join(columns.values())} "
            f"FROM {table} AS copied CROSS JOIN numbers WHERE {rows}"
        )


def multiply_question(key: int) -> None:
    changes = {"public_id": NAME, "key": NAME, "key_hash": NAME}
    multiply(Question, f"copied.id = {key}", **changes, position="copied.position + n * 2 + 2")
    multiply(Candidate, f"copied.question_id = {key}", public_id=NAME, question_id=copy_of("question_id"))


def make_large_study(preset: str) -> list[Membership]:
    """Make a study of which two raters have judged at least half, and return them."""
    project = make_project(preset=preset)
    assert project.protocol is not None
    needed = project.protocol.rules.raters_per_answer
    raters = [read_what_is_new(make_member(project=project)) for _ in range(2)]
    judged = []
    for first in range(0, len(raters), needed):
        judged.append(make_question(project=project, answers=OF_A_QUESTION).pk)
        for rater in raters[first : first + needed]:
            judge_next(rater)
    settle_due()
    for key in judged:
        multiply_question(key)
    multiply(Sheet, "true", public_id=NAME, submission_key=NAME, question_id=copy_of("question_id"))
    on_sheet = {"sheet_id": copy_of("sheet_id"), "candidate_id": copy_of("candidate_id")}
    multiply(Assignment, "true", **on_sheet)
    said = {"assignment_id": copy_of("assignment_id"), "candidate_id": copy_of("candidate_id")}
    multiply(Judgment, "true", public_id=NAME, **said)
    multiply_question(make_question(project=project, answers=OF_A_QUESTION).pk)
    for _ in range(3):
        last = make_question(project=project, answers=OF_A_QUESTION)
    last.candidates.filter(position=0).update(goes_first=True)
    if connection.vendor == "postgresql":
        # SQLite goes by its indexes, whatever is in them.
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    return raters


def explained(sql: str) -> str:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Half of the study is the rater's own here, or left: counting it would read all at once.
            cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute(f"EXPLAIN {'QUERY PLAN ' if connection.vendor == 'sqlite' else ''}{sql}")
        return "\n".join(str(row[-1]) for row in cursor.fetchall())


def scans(plan: str) -> list[str]:
    """Return what a plan reads as a whole of the tables that are large; heads of indexes are none."""
    if connection.vendor == "sqlite":
        named = re.findall(r"SCAN (\S+)(.*)", plan)
        return [
            f"{name}{how}"
            for name, how in named
            if re.search(f"annotation_({LARGE})$|^[TUV]\\d", name) and "INDEX" not in how
        ] + re.findall(r"SEARCH .* \(project_id=\? AND state=\?\)", plan)
    return re.findall(f"Seq Scan on annotation_(?:{LARGE})\\b.*", plan)


@pytest.mark.parametrize("preset", ["openqa-eval", "evouna"])
def test_nothing_is_read_as_a_whole(db: None, preset: str, settings: LazySettings) -> None:
    settings.ASSAY_SETTLES_AT_ONCE = False
    rater, _ = make_large_study(preset)
    assert Candidate.objects.count() >= ANSWERS
    browser = Rater(rater)
    with CaptureQueriesContext(connection) as asked:
        # The first reply counts what is left, and those after it count down.
        (sheet,) = browser.next()["sheets"]
        reply = browser.submit(sheet, checks={check["key"]: False for check in sheet["checks"]})
    assert len(reply.json()["sheets"]) == 1
    asking = [sql for sql in statements(asked) if sql.startswith(("SELECT", "UPDATE", "EXECUTE"))]
    assert len(asking) > 16
    assert scans(explained("SELECT id FROM annotation_candidate WHERE text = 'unheard of'"))
    # Only to count what is left reads all that is.
    found = {sql: scans(explained(sql)) for sql in asking if "COUNT(DISTINCT" not in sql}
    assert not {sql: whole for sql, whole in found.items() if whole}


def test_what_a_rater_judged_is_looked_up_answer_by_answer_before_tables_are_counted(db: None) -> None:
    project = make_project()
    rater = make_member(project=project)
    make_question(project=project, answers=OF_A_QUESTION)
    free = open_candidates(rater=rater)
    if connection.vendor == "sqlite":
        assert re.search(r"rater_once_a_candidate \((rater|candidate)_id=\? AND", free.explain())
        return
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
    # Else all of it is compared with each answer: 200,000 pairs after 130 sheets.
    by_both = r"Index Cond: \(\(candidate_id = annotation_candidate\.id\) AND \(rater_id = "
    assert re.search(by_both, free.explain())

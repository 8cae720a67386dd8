"""The revision of a project: whatever boards read moves it, and whatever stays the same does not."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import pytest
from django.core.cache import caches
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoDbBlocker
from rest_framework.test import APIClient

from annotation.accounts.models import User
from annotation.adjudication.services.deciding import decide_answer
from annotation.assignments.models import QuestionFlag, Sheet
from annotation.gold.models import DismissedProposal, GoldChange
from annotation.items.models import Candidate
from annotation.judgments.models import CheckAnswer
from annotation.projects.api import access
from annotation.projects.models import Change, Project
from annotation.projects.rules import Area
from annotation.projects.selectors import read_revision
from annotation.projects.services.upkeep import merge_changes
from benchmarks.product.boards_pages import PAGES
from common.clock import now
from common.database.revisions import Watched, stop_watching, watch
from common.memory import Memory, _computed, _of_projects, forget_everything
from config.steps.revisions import REVISIONS
from judges.connections.models import Connection
from judges.runs.models import Call, JudgeRun, Verdict
from tests.annotation.assignments.factories import judge_next
from tests.conftest import ClientOf, made_once
from tests.routes import rolled_back
from tests.world import World, make_world

pytestmark = pytest.mark.long

TABLE = re.compile(r'"((?:annotation|judges)_\w+)"')
# Accounts belong to no project: what of them boards show is read anew. Revisions are not made of themselves.
BESIDE = {"annotation_user", "annotation_change"}
# Read anew with everything that is kept; what is kept of items alone needs no more of it than its key.
PROJECT = {"annotation_project", "annotation_protocolversion"}


class Read(NamedTuple):
    """What a kept value is made of, and the areas for which it is kept."""

    name: str
    areas: frozenset[int]
    tables: set[str]
    statements: list[str]


def make_full_world(slug: str) -> World:
    """Return a world with a row in every table that is counted."""
    world = make_world(slug=slug)
    sheet = Sheet.objects.filter(project=world.project).order_by("pk")[0]
    CheckAnswer.objects.create(
        sheet=sheet, question=sheet.question, rater=sheet.rater, check_key="a", answer=True, answered_at=now()
    )
    DismissedProposal.objects.create(question=sheet.question, proposal_hash="x", dismissed_at=now())
    run = JudgeRun.objects.get(project=world.project)
    own = Connection.objects.get(project=world.project)
    Call.objects.create(run=run, connection=own, state=Call.State.RESERVED, reserved=1, created_at=now())
    return world


@pytest.fixture(scope="module")
def made_world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with made_once(django_db_blocker, lambda: make_full_world("own")) as made:
        yield made


@pytest.fixture
def client(client_of: type[ClientOf], world: World) -> APIClient:
    return client_of(world.project.created_by)


def addresses(world: World) -> list[str]:
    names = {"run": world.ids["runs"], "round": world.ids["tagging"], "rater": world.ids["raters"]}
    of_project = f"/api/projects/{world.project.slug}/"
    found = [page.address.format(**names, answer=world.ids["answers"]) for page in PAGES]
    return [
        each.replace("=large", f"={world.project.slug}") if each[0] == "/" else of_project + each
        for each in found
    ]


@contextmanager
def noted_reads(patch: pytest.MonkeyPatch) -> Iterator[list[Read]]:
    """Note what is kept for as long as a project stays the same, and what it was made of."""
    reads: list[Read] = []
    get = Memory.get

    def note(memory: Memory, key: Any, *, state: Any, make: Callable[[], Any], still: Any = None) -> Any:
        if memory in (_computed, _of_projects):
            return get(memory, key, state=state, make=make)
        read = Read(key[0].__qualname__, frozenset(state), set(), [])

        def noted() -> Any:
            with CaptureQueriesContext(connection) as queries:
                value = make()
            read.statements.extend(query["sql"] for query in queries)
            return value

        value = get(memory, key, state=state, make=noted, still=still)
        read.tables.update(name for sql in read.statements for name in TABLE.findall(sql))
        reads.append(read)
        return value

    with patch.context() as context:
        context.setattr(Memory, "get", note)
        yield reads


@pytest.fixture(scope="module")
def reads(made_world: World) -> list[Read]:
    """What is kept of a project once every page has been read."""
    forget_everything()
    caches["shared"].clear()
    with rolled_back(), pytest.MonkeyPatch.context() as patch, noted_reads(patch) as found:
        client = ClientOf(made_world.project.created_by)
        for address in addresses(made_world):
            client.get(address)
    return found


class TestKept:
    def test_all_that_it_is_made_of_is_counted(
        self, reads: list[Read], world: World, subtests: pytest.Subtests
    ) -> None:
        areas: dict[str, set[int]] = defaultdict(set)
        for watched in REVISIONS.watched:
            areas[watched.table].add(watched.area)
        assert len({read.name for read in reads}) > 30
        for read in reads:
            with subtests.test(read.name):
                beside = BESIDE if Area.WORK in read.areas else BESIDE | PROJECT
                assert not {table for table in read.tables - beside if not areas[table] & read.areas}

    def test_replies_that_web_processes_share_are_made_of_what_is_counted(
        self, world: World, client: APIClient, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
    ) -> None:
        counted = {watched.table for watched in REVISIONS.watched}
        made: dict[str, set[str]] = {}

        def note(name: str, make: Callable[[], bytes]) -> bytes:
            forget_everything()
            with CaptureQueriesContext(connection) as queries:
                reply = make()
            made[name] = {table for query in queries for table in TABLE.findall(query["sql"])}
            return reply

        monkeypatch.setattr(access, "shared", note)
        for address in addresses(world):
            client.get(address)
        assert len(made) > 30
        for name, tables in made.items():
            with subtests.test(name):
                assert tables <= counted | {"annotation_change"}

    def test_how_far_the_work_is_belongs_to_no_items(self, reads: list[Read]) -> None:
        """Or what was imported would be read anew with every vote."""
        (candidates,) = (each for each in REVISIONS.watched if each.apart)
        asked = "|".join(candidates.apart)
        for read in reads:
            if Area.WORK not in read.areas:
                own = [
                    sql for sql in read.statements if re.search(rf'"annotation_candidate"."({asked})"', sql)
                ]
                assert not own, read.name


def a_row(watched: Watched, project: Project) -> dict[str, Any]:
    path = f"{watched.path}__" if watched.path else ""
    rows = watched.model._base_manager.filter(**{f"{path}pk": project.pk})
    pk = rows.order_by("pk").values_list("pk", flat=True).first()
    assert pk is not None, f"the world has no {watched.table}"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {watched.table} WHERE id = %s", [pk])
        row = cursor.fetchone()
        return dict(zip([column[0] for column in cursor.description], row, strict=True))


def writes(watched: Watched, row: dict[str, Any]) -> list[tuple[str, str, list[Any]]]:
    """Return what writes a row, takes it away and brings it back; keys are checked when all is over."""
    own = next(names for area, names in watched.columns.items() if area == watched.area)[-1]
    # Where columns are told apart nothing has changed that is as it was.
    value = f"NOT {own}" if watched.apart else f"substr({own}, 2)" if watched.only else own
    update = ("update", f"UPDATE {watched.table} SET {own} = {value} WHERE id = %s", [row["id"]])
    if watched.model is Project:
        # What is new has nothing kept, and what is gone no pages.
        return [update]
    columns, values = ", ".join(f'"{name}"' for name in row), ", ".join(["%s"] * len(row))
    return [
        update,
        ("delete", f"DELETE FROM {watched.table} WHERE id = %s", [row["id"]]),
        ("insert", f"INSERT INTO {watched.table} ({columns}) VALUES ({values})", list(row.values())),
    ]


@contextmanager
def taken_back() -> Iterator[None]:
    """Do something in a transaction that fails."""
    savepoint = transaction.savepoint()
    yield
    transaction.savepoint_rollback(savepoint)


class TestEveryTable:
    def test_moves_the_revision_of_its_project_alone(self, world: World, subtests: pytest.Subtests) -> None:
        other = make_full_world("foreign").project.pk
        elsewhere = read_revision(other)
        for watched in REVISIONS.watched:
            row = a_row(watched, world.project)
            for event, sql, parameters in writes(watched, row):
                with subtests.test(table=watched.table, event=event), connection.cursor() as cursor:
                    before = read_revision(world.project.pk)
                    cursor.execute(sql, parameters)
                    after = read_revision(world.project.pk)
                    assert {area for area in Area if before.get(area) != after.get(area)} == {watched.area}
                    assert read_revision(other) == elsewhere

    def test_rows_that_no_longer_are_what_they_were_may_be_none(self, world: World) -> None:
        before = read_revision(world.project.pk)
        Candidate.objects.filter(pk=0).update(text="")
        Candidate.objects.filter(pk=0).delete()
        assert read_revision(world.project.pk) == before

    @pytest.mark.parametrize(
        ("fields", "areas"),
        [
            ({"text": "something else"}, {Area.ITEMS}),
            ({"is_judgeable": False}, {Area.ITEMS}),
            ({"state": "disputed"}, {Area.WORK}),
            ({"wanted": 9, "least_votes": 3, "goes_first": True}, {Area.WORK}),
            ({"wanted": 9, "group": "another"}, {Area.ITEMS, Area.WORK}),
        ],
    )
    def test_what_an_answer_is_and_how_far_the_work_on_it_are_told_apart(
        self, fields: dict[str, Any], areas: set[Area], world: World
    ) -> None:
        before = read_revision(world.project.pk)
        world.project.candidates.filter(pk=world.project.candidates.first().pk).update(**fields)
        after = read_revision(world.project.pk)
        assert {area for area in Area if before[area] != after[area]} == areas

    def test_progress_of_an_import_changes_nothing_and_its_end_does(self, world: World) -> None:
        before = read_revision(world.project.pk)
        world.project.imports.update(rows_done=7, causes=[{}])
        assert read_revision(world.project.pk) == before
        world.project.imports.update(state="undone")
        assert read_revision(world.project.pk) != before


class TestRevision:
    def test_what_was_taken_back_comes_again_under_no_other_name(self, world: World) -> None:
        seen = [read_revision(world.project.pk)]
        for text in ("one", "other", "third"):
            with taken_back():
                world.project.candidates.update(text=text)
                seen.append(read_revision(world.project.pk))
            assert read_revision(world.project.pk) == seen[0]
        world.project.candidates.update(text="at last")
        seen.append(read_revision(world.project.pk))
        assert len({repr(sorted(each.items())) for each in seen}) == len(seen)

    def test_what_was_written_during_a_migration_is_not_missed(self, world: World) -> None:
        """A server may run on meanwhile, with what it kept before."""
        before = read_revision(world.project.pk)
        connection.check_constraints()
        stop_watching()
        world.project.candidates.update(text="written unseen")
        assert read_revision(world.project.pk) == before
        watch(REVISIONS)
        after = read_revision(world.project.pk)
        assert {area for area in Area if before[area] != after[area]} == set(Area)

    def test_merging_changes_moves_none(self, world: World) -> None:
        world.project.candidates.update(text="another")
        before = read_revision(world.project.pk)
        merge_changes()
        assert read_revision(world.project.pk) == before
        own = Change.objects.filter(project_id=world.project.pk)
        assert own.count() == len(Area)
        merge_changes()
        world.project.candidates.update(text="a third")
        assert read_revision(world.project.pk) != before

    def test_what_is_left_of_projects_that_are_gone_goes(self, world: World) -> None:
        Change.objects.create(project_id=0, area=Area.WORK, changes=1, mark=1)
        merge_changes()
        assert not Change.objects.filter(project_id=0).exists()


MOST_QUERIES = 6
# The first of them finds out who asks; one says that nothing has changed. Amendments are listed page by page,
# and thresholds are signed apart.
BOARD = re.compile(
    r"/(leaderboard(?!/amendments)|systems-board|judge-board(?!.*thresholds$)|failure-board|agreement)"
)


class TestNothingHasChanged:
    def test_a_leaderboard_asks_little(self, world: World, client: APIClient) -> None:
        asked = {address: count_queries(client, address) for address in addresses(world)}
        for address, number in asked.items():
            print(f"{number:>4} {address}")
        boards = {address: number for address, number in asked.items() if BOARD.search(address)}
        assert len(boards) > 30
        assert not {address: number for address, number in boards.items() if number > MOST_QUERIES}


def count_queries(client: APIClient, address: str) -> int:
    client.get(address)
    with CaptureQueriesContext(connection) as queries:
        client.get(address)
    return len(queries)


PAGES_TO_SEE = (
    "leaderboard",
    "leaderboard/amendments",
    "judge-board",
    "failure-board?board=unattributable",
    "agreement?intervals=false",
    "agreement/slices?by=flag&intervals=false",
    "raters",
    "filters",
)


def changes(world: World) -> dict[str, Callable[[], object]]:
    """Return something of every kind that is done to a study."""
    project = world.project
    answers, question = project.candidates.order_by("pk"), project.questions.order_by("pk")[0]
    return {
        "description": lambda: project.systems.update(description={"size_bytes": 7}),
        "data set": lambda: project.questions.update(dataset="another"),
        "sample": lambda: project.questions.filter(pk=question.pk).update(in_sample=False),
        "gold": lambda: question.gold_answers.update(text="another"),
        "verdict": lambda: Verdict.objects.filter(run__project=project).update(accepted=False),
        "vote": lambda: judge_next(world.cast["colleague"]),
        "decision": lambda: decide_answer(
            project=project,
            candidate_id=answers[2].public_id,
            by=project.created_by,
            label="correct",
            reason="so",
        ),
        "ledger": lambda: GoldChange.objects.filter(question__project=project).update(undone_at=now()),
        "flag": lambda: QuestionFlag.objects.filter(question__project=project).update(kind="ambiguous"),
        "pseudonym": lambda: project.members.filter(pk=world.cast["colleague"].pk).update(pseudonym="R-NEW"),
        "name": lambda: User.objects.filter(pk=world.cast["colleague"].user_id).update(name="Somebody Else"),
        "linking": lambda: answers.update(is_judgeable=False),
        "a run less": lambda: JudgeRun.objects.filter(project=project).update(state="cancelled"),
    }


class TestBoards:
    def test_show_every_change_at_once(
        self, world: World, client: APIClient, subtests: pytest.Subtests
    ) -> None:
        def seen() -> list[Any]:
            return [client.get(f"/api/projects/own/{page}").json() for page in PAGES_TO_SEE]

        before = seen()
        for name, change in changes(world).items():
            with subtests.test(name):
                change()
                kept = seen()
                forget_everything()
                assert kept == seen()
                assert kept != before, "nothing to see"
                before = kept

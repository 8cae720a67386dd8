"""Only what writes takes the write lock: no read, export, check or board is done inside a transaction."""

from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from annotation.accounts.models import PasswordRequest
from annotation.assignments.models import Sheet
from annotation.items.models import DataImport
from annotation.projects.models import Project
from annotation.release.models import Export
from annotation.release.selectors.formats import EXPORT_FORMATS
from annotation.release.services import start_export
from common.clock import now
from common.database import rows
from config.celery import app
from config.steps.sweeper import SWEPT, see_to
from judges import registry
from judges.methods.lexical.containment import Containment
from judges.prejudging.models import PolicyApplication
from judges.runs.services.control import start_run
from judges.runs.services.worker import take_turn
from judges.webhooks.models import Delivery
from tests.annotation.items.conftest import import_into, outputs, upload_to
from tests.conftest import ClientOf
from tests.holds import Hold, recorded_holds
from tests.long_work import WORKS, make_study
from tests.routes import api_routes, rolled_back
from tests.world import World

pytestmark = pytest.mark.long

ROLES = ("lead", "adjudicator", "annotator")
FORMATS = [form.key for form in EXPORT_FORMATS]


def needless(holds: list[Hold]) -> list[Hold]:
    return [hold for hold in holds if hold.is_needless]


class TestHolds:
    def test_reading_in_a_transaction_is_found(self, world: World) -> None:
        from django.db import transaction

        with recorded_holds() as holds:
            with transaction.atomic():
                Project.objects.count()
            with transaction.atomic():
                Project.objects.update(name="written")
        assert [hold.is_needless for hold in holds] == [True, False]
        assert [hold.written_rows for hold in holds] == [0, 1]


def is_resettled(hold: Hold) -> bool:
    """Whether a chunk of a study is settled anew, which may turn out to change nothing."""
    return hold.began.endswith(": resettle_project")


class TestRequests:
    # What votes come to is read under the locks of their questions: before, one more could come in between.
    MOST_OF_A_CHUNK = 9

    @pytest.mark.parametrize("role", ROLES)
    def test_no_page_takes_the_lock_to_read(self, role: str, world: World, subtests: pytest.Subtests) -> None:
        client = ClientOf(world.cast[role].user)
        client.raise_request_exception = False
        for route in api_routes():
            if "GET" in route.methods and "token" not in route.template:
                with subtests.test(route.name), recorded_holds() as holds:
                    client.get(route.address(slug="own", ids=world.ids))
                    assert needless(holds) == []

    def test_what_is_refused_or_changes_nothing_asks_little_under_the_lock(
        self, world: World, subtests: pytest.Subtests
    ) -> None:
        for route in api_routes():
            if route.is_of_a_project:
                with subtests.test(route.name):
                    for hold in needless(self.done_by(route, world)):
                        # A condition that must be asked under the lock, of rows known by their keys.
                        assert hold.asked <= (self.MOST_OF_A_CHUNK if is_resettled(hold) else 6), hold

    def done_by(self, route: Any, world: World) -> list[Hold]:
        client: APIClient = ClientOf(world.cast["lead"].user)
        client.raise_request_exception = False
        address = route.address(slug="own", ids=world.ids)
        done: list[Hold] = []
        for method in set(route.methods) - {"GET"}:
            body = route.body(method)
            with rolled_back(), recorded_holds() as holds:
                getattr(client, method.lower())(address, body, format="json")
            done += holds
        return done


class TestExports:
    @pytest.mark.parametrize("key", FORMATS)
    def test_an_export_reads_under_no_lock(
        self, key: str, world: World, settings: Any, tmp_path: Any
    ) -> None:
        settings.DATA_DIR = tmp_path
        with recorded_holds() as holds:
            export = start_export(project=world.project, format_key=key, by=world.cast["lead"].user)
        assert export.state == Export.State.FINISHED
        assert needless(holds) == []
        assert max((hold.asked for hold in holds), default=0) <= 2


def a_checked_import(world: World) -> DataImport:
    return upload_to(world.project, files={"system.jsonl": outputs(who="me", when="now")})


def unchecked(world: World) -> int:
    data_import = a_checked_import(world)
    DataImport.objects.filter(pk=data_import.pk).update(state="checking")
    return data_import.pk


def confirmed(world: World) -> int:
    data_import = a_checked_import(world)
    DataImport.objects.filter(pk=data_import.pk).update(state="applying")
    return data_import.pk


def leaving(world: World) -> int:
    data_import = import_into(world.project, files={"system.jsonl": outputs(who="me", when="now")})
    DataImport.objects.filter(pk=data_import.pk).update(state="undoing", undone_at=now())
    return data_import.pk


def queued_export(world: World) -> int:
    return Export.objects.create(
        project=world.project, format="votes-csv", file_name="f", created_at=now()
    ).pk


def application(world: World) -> int:
    PolicyApplication.objects.update(state="queued")
    return PolicyApplication.objects.get().pk


def queued_run(world: World) -> int:
    return start_run(project=world.project, judge_key="containment", options={}).pk


def waiting_message(world: World) -> int:
    Delivery.objects.update(state="waiting", finished_at=None)
    return Delivery.objects.get().webhook_id


# Every task with what it is about; one that is missing here fails the test, so that it takes part.
def password_request(world: World) -> int:
    return PasswordRequest.objects.create(sealed="", created_at=now()).pk


TASKS: dict[str, Callable[[World], int] | None] = {
    "annotation.items.check_import": unchecked,
    "annotation.items.apply_import": confirmed,
    "annotation.items.undo_import": leaving,
    "annotation.release.make_export": queued_export,
    "judges.prejudging.work": application,
    "judges.runs.work": queued_run,
    "judges.runs.wake": None,
    "judges.runs.show_life": None,
    # Sends under no lock, a message at a time: `tests/judges/webhooks`.
    "judges.webhooks.send": waiting_message,
    # Also a message at a time: `tests/annotation/accounts/mail`.
    "accounts.outbox.send": None,
    "accounts.mailboxes.answer_password_request": password_request,
    "config.sweep": None,
    "config.sweep_hourly": None,
}


# What they do to a large study; `TestLongWork` does it.
LONG = {
    "annotation.items.check_import": "checking an import",
    "annotation.items.apply_import": "bringing an import in",
    "annotation.items.undo_import": "undoing an import",
    "judges.prejudging.work": "applying a policy",
    "judges.runs.work": "judging",
}


class TestBackgroundWork:
    def test_every_task_takes_part(self) -> None:
        app.loader.import_default_modules()
        ours = {name for name in app.tasks if not name.startswith("celery.")}
        assert ours == {*TASKS, "config.see_to"}

    def test_every_task_about_something_does_its_long_work_in_chunks(self) -> None:
        about_something = {name for name, prepare in TASKS.items() if prepare}
        # An export writes its file under no lock at all: `TestExports`.
        short = {"judges.webhooks.send", "accounts.mailboxes.answer_password_request"}
        assert about_something == {*LONG, "annotation.release.make_export", *short}
        assert {*LONG.values()} <= {*WORKS}

    @pytest.mark.parametrize("name", TASKS)
    def test_a_task_reads_under_no_lock(self, name: str, world: World, settings: Any, tmp_path: Any) -> None:
        settings.DATA_DIR = tmp_path
        Sheet.objects.update(settling_due=True)
        app.loader.import_default_modules()
        prepare = TASKS[name]
        arguments = [prepare(world)] if prepare else []
        with recorded_holds() as holds:
            app.tasks[name](*arguments)
        assert [hold for hold in needless(holds) if hold.asked > 6] == []

    @pytest.mark.parametrize("what", SWEPT)
    def test_the_sweeper_reads_under_no_lock(
        self, what: str, world: World, settings: Any, tmp_path: Any
    ) -> None:
        settings.DATA_DIR = tmp_path
        Sheet.objects.update(settling_due=True)
        with recorded_holds() as holds:
            see_to(what)
        assert [hold for hold in needless(holds) if hold.asked > 6] == []


class TestJudging:
    def test_no_judge_is_asked_under_the_lock(self, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        run_id = queued_run(world)
        open_holds: list[int] = []
        judge = Containment.judge

        def look(self: Containment, batch: Any) -> Any:
            open_holds.append(len(holds.open))
            return judge(self, batch)

        monkeypatch.setattr(Containment, "judge", look)
        with recorded_holds() as holds:
            take_turn(run_id=run_id, batches=1, seconds=60.0)
        assert open_holds == [0]


class TestLongWork:
    """However large the study, one hold of the lock reads and writes no more than a chunk of it."""

    QUESTIONS, ANSWERS = 40, 3
    # A chunk is four rows, questions or answers here; with each go its votes, decision and changes of gold.
    SHARE, MOST_ROWS = 4, 60
    # A chunk of four questions with three answers each, three votes on each answer, and all of their history.
    MOST_OF_VOTES = 200
    LEAST_SHARES = 4

    @pytest.fixture
    def large(self, db: None, monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Any) -> Project:
        settings.DATA_DIR = tmp_path
        made = make_study(monkeypatch, questions=self.QUESTIONS, answers=self.ANSWERS)
        monkeypatch.setattr(rows, "LARGEST", self.SHARE)
        containment = registry.JUDGES["containment"]
        monkeypatch.setitem(registry.JUDGES, "containment", containment._replace(batch_size=self.SHARE))
        return made

    @pytest.mark.parametrize("name", WORKS)
    def test_is_done_in_chunks(self, name: str, large: Project) -> None:
        do = WORKS[name](large)
        with recorded_holds() as holds:
            do()
        largest = max(holds, key=lambda hold: hold.rows)
        # Else one hold could be all of it.
        assert largest.rows <= holds.whole.rows / self.LEAST_SHARES, largest
        most = self.MOST_OF_VOTES if "of votes" in name else self.MOST_ROWS
        assert max(hold.written_rows for hold in holds) <= most

    @pytest.mark.parametrize("what", SWEPT)
    def test_a_sweep_is_done_in_chunks(self, what: str, large: Project) -> None:
        Sheet.objects.update(settling_due=True)
        with recorded_holds() as holds:
            see_to(what)
        assert max((hold.rows for hold in holds), default=0) <= self.MOST_OF_VOTES

"""What endpoints hear of, when, and what it costs those who judge."""

import json
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from annotation.adjudication.models import Decision
from annotation.items.models import Candidate
from annotation.judgments.services.settling import settle_due
from annotation.projects.models import Project
from annotation.release.services import start_export
from judges.runs.models import JudgeRun
from judges.runs.services.batches import finish_if_done
from judges.runs.services.control import pause_run
from judges.webhooks.models import Delivery, Webhook
from judges.webhooks.rules import WebhookEvent
from judges.webhooks.selectors import Tally, tally
from judges.webhooks.services import changes
from judges.webhooks.services.changes import DeliveryAlreadyWaits, change_webhook, retry_delivery
from judges.webhooks.services.noting import gather, note_test
from tests.judges.webhooks.conftest import AddWebhook
from tests.world import HIDDEN, World, make_world

State = Delivery.State


@pytest.fixture
def world(db: None) -> World:
    """A study in which something of every kind has happened."""
    found = make_world(slug="noted")
    Webhook.objects.all().delete()
    return found


@pytest.fixture
def project(world: World) -> Project:
    return world.project


def bodies(event: str) -> list[dict[str, Any]]:
    """Return the data of all messages of an event, oldest first."""
    found = Delivery.objects.filter(event=event).order_by("pk")
    return [json.loads(delivery.body)["data"] for delivery in found]


def decide_another(project: Project) -> None:
    """Let one decision more have been made."""
    last = Decision.objects.filter(candidate__project=project, is_current=True).order_by("pk")[0]
    number = 100 + Decision.objects.count()
    last.pk, last.public_id, last.number, last.is_current = None, f"n{number}", number, False
    last.save(force_insert=True)


def grow_queue(project: Project) -> None:
    """Let one answer more wait for the lead."""
    asked = Candidate.objects.filter(project=project).exclude(state=Candidate.State.DISPUTED)
    Candidate.objects.filter(pk=asked.order_by("-pk")[0].pk).update(state=Candidate.State.DISPUTED)


class TestGather:
    def test_an_endpoint_hears_nothing_of_what_was_before_it(self, add: AddWebhook) -> None:
        add()
        gather()
        assert not Delivery.objects.exists()

    def test_decisions_are_told_together_and_once(self, add: AddWebhook, project: Project) -> None:
        add()
        decide_another(project)
        decide_another(project)
        gather()
        gather()
        (data,) = bodies("item.decided")
        assert data["counts"]["changed"] == 2
        assert data["project"] == project.slug

    def test_what_comes_while_a_message_waits_is_told_after_it(
        self, add: AddWebhook, project: Project
    ) -> None:
        add()
        for _ in range(3):
            decide_another(project)
            gather()
        assert len(bodies("item.decided")) == 1
        Delivery.objects.update(state=State.DELIVERED, finished_at="2026-11-27T00:00:00Z")
        gather()
        assert [data["counts"]["changed"] for data in bodies("item.decided")] == [1, 2]

    def test_the_queue_is_told_where_it_grew(self, add: AddWebhook, project: Project) -> None:
        add()
        grow_queue(project)
        gather()
        gather()
        (data,) = bodies("queue.grew")
        assert data["counts"]["added"] == 1
        assert data["counts"]["waiting"] >= 1

    def test_only_what_was_chosen_is_told(self, add: AddWebhook, project: Project) -> None:
        add("https://a.example/1", WebhookEvent.RUN)
        decide_another(project)
        gather()
        assert not Delivery.objects.exists()

    def test_an_event_chosen_later_is_told_from_then_on(self, add: AddWebhook, project: Project) -> None:
        webhook = add("https://a.example/1", WebhookEvent.RUN)
        decide_another(project)
        change_webhook(project=project, public_id=webhook.public_id, events=list(WebhookEvent))
        gather()
        assert not Delivery.objects.exists()

    def test_another_event_loses_nothing_of_those_it_had(self, add: AddWebhook, project: Project) -> None:
        webhook = add("https://a.example/1", WebhookEvent.DECISIONS)
        decide_another(project)
        grow_queue(project)
        both = [WebhookEvent.DECISIONS, WebhookEvent.QUEUE]
        change_webhook(project=project, public_id=webhook.public_id, events=both)
        gather()
        assert [data["counts"]["changed"] for data in bodies("item.decided")] == [1]
        assert bodies("queue.grew") == []

    def test_what_is_told_while_an_event_is_added_is_told_once(
        self, add: AddWebhook, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        webhook = add("https://a.example/1", WebhookEvent.QUEUE)

        def tally_then_gather(counted: Project) -> Tally:
            found = tally(counted)
            # Meanwhile, in another process.
            decide_another(project)
            gather()
            return found

        monkeypatch.setattr(changes, "tally", tally_then_gather)
        both = [WebhookEvent.DECISIONS, WebhookEvent.QUEUE]
        change_webhook(project=project, public_id=webhook.public_id, events=both)
        gather()
        assert bodies("item.decided") == []

    def test_turning_off_counts_nothing(
        self, add: AddWebhook, project: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        webhook = add()
        monkeypatch.delattr(changes, "tally")
        assert change_webhook(project=project, public_id=webhook.public_id, is_on=False).switched_off_at

    def test_the_database_lets_one_such_message_wait(self, add: AddWebhook, project: Project) -> None:
        add()
        decide_another(project)
        gather()
        twin = Delivery.objects.get()
        twin.pk, twin.public_id = None, "twin"
        with pytest.raises(IntegrityError), transaction.atomic():
            twin.save(force_insert=True)

    def test_one_given_up_is_not_tried_again_beside_a_newer_one(
        self, add: AddWebhook, project: Project
    ) -> None:
        webhook = add()
        decide_another(project)
        gather()
        old = Delivery.objects.get()
        Delivery.objects.update(state=State.GIVEN_UP, finished_at="2026-11-27T00:00:00Z")
        decide_another(project)
        gather()
        with pytest.raises(DeliveryAlreadyWaits):
            retry_delivery(project=project, public_id=webhook.public_id, delivery_id=old.public_id)

    def test_a_project_where_nothing_changed_costs_two_queries(
        self, add: AddWebhook, django_assert_num_queries: Any
    ) -> None:
        add()
        gather()
        with django_assert_num_queries(2):
            gather()


class TestNoteRun:
    def test_a_paused_run_is_told_in_the_same_transaction(self, add: AddWebhook, world: World) -> None:
        add()
        run = JudgeRun.objects.get(public_id=world.ids["runs"])
        JudgeRun.objects.filter(pk=run.pk).update(state="running", finished_at=None)
        with transaction.atomic():
            pause_run(run=run)
            assert Delivery.objects.exists()
            transaction.set_rollback(True)
        assert not Delivery.objects.exists()
        pause_run(run=run)
        (data,) = bodies("run.finished")
        assert (data["run"], data["state"]) == (run.public_id, "paused")
        assert data["links"] == {"run": f"/api/projects/{world.project.slug}/runs/{run.public_id}"}

    def test_a_finished_run_is_told(self, add: AddWebhook, world: World) -> None:
        add()
        run = JudgeRun.objects.get(public_id=world.ids["runs"])
        JudgeRun.objects.filter(pk=run.pk).update(state="running", finished_at=None)
        run.batches.update(state="done")
        finish_if_done(run.pk, at=run.created_at)
        (data,) = bodies("run.finished")
        assert data["state"] in {"finished", "sampled"}


class TestNoteExport:
    def test_a_file_that_is_ready_is_told(self, add: AddWebhook, project: Project) -> None:
        add()
        export = start_export(project=project, format_key="votes-csv", by=project.created_by)
        (data,) = bodies("export.ready")
        assert (data["export"], data["format"]) == (export.public_id, "votes-csv")
        assert data["links"]["download"] == f"/api/exports/{export.public_id}/download"


class TestBlindness:
    def test_no_message_holds_a_text_a_vote_or_a_name(self, add: AddWebhook, world: World) -> None:
        add()
        run = JudgeRun.objects.get(public_id=world.ids["runs"])
        JudgeRun.objects.filter(pk=run.pk).update(state="running", finished_at=None)
        pause_run(run=run)
        start_export(project=world.project, format_key="votes-csv", by=world.project.created_by)
        decide_another(world.project)
        grow_queue(world.project)
        gather()
        note_test(Webhook.objects.select_related("project").get())
        told = {delivery.event: delivery.body for delivery in Delivery.objects.all()}
        assert set(told) == {*map(str, WebhookEvent), "webhook.test"}
        names = {member.user.username for member in world.project.members.select_related("user")}
        for body in told.values():
            assert HIDDEN not in body
            assert not any(f'"{name}"' in body for name in names)
            assert set(json.loads(body)) == {"type", "id", "timestamp", "data"}

    def test_settling_votes_asks_nothing_of_webhooks(self, world: World, settings: Any) -> None:
        with CaptureQueriesContext(
            connection,
        ) as asked:
            settle_due()
        assert not [query for query in asked.captured_queries if "webhook" in query["sql"]]

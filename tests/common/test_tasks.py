"""Doorbells for background work."""

import pytest
from celery import current_app
from kombu.exceptions import OperationalError
from pytest_django import DjangoCaptureOnCommitCallbacks

from common.tasks import enqueue_on_commit


@pytest.mark.django_db
class TestEnqueueOnCommit:
    def test_rings_only_after_the_commit(
        self,
        monkeypatch: pytest.MonkeyPatch,
        django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    ) -> None:
        rung: list[tuple[object, ...]] = []
        monkeypatch.setattr(
            current_app, "send_task", lambda name, **facts: rung.append((name, facts["args"]))
        )
        with django_capture_on_commit_callbacks(execute=True):
            enqueue_on_commit("judges.runs.work", 7)
            assert rung == []
        assert rung == [("judges.runs.work", (7,))]

    def test_a_broker_that_is_down_does_not_hurt(
        self,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
        django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    ) -> None:
        def refuse(*args: object, **facts: object) -> None:
            raise OperationalError

        monkeypatch.setattr(current_app, "send_task", refuse)
        with django_capture_on_commit_callbacks(execute=True):
            enqueue_on_commit("judges.runs.work", 7)
        assert "could not queue" in caplog.text

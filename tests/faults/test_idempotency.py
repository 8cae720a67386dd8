"""Requests with one idempotency key at once, and a server that is killed over one."""

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, connections
from rest_framework.test import APIClient

from annotation.accounts.models import IdempotencyKey, User
from annotation.projects.models import Project
from annotation.release.models import Export
from commands.processes import die_with_parent
from common.requests.idempotency import HEADER
from tests.conftest import ClientOf
from tests.factories import make_project, make_user
from tests.faults.test_restoring import ROOT, address_of_database

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]
KEY = "7d7f1b52-6e3c-4a39-b8c0-1d5b0f7a9a01"
AT_ONCE = 8
# Its reply is kept in the transaction of its work.
WHOLE = ("/api/projects", {"name": "Another study", "preset": "openqa-eval"})
# Its work is several transactions, and its reply is kept after them.
IN_STEPS = ("/api/projects/small/exports", {"format": "votes-csv"})
# A server that is done with its work, and waits before the reply is kept until it is killed.
STALLED = """
import json, sys, django
django.setup()
from annotation.accounts.idempotency.claims import Held
from annotation.accounts.models import User
from rest_framework.test import APIClient
def stall(*_):
    print("at work", flush=True)
    sys.stdin.read()
Held.keep = stall
client = APIClient()
client.force_authenticate(User.objects.get(username="lead"))
client.post(sys.argv[1], json.loads(sys.argv[2]), format="json", headers={"Idempotency-Key": sys.argv[3]})
"""


@pytest.fixture(autouse=True)
def _own_data_folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


@pytest.fixture
def client(db: None) -> APIClient:
    user = make_user(username="lead")
    make_project(lead=user, slug="small")
    return ClientOf(user)


def send(client: APIClient, address: str, body: Any) -> Any:
    return client.post(address, body, format="json", headers={HEADER: KEY})


def made() -> int:
    return Project.objects.count() + Export.objects.count()


class TestAtOnce:
    @pytest.mark.parametrize(("address", "body"), [WHOLE, IN_STEPS])
    def test_one_is_carried_out(self, address: str, body: Any, client: APIClient) -> None:
        replies: list[Any] = []
        start = threading.Barrier(AT_ONCE)
        user = User.objects.get()
        before = made()

        def ask() -> None:
            own = APIClient()
            own.force_authenticate(user)
            start.wait()
            try:
                replies.append(send(own, address, body))
            finally:
                connections.close_all()

        threads = [threading.Thread(target=ask) for _ in range(AT_ONCE)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert made() == before + 1
        replies.append(send(client, address, body))
        assert replies[-1].headers["Idempotent-Replayed"] == "true"
        done = [reply for reply in replies if reply.status_code == 201]
        assert {reply.content for reply in done} == {replies[-1].content}
        assert sum("Idempotent-Replayed" not in reply.headers for reply in done) == 1
        waiting = [reply for reply in replies if reply.status_code != 201]
        assert {reply.json()["error"]["code"] for reply in waiting} <= {"idempotency_key_running"}


class TestKilled:
    def kill_over(self, address: str, body: Any, *, folder: Path, look: Any) -> Any:
        """Kill a server at the end of its work; returns what `look` returns while it is at it."""
        if connection.vendor == "sqlite" and "memory" in str(connection.settings_dict["NAME"]):
            pytest.skip("another process cannot reach this database")
        environment = {
            **os.environ,
            "DATABASE_URL": address_of_database(),
            "ASSAY_DATA": str(folder),
            "ALLOWED_HOSTS": "testserver",
            "ASSAY_PROJECT_CREATORS": "everyone",
            "SECRET_KEY": settings.SECRET_KEY,
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        with subprocess.Popen(
            [sys.executable, "-c", STALLED, address, json.dumps(body), KEY],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            preexec_fn=die_with_parent,
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "at work\n"
            found = look()
            process.send_signal(signal.SIGKILL)
        return found

    def test_what_is_one_transaction_is_carried_out_by_the_repeat(
        self, client: APIClient, tmp_path: Path
    ) -> None:
        before = made()
        meanwhile = self.kill_over(*WHOLE, folder=tmp_path, look=lambda: self.repeat(client))
        assert meanwhile.json()["error"]["code"] == "idempotency_key_running"
        assert made() == before
        assert self.repeat(client).status_code == 201
        assert self.repeat(client).headers["Idempotent-Replayed"] == "true"
        assert made() == before + 1

    def repeat(self, client: APIClient) -> Any:
        return send(client, *WHOLE)

    def test_of_anything_else_the_repeat_is_told_that_nobody_knows(
        self, client: APIClient, tmp_path: Path
    ) -> None:
        before = made()
        self.kill_over(*IN_STEPS, folder=tmp_path, look=lambda: None)
        for _ in range(2):
            reply = send(client, *IN_STEPS)
            assert (reply.status_code, reply.json()["error"]["code"]) == (409, "idempotency_outcome_unknown")
        assert made() == before + 1
        assert IdempotencyKey.objects.get().finished_at is None

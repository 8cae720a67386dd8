"""A real installation with its worker, and a token for it."""

import subprocess
import sys
from collections.abc import Iterator
from typing import NamedTuple

import httpx2
import pytest

from tests.commands.test_serve import ROOT, Installation, free_port, read_until

PASSWORD = "a long enough one"


class Server(NamedTuple):
    """Where it is, and a token that may write in all projects of its person."""

    url: str
    token: str


def make_token(url: str, *, scope: str) -> str:
    with httpx2.Client(base_url=url, headers={"Referer": url}) as http:

        def post(path: str, body: dict[str, object]) -> httpx2.Response:
            csrf = http.get("/api/session").json()["csrf_token"]
            return http.post(path, json=body, headers={"X-CSRFToken": csrf}).raise_for_status()

        post("/api/session", {"username": "lea", "password": PASSWORD})
        asked = {"name": "tests", "scope": scope, "days": 1, "password": PASSWORD}
        text: str = post("/api/account/tokens", asked).json()["text"]
        return text


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    port = free_port()
    url = f"http://localhost:{port}"
    with Installation(tmp_path_factory.mktemp("installation"), has_tables=True) as installation:
        for command, given in (("migrate", ""), ("create_user lea --password-stdin", PASSWORD)):
            subprocess.run(
                [sys.executable, "manage.py", *command.split()],
                cwd=ROOT,
                env=installation.environment,
                input=given,
                text=True,
                check=True,
                capture_output=True,
            )
        assert url in read_until(installation.serve(port=port), "Press Ctrl-C to stop")
        yield Server(url, make_token(url, scope="write"))

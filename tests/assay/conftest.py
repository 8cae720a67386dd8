"""A real installation with its worker and a token for it; the wheel, and the documentation’s script."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx2
import pytest

from tests.commands.test_serve import ROOT, Installation, free_port, read_until

PASSWORD = "a long enough one"
PACKAGES = ("analysis", "annotation", "assay", "commands", "common", "config", "judges")


class Server(NamedTuple):
    """Where it is, and a token that may write in all projects of its person."""

    url: str
    token: str


def make_token(url: str, *, scope: str, username: str = "lea", password: str = PASSWORD) -> str:
    with httpx2.Client(base_url=url, headers={"Referer": url}) as http:

        def post(path: str, body: dict[str, object]) -> httpx2.Response:
            csrf = http.get("/api/session").json()["csrf_token"]
            return http.post(path, json=body, headers={"X-CSRFToken": csrf}).raise_for_status()

        post("/api/session", {"username": username, "password": password})
        asked = {"name": "tests", "scope": scope, "days": 1, "password": password}
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


def documented_script() -> str:
    """Return the script of `docs/api.md`, which makes a study and writes its leaderboard."""
    script, *_ = re.findall(r"```python\n(.*?)```", (ROOT / "docs" / "api.md").read_text("utf-8"), re.DOTALL)
    return str(script)


def check_documented_results(folder: Path, printed: str) -> None:
    """Look at what the documentation's script printed, and at the files that it wrote."""
    assert "judge:token_f1|threshold:0.6|gold:original|revision:1 4 of 4" in printed
    assert "judge:fuzzy_match|" in printed
    head, *rows = (folder / "leaderboard.txt").read_text("utf-8").splitlines()
    assert head.startswith("system")
    assert "Token F1" in head
    assert "Fuzzy Match" in head
    assert [row.split()[0] for row in rows] == ["heron", "wren"]
    assert (folder / "verdicts.csv").read_text("utf-8").count("judge:fuzzy_match|") == 4


@pytest.fixture(scope="package")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (ROOT / "frontend" / "dist" / "index.html").is_file():
        pytest.skip("the pages are not built: make build")
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Give a folder that has an empty home in it, and modules of the names that ours have."""
    (tmp_path / "home").mkdir()
    for name in PACKAGES:
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the folder that one stands in was searched')")
    return tmp_path


def environment_of(place: Path, **more: str) -> dict[str, str]:
    ours = ("ASSAY_", "DATABASE_URL", "REDIS_URL", "SECRET_KEY", "DJANGO_", "PYTHON", "XDG_", "PORT")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**kept, "HOME": str(place / "home"), **more}

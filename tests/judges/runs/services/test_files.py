"""How many of our files a paid run goes through, from its start to the stored verdicts."""

import importlib
import pkgutil
import sys
import threading
from inspect import CO_OPTIMIZED
from pathlib import Path
from types import FrameType

import pytest
from django.conf import LazySettings

import judges
from annotation.projects.models import Project
from judges.connections.services.changes import create_connection
from judges.runs import tasks
from judges.runs.models import JudgeRun
from tests.conftest import ClientOf
from tests.hostile import Provider

ROOT = Path(judges.__file__).resolve().parent.parent
OURS = ("annotation", "judges", "common", "analysis", "config")
MOST = 40
# These bring libraries that the core does without.
NEURAL = ("bertscore", "bem", "bleurt", "pretrained", "migrations")


class Touched:
    """The files whose functions are called, in every thread; what runs at import does not count."""

    def __init__(self) -> None:
        self.files: set[str] = set()

    def __enter__(self) -> "Touched":
        threading.setprofile(self._note)
        sys.setprofile(self._note)
        return self

    def __exit__(self, *error: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def _note(self, frame: FrameType, event: str, arg: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_flags & CO_OPTIMIZED and code.co_filename.startswith(f"{ROOT}/"):
            self.files.add(code.co_filename.removeprefix(f"{ROOT}/"))

    def ours(self) -> set[str]:
        return {file for file in self.files if file.split("/")[0] in OURS}


@pytest.fixture
def all_loaded() -> None:
    for module in pkgutil.walk_packages(judges.__path__, "judges."):
        if not any(name in module.name for name in NEURAL):
            importlib.import_module(module.name)


@pytest.mark.usefixtures("all_loaded")
def test_a_paid_run_goes_through_few_files(study: Project, settings: LazySettings, tmp_path: Path) -> None:
    settings.ASSAY_LLM_ALLOWED_HOSTS = ["127.0.0.1"]
    client = ClientOf(study.created_by)
    # The first request of a process loads all addresses.
    client.get("/api/projects/small")
    with Provider("good", journal=tmp_path / "journal") as provider:
        connection = create_connection(
            project=study,
            by=study.created_by,
            name="local",
            base_url=provider.base_url,
            model="tiny",
            key="sk-of-the-test-0123456789",
            input_price=1_000,
            output_price=1_000,
            parallel_calls=1,
        )
        given = {"judge": "llm", "options": {}, "connection": connection.public_id, "spend_cap": "1"}
        with Touched() as touched:
            reply = client.post("/api/projects/small/runs", given, format="json")
            tasks.work(JudgeRun.objects.get().pk)
    assert reply.status_code == 200
    run = JudgeRun.objects.get()
    assert (run.state, run.verdicts.count(), run.spent > 0) == (JudgeRun.State.FINISHED, 5, True)
    files = sorted(touched.ours())
    assert len(files) <= MOST, "\n".join(files)

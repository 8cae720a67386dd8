"""What every test of the services needs: no broker, small batches, and short words for start and work."""

import pytest

from annotation.projects.models import Project
from judges import registry
from judges.connections.models import Connection
from judges.runs.models import JudgeRun
from judges.runs.services import control, worker
from tests.judges.runs.asking import Scripted, make_connection


@pytest.fixture(autouse=True)
def rung(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """The doorbells that were rung, instead of a broker."""
    rings: list[tuple[object, ...]] = []
    monkeypatch.setattr("common.tasks._ring", lambda *ring: rings.append(ring))
    return rings


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    for key, entry in list(registry.JUDGES.items()):
        monkeypatch.setitem(registry.JUDGES, key, entry._replace(batch_size=2))


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Scripted:
    """The model behind every connection; a test that asks for it can see what it was asked."""
    scripted = Scripted()
    monkeypatch.setattr("judges.connections.services.client.open_client", lambda connection: scripted)
    return scripted


@pytest.fixture
def connection(study: Project) -> Connection:
    return make_connection(study)


def start(project: Project, judge: str = "exact_match", **options: object) -> JudgeRun:
    return control.start_run(project=project, judge_key=judge, options=options)


def work(run: JudgeRun) -> JudgeRun:
    worker.work_on_run(run_id=run.pk, batches=100)
    run.refresh_from_db()
    return run


def accepted(run: JudgeRun) -> dict[str, bool | None]:
    return dict(run.verdicts.values_list("candidate__text", "accepted"))

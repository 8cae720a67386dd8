"""How many of our files a paid run goes through, from its start to the stored verdicts."""

from pathlib import Path

from django.conf import LazySettings

from annotation.projects.models import Project
from judges.connections.services.changes import create_connection
from judges.runs import tasks
from judges.runs.models import JudgeRun
from tests.conftest import ClientOf
from tests.hostile import Provider
from tests.touched import Touched, load_all

MOST = 48


def test_a_paid_run_goes_through_few_files(study: Project, settings: LazySettings, tmp_path: Path) -> None:
    settings.ASSAY_LLM_ALLOWED_HOSTS = ["127.0.0.1"]
    load_all()
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

"""How many of our files an import of recorded votes goes through, from the upload to what they settle."""

from annotation.items import tasks
from annotation.items.models import DataImport
from annotation.judgments.models import Judgment
from annotation.projects.models import Project
from tests.annotation.items.conftest import uploads_of
from tests.conftest import ClientOf
from tests.touched import Touched, load_all

VOTES = "Question\tModel answer\tannotator1\tannotator2\nq1\tParis\tYes\tYes\nq1\tLyon\tNo\tYes\n"
MOST = 63


def test_recorded_votes_go_through_few_files(project: Project) -> None:
    load_all()
    client = ClientOf(project.created_by)
    # The first request of a process loads all addresses.
    client.get("/api/projects/small")
    with Touched() as touched:
        reply = client.post("/api/projects/small/imports", {"files": uploads_of({"votes.tsv": VOTES})})
        made = DataImport.objects.get()
        tasks.check_import(made.pk)
        client.post(f"/api/projects/small/imports/{made.public_id}/confirm")
        tasks.apply_import(made.pk)
    made.refresh_from_db()
    assert (reply.status_code, made.state, Judgment.objects.count()) == (201, DataImport.State.APPLIED, 4)
    files = sorted(touched.ours())
    assert len(files) <= MOST, "\n".join(files)

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from annotation.accounts.models import User
from annotation.projects.models import Membership, Project
from tests.annotation.adjudication.factories import make_answers, vote

Client = Callable[[User], Any]


@pytest.fixture(autouse=True)
def _own_data_folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


class TestExportFormats:
    def test_each_says_rows_preview_and_command(
        self, client_of: Client, lead: User, project: Project
    ) -> None:
        make_answers(project=project, question="q", gold=["a"], texts=["b", "c", "d", "e"])
        formats = {
            row["key"]: row for row in client_of(lead).get("/api/projects/small/export-formats").json()
        }
        votes = formats["openqa-eval-votes"]
        assert votes["row_count"] == 4
        assert len(votes["preview"]) == 3
        assert votes["command"].endswith(
            "manage.py export_data --project small --format openqa-eval-votes --output small_human.tsv"
        )

    def test_what_a_form_leaves_out_is_counted_by_cause(
        self, client_of: Client, lead: User, project: Project, annotators: list[Membership]
    ) -> None:
        texts = ["paris.", "Lyon", "lyon.", "LYON"]
        make_answers(project=project, question="q", gold=["Paris"], texts=texts)
        # Neither a rejected answer nor a question without additions is counted.
        make_answers(project=project, question="r", gold=["Nice", "nice"], texts=["nice."])
        for rater in annotators[:2] * 2:
            vote(rater=rater, labels={**dict.fromkeys(texts, "correct"), "nice.": "incorrect"})
        reply = client_of(lead).get("/api/projects/small/export-formats").json()
        left_out = {row["key"]: row["left_out"] for row in reply}
        assert left_out["openqa-eval-gold"] == {"equal_to_gold": 1, "equal_to_addition": 2}
        assert left_out["efficientqa-gold"] is None


class TestExports:
    def test_making_listing_and_downloading(self, client_of: Client, lead: User, project: Project) -> None:
        client = client_of(lead)
        made = client.post("/api/projects/small/exports", {"format": "votes-csv"}, format="json")
        assert made.status_code == 201
        export = made.json()
        assert client.get("/api/projects/small/exports").json() == [export]
        assert client.get(f"/api/exports/{export['id']}").json() == export
        reply = client.get(f"/api/exports/{export['id']}/download")
        assert reply["Content-Disposition"] == 'attachment; filename="small_votes.csv"'
        assert hashlib.sha256(b"".join(reply.streaming_content)).hexdigest() == export["sha256"]

    def test_an_unknown_format_is_a_mistake(self, client_of: Client, lead: User, project: Project) -> None:
        reply = client_of(lead).post("/api/projects/small/exports", {"format": "xlsx"}, format="json")
        assert (reply.status_code, reply.json()["error"]["code"]) == (400, "unknown_format")

    def test_only_leads_of_the_project_reach_a_file(
        self,
        client_of: Client,
        lead: User,
        outsider: User,
        project: Project,
        annotators: list[Membership],
        adjudicator: Membership,
    ) -> None:
        export = (
            client_of(lead).post("/api/projects/small/exports", {"format": "votes-csv"}, format="json").json()
        )
        for user in (outsider, annotators[0].user, adjudicator.user):
            for address in (f"/api/exports/{export['id']}", f"/api/exports/{export['id']}/download"):
                reply = client_of(user).get(address)
                assert (reply.status_code, reply.json()["error"]["code"]) == (404, "export_not_found")
        assert client_of(annotators[0].user).get("/api/projects/small/exports").status_code == 403

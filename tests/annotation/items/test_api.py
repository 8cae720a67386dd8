import json
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.accounts.models import User
from annotation.items.models import DataImport, Question
from annotation.items.services.applying import apply_import
from annotation.items.services.uploads import check_import
from annotation.projects.models import Membership, Project
from tests.annotation.items.conftest import import_into, outputs
from tests.conftest import ClientOf


@pytest.fixture
def client(lead: User, project: Project) -> ClientOf:
    return ClientOf(lead)


def post_files(client: ClientOf, options: Any = "", **files: str) -> Any:
    uploads = [SimpleUploadedFile(name.replace("__", "."), text.encode()) for name, text in files.items()]
    body = {"files": uploads, "options": options if isinstance(options, str) else json.dumps(options)}
    return client.post("/api/projects/small/imports", body, format="multipart")


def work_off(client: ClientOf, public_id: str) -> Any:
    """Do what a worker would, and return the import as it then is."""
    data_import = DataImport.objects.get(public_id=public_id)
    check_import(import_id=data_import.pk)
    apply_import(import_id=data_import.pk)
    return client.get(f"/api/projects/small/imports/{public_id}").json()


class TestImports:
    def test_upload_confirm_undo(self, client: ClientOf) -> None:
        reply = post_files(client, dpr__jsonl=outputs(q="a"))
        assert (reply.status_code, reply.json()["state"]) == (201, "checking")
        assert work_off(client, reply.json()["id"])["state"] == "ready"
        assert reply.json()["files"] == [{"name": "dpr.jsonl", "size": len(outputs(q="a"))}]
        address = f"/api/projects/small/imports/{reply.json()['id']}"
        assert client.post(f"{address}/confirm").json()["state"] == "applying"
        assert work_off(client, reply.json()["id"])["state"] == "applied"
        assert client.get(address).json()["rows_done"] == 1
        assert client.post(f"{address}/undo").json()["state"] == "undone"
        assert not Question.objects.exists()

    def test_problems_come_by_line_and_another_mapping_mends_them(self, client: ClientOf) -> None:
        body = work_off(client, post_files(client, a__csv="Aufgabe,prediction\nwer,ich\n").json()["id"])
        assert body["state"] == "refused"
        assert body["problems"][0]["line"] == 2
        address = f"/api/projects/small/imports/{body['id']}"
        options = {"map": {"Aufgabe": "question"}}
        checked = client.post(f"{address}/check", {"options": options}, format="json")
        assert checked.json()["state"] == "checking"
        assert work_off(client, body["id"])["state"] == "ready"

    def test_a_check_can_be_cancelled(self, client: ClientOf) -> None:
        public_id = post_files(client, a__csv="question\nx\n").json()["id"]
        address = f"/api/projects/small/imports/{public_id}"
        reply = client.post(f"{address}/cancel")
        assert (reply.json()["state"], reply.json()["message"]) == ("refused", "The check was canceled.")
        assert client.post(f"{address}/cancel").json()["error"]["code"] == "not_being_checked"

    def test_an_import_can_be_discarded(self, client: ClientOf) -> None:
        public_id = post_files(client, a__csv="question\nx\n").json()["id"]
        assert client.delete(f"/api/projects/small/imports/{public_id}").status_code == 204
        assert client.get("/api/projects/small/imports").json() == []

    @pytest.mark.parametrize("options", ["{", "[]", {"colour": "red"}, {"map": {"a": "b"}}])
    def test_unusable_options_are_refused(self, client: ClientOf, options: Any) -> None:
        reply = post_files(client, options, a__csv="question\nx\n")
        assert reply.status_code == 400
        assert not DataImport.objects.exists()

    def test_a_request_over_the_limit_is_refused_unread(
        self, client: ClientOf, settings: LazySettings
    ) -> None:
        reply = client.generic(
            "POST",
            "/api/projects/small/imports",
            data="",
            content_type="multipart/form-data; boundary=x",
            CONTENT_LENGTH=str(settings.ASSAY_UPLOAD_MAX_BYTES * 2),
        )
        assert (reply.status_code, reply.json()["error"]["code"]) == (413, "too_large")

    def test_an_upload_without_files_is_refused(self, client: ClientOf) -> None:
        assert client.post("/api/projects/small/imports", {}, format="multipart").status_code == 400

    def test_formats_say_what_can_be_chosen(self, client: ClientOf) -> None:
        formats = {each["key"]: each for each in client.get("/api/projects/small/import-formats").json()}
        assert "openqa-eval-votes" in formats
        names = [option["name"] for option in formats["generic"]["options"]]
        assert {"list_prediction", "mojibake", "candidates"} <= set(names)

    def test_annotators_may_not(self, client: ClientOf, annotators: list[Membership]) -> None:
        assert ClientOf(annotators[0].user).get("/api/projects/small/imports").status_code == 403

    def test_strangers_find_nothing(self, client: ClientOf, outsider: User) -> None:
        assert ClientOf(outsider).get("/api/projects/small/imports").status_code == 404


class TestSystems:
    def test_a_system_is_described(self, client: ClientOf, project: Project) -> None:
        import_into(project, files={"NQ_DPR.jsonl": outputs(q="a")})
        (system,) = client.get("/api/projects/small/systems").json()
        assert (system["name"], system["label"], system["prediction_count"]) == ("NQ_DPR", "NQ_DPR", 1)
        change = {"label": "DPR 2020", "description": {"retrieval_depth": 100, "closed_book": False}}
        changed = client.patch(f"/api/projects/small/systems/{system['id']}", change, format="json").json()
        assert changed["label"] == "DPR 2020"
        assert changed["description"] == {
            "retrieval_depth": 100,
            "closed_book": False,
            "size_bytes": None,
            "track": None,
        }


class TestSample:
    def test_a_sample_is_drawn(self, client: ClientOf, project: Project) -> None:
        import_into(project, files={"a.jsonl": outputs(q="a", r="b", s="c")})
        body = {"method": "seed", "size": 2, "seed": 1}
        reply = client.post("/api/projects/small/sample", body, format="json")
        assert reply.json() == {
            "questions": 3,
            "predictions": 3,
            "answers": 3,
            "sampled": 2,
            "judged": 0,
            "method": "seed",
            "options": {"size": 2, "seed": 1},
            "to_judge": {"every": 3, "common": 3, "judged": 0},
            "matching": {"every": 0, "common": 0, "judged": 0},
        }
        assert client.get("/api/projects/small/sample").json() == reply.json()

    def test_an_impossible_sample_is_refused(self, client: ClientOf) -> None:
        reply = client.post("/api/projects/small/sample", {"method": "seed", "size": 5}, format="json")
        assert (reply.status_code, reply.json()["error"]["code"]) == (400, "unusable_sample")

"""Restoring a bundle on the page."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.accounts.models import User
from annotation.projects.models import Membership, Project
from tests.conftest import ClientOf
from tests.factories import make_user
from tests.judges.bundles.factories import write
from tests.world import make_world


@pytest.fixture
def bundle(db: None, settings: Any, tmp_path: Path) -> bytes:
    settings.DATA_DIR = tmp_path / "data"
    settings.ASSAY_PROJECT_CREATORS = "granted"
    return write(make_world(slug="own").project, tmp_path / "bundle.zip").read_bytes()


def make_creator() -> User:
    creator = make_user(username="creator")
    User.objects.filter(pk=creator.pk).update(creates_projects=True)
    creator.refresh_from_db()
    return creator


def send(client: Any, data: bytes) -> Any:
    file = SimpleUploadedFile("own_bundle.zip", data)
    return client.post("/api/bundles", {"file": file}, format="multipart")


class TestBundles:
    @pytest.mark.parametrize("most_in_memory", [10**9, 0])
    def test_makes_a_project_that_one_leads(self, bundle: bytes, settings: Any, most_in_memory: int) -> None:
        settings.FILE_UPLOAD_MAX_MEMORY_SIZE = most_in_memory
        creator = make_creator()
        client = ClientOf(creator)
        assert client.get("/api/bundles").json()["rows"] == 50_000
        reply = send(client, bundle)
        assert (reply.status_code, reply.json()["role"]) == (201, "lead")
        project = Project.objects.get(slug=reply.json()["slug"])
        assert project.slug.startswith("own-")
        assert Membership.objects.get(project=project, user=creator).role == "lead"

    def test_who_may_not_create_projects_may_not_restore_any(self, bundle: bytes) -> None:
        client = ClientOf(make_user(username="other"))
        for reply in (client.get("/api/bundles"), send(client, bundle)):
            assert (reply.status_code, reply.json()["error"]["code"]) == (403, "may_not_create_projects")
        assert Project.objects.count() == 1

    def test_says_what_is_wrong_and_where(self, bundle: bytes) -> None:
        client = ClientOf(make_creator())
        reply = send(client, bundle[:-1])
        assert (reply.status_code, reply.json()["error"]["code"]) == (400, "unusable_bundle")
        assert reply.json()["error"]["message"] == (
            "The bundle cannot be restored: this is not a zip file, or it is damaged."
        )

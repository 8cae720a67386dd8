"""How much may be uploaded, by project and by person."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.accounts.models import User
from annotation.items.models import DataImport
from annotation.projects.models import Project
from tests.conftest import ClientOf
from tests.factories import make_member, make_project

pytestmark = pytest.mark.django_db
LINE = b'{"question": "who", "answer": ["me"]}\n'


def upload(user: User, project: Project, *, lines: int = 1) -> Any:
    file = SimpleUploadedFile("data.jsonl", LINE * lines)
    return ClientOf(user).post(f"/api/projects/{project.slug}/imports", {"files": [file]})


def stored_folders(settings: Any) -> set[str]:
    folder = Path(settings.DATA_DIR) / "uploads"
    return {path.name for path in folder.iterdir()} if folder.is_dir() else set()


@pytest.fixture(autouse=True)
def _own_folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


class TestWaiting:
    def test_so_many_wait_in_a_project_until_one_is_discarded(
        self, project: Project, lead: User, settings: Any
    ) -> None:
        settings.ASSAY_UPLOADS_WAITING = 2
        other = make_member(project=project, role="lead").user
        first = upload(lead, project)
        assert (first.status_code, upload(other, project).status_code) == (201, 201)
        before = stored_folders(settings)
        refused = upload(lead, project)
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, "too_many_uploads")
        assert "discard" in refused.json()["error"]["message"]
        assert stored_folders(settings) == before
        address = f"/api/projects/{project.slug}/imports/{first.json()['id']}"
        assert ClientOf(lead).delete(address).status_code == 204
        assert upload(lead, project).status_code == 201

    def test_so_many_of_one_person_wait_in_all_projects(
        self, project: Project, lead: User, settings: Any
    ) -> None:
        settings.ASSAY_UPLOADS_WAITING = 1
        upload(lead, project)
        refused = upload(lead, make_project(lead=lead))
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, "too_many_uploads")


class TestBytes:
    @pytest.mark.parametrize("setting", ["ASSAY_PROJECT_UPLOAD_BYTES", "ASSAY_PERSON_UPLOAD_BYTES"])
    def test_what_goes_beyond_is_refused_and_not_kept(
        self, setting: str, project: Project, lead: User, settings: Any
    ) -> None:
        setattr(settings, setting, 3 * len(LINE))
        assert upload(lead, project, lines=2).status_code == 201
        before = stored_folders(settings)
        refused = upload(lead, project, lines=2)
        assert (refused.status_code, refused.json()["error"]["code"]) == (413, "upload_quota")
        assert setting in refused.json()["error"]["message"]
        assert stored_folders(settings) == before
        assert upload(lead, project, lines=1).status_code == 201

    def test_of_a_person_are_counted_over_all_projects(
        self, project: Project, lead: User, settings: Any
    ) -> None:
        settings.ASSAY_PERSON_UPLOAD_BYTES = 3 * len(LINE)
        upload(lead, project, lines=2)
        elsewhere = make_project(lead=lead)
        assert upload(lead, elsewhere, lines=2).status_code == 413
        other = make_member(project=elsewhere, role="lead").user
        assert upload(other, elsewhere, lines=2).status_code == 201
        assert DataImport.objects.count() == 2

    def test_annotators_upload_nothing(self, project: Project) -> None:
        assert upload(make_member(project=project).user, project).status_code == 403

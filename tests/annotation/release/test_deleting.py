"""Deleting a project: everything of it goes, nothing of any other, and not before it was taken away."""

from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db import models

from annotation.accounts.models import User
from annotation.items.models import DataImport
from annotation.items.selectors import upload_folder
from annotation.projects.models import Activity, Organization, OrganizationMember, Project
from annotation.projects.services.activity import begin_activity
from annotation.projects.services.making import set_state
from annotation.release import services
from annotation.release.services import (
    NotExported,
    NotTheName,
    ProjectInUse,
    delete_project,
    start_export,
    sweep_deletions,
)
from judges.runs.models import MonthlySpend
from tests.conftest import ClientOf
from tests.dying import killed_at
from tests.factories import make_project
from tests.world import make_world

# They stay when their projects go.
LASTING = {User, Organization, OrganizationMember, MonthlySpend}


def all_counts() -> dict[str, int]:
    ours: list[type[models.Model]] = [
        model for label in ("annotation", "judges") for model in apps.get_app_config(label).get_models()
    ]
    return {model.__name__: model._base_manager.count() for model in ours if model not in LASTING}


def archive(project: Project) -> None:
    set_state(project=project, state=Project.State.ARCHIVED)


def take_away(project: Project) -> None:
    archive(project)
    start_export(project=project, format_key="votes-csv", by=project.created_by)


# With real transactions, so that the database checks every foreign key at the end.
@pytest.mark.django_db(transaction=True)
class TestDeleteProject:
    def test_takes_every_row_of_the_project_and_none_of_another(self) -> None:
        make_world(slug="foreign")
        before = all_counts()
        own = make_world(slug="own").project
        assert all(count > before[name] for name, count in all_counts().items() if before[name])
        take_away(own)
        delete_project(project=own, name=own.name)
        assert all_counts() == before

    def test_takes_its_files(self) -> None:
        project = make_world(slug="own").project
        upload = upload_folder(DataImport.objects.filter(project=project)[0].public_id)
        upload.mkdir(parents=True)
        for name in ("0", "0.windows-1252"):
            (upload / name).write_text("{}")
        take_away(project)
        export = settings.DATA_DIR / project.exports.get(state="finished").path
        assert export.exists()
        delete_project(project=project, name=project.name)
        assert not export.exists()
        assert not upload.exists()

    def test_is_gone_at_once_and_finished_by_the_sweeper(self) -> None:
        make_world(slug="foreign")
        before = all_counts()
        own = make_world(slug="own").project
        take_away(own)
        with killed_at(30, services):
            delete_project(project=own, name=own.name)
        assert all_counts() != before
        client = ClientOf(own.created_by)
        assert client.get("/api/projects").json() == []
        assert client.get("/api/projects/own").status_code == 404
        # The address is free before the last row is gone.
        other = make_project(slug="own")
        sweep_deletions()
        archive(other)
        delete_project(project=other, name=other.name)
        assert all_counts() == before

    def test_is_begun_again_where_somebody_wrote_into_it_meanwhile(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = all_counts()
        own = make_world(slug="own").project
        take_away(own)
        delete_rows = services._delete_in_chunks
        late: list[Activity] = []

        def write_before(model: Any, **of_project: int) -> None:
            if model is Project and not late:
                late.append(begin_activity(project=own, user=own.created_by, operation="late", place={}))
            delete_rows(model, **of_project)

        monkeypatch.setattr(services, "_delete_in_chunks", write_before)
        delete_project(project=own, name=own.name)
        assert Project.objects.filter(pk=own.pk).exists()
        sweep_deletions()
        assert all_counts() == before


@pytest.mark.django_db
class TestRefusals:
    def test_wants_the_name(self, project: Project) -> None:
        archive(project)
        with pytest.raises(NotTheName):
            delete_project(project=project, name="Some other study")

    def test_wants_it_archived(self, project: Project) -> None:
        with pytest.raises(ProjectInUse):
            delete_project(project=project, name=project.name)

    def test_wants_what_people_did_exported_since(self) -> None:
        project = make_world(slug="own").project
        start_export(project=project, format_key="votes-csv", by=project.created_by)
        archive(project)
        with pytest.raises(NotExported):
            delete_project(project=project, name=project.name)
        assert Project.objects.filter(pk=project.pk).exists()

    def test_lets_an_empty_one_go_at_once(self, project: Project) -> None:
        archive(project)
        delete_project(project=project, name=project.name)
        assert not Project.objects.exists()


@pytest.mark.django_db
class TestHttp:
    def test_archives_refuses_writing_opens_again_and_deletes(self, project: Project, lead: Any) -> None:
        client, address = ClientOf(lead), f"/api/projects/{project.slug}"
        assert client.patch(address, {"state": "archived"}, format="json").json()["state"] == "archived"
        refused = client.post(f"{address}/invitations", {"role": "annotator"}, format="json")
        assert (refused.status_code, refused.json()["error"]["code"]) == (409, "project_archived")
        assert client.patch(address, {"state": "open"}, format="json").status_code == 200
        assert client.post(f"{address}/invitations", {"role": "annotator"}, format="json").status_code == 201
        client.patch(address, {"state": "archived"}, format="json")
        assert client.post(f"{address}/delete", {"name": project.name}, format="json").status_code == 204
        assert client.get(address).status_code == 404

    def test_copies_how_it_is_judged_and_nothing_in_it(self, lead: Any) -> None:
        pattern = make_project(lead=lead, preset="evouna", name="Pattern", slug="pattern", cleaning="chat")
        reply = ClientOf(lead).post("/api/projects/pattern/copy", {"name": "Second part"}, format="json")
        copied = Project.objects.get(slug=reply.json()["slug"])
        assert copied.protocol is not None
        assert pattern.protocol is not None
        assert copied.protocol.content_hash == pattern.protocol.content_hash
        assert (copied.cleaning, copied.questions.count(), copied.members.count()) == ("chat", 0, 1)

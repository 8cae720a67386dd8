"""How much may be uploaded, by project and by person."""

import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.accounts.models import User
from annotation.items.models import DataImport
from annotation.items.selectors import upload_folder
from annotation.items.services.reading import BadOption
from annotation.items.services.uploads import (
    LEFT_BEHIND,
    UploadQuota,
    create_import,
    recheck_import,
    sweep_uploads,
)
from annotation.projects.models import Project
from common.clock import now
from tests.annotation.items.formats.documents.test_parquet import upload as handed_in
from tests.annotation.items.formats.unprepared.shape_files import gzipped
from tests.annotation.items.test_packed_files import zipped
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


class Large:
    """An upload that says how large it is and must not be read."""

    name: str | None = "large.jsonl"
    size = 1_000

    def chunks(self) -> Iterator[bytes]:
        raise AssertionError("read before its size was looked at")


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """What is written of unpacked files, piece by piece."""
    from annotation.items.formats.documents import conversion

    sizes: list[int] = []
    require = conversion._require_within

    def noting(limits: Any, *, largest: int, total: int) -> None:
        require(limits, largest=largest, total=total)
        sizes.append(largest)

    monkeypatch.setattr(conversion, "_require_within", noting)
    monkeypatch.setattr(conversion, "CHUNK_BYTES", 100)
    return sizes


class TestBeforeTheyAreKept:
    def test_what_is_too_large_is_not_even_read(self, project: Project, lead: User, settings: Any) -> None:
        settings.ASSAY_PROJECT_UPLOAD_BYTES = 999
        with pytest.raises(UploadQuota, match="This upload is 1,000 bytes"):
            create_import(project=project, by=lead, files=[Large()])
        assert stored_folders(settings) == set()

    def test_where_too_many_wait_nothing_is_read(self, project: Project, lead: User, settings: Any) -> None:
        settings.ASSAY_UPLOADS_WAITING = 1
        upload(lead, project)
        assert upload(lead, project).status_code == 429
        assert len(stored_folders(settings)) == 1

    def test_an_archive_that_says_how_large_it_is_is_not_unpacked(
        self, project: Project, lead: User, settings: Any, written: list[int]
    ) -> None:
        settings.ASSAY_PERSON_UPLOAD_BYTES = 1_000
        archive = zipped(**{"a.csv": "a" * 600, "b.csv": "b" * 600})
        with pytest.raises(UploadQuota, match="more than 1,000 bytes") as refused:
            create_import(project=project, by=lead, files=[handed_in("a.zip", archive)])
        assert "ASSAY_PERSON_UPLOAD_BYTES" in str(refused.value)
        assert refused.value.details == {"size": 1_001, "kept": 0, "limit": 1_000}
        assert (written, stored_folders(settings)) == ([], set())

    def test_one_that_does_not_is_unpacked_as_far_as_there_is_room(
        self, project: Project, lead: User, settings: Any, written: list[int]
    ) -> None:
        settings.ASSAY_PROJECT_UPLOAD_BYTES = 1_000
        with pytest.raises(UploadQuota, match="more than 1,000 bytes"):
            create_import(project=project, by=lead, files=[handed_in("a.gz", gzipped(b"a" * 5_000))])
        assert sum(100 for _ in written) == 1_000
        assert stored_folders(settings) == set()

    def test_files_of_one_upload_share_the_room(self, project: Project, lead: User, settings: Any) -> None:
        settings.ASSAY_PROJECT_UPLOAD_BYTES = 1_000
        archives = [handed_in(f"{n}.gz", gzipped(b"a" * 600)) for n in range(2)]
        with pytest.raises(UploadQuota):
            create_import(project=project, by=lead, files=archives)
        assert stored_folders(settings) == set()

    def test_what_becomes_larger_in_utf_8_has_the_room_that_is_left(
        self, project: Project, lead: User, settings: Any
    ) -> None:
        content = ("question,gold\n" + "\u4e16" * 500 + ",a\n").encode("utf-16")
        settings.ASSAY_PROJECT_UPLOAD_BYTES = len(content) + 1
        with pytest.raises(UploadQuota, match="Unpacked or converted to UTF-8"):
            create_import(project=project, by=lead, files=[handed_in("a.csv", content)])
        assert stored_folders(settings) == set()


class TestCopies:
    CONTENT = "question,gold_answer\nplain?,yes\ncaf\u00e9?,oui\n".encode("cp1252")
    OF_UTF_8 = len(CONTENT) + 1

    def kept(self, project: Project) -> int:
        return sum(path.stat().st_size for path in self.paths(project))

    def paths(self, project: Project) -> list[Path]:
        (made,) = DataImport.objects.filter(project=project)
        return list(upload_folder(made.public_id).iterdir())

    def test_of_another_encoding_count(self, project: Project, lead: User, settings: Any) -> None:
        file, options = handed_in("a.csv", self.CONTENT), {"encoding": "windows-1252"}
        settings.ASSAY_PROJECT_UPLOAD_BYTES = len(self.CONTENT) + self.OF_UTF_8 - 1
        with pytest.raises(UploadQuota):
            create_import(project=project, by=lead, files=[file], options=options)
        assert stored_folders(settings) == set()
        settings.ASSAY_PROJECT_UPLOAD_BYTES += 1
        create_import(project=project, by=lead, files=[file], options=options)
        assert self.kept(project) == settings.ASSAY_PROJECT_UPLOAD_BYTES
        refused = upload(lead, project)
        assert refused.json()["error"]["details"]["kept"] == self.kept(project)

    def test_that_are_made_later_count_and_a_refused_one_is_not_kept(
        self, project: Project, lead: User, settings: Any
    ) -> None:
        made = create_import(project=project, by=lead, files=[handed_in("a.csv", self.CONTENT)])
        options = {"encoding": "windows-1252"}
        settings.ASSAY_PERSON_UPLOAD_BYTES = len(self.CONTENT) + self.OF_UTF_8 - 1
        with pytest.raises(UploadQuota):
            recheck_import(data_import=made, format_key=made.format, options=options)
        assert self.kept(project) == len(self.CONTENT)
        settings.ASSAY_PERSON_UPLOAD_BYTES += 1
        made = recheck_import(data_import=made, format_key=made.format, options=options)
        assert made.state == "ready"
        # Another choice takes the place of the one before, and none at all gives it back.
        made = recheck_import(data_import=made, format_key=made.format, options={"encoding": "windows-1250"})
        assert self.kept(project) == settings.ASSAY_PERSON_UPLOAD_BYTES
        recheck_import(data_import=made, format_key=made.format, options={})
        assert self.kept(project) == len(self.CONTENT)
        settings.ASSAY_PERSON_UPLOAD_BYTES = len(self.CONTENT) + len(LINE)
        assert upload(lead, project).status_code == 201

    def test_of_refused_options_are_not_kept(self, project: Project, lead: User) -> None:
        made = create_import(project=project, by=lead, files=[handed_in("a.csv", self.CONTENT)])
        with pytest.raises(BadOption, match="is not a meaning that a column can have"):
            recheck_import(
                data_import=made,
                format_key="generic",
                options={"encoding": "windows-1252", "map": {"question": "no such meaning"}},
            )
        assert len(self.paths(project)) == 1

    def test_of_studies_restored_from_elsewhere_take_no_room(
        self, project: Project, lead: User, settings: Any
    ) -> None:
        file = {"name": "x", "size": -(10**12), "path": "", "sha256": ""}
        DataImport.objects.create(
            project=project, created_by=lead, created_at=now(), files=[file], state="applied"
        )
        settings.ASSAY_PROJECT_UPLOAD_BYTES = 10
        assert upload(lead, project).status_code == 413


class TestLeftBehind:
    def age(self, path: Path, by: timedelta) -> None:
        then = (now() - by).timestamp()
        for each in [*path.rglob("*"), path]:
            os.utime(each, (then, then))

    def test_what_no_import_has_goes_after_a_day(self, settings: Any) -> None:
        for name in ("old", "fresh", "written-to"):
            folder = upload_folder(name)
            folder.mkdir(parents=True)
            (folder / "0").write_bytes(b"x")
            self.age(folder, LEFT_BEHIND + timedelta(seconds=9) if name != "fresh" else timedelta(hours=1))
        (upload_folder("written-to") / "0").write_bytes(b"xx")
        assert sweep_uploads() == 1
        assert stored_folders(settings) == {"fresh", "written-to"}
        assert sweep_uploads(at=now() + LEFT_BEHIND + timedelta(seconds=9)) == 2

    def test_what_an_import_has_stays_however_old_and_half_a_copy_goes(
        self, project: Project, lead: User, settings: Any
    ) -> None:
        made = create_import(
            project=project,
            by=lead,
            files=[handed_in("a.csv", TestCopies.CONTENT)],
            options={"encoding": "windows-1252"},
        )
        folder = upload_folder(made.public_id)
        (folder / "0.windows-1251.4f1c").write_bytes(b"half")
        self.age(folder, timedelta(days=400))
        assert sweep_uploads() == 1
        assert sorted(path.name for path in folder.iterdir()) == ["0", "0.windows-1252"]
        assert recheck_import(data_import=made, format_key=made.format, options=made.options).state == "ready"

    def test_there_may_be_no_folder_at_all(self) -> None:
        assert sweep_uploads() == 0

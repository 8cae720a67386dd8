"""A backup that is damaged, or made to do harm, is refused in words before anything is written."""

import json
import zipfile
from collections.abc import Callable
from hashlib import sha256
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from annotation.projects.models import Project
from commands.backups.manifest import FILES
from commands.backups.restoring import (
    NotEmpty,
    OtherVersion,
    UnusableBackup,
    check_backup,
    restore_backup,
)
from commands.backups.writing import write_backup
from tests.judges.bundles.factories import Parts, put_together, take_apart, write
from tests.world import make_world

QUESTIONS = "rows/annotation.question.jsonl"


def tell(line: str) -> None:
    """Say nothing."""


@pytest.fixture
def parts(db: None, settings: Any, tmp_path: Path) -> Parts:
    """The parts of a backup of a small server."""
    settings.DATA_DIR = tmp_path / "data"
    (tmp_path / "data" / "uploads").mkdir(parents=True)
    (tmp_path / "data" / "uploads" / "0").write_bytes(b"stored")
    world = make_world(slug="own")
    data_import = world.project.imports.order_by("pk")[0]
    data_import.files = [{"name": "a", "size": 6, "path": "uploads/0", "sha256": ""}]
    data_import.save()
    write_backup(path=tmp_path / "own.zip", tell=tell)
    return take_apart(tmp_path / "own.zip")


def manifest(parts: Parts, change: Callable[[dict[str, Any]], object]) -> Parts:
    """Return the parts with a changed manifest."""
    found = json.loads(parts["manifest.json"])
    change(found)
    return {**parts, "manifest.json": json.dumps(found).encode()}


def sealed(parts: Parts, name: str, data: bytes) -> Parts:
    """Return the parts with another one, of which the manifest is true."""
    entry = {"rows": data.count(b"\n"), "bytes": len(data), "sha256": sha256(data).hexdigest()}

    def change(found: dict[str, Any]) -> None:
        table = name.removeprefix("rows/").removesuffix(".jsonl")
        (found["files"] if name == FILES else found["tables"][table]).update(entry)

    return {**manifest(parts, change), name: data}


def refusal(parts: Parts, *, of: type[Exception] = UnusableBackup) -> str:
    path = BytesIO()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    with pytest.raises(of) as refused:
        check_backup(file=path, tell=tell)
    return str(refused.value).removeprefix("The backup is damaged: ")


class TestParts:
    def test_of_a_whole_backup_is_nothing_wrong(self, parts: Parts, tmp_path: Path) -> None:
        with (tmp_path / "own.zip").open("rb") as file:
            found = check_backup(file=file, tell=tell)
        assert (found.files, found.is_readable) == (1, True)

    def test_changed_rows(self, parts: Parts) -> None:
        changed = parts[QUESTIONS].replace(b"CANARY", b"CANARX", 1)
        assert "the SHA-256 differs from the manifest’s" in refusal({**parts, QUESTIONS: changed})

    def test_lost_and_added_rows(self, parts: Parts) -> None:
        lines = parts[QUESTIONS].splitlines(keepends=True)
        assert "smaller than the manifest says" in refusal({**parts, QUESTIONS: b"".join(lines[:-1])})
        assert "larger than the manifest says" in refusal({**parts, QUESTIONS: b"".join([*lines, lines[0]])})

    def test_a_bomb(self, parts: Parts) -> None:
        bomb = (b"[" + b" " * 1_000 + b"]\n") * 100_000
        assert "larger than the manifest says" in refusal({**parts, QUESTIONS: parts[QUESTIONS] + bomb})
        assert "larger than its declared size" in refusal({**parts, "files/uploads/0": b"\0" * 100_000_000})

    def test_a_manifest_that_announces_more_than_there_is_anywhere(self, parts: Parts) -> None:
        huge = manifest(parts, lambda found: found["files"].update(bytes=10**15))
        assert "the parts have more than" in refusal(huge)

    def test_a_changed_file(self, parts: Parts) -> None:
        assert "differs from that in the list" in refusal({**parts, "files/uploads/0": b"STORED"})

    def test_an_entry_too_many_or_missing(self, parts: Parts) -> None:
        assert "unexpected entry: '../evil'" in refusal({**parts, "../evil": b"x"})
        lacking = {name: data for name, data in parts.items() if name != QUESTIONS}
        assert "lacks the entry 'rows/annotation.question.jsonl'" in refusal(lacking)

    @pytest.mark.parametrize(
        "path",
        [
            "../evil",
            "/etc/passwd",
            "uploads/../secret-key",
            "uploads/../../evil",
            "secret-key",
            "assay.sqlite3",
            "uploads",
            "uploads//0",
            "uploads/.",
            "uploads/a\\b",
            "C:/uploads/0",
            "uploads/a\nb",
            "uploads/a/b/c/d",
        ],
    )
    def test_a_path_out_of_the_folders(self, parts: Parts, path: str) -> None:
        line = json.loads(parts[FILES])
        evil = sealed(parts, FILES, json.dumps({**line, "path": path}).encode() + b"\n")
        told = refusal({**evil, f"files/{path}": parts["files/uploads/0"]})
        assert told.startswith("files.jsonl, line 1: the path")
        assert "leads out of the folders of stored files" in told

    @pytest.mark.parametrize("text", [b"", b"[]", b"{", b"{}", b"[" * 100_000, b'{"format": "assay-bundle"}'])
    def test_a_manifest_that_is_none(self, parts: Parts, text: bytes) -> None:
        assert refusal({**parts, "manifest.json": text}).startswith("manifest.json: ")

    def test_a_manifest_of_other_shape(self, parts: Parts) -> None:
        told = refusal(manifest(parts, lambda found: found.update(secret_keys="one")))
        assert told.startswith("manifest.json: secret_keys: ")

    def test_a_newer_format(self, parts: Parts) -> None:
        newer = manifest(parts, lambda found: found.update(format_version=2, assay="9.9.9"))
        assert "a newer version of Assay (9.9.9) wrote this backup" in refusal(newer)

    @pytest.mark.parametrize("data", [b"", b"PK", b"not a zip file at all", b"PK\x05\x06" + b"\0" * 18])
    def test_no_zip_file(self, db: None, data: bytes) -> None:
        with pytest.raises(UnusableBackup):
            check_backup(file=BytesIO(data), tell=tell)


class TestRestoring:
    """Refusals that need the database; the one under test is not empty, which comes last."""

    def refused(self, parts: Parts, tmp_path: Path, error: type[Exception]) -> str:
        with put_together(parts, tmp_path / "bad.zip").open("rb") as file, pytest.raises(error) as refused:
            restore_backup(file=file, tell=tell)
        return str(refused.value)

    def test_a_later_version(self, parts: Parts, tmp_path: Path) -> None:
        later = manifest(
            parts, lambda found: found.update(assay="9.9.9", migrations={"annotation": ["0999_later"]})
        )
        told = self.refused(later, tmp_path, OtherVersion)
        assert "does not know the tables of this backup (annotation.0999_later)" in told
        assert "Install Assay 9.9.9" in told

    def test_a_table_of_something_else(self, parts: Parts, tmp_path: Path) -> None:
        empty = {"rows": 0, "bytes": 0, "sha256": "0" * 64, "columns": ["id"], "last_key": None}
        foreign = manifest(parts, lambda found: found["tables"].update({"auth.evil": empty}))
        told = self.refused({**foreign, "rows/auth.evil.jsonl": b""}, tmp_path, UnusableBackup)
        assert "it has the table 'auth.evil', but the version of Assay that wrote it does not have" in told

    def test_a_table_that_is_left_out(self, parts: Parts, tmp_path: Path) -> None:
        empty = {"rows": 0, "bytes": 0, "sha256": "0" * 64, "columns": ["id"], "last_key": None}
        sessions = manifest(parts, lambda found: found["tables"].update({"sessions.session": empty}))
        parts_with = {**sessions, "rows/sessions.session.jsonl": b""}
        assert "it has the table 'sessions.session'" in self.refused(parts_with, tmp_path, UnusableBackup)

    def test_a_table_less(self, parts: Parts, tmp_path: Path) -> None:
        less = manifest(parts, lambda found: found["tables"].pop("annotation.question"))
        del less[QUESTIONS]
        assert "it lacks the table 'annotation.question'" in self.refused(less, tmp_path, UnusableBackup)

    def test_other_columns(self, parts: Parts, tmp_path: Path) -> None:
        other = manifest(parts, lambda found: found["tables"]["annotation.user"]["columns"].reverse())
        told = self.refused(other, tmp_path, UnusableBackup)
        assert "the columns of the table annotation.user do not match the version" in told

    def test_into_a_database_with_rows(self, parts: Parts, tmp_path: Path) -> None:
        told = self.refused(parts, tmp_path, NotEmpty)
        assert "The database is not empty: it has rows (" in told
        assert "1 in annotation_project" in told


class TestCommand:
    def refused(self, *arguments: str) -> tuple[str, int]:
        with pytest.raises(CommandError) as refused:
            call_command(*arguments, stdout=StringIO())
        return str(refused.value), refused.value.returncode

    def test_knows_a_bundle_from_a_backup(self, parts: Parts, tmp_path: Path) -> None:
        told, code = self.refused("restore", str(tmp_path / "own.zip"), "--slug", "x")
        assert (told, code) == ("This is a backup of a whole server. To restore it, leave out --slug.", 2)
        bundle = write(Project.objects.get(), tmp_path / "bundle.zip")
        told, code = self.refused("restore", str(bundle))
        assert "To restore a bundle of one project, add --slug NEW" in told
        assert code == 2

    def test_a_file_that_is_not_there(self, db: None, tmp_path: Path) -> None:
        assert self.refused("restore", str(tmp_path / "none.zip"))[1] == 1

    def test_a_folder_that_is_not_there(self, db: None, tmp_path: Path) -> None:
        told, code = self.refused("backup", str(tmp_path / "none" / "backup.zip"))
        assert "No such file or directory" in told
        assert code == 1

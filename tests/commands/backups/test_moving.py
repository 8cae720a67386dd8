"""A server that was restored is the server that was backed up, on either database, and back again."""

import json
import signal
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commands.backups.tables import LEFT_OUT
from tests.commands.backups.servers import Server, server_with_tables, sqlite_with_tables
from tests.judges.bundles.factories import take_apart

pytestmark = pytest.mark.services

# Two projects, an upload with a copy in another encoding, an export, numbers and texts that are hard to keep.
WORLD = """
import django
django.setup()
from pathlib import Path
from django.conf import settings
from annotation.accounts.models import WrongTries
from annotation.items.models import DataImport, Prediction, Question
from annotation.release.models import Export
from annotation.projects.models import Project
from common.clock import now
from django.contrib.sessions.models import Session
from judges.runs.models import Verdict
from tests.world import make_world
folder = Path(settings.DATA_DIR)
make_world(slug="own")
make_world(slug="other")
(folder / "uploads" / "abc").mkdir()
(folder / "uploads" / "abc" / "0").write_bytes(bytes(range(256)))
(folder / "uploads" / "abc" / "0.latin").write_bytes(b"copy")
(folder / "uploads" / "nobody-points-here").write_bytes(b"x")
(folder / "exports" / "own_votes.csv").write_text("votes")
one, other = DataImport.objects.order_by("pk")[:2]
one.files = [{"name": "a.jsonl", "size": 256, "path": "uploads/abc/0", "sha256": ""}]
one.save()
other.files = [{"name": "gone.jsonl", "size": 1, "path": "uploads/gone/0", "sha256": ""}]
other.save()
Export.objects.filter(pk=Export.objects.order_by("pk")[0].pk).update(path="exports/own_votes.csv")
question = Question.objects.order_by("pk")[0]
question.text = 'tab\\t line\\n return\\r back\\\\slash \\\\N quote" \\u2028 \\U0001f600 e\\u0301'
question.save()
odd = {"b": 0.1, "a": [1.5e-07, 12345678901234567890, None, True, "\\\\N"], "": {}}
Prediction.objects.filter(question=question).update(metadata=odd)
Verdict.objects.update(score=0.1 + 0.2)
Project.objects.filter(slug="own").update(archived_at="2026-03-02T09:00:00.000001Z")
# A key that the database gave, and whose row is gone: it is not given again.
gone = {"key": "last", "key_hash": "last", "text": "x", "position": 99}
Question.objects.create(project=question.project, data_import=one, **gone).delete()
Session.objects.create(session_key="secret-session", session_data="x", expire_date=now())
WrongTries.objects.create(account="a", client="b", number=9, since=now())
"""
NEXT_KEY = """
import django
django.setup()
from annotation.items.models import Question
last = Question.objects.order_by("pk").last()
print(last.pk, Question.objects.create(project=last.project, data_import=last.data_import, key="new",
    key_hash="new", text="x", position=100).pk)
"""
STALLED = """
import sys, django
django.setup()
from commands.backups import restoring
def stall(*_):
    print("inserted", flush=True)
    sys.stdin.read()
restoring._number_changes_anew = stall
restoring.restore_backup(file=open(sys.argv[1], "rb"), tell=lambda line: None)
"""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Server:
    """A server on SQLite with a bit of everything, and its backup in `backup.zip`."""
    server = sqlite_with_tables(tmp_path_factory.mktemp("source"))
    server.run(WORLD)
    # Whoever exports wants votes settled first, which makes rows with ids by chance.
    server.exports(server.folder / "settled")
    told = server.assay("backup", str(server.folder / "backup.zip"))
    assert "3 stored files" in told
    assert "1 stored file is listed in the database but does not exist" in told
    assert "The backup does not contain the secret key" in told
    return server


@pytest.fixture
def target(tmp_path: Path) -> Iterator[Server]:
    """An empty server on the database under test."""
    with server_with_tables(tmp_path / "target", "moved") as server:
        yield server


def rows(path: Path) -> dict[str, list[Any]]:
    """Return the rows of a backup by table, whatever the order of objects' keys."""
    return {
        name: [json.loads(line) for line in data.splitlines()]
        for name, data in take_apart(path).items()
        if name.startswith("rows/")
    }


class TestRestored:
    def test_is_the_same_server_there_and_back(self, source: Server, target: Server, tmp_path: Path) -> None:
        first = source.folder / "backup.zip"
        before = source.exports(tmp_path / "before")
        assert "Restored: " in target.assay("restore", str(first))
        assert target.exports(tmp_path / "after") == before
        second = tmp_path / "second.zip"
        target.manage("backup", str(second))
        assert rows(second) == rows(first)

        back = sqlite_with_tables(tmp_path / "back")
        assert "Restored: " in back.manage("restore", str(second))
        assert back.exports(tmp_path / "again") == before
        for path in ("uploads/abc/0", "uploads/abc/0.latin", "exports/own_votes.csv"):
            assert (back.folder / path).read_bytes() == (source.folder / path).read_bytes()
        assert not (back.folder / "uploads" / "nobody-points-here").exists()

    def test_gives_new_keys_and_counts_changes(self, source: Server, target: Server) -> None:
        target.manage("restore", str(source.folder / "backup.zip"))
        last, new = map(int, target.run(NEXT_KEY).split())
        assert new == last + 2
        assert "tables up to date" in target.start("manage.py", "doctor").communicate()[0]
        told = target.run(
            "import django; django.setup(); from annotation.projects.models import Change;"
            "print(sorted(set(Change.objects.values_list('project_id', flat=True))))"
        )
        assert told == "[1, 2]\n"

    def test_killed_in_the_middle_has_no_rows_and_is_restored_again(
        self, source: Server, target: Server
    ) -> None:
        path = str(source.folder / "backup.zip")
        with target.start("-c", STALLED, path) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "inserted\n"
            process.send_signal(signal.SIGKILL)
        assert process.returncode == -signal.SIGKILL
        assert "Restored: " in target.manage("restore", path)

    def test_is_not_restored_twice(self, source: Server, target: Server) -> None:
        path = str(source.folder / "backup.zip")
        target.manage("restore", path)
        told = target.refusal("restore", path)
        assert "The database is not empty: it has rows (" in told
        assert "2 in annotation_project" in told

    def test_says_when_the_secret_key_is_another(self, source: Server, target: Server) -> None:
        other = target._replace(secret="another secret key that is long enough for Django, too: fifty")
        told = other.manage("restore", str(source.folder / "backup.zip"))
        assert "This server’s secret key differs" in told

    def test_says_nothing_of_the_secret_key_when_it_is_the_same(self, source: Server) -> None:
        assert "secret key" not in source.manage("restore", "--check", str(source.folder / "backup.zip"))


class TestBackup:
    def test_is_for_this_user_only_and_leaves_sessions_and_secrets_out(self, source: Server) -> None:
        path = source.folder / "backup.zip"
        assert path.stat().st_mode & 0o777 == 0o600
        parts = take_apart(path)
        assert not any(f"rows/{label}.jsonl" in parts for label in LEFT_OUT)
        everything = b"".join(parts.values())
        assert b"secret-session" not in everything
        assert source.secret.encode() not in everything

    def test_of_a_database_without_tables(self, tmp_path: Path) -> None:
        server = Server(f"sqlite:///{tmp_path / 'none.sqlite3'}", tmp_path)
        assert "no tables yet" in server.refusal("backup", str(tmp_path / "backup.zip"))
        assert not list(tmp_path.glob("*backup.zip*"))

    def test_is_no_larger_than_its_rows(self, source: Server) -> None:
        with zipfile.ZipFile(source.folder / "backup.zip") as archive:
            assert all(each.compress_type == zipfile.ZIP_DEFLATED for each in archive.infolist())

"""What keeps Assay from starting is told in one sentence that says what to do, never as a traceback."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from common.web.starting import explain_database

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parent.parent
GIVEN = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "ASSAY_DATA")


def start(folder: Path, *command: str, **environment: str) -> tuple[int, str]:
    """Run a real command in a process of its own; return its code and what it says."""
    kept = {name: value for name, value in os.environ.items() if name not in GIVEN}
    done = subprocess.run(
        [sys.executable, "manage.py", *(command or ("serve", "--port", "0"))],
        cwd=ROOT,
        env={**kept, "DJANGO_SETTINGS_MODULE": "config.settings", "ASSAY_DATA": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return done.returncode, done.stdout + done.stderr


class TestSettings:
    @pytest.mark.parametrize(
        ("name", "value", "told"),
        [
            ("ASSAY_HTTPS", "maybe", "ASSAY_HTTPS=maybe is not valid. Use true or false"),
            (
                "ASSAY_UPLOAD_MAX_BYTES",
                "2GB",
                "ASSAY_UPLOAD_MAX_BYTES=2GB is not a whole number of at least 1",
            ),
            ("ASSAY_LEASE_SECONDS", "0", "ASSAY_LEASE_SECONDS=0 is not a whole number of at least 1"),
            ("ASSAY_SWEEP_SECONDS", "inf", "ASSAY_SWEEP_SECONDS=inf is not a number of at least 0.1"),
            ("DATABASE_URL", "foo", "DATABASE_URL is not the address of a database. Write it as postgres://"),
            ("DATABASE_URL", "postgres://u:p@ss/w#ord@h/d", "DATABASE_URL is not the address of a database"),
            ("REDIS_URL", "foo", "REDIS_URL is not the address of a queue. Write it as redis://"),
            ("REDIS_URL", "redis://h:port/0", "REDIS_URL is not the address of a queue"),
            ("ASSAY_LLM_ALLOWED_HOSTS", "a b", "ASSAY_LLM_ALLOWED_HOSTS=a b cannot be read"),
        ],
    )
    def test_that_make_no_sense_are_named(self, tmp_path: Path, name: str, value: str, told: str) -> None:
        code, said = start(tmp_path, **{name: value})
        assert (code, said.count("\n")) == (1, 1)
        assert said.startswith(told)

    def test_that_are_empty_are_absent(self, tmp_path: Path) -> None:
        names = ("DATABASE_URL", "REDIS_URL", "ASSAY_HTTPS", "ASSAY_LEASE_SECONDS", "SECRET_KEY")
        assert start(tmp_path, "check", **dict.fromkeys(names, ""))[0] == 0


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=256k,mode=700", "tmpfs", place], check=False, capture_output=True
    )
    if mounted.returncode:
        pytest.skip("a disk of 256 kB can be mounted by root only")
    yield place
    subprocess.run(["umount", place], check=False)


class TestFolder:
    def test_that_is_a_file_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        for place in (tmp_path / "file", tmp_path / "file" / "below"):
            code, said = start(place)
            assert (code, said.count("\n")) == (1, 1)
            assert "is a file, or part of its path is a file. ASSAY_DATA must name a folder." in said

    def test_that_cannot_be_written_is_named(self, small_disk: Path) -> None:
        subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
        code, said = start(small_disk)
        assert (code, said.count("\n")) == (1, 1)
        assert said.startswith(f"{small_disk} cannot be used")

    def test_on_a_full_disk_is_named(self, small_disk: Path) -> None:
        code, said = start(small_disk)
        assert (code, said.count("\n")) == (1, 1)
        assert "The disk is full" in said

    def test_is_nobody_elses_on_this_machine(self, tmp_path: Path) -> None:
        tmp_path.chmod(0o755)
        for name in ("uploads", "exports"):
            (tmp_path / name).mkdir(mode=0o755)
        (tmp_path / "assay.sqlite3").touch(mode=0o644)
        assert "now they cannot" in start(tmp_path, "check")[1]
        start(tmp_path, "migrate", "sessions", "--verbosity", "0")
        assert "could read" not in start(tmp_path, "check")[1]
        kept = [path for path in tmp_path.iterdir() if path.stat().st_mode & 0o077]
        assert kept == []


class TestSecretKey:
    @pytest.mark.parametrize("content", [b"", b"half-written", b"\xb0" * 80])
    def test_that_was_not_written_whole_is_named(self, tmp_path: Path, content: bytes) -> None:
        (tmp_path / "secret-key").write_bytes(content)
        code, said = start(tmp_path, "check")
        assert code == 1
        assert f"{tmp_path}/secret-key is incomplete." in said

    def test_is_one_for_all_processes_of_a_first_start(self, tmp_path: Path) -> None:
        from config.env import secret_key

        with ThreadPoolExecutor(16) as pool:
            keys = set(pool.map(lambda _: secret_key(folder=tmp_path), range(64)))
        assert len(keys) == 1
        assert [path.name for path in tmp_path.iterdir()] == ["secret-key"]


class TestDatabase:
    def test_that_is_damaged_is_named(self, tmp_path: Path) -> None:
        (tmp_path / "assay.sqlite3").write_bytes(b"no database at all" * 100)
        code, said = start(tmp_path)
        assert (code, said.strip().splitlines()[-1][:40]) == (1, f"{tmp_path}/assay.sqlite3 is damaged"[:40])
        assert "Traceback" not in said

    def test_that_does_not_answer_is_named(self, tmp_path: Path) -> None:
        code, said = start(tmp_path, DATABASE_URL="postgres://assay:secret@127.0.0.1:1/assay")
        assert (code, said.count("\n")) == (1, 1)
        assert said.startswith("PostgreSQL at 127.0.0.1:1, assay, does not respond: start PostgreSQL there")
        assert "secret" not in said

    def test_that_nobody_made_yet_is_named_by_other_commands(self, tmp_path: Path) -> None:
        code, said = start(tmp_path, "report", "--project", "x")
        assert (code, said.startswith("There is no installation here yet")) == (1, True)

    @pytest.mark.parametrize(
        ("said", "told"),
        [
            ('FATAL:  database "assay" does not exist', "HERE has no such database: create it"),
            ('connection to server failed: FATAL: database "x" does not exist', "HERE has no such database"),
            (
                'FATAL:  password authentication failed for user "assay"',
                "HERE rejected the username or password",
            ),
            ('FATAL:  role "assay" does not exist', "HERE rejected the username or password"),
            ("fe_sendauth: no password supplied", "HERE rejected the username or password"),
            ('could not translate host name "db" to address', "HERE does not respond"),
            ("connection timeout expired", "HERE does not respond"),
            ("database is locked", "HERE is in use by another program"),
            ("database disk image is malformed", "HERE is damaged"),
            ("attempt to write a readonly database", "HERE cannot be opened for writing"),
            ("database or disk is full", "The disk is full"),
            ('could not extend file "base/1": No space left on device', "The disk is full"),
            ('relation "annotation_user" does not exist', "There is no installation here yet"),
            ("no such table: annotation_user", "There is no installation here yet"),
        ],
    )
    def test_errors_are_told_apart(self, said: str, told: str) -> None:
        assert (explain_database(Exception(said), place="HERE") or "").startswith(told)

    def test_a_bug_is_no_fault_of_the_database(self) -> None:
        assert explain_database(Exception("syntax error at or near SELECT"), place="HERE") is None

    def test_that_is_locked_does_not_end_as_a_bug(self, tmp_path: Path) -> None:
        path = tmp_path / "locked.sqlite3"
        with sqlite3.connect(path) as first, sqlite3.connect(path, timeout=0) as second:
            first.execute("BEGIN EXCLUSIVE")
            with pytest.raises(sqlite3.OperationalError) as caught:
                second.execute("CREATE TABLE anything (id)")
        assert "in use by another program" in (explain_database(caught.value, place="It") or "")

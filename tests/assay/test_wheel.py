"""The wheel holds everything that an installation needs, and keeps nothing where it was installed."""

import shutil
import sqlite3
import subprocess
import sys
import sysconfig
import venv
import zipfile
from configparser import ConfigParser
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.assay.conftest import PACKAGES, environment_of
from tests.commands.test_serve import ROOT
from tests.tables import IS_POSTGRES, give_tables

SHIPPED = Path("assay") / "files"
TABLES = SHIPPED / "tables.sqlite3"
PATIENCE_SECONDS = 300


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site-packages")
    zipfile.ZipFile(wheel).extractall(folder)
    return folder


def files_below(folder: Path) -> set[str]:
    found = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {str(path.relative_to(folder)) for path in found}


def contents_of(path: Path) -> dict[str, Any]:
    """Return what a SQLite file says of everything in it, and how many rows its tables have."""
    with closing(sqlite3.connect(path)) as database:
        of_tables = database.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
        tables = [name for kind, name, _ in of_tables if kind == "table"]
        rows = {name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in tables}
    return {**{f"{kind} {name}": sql for kind, name, sql in of_tables}, **rows}


def names_in(wheel: Path) -> set[str]:
    return set(zipfile.ZipFile(wheel).namelist())


class TestContents:
    @pytest.mark.parametrize("package", PACKAGES)
    def test_are_all_files_of_our_packages(self, wheel: Path, package: str) -> None:
        shipped = {name for name in names_in(wheel) if not name.startswith(str(SHIPPED))}
        assert {
            name.removeprefix(f"{package}/") for name in shipped if name.startswith(f"{package}/")
        } == files_below(ROOT / package)

    def test_are_the_built_pages_the_documentation_and_the_schema(self, unpacked: Path) -> None:
        files = files_below(unpacked / SHIPPED)
        assert {f"frontend/dist/{name}" for name in files_below(ROOT / "frontend" / "dist")} <= files
        assert {f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")} <= files
        assert {"frontend/src/api/schema.json", "manage.py"} <= files

    @pytest.mark.skipif(IS_POSTGRES, reason="compared with the tables that tests on SQLite begin with")
    def test_are_the_tables_as_the_migrations_make_them(self, unpacked: Path, tmp_path: Path) -> None:
        give_tables(tmp_path / "made.sqlite3")
        shipped, made = contents_of(unpacked / TABLES), contents_of(tmp_path / "made.sqlite3")
        assert shipped == made
        assert made["django_migrations"] > 50
        assert made["annotation_user"] == 0

    def test_are_nothing_else(self, wheel: Path) -> None:
        tops = {name.split("/")[0] for name in names_in(wheel)}
        assert {top for top in tops if not top.endswith(".dist-info")} == set(PACKAGES)

    def test_name_the_command(self, unpacked: Path) -> None:
        declared = ConfigParser()
        declared.read(next(unpacked.glob("*.dist-info")) / "entry_points.txt")
        assert dict(declared["console_scripts"]) == {"assay": "assay.command_line:main"}


# What a program that imports each face finds out about it, and a mistake in each.
TYPED = """\
from typing import assert_type

from assay import Client
from assay.agreement import fleiss_kappa
from assay.judges import JudgeInput, Verdict, load_judge
from assay.records.replies import Run

with Client("https://assay.example.org", "token") as assay:
    assert_type(assay.project("rivers").runs(), list[Run])
assert_type(load_judge("token_f1").judge([JudgeInput("who?", "me", ("me",))]), list[Verdict])
assert_type(fleiss_kappa([["a", "a"]]), float)
"""
UNTYPED = """\
from assay import Client
from assay.judges import JudgeInput

Client(7, "token")
JudgeInput("who?", "me", 7)
"""


class TestTypes:
    @pytest.fixture
    def python(self, unpacked: Path, tmp_path: Path) -> Path:
        """Give an environment where the wheel is installed, beside what it needs."""
        venv.create(tmp_path / "environment", with_pip=False)
        (site_packages,) = (tmp_path / "environment").glob("lib/python*/site-packages")
        shutil.copytree(unpacked, site_packages, dirs_exist_ok=True)
        (site_packages / "needed.pth").write_text(sysconfig.get_path("purelib"))
        return tmp_path / "environment" / "bin" / "python"

    def check(self, python: Path, program: str, folder: Path) -> list[str]:
        (folder / "program.py").write_text(program)
        command = [sys.executable, "-m", "mypy", "--strict", "--config-file=", "--cache-dir=cache"]
        done = subprocess.run(
            [*command, "--no-error-summary", "--python-executable", str(python), "program.py"],
            cwd=folder,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_SECONDS,
        )
        assert not done.stderr
        return done.stdout.splitlines()

    def test_are_known_to_a_checker_where_it_is_installed(self, python: Path, tmp_path: Path) -> None:
        assert self.check(python, TYPED, tmp_path) == []
        told = self.check(python, UNTYPED, tmp_path)
        assert [line.partition(" error: ")[0] for line in told] == ["program.py:4:", "program.py:5:"]
        assert all("has incompatible type" in line for line in told)


def run(unpacked: Path, place: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-P", "-m", "assay", *arguments],
        cwd=place,
        env=environment_of(place, PYTHONPATH=str(unpacked), PYTHONDONTWRITEBYTECODE="1"),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
    )


class TestInstalled:
    def test_keeps_its_data_in_the_users_folder_alone(self, unpacked: Path, place: Path) -> None:
        before = files_below(unpacked)
        done = run(unpacked, place, "manage", "migrate", "--verbosity", "0")
        assert (done.returncode, done.stderr) == (0, "")
        (data,) = (place / "home").rglob("assay.sqlite3")
        assert (data.parent.name, data.parent.parent.name) == ("run", "assay")
        assert (data.parent / "secret-key").stat().st_mode & 0o777 == 0o600
        assert files_below(unpacked) == before

    def test_says_how_its_commands_are_called(self, unpacked: Path, place: Path) -> None:
        done = run(unpacked, place, "doctor")
        assert done.returncode == 1
        assert "assay manage migrate" in done.stdout

    def test_refuses_a_database_whose_place_depends_on_the_folder(self, unpacked: Path, place: Path) -> None:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "assay", "run", "--port", "0"],
            cwd=place,
            env=environment_of(place, PYTHONPATH=str(unpacked), DATABASE_URL="sqlite:///mine.sqlite3"),
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_SECONDS,
        )
        assert done.returncode == 1
        assert "DATABASE_URL: enter the absolute path of the file" in done.stderr


class TestFirstStart:
    """Where a wheel starts on nothing, the tables that it brings are copied."""

    def begin(self, unpacked: Path, place: Path) -> None:
        program = "import django; django.setup(); from common.database.versions import *; begin_with_tables()"
        environment = environment_of(
            place, PYTHONPATH=str(unpacked), ASSAY_DATA=str(place), DJANGO_SETTINGS_MODULE="config.settings"
        )
        command = [sys.executable, "-P", "-c", program]
        subprocess.run(command, cwd=place, env=environment, check=True, timeout=PATIENCE_SECONDS)

    def test_has_them_for_this_user_alone(self, unpacked: Path, place: Path) -> None:
        self.begin(unpacked, place)
        assert contents_of(place / "assay.sqlite3") == contents_of(unpacked / TABLES)
        assert (place / "assay.sqlite3").stat().st_mode & 0o777 == 0o600
        assert not (place / "assay.sqlite3.new").exists()

    def test_leaves_what_is_there(self, unpacked: Path, place: Path) -> None:
        with closing(sqlite3.connect(place / "assay.sqlite3")) as database:
            database.execute("CREATE TABLE mine (of_mine)")
        self.begin(unpacked, place)
        assert set(contents_of(place / "assay.sqlite3")) == {"table mine", "mine"}


class TestCommandLine:
    def test_says_what_there_is(self, unpacked: Path, place: Path) -> None:
        done = run(unpacked, place, "--help")
        assert done.returncode == 0
        assert "demo studies" in done.stdout

    @pytest.mark.parametrize("arguments", [(), ("nothing",)])
    def test_a_wrong_use_ends_with_2(self, unpacked: Path, place: Path, arguments: tuple[str, ...]) -> None:
        assert run(unpacked, place, *arguments).returncode == 2

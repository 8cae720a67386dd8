"""The wheel holds everything that an installation needs, and keeps nothing where it was installed."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import sysconfig
import time
import urllib.request
import venv
import zipfile
from configparser import ConfigParser
from pathlib import Path

import pytest

from tests.faults.proof import Proof

ROOT = Path(__file__).resolve().parent.parent.parent
PACKAGES = ("analysis", "annotation", "assay", "commands", "common", "config", "judges")
SHIPPED = Path("assay") / "files"
PATIENCE_SECONDS = 300
# What a page of the demo may take after the installation: issue 19.
MOST_SECONDS = 40


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (ROOT / "frontend" / "dist" / "index.html").is_file():
        pytest.skip("the pages are not built: make build")
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site-packages")
    zipfile.ZipFile(wheel).extractall(folder)
    return folder


def files_below(folder: Path) -> set[str]:
    found = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {str(path.relative_to(folder)) for path in found}


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
from assay.client import Run
from assay.judges import JudgeInput, Verdict, load_judge

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


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Give a folder that has an empty home in it, and modules of the names that ours have."""
    (tmp_path / "home").mkdir()
    for name in PACKAGES:
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the folder that one stands in was searched')")
    return tmp_path


def environment_of(place: Path, **more: str) -> dict[str, str]:
    ours = ("ASSAY_", "DATABASE_URL", "REDIS_URL", "SECRET_KEY", "DJANGO_", "PYTHON", "XDG_", "PORT")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return {**kept, "HOME": str(place / "home"), **more}


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


class TestCommandLine:
    def test_says_what_there_is(self, unpacked: Path, place: Path) -> None:
        done = run(unpacked, place, "--help")
        assert done.returncode == 0
        assert "demo studies" in done.stdout

    @pytest.mark.parametrize("arguments", [(), ("nothing",)])
    def test_a_wrong_use_ends_with_2(self, unpacked: Path, place: Path, arguments: tuple[str, ...]) -> None:
        assert run(unpacked, place, *arguments).returncode == 2


def free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        port: int = asked.getsockname()[1]
        return port


@pytest.fixture
def installed(wheel: Path, tmp_path: Path) -> Path:
    """Install the wheel with all it needs into an environment of its own, as pip does."""
    venv.create(tmp_path / "environment", with_pip=True)
    pip = [str(tmp_path / "environment" / "bin" / "python"), "-m", "pip", "install", "--quiet", str(wheel)]
    subprocess.run(pip, check=True, timeout=PATIENCE_SECONDS)
    return tmp_path / "environment" / "bin" / "assay"


@pytest.mark.prove
class TestDemo:
    def test_is_up_in_forty_seconds_in_an_empty_folder(
        self, wheel: Path, installed: Path, place: Path
    ) -> None:
        port = free_port()
        # Nothing of ours, no Node and no compiler is on the path.
        environment = environment_of(place, PATH=str(installed.parent))
        began = time.monotonic()
        process = subprocess.Popen([installed, "demo", "--port", str(port)], cwd=place, env=environment)
        try:
            seconds = seconds_until_page(f"http://127.0.0.1:{port}/", began=began)
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/docs", timeout=20) as reply:
                assert reply.status == 200
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(60)
        Proof().record(
            "P30",
            "the demo from a wheel, in an empty folder with an empty home",
            promised=f"its first page in {MOST_SECONDS} s after the installation",
            measured=f"{seconds:.1f} s; the wheel has {wheel.stat().st_size / 1e6:.1f} MB",
            database="SQLite",
        )
        assert seconds <= MOST_SECONDS


def seconds_until_page(address: str, *, began: float) -> float:
    while time.monotonic() - began < PATIENCE_SECONDS:
        try:
            with urllib.request.urlopen(address, timeout=5) as reply:
                assert b"<script" in reply.read()
                return time.monotonic() - began
        except OSError:
            continue
    raise AssertionError("the demo did not start")

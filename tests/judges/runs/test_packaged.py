"""Judges of other packages: the documentation's example beside ours, broken ones, and those that are gone."""

import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from annotation.accounts.models import User
from annotation.projects.models import Project
from assay.judges import JudgeEntry, JudgeInput
from judges import registry
from judges.packaged import PackagedJudges, find_packaged_judges
from judges.runs.models import JudgeRun
from judges.runs.services.worker import work_on_run
from tests.conftest import ClientOf

ROOT = Path(__file__).resolve().parents[3]
EXAMPLE = ROOT / "docs" / "example-judge"
KEY = "assay_example_judge.all_words"
PACKAGE = "assay-example-judge 0.1.0"


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the example: its wheel, unpacked."""
    folder = tmp_path_factory.mktemp("example")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=EXAMPLE, check=True, capture_output=True)
    zipfile.ZipFile(next(folder.glob("*.whl"))).extractall(folder / "site")
    return folder / "site"


# Where a finished run is read.
PAGES = (
    *("runs", "leaderboard", "leaderboard/corrected", "overview", "results", "answers", "answer-choices"),
    *("judge-board", "judge-board/pairs", "judge-board/cautions", "failure-board", "systems-board"),
    *("prejudging", "methods", "paper-tables", "filters"),
)
Install = Callable[[str], PackagedJudges]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install a package `other` whose module has this text, and an entry point for `ENTRY` in it."""

    def write(text: str) -> PackagedJudges:
        metadata = tmp_path / "other-2.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 2.0\n")
        (metadata / "entry_points.txt").write_text("[assay.judges]\nmine = other_package_of_tests:ENTRY\n")
        (tmp_path / "other_package_of_tests.py").write_text(text)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "other_package_of_tests", raising=False)
        return find_packaged_judges()

    return write


@pytest.fixture
def installed(example: Path, monkeypatch: pytest.MonkeyPatch) -> JudgeEntry:
    """Have the registry of this process hold the example, too."""
    monkeypatch.syspath_prepend(example)
    found = find_packaged_judges()
    assert found.broken == []
    (entry,) = found.entries
    monkeypatch.setitem(registry.JUDGES, entry.key, entry)
    return entry


def start_with(folder: Path, *command: str, data: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={
            **os.environ,
            "PYTHONPATH": str(folder),
            "ASSAY_DATA": str(data),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": "",
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


class TestExample:
    def test_has_a_row_with_its_package(self, installed: JudgeEntry) -> None:
        assert (installed.key, installed.package) == (KEY, PACKAGE)

    def test_judges_as_it_says(self, installed: JudgeEntry) -> None:
        judge = registry.make_judge(installed, {"extra_words": "1"})
        asked = [("Neil the Armstrong", "neil armstrong"), ("Armstrong", "Neil Armstrong"), (" ", "x")]
        verdicts = judge.judge([JudgeInput("who?", answer, (gold,)) for answer, gold in asked])
        assert [verdict.accepted for verdict in verdicts] == [True, False, None]
        assert verdicts[2].unscored_reason

    def test_signs_with_package_and_version(self, installed: JudgeEntry) -> None:
        signature = registry.make_signature(KEY, registry.make_options(installed, {}), gold="original")
        assert signature == f"judge:{KEY}|extra_words:20|gold:original|package:{PACKAGE}|revision:1"

    def test_is_in_the_registry_where_it_is_installed(self, example: Path, tmp_path: Path) -> None:
        program = "from judges.registry import JUDGES, BROKEN_PACKAGES; print(*JUDGES, BROKEN_PACKAGES)"
        done = start_with(example, "-c", program, data=tmp_path)
        assert done.stdout.split()[-2:] == [KEY, "[]"]

    def test_is_told_by_the_doctor(self, example: Path, tmp_path: Path) -> None:
        said = start_with(example, "manage.py", "doctor", data=tmp_path).stdout
        assert f"judges from other packages: {KEY} ({PACKAGE})" in said

    def test_may_be_imported_before_the_registry(self, example: Path, tmp_path: Path) -> None:
        program = "import assay_example_judge; from judges.registry import JUDGES; print(*JUDGES)"
        assert start_with(example, "-c", program, data=tmp_path).stdout.split()[-1] == KEY


@pytest.mark.django_db
class TestRun:
    @pytest.fixture(autouse=True)
    def _silent_doorbell(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("common.tasks._ring", lambda *_: None)

    @pytest.fixture
    def lead_client(self, lead: User, study: Project) -> ClientOf:
        return ClientOf(lead)

    def _start(self, client: ClientOf, study: Project) -> JudgeRun:
        started = client.post(
            f"/api/projects/{study.slug}/runs", {"judge": KEY, "options": {"extra_words": 5}}, format="json"
        )
        assert started.status_code == 200, started.json()
        return JudgeRun.objects.get(public_id=started.json()["id"])

    def test_is_listed_configured_signed_and_worked_on(
        self, installed: JudgeEntry, lead_client: ClientOf, study: Project
    ) -> None:
        listed = {judge["key"]: judge for judge in lead_client.get("/api/judges").json()}
        assert listed[KEY]["package"] == PACKAGE
        assert listed[KEY]["family"] == "package"
        assert listed["token_f1"]["package"] == ""
        run = self._start(lead_client, study)
        assert f"|package:{PACKAGE}|" in run.signature
        work_on_run(run_id=run.pk, batches=100)
        run.refresh_from_db()
        assert run.state == JudgeRun.State.FINISHED
        assert set(run.verdicts.values_list("accepted", flat=True)) <= {True, False}
        assert run.verdicts.exists()

    def test_that_lacks_a_library_says_how_to_get_it(
        self,
        installed: JudgeEntry,
        lead_client: ClientOf,
        study: Project,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        monkeypatch.setitem(registry.JUDGES, KEY, installed._replace(requires=("no_such_library",)))
        listed = {judge["key"]: judge for judge in lead_client.get("/api/judges").json()}
        told = "pip install no_such_library"
        assert (listed[KEY]["available"], listed[KEY]["installation"]) == (False, told)
        assert listed["token_f1"]["installation"] == ""
        assert listed["bem"]["installation"] == "make neural"
        refused = lead_client.post(
            f"/api/projects/{study.slug}/runs", {"judge": KEY, "options": {}}, format="json"
        )
        assert told in refused.json()["error"]["message"]

    def test_is_not_gone_on_with_by_another_version(
        self,
        installed: JudgeEntry,
        lead_client: ClientOf,
        study: Project,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        run = self._start(lead_client, study)
        newer = installed._replace(package="assay-example-judge 0.2.0")
        monkeypatch.setitem(registry.JUDGES, KEY, newer)
        work_on_run(run_id=run.pk, batches=100)
        run.refresh_from_db()
        assert run.state == JudgeRun.State.PAUSED
        assert (
            f"This run started with {PACKAGE}, but this server has assay-example-judge 0.2.0" in run.message
        )
        assert not run.verdicts.exists()

    def test_stays_readable_when_its_package_is_gone(
        self,
        installed: JudgeEntry,
        lead_client: ClientOf,
        study: Project,
        monkeypatch: pytest.MonkeyPatch,
    ) -> None:
        done = self._start(lead_client, study)
        work_on_run(run_id=done.pk, batches=100)
        monkeypatch.delitem(registry.JUDGES, KEY)
        own = f"/api/projects/{study.slug}"
        shown = lead_client.get(f"{own}/runs/{done.public_id}").json()
        assert (shown["name"], shown["state"]) == (KEY, "finished")
        for page in PAGES:
            assert lead_client.get(f"{own}/{page}").status_code < 500, page
        refused = lead_client.post(f"{own}/runs", {"judge": KEY, "options": {}}, format="json")
        assert refused.status_code == 400


MAKING = "from assay.judges import JudgeEntry, WithOptions, option\nfrom dataclasses import dataclass\n"
ENTRY = (
    "JudgeEntry(key='mine', name='n', summary='s', source='s', "
    "factory='other_package_of_tests:Mine', revision=1{})"
)
CLASS = (
    "@dataclass(frozen=True)\nclass Own:\n    limit: int = option(1, help='h')\n"
    "class Mine(WithOptions):\n    Options = Own\n    def judge(self, batch): return []\n"
)
BROKEN: dict[str, tuple[str, str]] = {
    "fails": ("import no_such_library", "ModuleNotFoundError: No module named 'no_such_library'"),
    "exits": ("raise SystemExit(3)", "SystemExit: 3"),
    "leaves": ("class Leave(BaseException): pass\nraise Leave('now')", "Leave: now"),
    "has none": ("", "AttributeError"),
    "is another thing": ("ENTRY = 1", "it is a int, not a JudgeEntry"),
    "no class": (MAKING + "ENTRY = " + ENTRY.format(""), "AttributeError"),
    "no options": (
        MAKING + "class Mine:\n    def judge(self, batch): return []\nENTRY = " + ENTRY.format(""),
        "AttributeError",
    ),
    "option without help": (
        MAKING + CLASS.replace("option(1, help='h')", "1") + "ENTRY = " + ENTRY.format(""),
        "KeyError",
    ),
    "reserved option": (
        MAKING + CLASS.replace("limit", "gold") + "ENTRY = " + ENTRY.format(""),
        "an option cannot be named gold",
    ),
    "automatic": (MAKING + CLASS + "ENTRY = " + ENTRY.format(", is_automatic=True"), "is_automatic"),
    "bad key": (MAKING + CLASS + "ENTRY = " + ENTRY.format("").replace("'mine'", "'a|b'"), "its key 'a|b'"),
    "no revision": (
        MAKING + CLASS + "ENTRY = " + ENTRY.format("").replace("revision=1", "revision=True"),
        "its revision",
    ),
}


class TestBroken:
    @pytest.mark.parametrize("kind", BROKEN)
    def test_is_named_with_its_reason(self, kind: str, install: Install) -> None:
        text, reason = BROKEN[kind]
        entries, broken = install(text)
        assert entries == []
        (told,) = broken
        assert (told.entry_point, told.package) == ("mine = other_package_of_tests:ENTRY", "other 2.0")
        assert reason in told.reason

    def test_what_is_whole_is_none(self, install: Install) -> None:
        entries, broken = install(MAKING + CLASS + "ENTRY = " + ENTRY.format(""))
        assert broken == []
        assert [entry.key for entry in entries] == ["other.mine"]

    def test_stops_no_start_and_is_told_by_the_doctor(self, install: Install, tmp_path: Path) -> None:
        install("raise SystemExit(3)")
        assert start_with(tmp_path, "manage.py", "check", data=tmp_path / "data").returncode == 0
        said = start_with(tmp_path, "manage.py", "doctor", data=tmp_path / "data").stdout
        assert "ERROR  packages" in said
        assert "mine = other_package_of_tests:ENTRY from other 2.0: SystemExit: 3" in said


class TestGone:
    def test_has_a_row_that_judges_nothing(self) -> None:
        entry = registry.get_entry("other.mine")
        assert (entry.name, entry.is_startable) == ("other.mine", False)
        with pytest.raises(registry.JudgeFailed, match="not installed"):
            registry.make_judge(entry, {})

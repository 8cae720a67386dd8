"""A study as a data set folder."""

import hashlib
import json
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet, types

from annotation.projects.models import Project
from annotation.release.services import write_file
from tests.environments import make_environment, version_of
from tests.faults.proof import Proof
from tests.world import make_world

TABLES = ("answers", "votes", "predictions", "verdicts")


@pytest.fixture
def project(db: None) -> Project:
    return make_world(slug="own", name='A “study”: "50%"').project


@pytest.fixture
def folder(project: Project, tmp_path: Path) -> Path:
    write_file(project=project, format_key="dataset-folder", path=tmp_path / "own.zip")
    with zipfile.ZipFile(tmp_path / "own.zip") as archive:
        archive.extractall(tmp_path / "own")
    return tmp_path / "own"


class TestFolder:
    def test_its_tables_are_those_of_the_exports(
        self, project: Project, folder: Path, tmp_path: Path, subtests: pytest.Subtests
    ) -> None:
        for name in TABLES:
            with subtests.test(name):
                same = tmp_path / name
                write_file(project=project, format_key=f"{name}-parquet", path=same)
                assert (folder / "data" / f"{name}.parquet").read_bytes() == same.read_bytes()

    def test_croissant_describes_the_files_that_are_there(self, folder: Path) -> None:
        croissant = json.loads((folder / "croissant.json").read_text())
        assert "http://mlcommons.org/croissant/1.1" in croissant["conformsTo"]
        for each, records in zip(croissant["distribution"], croissant["recordSet"], strict=True):
            data = (folder / each["contentUrl"]).read_bytes()
            assert hashlib.sha256(data).hexdigest() == each["sha256"]
            columns = set(parquet.read_schema(folder / each["contentUrl"]).names)
            assert {field["source"]["extract"]["column"] for field in records["field"]} <= columns
        assert croissant["rai:annotationsPerItem"] == "2"

    def test_the_card_names_every_table_and_quotes_the_name(self, folder: Path) -> None:
        card = (folder / "README.md").read_text()
        head = card.split("---\n")[1]
        assert 'pretty_name: "A “study”: \\"50%\\""\n' in head
        for name in TABLES:
            assert f"- config_name: {name}\n" in head
            assert f"path: data/{name}.parquet\n" in head

    def test_no_person_is_named(self, project: Project, folder: Path) -> None:
        text = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
        for member in project.members.select_related("user"):
            assert member.user.username.encode() not in text

    def test_the_same_study_gives_the_same_bytes(self, project: Project, tmp_path: Path) -> None:
        hashes = {
            write_file(project=project, format_key="dataset-folder", path=tmp_path / name).sha256
            for name in ("one", "two")
        }
        assert len(hashes) == 1


# What each of the two libraries reads of every table, as JSON, with its plain values as text.
BY_DATASETS = """
import json, sys, datasets
folder, tables = sys.argv[1], sys.argv[2:]
load = lambda name: datasets.load_dataset(folder, name, split="test")
print(json.dumps({name: list(load(name)) for name in tables}, default=str))
"""
BY_MLCROISSANT = """
import json, sys, mlcroissant
found = mlcroissant.Dataset(sys.argv[1] + "/croissant.json")
issues = found.metadata.issues
assert not issues.errors, issues.report()
plain = lambda value: value.decode() if isinstance(value, bytes) else value
records = lambda name: [{key: plain(value) for key, value in row.items()} for row in found.records(name)]
print(json.dumps({name: records(name) for name in sys.argv[2:]}, default=str))
"""


@pytest.fixture(scope="module")
def readers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give an environment with the two libraries, which nothing of ours needs."""
    return make_environment(tmp_path_factory.mktemp("readers") / "environment", "datasets", "mlcroissant")


@pytest.mark.prove
class TestReaders:
    """The libraries by which other people read the folder, each in a process of its own."""

    def test_both_read_every_row_of_every_table(self, readers: Path, folder: Path, tmp_path: Path) -> None:
        stored = {name: stored_rows(folder, name) for name in TABLES}
        assert all(stored.values())
        found = read_by(readers, BY_DATASETS, folder, home=tmp_path)
        assert found == stored
        described = read_by(readers, BY_MLCROISSANT, folder, home=tmp_path)
        for name, rows in described.items():
            fields = {key.removeprefix(f"{name}/") for row in rows for key in row}
            assert fields == set(plain_columns(folder, name))
            assert [{key.removeprefix(f"{name}/"): value for key, value in row.items()} for row in rows] == [
                {key: row[key] for key in fields} for row in stored[name]
            ]
        versions = ", ".join(version_of(readers, name) for name in ("datasets", "mlcroissant"))
        count = sum(map(len, stored.values()))
        Proof().record(
            "P33",
            "a data set folder, read by the libraries that its readers use",
            promised="every row of every table, no error in the Croissant file",
            measured=f"{count} rows of {len(TABLES)} tables by each of {versions}; no error",
            database="any",
        )


def stored_rows(folder: Path, name: str) -> list[dict[str, Any]]:
    rows = parquet.read_table(folder / "data" / f"{name}.parquet").to_pylist()
    found: list[dict[str, Any]] = json.loads(json.dumps(rows, default=str))
    return found


def plain_columns(folder: Path, name: str) -> list[str]:
    """Return those that hold neither lists nor objects: Croissant describes no others."""
    schema = parquet.read_schema(folder / "data" / f"{name}.parquet")
    return [field.name for field in schema if not types.is_nested(field.type)]


def read_by(commands: Path, script: str, folder: Path, *, home: Path) -> dict[str, list[dict[str, Any]]]:
    done = subprocess.run(
        [commands / "python", "-c", script, folder, *TABLES],
        env={"HOME": str(home), "HF_HUB_OFFLINE": "1", "PATH": str(commands)},
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, list[dict[str, Any]]] = json.loads(done.stdout)
    return found

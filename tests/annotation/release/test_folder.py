"""A study as a data set folder."""

import hashlib
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from annotation.projects.models import Project
from annotation.release.services import write_file
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


@pytest.mark.prove
class TestReaders:
    """Whoever proves has these two installed: pip install datasets mlcroissant."""

    def test_datasets_loads_every_table(self, folder: Path, tmp_path: Path) -> None:
        datasets: Any = pytest.importorskip("datasets")
        for name in TABLES:
            found = datasets.load_dataset(str(folder), name, split="test", cache_dir=str(tmp_path / "cache"))
            assert found.num_rows == parquet.read_metadata(folder / "data" / f"{name}.parquet").num_rows

    def test_mlcroissant_finds_no_error_and_reads_records(self, folder: Path) -> None:
        mlcroissant: Any = pytest.importorskip("mlcroissant")
        found = mlcroissant.Dataset(str(folder / "croissant.json"))
        assert not found.metadata.issues.errors
        assert next(iter(found.records("votes")))["votes/item_id"]

"""Parquet files in, and out."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from django.core.files.base import ContentFile
from pyarrow import parquet

from annotation.accounts.models import User
from annotation.items.formats.documents.parquet import (
    MOST_COLUMNS,
    ParquetLimits,
    UnreadableParquet,
    convert_parquet,
)
from annotation.items.formats.tables import is_parquet
from annotation.items.models import DataImport
from annotation.items.services.uploads import UnusableFile, create_import
from annotation.projects.models import Project
from annotation.release.selectors.formats import EXPORT_FORMATS
from annotation.release.services import write_file
from tests.world import make_world

LIMITS = ParquetLimits(rows=1_000, bytes=1_000_000)
ROWS: list[dict[str, Any]] = [
    {
        "question": "who?",
        "answer": ["Ann", "Anna"],
        "answers": {"text": ["Ann"], "answer_start": [3]},
        "score": float("nan"),
        "at": datetime(2026, 1, 1, tzinfo=UTC),
        "raw": "é".encode(),
    },
    {"question": "where?", "answer": [], "answers": None, "score": 0.1, "at": None, "raw": None},
]


def upload(name: str, data: bytes) -> "ContentFile[bytes]":
    return ContentFile(data, name=name)


def make(path: Path, rows: list[dict[str, Any]], **options: Any) -> Path:
    parquet.write_table(pyarrow.Table.from_pylist(rows), path, **options)
    return path


def read(path: Path, limits: ParquetLimits = LIMITS) -> list[Any]:
    target = path.with_suffix(".jsonl")
    convert_parquet(path, target, limits=limits)
    return [json.loads(line) for line in target.read_text().splitlines()]


class TestReading:
    @pytest.mark.parametrize("compression", ["none", "snappy", "gzip", "zstd", "brotli", "lz4"])
    def test_lists_and_records_stay(self, tmp_path: Path, compression: str) -> None:
        path = make(tmp_path / "f.parquet", ROWS, compression=compression)
        assert is_parquet(path)
        first, second = read(path)
        assert first == {
            "question": "who?",
            "answer": ["Ann", "Anna"],
            "answers": {"text": ["Ann"], "answer_start": [3]},
            "score": None,
            "at": "2026-01-01T00:00:00+00:00",
            "raw": "é",
        }
        assert second["answers"] is None

    @pytest.mark.parametrize("data", [b"PAR1", b"PAR1" + b"\0" * 500 + b"PAR1", b"PAR1" + b"\xff" * 50])
    def test_a_damaged_file(self, tmp_path: Path, data: bytes) -> None:
        path = tmp_path / "f.parquet"
        path.write_bytes(data)
        with pytest.raises(UnreadableParquet, match="damaged"):
            read(path)

    def test_more_than_is_read(self, tmp_path: Path) -> None:
        path = make(tmp_path / "f.parquet", ROWS * 10)
        with pytest.raises(UnreadableParquet, match="it has 20 rows; at most 19 are allowed"):
            read(path, ParquetLimits(19, 10**6))
        wide = make(tmp_path / "wide.parquet", [{f"c{place}": 1 for place in range(MOST_COLUMNS + 1)}])
        with pytest.raises(UnreadableParquet, match="it has 1,001 columns"):
            read(wide)

    def test_one_that_unpacks_to_far_more(self, tmp_path: Path) -> None:
        path = make(tmp_path / "bomb.parquet", [{"question": "a" * 1_000_000}] * 900)
        assert path.stat().st_size < 100_000
        with pytest.raises(UnreadableParquet, match="unpacked, it is larger than 1,000,000 bytes"):
            read(path)

    def test_bytes_that_are_no_text(self, tmp_path: Path) -> None:
        with pytest.raises(UnreadableParquet, match="a cell contains bytes that are not text"):
            read(make(tmp_path / "f.parquet", [{"image": b"\xff\xd8"}]))


class TestImporting:
    def test_is_read_as_the_same_rows_in_lines(self, project: Project, lead: User, tmp_path: Path) -> None:
        rows = [{"question": "who?", "answer": ["Ann", "Anna"]}, {"question": "where?", "answer": ["Rome"]}]
        data = make(tmp_path / "gold.parquet", rows).read_bytes()
        made = create_import(project=project, by=lead, files=[upload("gold.parquet", data)])
        assert (made.state, made.files[0]["name"]) == (DataImport.State.READY, "gold.parquet")
        lines = "".join(f"{json.dumps(row)}\n" for row in rows).encode()
        same = create_import(project=project, by=lead, files=[upload("gold.jsonl", lines)])
        assert (made.format, made.counts, made.sample) == (same.format, same.counts, same.sample)

    def test_a_damaged_one_is_refused_by_name(self, project: Project, lead: User) -> None:
        with pytest.raises(UnusableFile, match=r"gold\.parquet cannot be read: it is damaged"):
            create_import(project=project, by=lead, files=[upload("gold.parquet", b"PAR1xxxx")])
        assert not DataImport.objects.exists()


def without_absent(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row without systems that retrieved nothing for it, which a record of Parquet names all."""
    named = row.get("retrieved")
    return row if named is None else {**row, "retrieved": {k: v for k, v in named.items() if v is not None}}


class TestExporting:
    def test_holds_what_json_lines_hold(self, db: None, tmp_path: Path, subtests: pytest.Subtests) -> None:
        project = make_world(slug="own").project
        keys = [form.key for form in EXPORT_FORMATS if form.pack]
        assert len(keys) == 7
        for key in keys:
            with subtests.test(key):
                packed, lines = tmp_path / key, tmp_path / "lines"
                written = write_file(project=project, format_key=key, path=packed)
                write_file(project=project, format_key=key.replace("parquet", "jsonl"), path=lines)
                found = list(map(without_absent, parquet.read_table(packed).to_pylist()))
                assert found == [json.loads(line) for line in lines.read_text().splitlines()]
                assert written.rows == len(found)

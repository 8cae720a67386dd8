"""Archives, and texts that are not in UTF-8: unpacked and rewritten on their way in, within limits."""

import io
import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

from annotation.accounts.models import User
from annotation.items.models import DataImport
from annotation.items.services.reading import BadOption, FilesChanged, read_records
from annotation.items.services.uploads import UnusableFile, create_import, discard_import, recheck_import
from annotation.projects.models import Project
from tests.annotation.items.formats.documents.test_parquet import upload
from tests.annotation.items.formats.unprepared import known_shapes
from tests.annotation.items.formats.unprepared.shape_files import ShapeFile, gzipped

State = DataImport.State
QUESTIONS = b"question,gold\nWho wrote Emma?,Jane Austen\n"
PACKED = [
    file for file in known_shapes.FILES if file.name in {"packed.jsonl.gz", "packed.zip", "excel_unicode.csv"}
]
(WESTERN,) = [file for file in known_shapes.FILES if file.name == "western.csv"]


def zipped(**contents: Any) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return held.getvalue()


def golds_of(data_import: DataImport) -> list[tuple[str, list[str]]]:
    return [
        (record.question.text, [gold.text for gold in record.question.golds])
        for record in read_records(data_import)
    ]


def stored() -> list[Path]:
    return [path for path in (Path(settings.DATA_DIR) / "uploads").rglob("*") if path.is_file()]


@pytest.fixture(autouse=True)
def _own_data_folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


@pytest.mark.parametrize("file", PACKED, ids=lambda file: file.name)
def test_a_packed_file_comes_in_as_it_is(file: ShapeFile, project: Project, lead: User) -> None:
    made = create_import(project=project, by=lead, files=[upload(file.name, file.content)])
    assert (made.state, made.message) == (State.READY, "")
    assert golds_of(made) == [(question, golds) for question, golds, _ in file.rows or []]


class TestArchives:
    def test_each_file_of_an_archive_has_its_name_and_is_its_systems(
        self, project: Project, lead: User
    ) -> None:
        archive = zipped(
            **{
                "runs/": "",
                "runs/b.jsonl": '{"question": "Who wrote Emma?", "prediction": "Austen"}\n',
                "runs/a.jsonl": '{"question": "Who wrote Emma?", "prediction": "Jane"}\n',
                "__MACOSX/runs/._a.jsonl": "x",
                "runs/.DS_Store": "x",
            }
        )
        made = create_import(project=project, by=lead, files=[upload("runs.zip", archive)])
        assert [file["name"] for file in made.files] == ["a.jsonl", "b.jsonl"]
        assert len({file["sha256"] for file in made.files}) == 2
        assert (made.state, made.counts["systems"]) == (State.READY, 2)
        discard_import(data_import=made)
        assert stored() == []

    def test_the_hash_of_one_packed_file_is_of_what_was_handed_in(self, project: Project, lead: User) -> None:
        packed = gzipped(QUESTIONS)
        made = create_import(project=project, by=lead, files=[upload("q.csv.gz", packed)])
        assert made.files[0]["name"] == "q.csv"
        assert made.files[0]["size"] == len(QUESTIONS)

    @pytest.mark.parametrize(
        ("name", "content", "words"),
        [
            ("a.csv.gz", gzipped(QUESTIONS)[:-9], "it is damaged"),
            ("a.csv.gz", b"\x1f\x8bxxxxxxxxxxxxxxxxxxxx", "it is damaged"),
            ("a.zip", zipped(**{"a.csv": QUESTIONS})[:-9], "it is damaged"),
            ("a.zip", zipped(**{".hidden": "x"}), "it contains no files"),
            ("a.xlsx", zipped(**{"[Content_Types].xml": "x"}), "it is a spreadsheet or document"),
            ("a.zip", zipped(**{f"{n}.csv": "x" for n in range(101)}), "it contains 101 files; at most 100"),
            ("a.gz", gzipped(b"a" * 5_001), "unpacked, it is larger than 5,000 bytes"),
            ("a.zip", zipped(**{"a.csv": "a" * 5_001}), "unpacked, it is larger than 5,000 bytes"),
            (
                "a.zip",
                zipped(**{f"{n}.csv": "a" * 4_999 for n in range(6)}),
                "its files are too large in total",
            ),
        ],
    )
    def test_one_that_cannot_be_read_is_refused_by_name(
        self, project: Project, lead: User, settings: Any, name: str, content: bytes, words: str
    ) -> None:
        settings.ASSAY_UPLOAD_MAX_BYTES = 5_000 if "large" in words else 100_000
        with pytest.raises(UnusableFile) as refused:
            create_import(project=project, by=lead, files=[upload(name, content)])
        assert str(refused.value).startswith(f"{name} cannot be read: ")
        assert words in str(refused.value)
        assert not DataImport.objects.exists()
        assert stored() == []

    def test_an_encrypted_one_is_refused(self, project: Project, lead: User) -> None:
        # Bit 0 of the flags, in the header of the file and in the directory at the end.
        archive = bytearray(zipped(**{"a.csv": QUESTIONS}))
        archive[6] |= 1
        archive[archive.index(b"PK\x01\x02") + 8] |= 1
        with pytest.raises(UnusableFile, match="it is encrypted"):
            create_import(project=project, by=lead, files=[upload("a.zip", bytes(archive))])

    @pytest.mark.parametrize("way", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
    def test_ways_that_unpack_all_at_once_are_refused(self, project: Project, lead: User, way: int) -> None:
        held = io.BytesIO()
        with zipfile.ZipFile(held, "w", way) as archive:
            archive.writestr("a.csv", QUESTIONS)
        with pytest.raises(UnusableFile, match="its compression method is not supported"):
            create_import(project=project, by=lead, files=[upload("a.zip", held.getvalue())])

    def test_parquet_in_an_archive_is_refused_before_it_is_unpacked(
        self, project: Project, lead: User
    ) -> None:
        archive = zipped(**{"a.parquet": b"PAR1xxxx"})
        with pytest.raises(UnusableFile, match=r"contains a Parquet file, a\.parquet\. Extract that file"):
            create_import(project=project, by=lead, files=[upload("a.zip", archive)])
        assert stored() == []

    def test_one_with_a_million_entries_is_not_listed(
        self, project: Project, lead: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Its list would take seconds to read and gigabytes to hold."""
        monkeypatch.setattr(zipfile, "ZipInfo", None)
        entry = b"PK\x01\x02" + bytes(42)
        content = b"PK\x03\x04" + bytes(26) + entry * 1_000_000
        # Small in the record that tools look at first, and as large as it is in the one that counts.
        end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, len(entry) * 1_000_000, 30, 0)
        large = struct.pack(
            "<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 10**6, 10**6, len(entry) * 10**6, 30
        )
        place = struct.pack("<4sLQL", b"PK\x06\x07", 0, len(content), 1)
        small = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, 46, 30, 0)
        for tail in (end, large + place + small):
            with pytest.raises(UnusableFile, match="its list of files is too long"):
                create_import(project=project, by=lead, files=[upload("a.zip", content + tail)])

    def test_names_in_archives_are_short_and_printable(self, project: Project, lead: User) -> None:
        archive = zipped(**{f"{'x' * 60_000}\n\u202e.csv": QUESTIONS})
        made = create_import(project=project, by=lead, files=[upload("a.zip", archive)])
        name = made.files[0]["name"]
        assert (len(name), name.isprintable(), name[-4:]) == (255, True, ".csv")

    def test_an_archive_in_an_archive_is_told_and_not_unpacked(self, project: Project, lead: User) -> None:
        archive = zipped(**{"inner.zip": zipped(**{"a.csv": QUESTIONS})})
        made = create_import(project=project, by=lead, files=[upload("a.zip", archive)])
        assert (made.state, made.problems[0]["code"]) == (State.REFUSED, "not_text")


class TestEncodings:
    def test_one_choice_reads_a_file_that_is_not_utf_8(self, project: Project, lead: User) -> None:
        made = create_import(project=project, by=lead, files=[upload(WESTERN.name, WESTERN.content)])
        assert (made.state, made.causes[0]["code"]) == (State.REFUSED, "not_utf8")
        made = recheck_import(data_import=made, format_key=made.format, options={"encoding": "windows-1252"})
        assert made.state == State.READY
        assert golds_of(made) == [("Wer malte Grün?", ["Müller"])]
        # Another choice leaves nothing of the one before, and the file as it was handed in.
        made = recheck_import(data_import=made, format_key=made.format, options={"encoding": "windows-1251"})
        assert golds_of(made) == [("Wer malte Grьn?", ["Mьller"])]
        assert len(stored()) == 2
        made = recheck_import(data_import=made, format_key=made.format, options={"encoding": "utf-8"})
        assert made.causes[0]["code"] == "not_utf8"
        assert len(stored()) == 1

    def test_a_choice_that_is_refused_takes_nothing_from_the_one_before(
        self, project: Project, lead: User
    ) -> None:
        content = "question,gold_answer\nplain?,yes\ncafé?,oui né\n".encode("cp1252")
        file = upload("a.csv", content)
        made = create_import(project=project, by=lead, files=[file], options={"encoding": "windows-1252"})
        with pytest.raises(BadOption):
            recheck_import(data_import=made, format_key=made.format, options={"encoding": "shift_jis"})
        made.refresh_from_db()
        assert (made.state, made.options["encoding"]) == (State.READY, "windows-1252")
        assert len(golds_of(made)) == 2
        assert len(stored()) == 2

    def test_rows_are_never_left_out_without_a_word(self, project: Project, lead: User) -> None:
        file = upload("western.csv", WESTERN.content)
        made = create_import(project=project, by=lead, files=[file], options={"encoding": "windows-1252"})
        for path in stored():
            if path.name.endswith("windows-1252"):
                path.unlink()
        with pytest.raises(FilesChanged, match=r"western\.csv has changed since the check"):
            golds_of(made)

    def test_files_that_are_utf_8_are_read_as_such_beside_it(self, project: Project, lead: User) -> None:
        files = [upload("old.csv", WESTERN.content), upload("new.csv", "question,gold\nÄ?,Ö\n".encode())]
        made = create_import(project=project, by=lead, files=files, options={"encoding": "windows-1252"})
        assert golds_of(made) == [("Wer malte Grün?", ["Müller"]), ("Ä?", ["Ö"])]

    def test_bytes_that_an_encoding_lacks_are_told_by_line(self, project: Project, lead: User) -> None:
        file = upload("a.csv", b"question,gold\nwho?,a\nwhere?,\x80\xff\n")
        with pytest.raises(BadOption, match=r"a\.csv cannot be read as shift_jis: line 3 contains bytes"):
            create_import(project=project, by=lead, files=[file], options={"encoding": "shift_jis"})
        assert stored() == []

    @pytest.mark.parametrize("encoding", ["../../x", "rot13", 7, ["utf-8"]])
    def test_others_are_refused(self, project: Project, lead: User, encoding: Any) -> None:
        with pytest.raises(BadOption):
            create_import(
                project=project, by=lead, files=[upload("a.csv", QUESTIONS)], options={"encoding": encoding}
            )

    def test_half_a_letter_of_utf_16_is_told(self, project: Project, lead: User) -> None:
        content = "question\nwho?\n".encode("utf-16")[:-1]
        with pytest.raises(UnusableFile, match=r"a\.csv looks like UTF-16, but line"):
            create_import(project=project, by=lead, files=[upload("a.csv", content)])

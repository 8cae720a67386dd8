"""Bad input: an error that names line and cause, whatever the file."""

import json
import resource
import time
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from annotation.items.formats.records import Limits, Source
from annotation.items.formats.registry import FORMATS, detect
from tests.annotation.items.formats.conftest import Read, read_source

GOOD = '{"question": "a", "prediction": "b"}\n'


def zipped() -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.jsonl", GOOD)
    return buffer.getvalue()


class TestLineAndCause:
    @pytest.mark.parametrize(
        ("name", "content", "line", "code"),
        [
            ("a.jsonl", b"", 1, "empty_file"),
            ("a.jsonl", b"\xef\xbb\xbf \n", 1, "empty_file"),
            ("a.jsonl", zipped(), 1, "not_text"),
            ("a.csv", "question\nä\n".encode("utf-16"), 1, "not_text"),
            ("a.jsonl", GOOD.encode() + b'{"question": "caf\xe9"}\n', 2, "not_utf8"),
            ("a.csv", b"question\ncaf\xe9\n", 2, "not_utf8"),
            ("a.json", b'[{"question": "a"},\n{"question": "caf\xe9"}]', 2, "not_utf8"),
            ("a.jsonl", GOOD.encode() + b'{"question": "a\x00b"}\n', 2, "nul_character"),
            ("a.jsonl", GOOD + '{"question": "a\\u0000b"}\n', 2, "nul_character"),
            ("a.json", '[{"question": "a"},\n{"question": "a\\u0000b"}]', 2, "nul_character"),
            ("a.jsonl", GOOD + '{"question": "a\\ud800b"}\n', 2, "half_character"),
            ("a.jsonl", GOOD + '{"question": "half', 2, "not_json"),
            ("a.jsonl", GOOD + '{"question": "a"} {"question": "b"}', 2, "not_json"),
            ("a.jsonl", GOOD + '{"question": "a", "question": "b"}', 2, "repeated_key"),
            ("a.jsonl", GOOD + '{"question": "a", "confidence": NaN}', 2, "not_json"),
            ("a.jsonl", GOOD + '["a"]', 2, "not_an_object"),
            ("a.jsonl", GOOD + '{"question": ' + "[" * 50_000, 2, "too_deep"),
            ("a.jsonl", GOOD + '{"question": ' + "9" * 5_000 + "}", 2, "not_json"),
            ("a.json", '[{"question": "a"},\n{"question": "b"}\n{"question": "c"}]', 3, "not_json"),
            ("a.json", '[{"question": "a"},\n{"question": "b"', 2, "not_json"),
            ("a.json", '[{"question": "a"},\n"b"]', 2, "not_an_object"),
            ("a.json", '[{"question": "a"}]\nmore', 2, "not_json"),
            ("a.csv", "question,prediction\na,b\nc\n", 3, "wrong_cell_count"),
            ("a.csv", "question,prediction\na,b,c\n", 2, "wrong_cell_count"),
            ("a.csv", 'question,prediction\na,b\nc,"d\n', 3, "broken_quoting"),
            ("a.csv", "question,prediction\ra,b\r", 1, "carriage_return"),
            ("a.tsv", "question\tprediction\na\tb\nc\td\re\n", 3, "carriage_return"),
            ("a.csv", "question,question\na,b\n", 1, "repeated_column"),
            ("a.csv", "question,\na,b\n", 2, "unnamed_column"),
            ("a.csv", "question,colour\na,b\n", 2, "unknown_column"),
            ("a.jsonl", '{"question": ["a"]}', 1, "not_text"),
            ("a.jsonl", '{"question": {"a": 1}}', 1, "unknown_column"),
            ("a.jsonl", '{"question": "a", "prediction": [true]}', 1, "answer_not_text"),
            ("a.jsonl", '{"question": "a", "prediction": {"b": 1}}', 1, "unknown_column"),
            ("a.jsonl", '{"question": "a", "answer": true}', 1, "gold_not_text"),
            ("a.jsonl", GOOD + """{"question": "a", "answer": "['\\\\ud800']"}""", 2, "gold_not_text"),
            ("a.csv", 'question,answer\nx,a\nx,"[""\\ud800""]"\n', 3, "gold_not_text"),
        ],
    )
    def test_it_names_both(self, read: Read, name: str, content: str | bytes, line: int, code: str) -> None:
        reading = read(name, content)
        assert (reading.errors[0].line, reading.errors[0].code) == (line, code)
        assert reading.errors[0].file == name
        assert reading.errors[0].message.endswith((".", "?", ".”"))

    def test_it_goes_on_after_a_broken_line(self, read: Read) -> None:
        reading = read("a.jsonl", "{\n" + GOOD + "}\n" + GOOD)
        assert [error.line for error in reading.errors] == [1, 3]
        assert len(reading.records) == 2

    def test_lines_of_cells_with_line_ends_are_counted(self, read: Read) -> None:
        reading = read("a.csv", 'question,prediction\n"a\nb",c\nd\n')
        assert reading.records[0].line == 2
        assert reading.errors[0].line == 4

    def test_a_byte_order_mark_is_no_part_of_the_first_name(self, read: Read) -> None:
        for name, content in [
            ("a.csv", "question\na\n"),
            ("a.jsonl", '{"question": "a"}'),
            ("a.json", '[{"question": "a"}]'),
        ]:
            reading = read(name, b"\xef\xbb\xbf" + content.encode())
            assert (reading.errors, reading.records[0].question.text) == ([], "a")

    def test_windows_line_ends_are_no_part_of_the_last_cell(self, read: Read) -> None:
        for name, separator in [("a.csv", ","), ("a.tsv", "\t")]:
            content = f"question{separator}prediction\r\na{separator}b\r\n"
            assert read(name, content).records[0].predictions[0].text == "b"


class TestAbsentFile:
    def test_a_file_that_is_gone_is_said_to_be_gone(self, tmp_path: Path) -> None:
        source = Source("a.jsonl", tmp_path)
        assert detect(source).key == "generic"
        for key in FORMATS:
            assert read_source(source, key).codes == ["file_missing"]


class TestLimits:
    def test_a_large_file_is_refused_by_its_size_alone(self, tmp_path: Path) -> None:
        path = tmp_path / "a.jsonl"
        with path.open("wb") as file:
            # Sparse: read even once it would take seconds.
            file.truncate(5_000_000_000)
        started = time.perf_counter()
        reading = read_source(Source("a.jsonl", path))
        assert reading.codes == ["file_too_large"]
        assert time.perf_counter() - started < 1

    def test_too_many_rows_are_refused_before_any_is_parsed(self, read: Read) -> None:
        reading = read("a.jsonl", GOOD * 12, limits=Limits(max_rows=10))
        assert (reading.codes, reading.records) == (["too_many_rows"], [])

    @pytest.mark.parametrize("name", ["a.csv", "a.json"])
    def test_too_many_rows_end_the_reading_of_any_layout(self, read: Read, name: str) -> None:
        rows = [{"question": f"q{number}"} for number in range(12)]
        content = json.dumps(rows) if name == "a.json" else "question\n" + "x\n" * 12
        assert read(name, content, limits=Limits(max_rows=10)).codes == ["too_many_rows"]

    def test_as_many_rows_as_allowed_are_fine(self, read: Read) -> None:
        for name, content in [("a.jsonl", GOOD * 10), ("a.tsv", "question\n" + "x\n" * 10)]:
            reading = read(name, content, limits=Limits(max_rows=10))
            assert (reading.codes, len(reading.records)) == ([], 10)

    @pytest.mark.parametrize(
        ("name", "content"),
        [
            ("a.jsonl", GOOD + '{"question": "' + "x" * 2_000 + '"}'),
            ("a.json", '[{"question": "a"},\n{"question": "' + "x" * 2_000),
            ("a.tsv", "question\n" + "x" * 2_000 + "\n"),
        ],
    )
    def test_a_long_line_ends_the_reading(self, read: Read, name: str, content: str) -> None:
        (error,) = read(name, content, limits=Limits(max_line_bytes=1_000)).errors
        assert (error.line, error.code) == (2, "line_too_long")

    @pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "a.json"])
    def test_an_endless_line_takes_little_memory_and_time(self, tmp_path: Path, name: str) -> None:
        path = tmp_path / name
        with path.open("wb") as file:
            file.write(b'[{"question": "' if name == "a.json" else b'{"question": "')
            for _ in range(150):
                file.write(b"x" * 1_000_000)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        started = time.perf_counter()
        reading = read_source(Source(name, path))
        grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
        assert reading.codes[0] == "line_too_long"
        assert grown < 100_000_000
        assert time.perf_counter() - started < 5


class TestDetection:
    @pytest.mark.parametrize(
        ("name", "content", "key"),
        [
            ("NQ_DPR.jsonl", '{"question": "a", "answer": ["b"], "prediction": "c"}', "openqa-eval-outputs"),
            ("a.jsonl", '{"question": "a", "answer": ["b"]}', "generic"),
            ("v.tsv", "id\tQuestion\tModel answer\tAcceptable?\tannotator1\n", "openqa-eval-votes"),
            ("v.csv", "question,prediction,annotator1\n", "openqa-eval-votes"),
            ("NQ301_BEM.tsv", "id\tQuestion\tModel answer\tAcceptable?\tBEM\n", "openqa-eval-verdicts"),
            ("a.csv", "question,answer\n", "generic"),
            ("a.csv", "\n\nquestion,answer\nwho,me\n", "generic"),
            ("broken.jsonl", "{", "generic"),
            ("empty.tsv", "", "generic"),
        ],
    )
    def test_it_goes_by_the_columns(self, tmp_path: Path, name: str, content: str, key: str) -> None:
        path = tmp_path / name
        path.write_text(content)
        assert detect(Source(name, path)).key == key

"""Lines, JSON, ids and lists of parts of bundles, each at the bound where it is refused."""

import json
from typing import Any

import pytest

from judges.bundles.rules import (
    Damaged,
    PartEntry,
    lines_within,
    manifest_text,
    parse_json,
    read_manifest,
    read_public_id,
)


def parsed(text: bytes) -> Any:
    return parse_json(text, part="x.jsonl", line=1)


class TestLines:
    def test_the_longest_is_read_and_a_longer_one_refused(self) -> None:
        lines = [b"12345678\n", b"123456789\n"]
        found = lines_within(iter(lines), longest=9, part="x.jsonl")
        assert next(found) == (1, lines[0])
        with pytest.raises(Damaged, match=r"^x.jsonl, line 2: the line is longer than 9 bytes\.$"):
            next(found)

    def test_one_without_an_end(self) -> None:
        with pytest.raises(Damaged, match=r"^x.jsonl, line 1: the part ends in the middle of a line\.$"):
            list(lines_within(iter([b"1234"]), longest=9, part="x.jsonl"))


class TestParseJson:
    def test_what_is_within_all_bounds(self) -> None:
        assert parsed(b"9" * 300) == 10**300 - 1
        assert parsed(b"1.7e308") == 1.7e308
        assert parsed('"\\ud83d\\ude00 ü"'.encode()) == "😀 ü"
        assert parsed(b"[" * 60 + b"]" * 60)

    @pytest.mark.parametrize(
        "text",
        [
            b"9" * 301,
            b"1e309",
            b"NaN",
            b"-Infinity",
            b"[" * 61 + b"]" * 61,
            b'{"a":' * 60 + b"[]" + b"}" * 60,
            b'"\\ud83d"',
            b'"\\uDE00"',
            b'{"\\ud83d": 1}',
            b'"\\u0000"',
            b'"\xed\xa0\x80"',
            '"a"'.encode("utf-16"),
        ],
    )
    def test_what_no_database_takes(self, text: bytes) -> None:
        with pytest.raises(Damaged, match=r"^x.jsonl, line 1: this is not valid JSON\.$"):
            parsed(text)


class TestReadPublicId:
    def test_one_of_ours(self) -> None:
        assert read_public_id("23456789abcdef") == "23456789abcdef"

    @pytest.mark.parametrize(
        "name",
        ["", "23456789abcde", "23456789abcdefg", "23456789abcdef\n", "23456789abcdeo", "23456789ABCDEF"],
    )
    def test_none_of_ours(self, name: str) -> None:
        with pytest.raises(ValueError, match=r"^is not an ID$"):
            read_public_id(name)


class TestReadManifest:
    entries = {"a.jsonl": PartEntry(1, 2, "x")}

    def test_a_part_that_is_not_listed_has_no_rows(self) -> None:
        found = read_manifest(manifest_text(self.entries).encode(), known=["b.jsonl", "a.jsonl"])
        assert list(found) == ["b.jsonl", "a.jsonl"]
        assert found["a.jsonl"] == self.entries["a.jsonl"]
        assert found["b.jsonl"][:2] == (0, 0)

    def test_a_part_that_nobody_knows(self) -> None:
        with pytest.raises(Damaged, match=r"does not know the part 'a\.jsonl'"):
            read_manifest(manifest_text(self.entries).encode(), known=["b.jsonl"])

    def test_a_part_that_is_listed_twice(self) -> None:
        manifest = json.loads(manifest_text(self.entries))
        manifest["parts"] *= 2
        with pytest.raises(Damaged, match="a part is listed twice"):
            read_manifest(json.dumps(manifest).encode(), known=["a.jsonl"])

    @pytest.mark.parametrize("entry", [{}, [], {"name": "a.jsonl", "rows": -1, "bytes": 2, "sha256": "x"}])
    def test_an_entry_that_is_none(self, entry: Any) -> None:
        manifest = {**json.loads(manifest_text({})), "parts": [entry]}
        with pytest.raises(Damaged, match="an entry in the list of parts cannot be read"):
            read_manifest(json.dumps(manifest).encode(), known=["a.jsonl"])

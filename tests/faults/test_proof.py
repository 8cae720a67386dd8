"""The book of proofs: rows are written anew, in order, and nothing else is touched."""

from pathlib import Path

import pytest

from tests.faults.proof import BOOK, HEAD, RULE, Proof


@pytest.fixture
def proof(tmp_path: Path) -> Proof:
    book = tmp_path / "proof.md"
    book.write_text(f"# Proof\n\n{HEAD}\n{RULE}\n\nNot run: nothing.\n", encoding="utf-8")
    return Proof(book)


class TestRecord:
    def test_puts_rows_in_order_of_the_promises(self, proof: Proof) -> None:
        for promise in ("P10", "P9", "P1"):
            proof.record(promise, "killed", promised="0", measured="0", database="SQLite")
        assert [row.promise for row in proof.rows()] == ["P1", "P9", "P10"]

    def test_replaces_the_row_of_the_same_proof(self, proof: Proof) -> None:
        for measured in ("3", "4"):
            proof.record("P9", "killed", promised="0", measured=measured, database="SQLite")
        proof.record("P9", "killed", promised="0", measured="5", database="PostgreSQL")
        assert [(row.database, row.measured) for row in proof.rows()] == [
            ("PostgreSQL", "5"),
            ("SQLite", "4"),
        ]

    def test_leaves_the_rest_as_it_is(self, proof: Proof) -> None:
        proof.record("P9", "killed", promised="0", measured="3", database="SQLite")
        text = proof.book.read_text(encoding="utf-8")
        assert text.startswith("# Proof\n\n|")
        assert text.endswith("|\n\nNot run: nothing.\n")


class TestBook:
    def test_is_written_only_when_proofs_are_asked_for(self, pytestconfig: pytest.Config) -> None:
        assert "not prove and not screenshots" in pytestconfig.getini("addopts")

    def test_can_be_read(self) -> None:
        rows = Proof(BOOK).rows()
        assert [row.place() for row in rows] == sorted(row.place() for row in rows)

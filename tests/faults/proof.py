"""Write what the long proofs measured into docs/proof.md: one row a proof, written anew each time."""

import fcntl
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from tests.faults.arena import PROJECT_FOLDER

BOOK = PROJECT_FOLDER / "docs" / "proof.md"
HEAD = "| promise | proof | database | promised | measured | date |"
RULE = "| --- | --- | --- | --- | --- | --- |"


class Row(NamedTuple):
    """What one proof promised and measured."""

    promise: str
    proof: str
    database: str
    promised: str
    measured: str
    date: str

    def place(self) -> tuple[int, str, str]:
        """Return where the row stands: by the promise's number, then by name."""
        return int(self.promise.removeprefix("P")), self.proof, self.database


class Proof:
    """The table of a book; everything around it is left as it is."""

    def __init__(self, book: Path = BOOK) -> None:
        self.book = book

    def record(self, promise: str, proof: str, *, promised: str, measured: str, database: str) -> None:
        """Write a row, in place of the one that the same proof wrote before."""
        date = datetime.now(tz=UTC).date().isoformat()
        row = Row(promise, proof, database, promised, measured, date)
        with self.book.open("r+", encoding="utf-8") as file:
            # Proofs may run on two databases at the same time.
            fcntl.flock(file, fcntl.LOCK_EX)
            before, rows, after = self._read()
            kept = [other for other in rows if other.place() != row.place()]
            table = [_line(each) for each in sorted([*kept, row], key=Row.place)]
            self.book.write_text("\n".join([*before, HEAD, RULE, *table, *after]) + "\n", encoding="utf-8")

    def rows(self) -> list[Row]:
        """Return the rows as they stand."""
        return self._read()[1]

    def _read(self) -> tuple[list[str], list[Row], list[str]]:
        lines = self.book.read_text(encoding="utf-8").splitlines()
        start = lines.index(HEAD)
        end = next(
            (place for place in range(start, len(lines)) if not lines[place].startswith("|")), len(lines)
        )
        return lines[:start], [_row(line) for line in lines[start + 2 : end]], lines[end:]


def _line(row: Row) -> str:
    return f"| {' | '.join(row)} |"


def _row(line: str) -> Row:
    return Row(*(cell.strip() for cell in line.strip("| ").split("|")))

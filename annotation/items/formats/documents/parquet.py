"""Parquet files read as lines of JSON, by a process of its own that a hostile file may break or fill.

Arrow reads them in C++, a page at a time, each as large as the file says. So a process does it whose memory
and time are limited, and which passes on nothing but lines (`python -m` and this module’s name).
"""

import json
import math
import resource
import subprocess
import sys
from collections.abc import Iterator
from datetime import date, datetime, time
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

MOST_COLUMNS = 1_000
ROWS_AT_ONCE = 500
MEMORY_BYTES = 4_000_000_000
SECONDS = 120
# What went wrong is told in words on its standard error; anything else there is Arrow's own.
REFUSED = 3
TOO_LARGE = 4


class UnreadableParquet(Exception):
    """The file is damaged, larger than is read here, or holds what JSON has no word for."""


class ParquetTooLarge(UnreadableParquet):
    """Its rows come to more bytes than are read."""


class ParquetLimits(NamedTuple):
    """How many rows are read, and how many bytes they may come to as JSON."""

    rows: int
    bytes: int


def convert_parquet(source: Path, target: Path, *, limits: ParquetLimits) -> None:
    """Write the rows of a Parquet file as lines of JSON; raises `UnreadableParquet` in words for people."""
    if find_spec("pyarrow") is None:
        raise UnreadableParquet(
            "this server cannot read Parquet. Ask its administrator to install Parquet "
            "support (make parquet), or convert the file to JSON Lines"
        )
    command = [sys.executable, "-m", __name__, str(source), str(target), *map(str, limits)]
    root = Path(__file__).parents[4]
    try:
        done = subprocess.run(command, cwd=root, capture_output=True, timeout=SECONDS, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        raise UnreadableParquet(
            f"reading it took longer than {SECONDS} seconds. Split it into smaller files"
        ) from None
    if done.returncode in (REFUSED, TOO_LARGE):
        kind = ParquetTooLarge if done.returncode == TOO_LARGE else UnreadableParquet
        raise kind(done.stderr.decode(errors="replace").strip())
    if done.returncode != 0:
        raise UnreadableParquet("it is damaged, or needs more memory than this server allows")


def parquet_lines(path: Path, *, limits: ParquetLimits) -> Iterator[str]:
    """Yield each row as a line of JSON; raises `UnreadableParquet`."""
    from pyarrow import parquet

    file = parquet.ParquetFile(path)
    if file.metadata.num_rows > limits.rows:
        raise UnreadableParquet(
            f"it has {file.metadata.num_rows:,} rows; at most {limits.rows:,} are allowed"
        )
    if file.metadata.num_columns > MOST_COLUMNS:
        raise UnreadableParquet(
            f"it has {file.metadata.num_columns:,} columns; at most {MOST_COLUMNS:,} are allowed"
        )
    rows = size = 0
    for batch in file.iter_batches(batch_size=ROWS_AT_ONCE, use_threads=False):
        for row in batch.to_pylist(maps_as_pydicts="strict"):
            line = json.dumps(_as_json(row), ensure_ascii=False) + "\n"
            rows, size = rows + 1, size + len(line.encode())
            if rows > limits.rows or size > limits.bytes:
                raise ParquetTooLarge(
                    f"unpacked, it is larger than {limits.bytes:,} bytes or {limits.rows:,} rows. Split it "
                    "into smaller files"
                )
            yield line


def _as_json(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(key): _as_json(each) for key, each in value.items()}
    if isinstance(value, list):
        return [_as_json(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, bytes):
        return value.decode()
    if value is None or isinstance(value, str | int | float | bool):
        return value
    raise UnreadableParquet(f"a cell has the type {type(value).__name__}, which cannot be imported")


def _main(source: str, target: str, rows: str, size: str) -> int:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    try:
        with Path(target).open("w", encoding="utf-8") as file:
            file.writelines(parquet_lines(Path(source), limits=ParquetLimits(int(rows), int(size))))
    except UnreadableParquet as error:
        print(error, file=sys.stderr)
        return TOO_LARGE if isinstance(error, ParquetTooLarge) else REFUSED
    except UnicodeDecodeError:
        print("a cell contains bytes that are not text", file=sys.stderr)
        return REFUSED
    return 0


if __name__ == "__main__":
    sys.exit(_main(*sys.argv[1:]))

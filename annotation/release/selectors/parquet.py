"""Lines of JSON as a Parquet file: numbers, lists and records keep their types."""

import json
from collections.abc import Iterator
from importlib.util import find_spec
from tempfile import TemporaryFile
from typing import IO, Any

from annotation.projects.models import Project
from common.database.rows import batched
from common.errors import Conflict

ROWS_AT_ONCE = 1_000


class ParquetMissing(Conflict):
    """The library that writes Parquet is not installed here."""


def require_parquet(*, project: Project) -> None:  # noqa: ARG001 (what is required of any)
    """Raise `ParquetMissing` where no Parquet can be written."""
    if find_spec("pyarrow") is None:
        raise ParquetMissing(
            "This server cannot write Parquet. Ask its administrator to install Parquet "
            "support (make parquet), or choose JSON Lines."
        )


def write_parquet(*, lines: Iterator[str], file: IO[bytes]) -> None:
    """Write lines, each a JSON object, as rows of a Parquet file.

    They are read twice, from a file beside memory: what a column holds is known at the end.
    """
    import pyarrow
    from pyarrow import parquet

    schema = pyarrow.schema([])
    with TemporaryFile("w+", encoding="utf-8") as kept:
        for chunk in batched(lines, ROWS_AT_ONCE):
            kept.writelines(chunk)
            rows = [json.loads(line) for line in chunk]
            found = pyarrow.schema(list(pyarrow.infer_type(rows)))
            schema = pyarrow.unify_schemas([schema, found], promote_options="permissive")
        schema = pyarrow.schema([field.with_type(_storable(pyarrow, field.type)) for field in schema])
        kept.seek(0)
        with parquet.ParquetWriter(file, schema, compression="zstd") as writer:
            for chunk in batched(kept, ROWS_AT_ONCE):
                rows = [json.loads(line) for line in chunk]
                writer.write_table(pyarrow.Table.from_pylist(rows, schema=schema))


def _storable(arrow: Any, kind: Any) -> Any:
    """Return a type that Parquet has: a column of nothing is one of text, and a record has a field."""
    if arrow.types.is_null(kind):
        return arrow.string()
    if arrow.types.is_list(kind):
        return arrow.list_(_storable(arrow, kind.value_type))
    if arrow.types.is_struct(kind):
        fields = [field.with_type(_storable(arrow, field.type)) for field in kind]
        return arrow.struct(fields or [arrow.field("nothing", arrow.string())])
    return kind

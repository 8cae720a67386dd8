"""Benchmarks of conversations: only what is asked first is a question that stands by itself."""

from collections.abc import Iterator
from typing import Any

from annotation.items.formats.records import Problem, Row, Source
from annotation.items.formats.shapes.shape import Cells, Shape, given, is_texts, list_in
from annotation.items.formats.tables import BadCell, read_rows


def _rows(source: Source, passed_by: dict[str, None]) -> Iterator[Row | Problem]:
    for row in read_rows(source, passed_by=passed_by):
        turns = row.values.get("turns") if isinstance(row, Row) else None
        if isinstance(turns, list) and len(turns) > 1:
            passed_by.setdefault("turns after the first")
        yield row


def _mt_bench(values: Cells) -> Iterator[dict[str, Any]]:
    turns, golds = list_in(values, "turns"), list_in(values, "reference")
    if len(turns) > 1 and len(golds) not in (0, len(turns)):
        message = f"“turns” has {len(turns)} elements, but “reference” has {len(golds)}."
        raise BadCell("reference", "gold_not_text", message)
    category = values.get("category")
    yield given(
        question=turns[0] if turns else None,
        id=values.get("question_id"),
        gold=golds[:1] if len(turns) > 1 else golds,
        tags=[category] if isinstance(category, str) and category else None,
    )


MT_BENCH = Shape(
    key="mt-bench",
    name="MT-bench: questions",
    summary="MT-bench’s questions. Only the first turn and its reference are read; the category is a tag.",
    recognized_by="`question_id`, and a list of texts called `turns`",
    recognizes=lambda look: look.has("question_id") and is_texts(look.first.get("turns")),
    items=_mt_bench,
    reads=("question_id", "turns", "reference", "category"),
    rows=_rows,
)

FORMATS = (MT_BENCH.format,)

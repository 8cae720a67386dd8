"""Benchmarks of ambiguous questions, which have several answers that are all right."""

from collections.abc import Iterator, Mapping
from typing import Any

from annotation.items.formats.documents.streaming import NAMED
from annotation.items.formats.records import Look, Problem, Row, Source
from annotation.items.formats.shapes.shape import (
    Cells,
    Shape,
    as_row,
    given,
    is_object,
    is_objects,
    list_in,
    objects_in,
    walk_rows,
)
from annotation.items.formats.tables import BadCell

# By the type of an annotation: whether it has one answer, or one for each reading of the question.
_SINGLE, _SEVERAL = "singleAnswer", "multipleQAs"


def _golds_of(annotation: Cells) -> list[Any]:
    if annotation.get("type") == _SINGLE:
        return list_in(annotation, "answer")
    if annotation.get("type") != _SEVERAL:
        message = f"An annotation must be of the type “{_SINGLE}” or “{_SEVERAL}.”"
        raise BadCell("annotations", "unexpected_shape", message)
    return [text for pair in objects_in(annotation, "qaPairs") for text in list_in(pair, "answer")]


def _ambigqa(values: Cells) -> Iterator[dict[str, Any]]:
    annotations = objects_in(values, "annotations")
    golds = [text for annotation in annotations for text in _golds_of(annotation)]
    is_ambiguous = any(annotation.get("type") == _SEVERAL for annotation in annotations)
    yield given(
        question=values.get("question"),
        id=values.get("id"),
        gold=list(dict.fromkeys(golds)) if all(isinstance(each, str) for each in golds) else golds,
        tags=[_SEVERAL] if is_ambiguous else None,
    )


def _is_ambigqa(look: Look) -> bool:
    annotations: Any = look.first.get("annotations")
    return (
        look.has("question")
        and is_objects(annotations, "type")
        and annotations[0]["type"] in (_SINGLE, _SEVERAL)
    )


AMBIGQA = Shape(
    key="ambigqa",
    name="AmbigQA",
    summary=(
        "AmbigQA as released. Gold answers are those of every annotation and every reading of the question; "
        "the tag “multipleQAs” marks questions that somebody read in several ways."
    ),
    recognized_by="`question`, and `annotations[]` whose `type` is `singleAnswer` or `multipleQAs`",
    recognizes=_is_ambigqa,
    items=_ambigqa,
    reads=("question", "id", "annotations"),
)


def _splits_of_asqa(source: Source, passed_by: dict[str, None]) -> Iterator[Row | Problem]:
    for found in walk_rows(source, (NAMED, NAMED), passed_by):
        row = found if isinstance(found, Problem) else as_row(source, found)
        if isinstance(row, Problem) or isinstance(found, Problem):
            yield row
        else:
            split, key = found.names
            yield Row(row.line, {**row.values, "id": key, "split": split})


def _asqa(values: Cells) -> Iterator[dict[str, Any]]:
    if not values.get("ambiguous_question"):
        raise BadCell("ambiguous_question", "missing_question", "The question is missing.")
    # Each short answer is right for one reading of the question only; a long answer is for all.
    golds = [each.get("long_answer") for each in objects_in(values, "annotations")]
    yield given(
        question=values.get("ambiguous_question"),
        id=values.get("id"),
        gold=golds,
        tags=[values["split"]],
    )


def _is_asqa(look: Look) -> bool:
    return any(
        is_object(value, "ambiguous_question", "annotations")
        for split in look.document.values()
        if isinstance(split, Mapping)
        for value in split.values()
    )


ASQA = Shape(
    key="asqa",
    name="ASQA",
    summary=(
        "ASQA as released. Gold answers are the long answers, because each short answer is right for one "
        "reading of the question only. The split is a tag."
    ),
    recognized_by="a JSON object of splits whose questions have `ambiguous_question` and `annotations`",
    recognizes=_is_asqa,
    items=_asqa,
    reads=("ambiguous_question", "id", "split", "annotations.long_answer"),
    rows=_splits_of_asqa,
)

FORMATS = (AMBIGQA.format, ASQA.format)

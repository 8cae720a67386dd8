"""The formats that can be read, and how a file is recognized."""

from collections.abc import Mapping
from typing import Any

from annotation.items.formats import generic
from annotation.items.formats.columns import QUESTION_NAMES
from annotation.items.formats.documents.arrangement import first_row_of
from annotation.items.formats.documents.outline import outline_of
from annotation.items.formats.judged import annotation_tools, crowd, forms, label_studio
from annotation.items.formats.papers import (
    efficientqa_release,
    evouna,
    gpt3qa,
    openqa_outputs,
    openqa_verdicts,
    openqa_votes,
)
from annotation.items.formats.records import Format, Look, Problem, Source
from annotation.items.formats.shapes import choices, datasets, harnesses, logs, promptfoo, trec_patterns
from annotation.items.formats.shapes.benchmarks import ambiguity, comprehension, conversations
from annotation.items.formats.tables import beginning_of, file_problems, layout_of, read_rows

# In the order in which a file is tried; the generic one takes what no other recognizes.
RECOGNIZED = (
    openqa_votes.FORMAT,
    openqa_verdicts.FORMAT,
    openqa_outputs.FORMAT,
    evouna.FORMAT,
    gpt3qa.FORMAT,
    efficientqa_release.FORMAT,
    *datasets.FORMATS,
    *choices.FORMATS,
    *comprehension.FORMATS,
    *ambiguity.FORMATS,
    *conversations.FORMATS,
    *promptfoo.FORMATS,
    *logs.FORMATS,
    *harnesses.FORMATS,
    label_studio.FORMAT,
    *crowd.FORMATS,
    *annotation_tools.FORMATS,
    forms.FORMAT,
    trec_patterns.FORMAT,
)
FORMATS: dict[str, Format] = {found.key: found for found in (generic.FORMAT, *RECOGNIZED)}


def detect(source: Source) -> Format:
    """Say which format a file has, from its name and how it begins; generic where nothing else fits."""
    if file_problems(source):
        return generic.FORMAT
    look = look_at(source)
    return next((found for found in RECOGNIZED if found.recognizes(look)), generic.FORMAT)


def look_at(source: Source) -> Look:
    """Return what formats are recognized by.

    Only the beginning of the file is parsed. The lines of JSONL and TSV are counted first, to the end if
    need be: a file with more than are allowed is recognized by its header alone. A format may search the
    whole file for names (MS MARCO by columns).
    """
    layout = layout_of(source)
    lines = tuple(beginning_of(source).splitlines())
    if layout == "object":
        outline = outline_of(source)
        document = outline if isinstance(outline, Mapping) else {}
        return Look(source, layout, first_row_of(document, QUESTION_NAMES), document, lines)
    first = next(read_rows(source), None)
    cells: Mapping[str, Any] = {} if first is None or isinstance(first, Problem) else first.values
    if layout in {"csv", "tsv"} and not cells:
        cells = dict.fromkeys(_names_in(lines[0] if lines else ""), "")
    return Look(source, layout, cells, lines=lines)


def _names_in(header: str) -> list[str]:
    cells = header.lstrip("\ufeff").replace(",", "\t").replace(";", "\t").split("\t")
    return [name.strip().strip('"') for name in cells]

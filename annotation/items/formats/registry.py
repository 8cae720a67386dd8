"""The formats that can be read, and how a file is recognized."""

from typing import NamedTuple

from annotation.items.formats import generic, trec_patterns
from annotation.items.formats.columns import VOTE_PREFIX
from annotation.items.formats.papers import (
    efficientqa_release,
    evouna,
    gpt3qa,
    openqa_outputs,
    openqa_verdicts,
    openqa_votes,
)
from annotation.items.formats.records import Format, Problem, Source
from annotation.items.formats.tables import file_problems, layout_of, read_rows

FORMATS: dict[str, Format] = {
    found.key: found
    for found in (
        generic.FORMAT,
        openqa_outputs.FORMAT,
        openqa_votes.FORMAT,
        openqa_verdicts.FORMAT,
        evouna.FORMAT,
        gpt3qa.FORMAT,
        efficientqa_release.FORMAT,
        trec_patterns.FORMAT,
    )
}


class Detection(NamedTuple):
    """The format a file seems to have, and why in words."""

    key: str
    reason: str


def detect(source: Source) -> Detection:
    """Say which format a file has, from its name and its first row; generic where nothing else fits."""
    names = _first_names(source)
    if {*openqa_votes.COLUMNS, f"{VOTE_PREFIX}1"} <= {openqa_votes.usual_name(name) for name in names}:
        return Detection(openqa_votes.FORMAT.key, "It has an answer and a column for each annotator.")
    if set(openqa_verdicts.COLUMNS) <= names:
        return Detection(openqa_verdicts.FORMAT.key, "It has Acceptable? and no annotators' columns.")
    if names == openqa_outputs.COLUMNS and layout_of(source) == "jsonl":
        return Detection(openqa_outputs.FORMAT.key, "Its lines have question, answer and prediction.")
    if evouna.GOLD_COLUMN in names and any(name.startswith(evouna.VOTE_PREFIX) for name in names):
        return Detection(evouna.FORMAT.key, "It has golden_answer and a verdict for each system.")
    if names == gpt3qa.COLUMNS and source.stem.endswith(gpt3qa.PREDICTIONS):
        return Detection(gpt3qa.FORMAT.key, "It has gold_answer, prediction and confidence.")
    if names == set(efficientqa_release.COLUMNS):
        return Detection(efficientqa_release.FORMAT.key, "It lists answers by what people decided.")
    return Detection(generic.FORMAT.key, "Its columns are read by their names.")


def _first_names(source: Source) -> set[str]:
    if file_problems(source):
        return set()
    if layout_of(source) in {"csv", "tsv"}:
        with source.path.open("rb") as file:
            header = file.readline(10_000).decode("utf-8", errors="replace").lstrip("\ufeff")
        return {name.strip().strip('"') for name in header.replace(",", "\t").split("\t")}
    first = next(read_rows(source), None)
    return set() if first is None or isinstance(first, Problem) else set(first.values)

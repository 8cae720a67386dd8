"""The formats that can be read, and how a file is recognized."""

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


def detect(source: Source) -> Format:
    """Say which format a file has, from its name and its first row; generic where nothing else fits."""
    names = _first_names(source)
    if {*openqa_votes.COLUMNS, f"{VOTE_PREFIX}1"} <= {openqa_votes.usual_name(name) for name in names}:
        return openqa_votes.FORMAT
    if set(openqa_verdicts.COLUMNS) <= names:
        return openqa_verdicts.FORMAT
    if names == openqa_outputs.COLUMNS and layout_of(source) == "jsonl":
        return openqa_outputs.FORMAT
    if evouna.GOLD_COLUMN in names and any(name.startswith(evouna.VOTE_PREFIX) for name in names):
        return evouna.FORMAT
    if names == gpt3qa.COLUMNS and source.stem.endswith(gpt3qa.PREDICTIONS):
        return gpt3qa.FORMAT
    if names == set(efficientqa_release.COLUMNS):
        return efficientqa_release.FORMAT
    return generic.FORMAT


def _first_names(source: Source) -> set[str]:
    if file_problems(source):
        return set()
    if layout_of(source) in {"csv", "tsv"}:
        with source.path.open("rb") as file:
            header = file.readline(10_000).decode("utf-8", errors="replace").lstrip("\ufeff")
        return {name.strip().strip('"') for name in header.replace(",", "\t").split("\t")}
    first = next(read_rows(source), None)
    return set() if first is None or isinstance(first, Problem) else set(first.values)

"""Reproduce EVOUNA's lexical matching (Wang et al. 2023) from its released file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from analysis.arrays import Flags, Integers
from analysis.classification import count_confusion
from annotation.accounts.models import User
from annotation.projects.models import Project
from annotation.projects.services.making import create_project
from commands.reproduction import published
from commands.reproduction.steps import (
    FilesMissing,
    Say,
    import_files,
    report_of,
    run_open_judges,
)
from judges.comparison.rules.judge_board.beside_people import answers_of
from judges.comparison.rules.study import ACCEPTED
from judges.comparison.selectors.failures import read_facts, read_given
from judges.comparison.selectors.study import read_said
from judges.runs.services.control import start_run

# As published: a gold answer that normalizes to nothing matches everything.
PUBLISHED_MATCHING = {"match": "contained", "empty_gold": "match", "split": "slash"}
PUBLISHED_JUDGES = ("exact_match", "containment")
# The paper asks of FiD's short answers that they equal a gold answer, of all others that they contain one.
SHORT_ANSWERS = "fid"
# Upper ends of the paper's classes of length, in white-space tokens.
LENGTHS = (35, 70, 105, 140, 175)


class _Rows(NamedTuple):
    """Answers that both published judges scored: their lengths, what people say, and what the judges do."""

    tokens: Integers
    is_correct: Flags
    as_published: Flags
    contained: Flags


def reproduce_evouna(
    *, path: Path, slug: str, lead: User, first_rows: str = "", say: Say = lambda _: None
) -> Project:
    """Make a project of the study and return it, judged and decided.

    People's verdicts are replayed through assignment, submission and decision, a rater for each group of
    systems; questions marked improper leave every score. `first_rows`: how many rows of the file to take,
    empty for all. Raises `FilesMissing`, `ImportFailed`, `SlugTaken`.
    """
    if not path.is_file():
        raise FilesMissing(f"{path} is not a file. Pass EVOUNA’s JSON file, such as NQ.json.")
    project = create_project(lead=lead, name=f"EVOUNA-{path.stem} (QA-Eval)", preset="evouna", slug=slug)
    # Before the answers come, so that it is the project's first containment judge and has the plain name.
    start_run(project=project, judge_key="containment", options=PUBLISHED_MATCHING)
    say("Replaying people’s verdicts …")
    import_files(project, lead, "evouna", [path], {"first_rows": first_rows})
    say("Running the lexical judges …")
    run_open_judges(project)
    return project


def report_of_evouna(project: Project) -> dict[str, Any]:
    """Return the report with both published judges for each system, pooled, and by answer length."""
    report = report_of(project)
    for system in report["systems"]:
        system["judges"] = [row for row in system["judges"] if row["key"] in PUBLISHED_JUDGES]
    rows = _rows(project)
    pooled = _pooled(rows.is_correct, rows.as_published)
    contained = _pooled(rows.is_correct, rows.contained)
    return {
        **report,
        "dataset": _dataset(project),
        "pooled": pooled,
        "pooled_containment": contained,
        "by_length": _by_length(rows),
        "published": [each._asdict() for each in _beside_paper(project, report, contained)],
    }


def _dataset(project: Project) -> str:
    """Return the data set that the study's file is named after."""
    first = project.imports.order_by("pk")[0]
    return Path(first.files[0]["name"]).stem


def _beside_paper(
    project: Project, report: Mapping[str, Any], contained: Mapping[str, int]
) -> list[published.Compared]:
    found = {
        (published.LEXICAL, system["name"], measure): 100 * row[measure]
        for system in report["systems"]
        for row in system["judges"]
        if row["key"] == "containment"
        for measure in published.EVOUNA_MEASURES
        if row[measure] is not None
    }
    if contained["n"]:
        shares = {name: 100 * contained[name] / contained["n"] for name in ("tp", "tn", "fp", "fn")}
        found |= {(published.TABLE_8, "all", name): share for name, share in shares.items()}
    return published.compare_cells(published.EVOUNA.get(_dataset(project), ()), found)


def _rows(project: Project) -> _Rows:
    facts = read_facts(project)
    given, runs = read_given(facts), _published_runs(project)
    said = read_said(project, runs.values())
    equal, contained = (said[runs[key]].verdict[given.candidate] for key in PUBLISHED_JUDGES)
    is_short = np.array([system.name == SHORT_ANSWERS for system in facts.items.systems], dtype=bool)
    published = np.where(is_short[facts.items.predictions.system], equal, contained)
    used = given.counted & (equal >= 0) & (contained >= 0)
    return _Rows(
        tokens=given.words[used],
        is_correct=facts.answers.worth[given.candidate][used] == ACCEPTED,
        as_published=published[used] == 1,
        contained=contained[used] == 1,
    )


def _published_runs(project: Project) -> Mapping[str, int]:
    rows = project.judge_runs.filter(judge_key__in=PUBLISHED_JUDGES).order_by("-created_at", "-pk")
    # The oldest of each judge is written last.
    return dict(rows.values_list("judge_key", "pk"))


def _pooled(correct: Flags, accepted: Flags) -> dict[str, Any]:
    """Return counts of answers by what people and the judge say, over all systems."""
    counts = count_confusion(correct=correct, accepted=accepted, scored=np.ones_like(correct))
    found = answers_of(counts)
    return {"n": len(correct), **{name: found[name] for name in ("tp", "fn", "fp", "tn")}}


def _by_length(rows: _Rows) -> list[dict[str, Any]]:
    """Return how often lexical matching is right by answer length; ends are included, the last is open."""
    ends = [*LENGTHS, None]
    bands = np.searchsorted(LENGTHS, rows.tokens, side="left")
    is_right = rows.is_correct == rows.as_published
    sizes = np.bincount(bands, minlength=len(ends)).tolist()
    right = np.bincount(bands[is_right], minlength=len(ends)).tolist()
    return [
        {
            "from": 0 if place == 0 else LENGTHS[place - 1] + 1,
            "to": ends[place],
            "n": sizes[place],
            "accuracy": right[place] / sizes[place] if sizes[place] else None,
        }
        for place in range(len(ends))
    ]

"""Reproduce EVOUNA's lexical matching (Wang et al. 2023) from its released file."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from annotation.accounts.models import User
from annotation.projects.models import Project
from annotation.projects.services import create_project
from commands.reproduction import published
from commands.reproduction.steps import (
    FilesMissing,
    Say,
    import_files,
    report_of,
    run_open_judges,
)
from judges.comparison.selectors.judge_board.parts import judged_predictions
from judges.runs.services import start_run

# As published: a gold answer that normalizes to nothing matches everything.
PUBLISHED_MATCHING = {"match": "contained", "empty_gold": "match", "split": "slash"}
PUBLISHED_JUDGES = ("exact_match", "containment")
# The paper asks of FiD's short answers that they equal a gold answer, of all others that they contain one.
SHORT_ANSWERS = "fid"
# Upper ends of the paper's classes of length, in white-space tokens.
LENGTHS = (35, 70, 105, 140, 175)


class _Row(NamedTuple):
    """One answer: how long it is, what people say and what one judge says."""

    tokens: int
    is_correct: bool
    is_accepted: bool


class _Answer(NamedTuple):
    """One answer judged as the paper's text says (FiD by equality), and by containment, as all others."""

    as_published: _Row
    contained: _Row


def reproduce_evouna(
    *, path: Path, slug: str, lead: User, first_rows: str = "", say: Say = lambda _: None
) -> Project:
    """Make a project of the study and return it, judged and decided.

    People's verdicts are replayed through assignment, submission and decision, a rater for each group of
    systems; questions marked improper leave every score. `first_rows`: how many rows of the file to take,
    empty for all. Raises `FilesMissing`, `ImportFailed`, `SlugTaken`.
    """
    if not path.is_file():
        raise FilesMissing(f"{path} is no file. Give EVOUNA's JSON file, such as NQ.json.")
    project = create_project(lead=lead, name=f"EVOUNA-{path.stem} (QA-Eval)", preset="evouna", slug=slug)
    # Before the answers come, so that it is the project's first containment judge and has the plain name.
    start_run(project=project, judge_key="containment", options=PUBLISHED_MATCHING)
    say("Replaying people's verdicts …")
    import_files(project, lead, "evouna", [path], {"first_rows": first_rows})
    say("Running the lexical judges …")
    run_open_judges(project)
    return project


def report_of_evouna(project: Project) -> dict[str, Any]:
    """Return the report with both published judges for each system, pooled, and by answer length."""
    report = report_of(project)
    for system in report["systems"]:
        system["judges"] = [row for row in system["judges"] if row["key"] in PUBLISHED_JUDGES]
    rows = list(_rows(project))
    pooled = _pooled([row.as_published for row in rows])
    contained = _pooled([row.contained for row in rows])
    return {
        **report,
        "dataset": _dataset(project),
        "pooled": pooled,
        "pooled_containment": contained,
        "by_length": _by_length([row.as_published for row in rows]),
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


def _rows(project: Project) -> Iterable[_Answer]:
    accepted = project.protocol.rules.accepted_keys if project.protocol else frozenset()
    runs = _published_runs(project)
    wanted = judged_predictions(project, run_ids=list(runs.values()))
    fields = ("pk", "system__name", "text", "candidate__decisions__label", "candidate__verdicts__run_id")
    rows: dict[int, dict[int, _Row]] = {}
    is_short: dict[int, bool] = {}
    for pk, system, text, label, run, verdict in wanted.values_list(*fields, "candidate__verdicts__accepted"):
        rows.setdefault(pk, {})[run] = _Row(len(text.split()), label in accepted, bool(verdict))
        is_short[pk] = system == SHORT_ANSWERS
    equal, contained = runs["exact_match"], runs["containment"]
    for pk, said in rows.items():
        if len(said) == len(PUBLISHED_JUDGES):
            yield _Answer(said[equal if is_short[pk] else contained], said[contained])


def _published_runs(project: Project) -> Mapping[str, int]:
    rows = project.judge_runs.filter(judge_key__in=PUBLISHED_JUDGES).order_by("-created_at", "-pk")
    # The oldest of each judge is written last.
    return dict(rows.values_list("judge_key", "pk"))


def _pooled(rows: list[_Row]) -> dict[str, Any]:
    """Return counts of answers by what people and the judge say, over all systems."""
    counts = Counter((row.is_correct, row.is_accepted) for row in rows)
    return {
        "n": len(rows),
        "tp": counts[True, True],
        "fn": counts[True, False],
        "fp": counts[False, True],
        "tn": counts[False, False],
    }


def _by_length(rows: list[_Row]) -> list[dict[str, Any]]:
    """Return how often lexical matching is right by answer length; ends are included, the last is open."""
    sizes: Counter[int] = Counter()
    right: Counter[int] = Counter()
    for row in rows:
        place = bisect_left(LENGTHS, row.tokens)
        sizes[place] += 1
        right[place] += row.is_correct == row.is_accepted
    ends = [*LENGTHS, None]
    return [
        {
            "from": 0 if place == 0 else LENGTHS[place - 1] + 1,
            "to": ends[place],
            "n": sizes[place],
            "accuracy": right[place] / sizes[place] if sizes[place] else None,
        }
        for place in range(len(ends))
    ]

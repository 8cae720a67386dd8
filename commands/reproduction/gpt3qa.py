"""Reproduce exact match and Fuzzy Match of GPT3QA (Si et al.) from its released predictions."""

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from annotation.accounts.models import User
from annotation.items.formats.papers.gpt3qa import PREDICTIONS, TEST
from annotation.projects.models import Project
from annotation.projects.services.making import create_project
from commands.reproduction.published import NO_RULE, NOT_KNOWN
from commands.reproduction.steps import FilesMissing, Say, import_files, report_of, run_open_judges
from judges.runs.models import JudgeRun, Verdict
from judges.runs.services.control import start_run

# Fuzzy Match of Si et al., table 1, as printed, where the printed cell is at hand.
PUBLISHED = {
    "NQ_test_GPT": 29,
    "NQ_test_PromptRetrieve": 34,
    "StrategyQA_test_GPT": 79,
    "StrategyQA_test_PromptRetrieve": 73,
}
NOT_REPRODUCED = {"NQ_test_GPT": NO_RULE, "NQ_test_PromptRetrieve": NO_RULE}
# What the rule gives is known of the other data sets, and is no printed cell.
NOT_AT_HAND = "the printed cell is not available"
FORMS = ("off", "on-except-boolean", "on")
# Exact match runs by itself after every import.
PUBLISHED_JUDGES = ("fuzzy_match", "fuzzy_match_wordnet")


class PredictionFiles(NamedTuple):
    """The released files: gold answers of each data set, and what each prompt answered."""

    golds: list[Path]
    predictions: list[Path]


def find_gpt3qa_files(folder: Path) -> PredictionFiles:
    """Return the files of the study; raises `FilesMissing` naming what is not there."""
    # A checkout of the repository has them in folders of their own.
    predictions = sorted(folder.rglob(f"*{TEST}_*{PREDICTIONS}.json"))
    golds = sorted(folder.rglob(f"*{TEST}.json"))
    if not predictions:
        raise FilesMissing(f"{folder} contains no file *{TEST}_*{PREDICTIONS}.json.")
    return PredictionFiles(golds=golds, predictions=predictions)


def reproduce_gpt3qa(*, folder: Path, slug: str, lead: User, say: Say = lambda _: None) -> Project:
    """Make a project of the study and return it with every answer judged; nobody rated any of them.

    Raises `FilesMissing`, `ImportFailed`, `SlugTaken`.
    """
    files = find_gpt3qa_files(folder)
    project = create_project(lead=lead, name="GPT3QA", preset="openqa-eval", slug=slug)
    for path in files.golds:
        import_files(project, lead, "gpt3qa", [path], {})
    say(f"Importing {len(files.predictions)} prediction files …")
    import_files(project, lead, "gpt3qa", files.predictions, {})
    say("Running the lexical judges …")
    for key in PUBLISHED_JUDGES:
        start_run(project=project, judge_key=key, options={})
    start_run(project=project, judge_key="fuzzy_match_wordnet", options={"synonyms": "on"})
    run_open_judges(project)
    return project


def report_of_gpt3qa(project: Project) -> dict[str, Any]:
    """Return the report, and what each form of Fuzzy Match accepts of a system beside the published cell."""
    report = report_of(project)
    runs = {run.pk: _form_of(run) for run in project.judge_runs.filter(judge_key__in=PUBLISHED_JUDGES)}
    accepted: Counter[tuple[str, str]] = Counter()
    given = project.systems.values_list("name", "predictions__candidate")
    said = Verdict.objects.filter(run__in=list(runs), accepted=True).values_list("candidate", "run")
    found: dict[int, list[str]] = defaultdict(list)
    for candidate, run in said:
        found[candidate].append(runs[run])
    for name, candidate in given:
        accepted.update((name, form) for form in found[candidate])
    rows = [_row(name, accepted) for name in sorted(project.systems.values_list("name", flat=True))]
    return {**report, "fuzzy_match": rows}


def _form_of(run: JudgeRun) -> str:
    return "off" if run.judge_key == "fuzzy_match" else str(run.options["synonyms"])


def _row(name: str, accepted: Counter[tuple[str, str]]) -> dict[str, Any]:
    published = PUBLISHED.get(name)
    counts = {form: accepted[name, form] for form in FORMS}
    equal = [form for form, count in counts.items() if count == published]
    return {
        "system": name,
        "published": published,
        "synonyms": counts,
        "equal": equal,
        "why_not": _why_not(name, published, is_equal=bool(equal)),
    }


def _why_not(name: str, published: int | None, *, is_equal: bool) -> str:
    if published is None:
        return NOT_AT_HAND
    return "" if is_equal else NOT_REPRODUCED.get(name, NOT_KNOWN)


def lines_of_gpt3qa(report: dict[str, Any]) -> list[str]:
    """Return the table of Fuzzy Match as text."""
    head = f"{'Fuzzy Match, correct out of 100, by synonyms':44} {'published':>9}" + "".join(
        f" {form:>18}" for form in FORMS
    )
    return ["", head, *map(_line, report["fuzzy_match"])]


def _line(row: dict[str, Any]) -> str:
    published = "-" if row["published"] is None else str(row["published"])
    cells = "".join(
        f" {f'{count} =' if form in row['equal'] else count:>18}" for form, count in row["synonyms"].items()
    )
    why = f"  {row['why_not']}" if row["why_not"] else ""
    return f"{row['system']:44} {published:>9}{cells}{why}"

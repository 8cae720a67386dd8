"""Reproduce exact match and Fuzzy Match of GPT3QA (Si et al.) from its released predictions."""

from pathlib import Path
from typing import NamedTuple

from annotation.accounts.models import User
from annotation.items.formats.gpt3qa import PREDICTIONS, TEST
from annotation.projects.models import Project
from annotation.projects.services import create_project
from judges.management.reproduction.steps import FilesMissing, Say, import_files, run_open_judges
from judges.registry import JUDGES
from judges.runs.services import start_run

# Exact match runs by itself after every import.
PUBLISHED_JUDGES = ("fuzzy_match", "fuzzy_match_wordnet")


class PredictionFiles(NamedTuple):
    """The released files: gold answers of each data set, and what each prompt answered."""

    golds: list[Path]
    predictions: list[Path]


def find_gpt3qa_files(folder: Path) -> PredictionFiles:
    """Return the files of the study; raises `FilesMissing` naming what is not there."""
    predictions = sorted(folder.glob(f"*{TEST}_*{PREDICTIONS}.json"))
    golds = sorted(folder.glob(f"*{TEST}.json"))
    if not predictions:
        raise FilesMissing(f"{folder} lacks *{TEST}_*{PREDICTIONS}.json.")
    return PredictionFiles(golds=golds, predictions=predictions)


def reproduce_gpt3qa(*, folder: Path, slug: str, lead: User, say: Say = lambda _: None) -> Project:
    """Make a project of the study and return it with every answer judged; nobody rated any of them.

    Raises `FilesMissing`, `ImportFailed`, `SlugTaken`.
    """
    files = find_gpt3qa_files(folder)
    project = create_project(lead=lead, name="GPT3QA", preset="openqa-eval", slug=slug)
    for path in files.golds:
        import_files(project, lead, "gpt3qa", [path], {})
    say(f"Importing {len(files.predictions)} files of predictions …")
    import_files(project, lead, "gpt3qa", files.predictions, {})
    say("Running the lexical judges …")
    for key in PUBLISHED_JUDGES:
        if key in JUDGES:
            start_run(project=project, judge_key=key, options={})
    run_open_judges(project)
    return project

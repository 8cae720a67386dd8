"""Reproduce NQ301, the study of Kamalloo et al. 2023, from the files that OpenQA-eval released."""

from pathlib import Path
from typing import Any, NamedTuple

from annotation.accounts.models import User
from annotation.items.services.samples import set_sample
from annotation.projects.models import Project
from annotation.projects.services.making import create_project
from commands.reproduction import published
from commands.reproduction.steps import FilesMissing, Say, import_files, report_of, run_open_judges


class StudyFiles(NamedTuple):
    """The released files of OpenQA-eval: people's votes, systems' outputs, and recorded verdicts."""

    votes: Path
    outputs: list[Path]
    verdicts: list[Path]


def find_openqa_eval_files(folder: Path) -> StudyFiles:
    """Return the files of the study; raises `FilesMissing` naming what is not there."""
    votes = folder / "NQ301_human.tsv"
    outputs = sorted((folder / "model_outputs").glob("*.jsonl"))
    verdicts = [path for path in sorted(folder.glob("NQ301_*.tsv")) if path != votes]
    missing = [
        name
        for name, found in (("NQ301_human.tsv", votes.is_file()), ("model_outputs/*.jsonl", bool(outputs)))
        if not found
    ]
    if missing:
        raise FilesMissing(f"{folder} does not contain {' or '.join(missing)}.")
    return StudyFiles(votes=votes, outputs=outputs, verdicts=verdicts)


def reproduce_openqa_eval(*, folder: Path, slug: str, lead: User, say: Say = lambda _: None) -> Project:
    """Make a project of the study and return it, judged and decided.

    The rows of the human file are the answers that people judge, each row one answer as typed. Its votes
    are replayed through assignment, submission and decision; the systems' outputs are linked to these
    answers and scored on all their questions; recorded verdicts come from the other files, and the lexical
    judges run here. Raises `FilesMissing`, `ImportFailed`, `SlugTaken`.
    """
    files = find_openqa_eval_files(folder)
    project = create_project(lead=lead, name="NQ301 (OpenQA-eval)", preset="openqa-eval", slug=slug)
    say("Replaying the votes …")
    import_files(project, lead, "openqa-eval-votes", [files.votes], {"keep_duplicate_rows": "yes"})
    # The judged questions are the sample; those that only the outputs have stay outside it.
    judged = project.questions.order_by("position").values_list("text", flat=True)
    set_sample(project=project, method=Project.SampleMethod.QUESTIONS, questions=list(judged))
    say(f"Importing the answers of {len(files.outputs)} systems …")
    import_files(project, lead, "openqa-eval-outputs", files.outputs, {"candidates": "votes"})
    for path in files.verdicts:
        say(f"Importing the verdicts of {path.name} …")
        import_files(project, lead, "openqa-eval-verdicts", [path], {})
    say("Running the lexical judges …")
    run_open_judges(project)
    return project


def report_of_openqa_eval(project: Project) -> dict[str, Any]:
    """Return the report with every printed cell beside its figure, and τ from the printed cells, too."""
    report = report_of(project)
    taus = published.taus_of_cells()
    compared = published.compare_cells(published.cells_of_nq301(), _found(report, taus))
    return {
        **report,
        "kendall_of_printed_cells": taus,
        "published": [each._asdict() for each in compared],
    }


def _found(report: dict[str, Any], taus: dict[str, float | None]) -> dict[tuple[str, str, str], float]:
    """Return the figures of a report by the place of their printed cell, in its unit."""
    found: dict[tuple[str, str, str], float] = {}
    for table, rows in ((published.SAMPLE, report["systems"]), (published.ENTIRE, report["entire"])):
        for row in rows:
            for measure, score in row["scores"].items():
                share = score.get("accuracy", score.get("mean"))
                if share is not None:
                    found[table, row["name"], measure] = 100 * share
    for row in report["judges"]:
        if row["kendall_tau_b"] is not None:
            found[published.TAU, "12 systems", row["key"]] = row["kendall_tau_b"]
    found |= {
        (published.TAU_OF_CELLS, "12 systems", measure): tau
        for measure, tau in taus.items()
        if tau is not None
    }
    kappas = {row["missing_votes"]: row["fleiss_kappa"] for row in report["agreement"]}
    kappa = kappas.get("own-category")
    if kappa is not None:
        found[published.FLEISS[:3]] = 100 * kappa
    return found

"""Bring EfficientQA's released file (Min et al. 2021) into the tables, and compare what comes out with it."""

import hashlib
from collections import Counter
from itertools import zip_longest
from pathlib import Path
from typing import Any

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.projects.models import Project
from annotation.projects.rules import Credit
from annotation.projects.services.making import create_project
from commands.reproduction.steps import FilesMissing, Say, import_files


def reproduce_efficientqa(*, path: Path, slug: str, lead: User, say: Say = lambda _: None) -> Project:
    """Make a project of the released file and return it: every listed answer decided, without votes.

    Raises `FilesMissing`, `ImportFailed`, `SlugTaken`.
    """
    if not path.is_file():
        raise FilesMissing(
            f"{path} is not a file. Pass a released file, such as NQ-open.efficientqa.test.1.1.jsonl."
        )
    project = create_project(lead=lead, name="EfficientQA", preset="efficientqa", slug=slug)
    say("Importing the decisions …")
    import_files(project, lead, "efficientqa-release", [path], {})
    return project


def report_of_efficientqa(project: Project, *, released: Path, exported: Path) -> dict[str, Any]:
    """Return how many answers were decided to be what, from the tables, and the hashes of both files."""
    assert project.protocol is not None
    protocol = project.protocol.rules
    decided = Decision.objects.in_force().filter(candidate__project=project)
    labels = decided.order_by("pk").values_list("label", flat=True)
    counts = Counter(protocol.credit(label) for label in labels)
    return {
        "questions": project.questions.count(),
        "definitely": counts[Credit.DEFINITE],
        "possibly": counts[Credit.POSSIBLE],
        "incorrect": counts[Credit.NONE],
        "sha256_in": _sha256(released),
        "sha256_out": _sha256(exported),
    }


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def difference_from(*, released: Path, exported: Path) -> str:
    """Return in words where the export first differs from the released file; empty where it does not."""
    with released.open("rb") as wanted, exported.open("rb") as found:
        for number, (before, after) in enumerate(zip_longest(wanted, found), 1):
            if before != after:
                return f"The export differs from {released.name}, starting at line {number}."
    return ""

"""Imports made for a test, as a lead makes them."""

import json
from collections.abc import Iterable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from annotation.items.models import (
    Candidate,
    DataImport,
    GoldAnswer,
    Passage,
    Prediction,
    Question,
    RetrievedPassage,
    System,
)
from annotation.items.services.applying import confirm_import
from annotation.items.services.uploads import create_import
from annotation.projects.models import Project

TABLES = (Question, GoldAnswer, System, Candidate, Prediction, Passage, RetrievedPassage)


def jsonl(rows: Iterable[dict[str, Any]]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def outputs(**answers: Any) -> str:
    """Return a system's file: question to answer, with gold "gold"."""
    return jsonl({"question": q, "answer": ["gold"], "prediction": a} for q, a in answers.items())


def upload_to(project: Project, *, format_key: str = "", files: dict[str, Any], **options: Any) -> DataImport:
    """Upload files, name to content, and have them checked."""
    by = project.created_by
    return create_import(
        project=project, by=by, files=uploads_of(files), format_key=format_key, options=options
    )


def upload_in_background(project: Project, *, files: dict[str, Any]) -> DataImport:
    """Upload files and leave the check to a worker, as pages do."""
    by = project.created_by
    return create_import(project=project, by=by, files=uploads_of(files), in_background=True)


def uploads_of(files: dict[str, Any]) -> list[SimpleUploadedFile]:
    return [
        SimpleUploadedFile(name, content if isinstance(content, bytes) else content.encode())
        for name, content in files.items()
    ]


def import_into(project: Project, **arguments: Any) -> DataImport:
    """Upload files and let them in."""
    return confirm_import(data_import=upload_to(project, **arguments))


def rows_stored() -> dict[str, int]:
    return {table.__name__: table.objects.count() for table in TABLES}


@pytest.fixture
def exact(project: Project) -> Project:
    project.pooling = Project.Pooling.EXACT
    project.save(update_fields=["pooling"])
    return project

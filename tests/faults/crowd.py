"""Work of all kinds at once: raters, a large run, a paid run, and a lead who brings files in."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from annotation.items.models import Candidate, GoldAnswer, Question
from annotation.items.rules import key_of_question, pool_hash, text_hash
from annotation.projects.models import Project
from judges.connections.services.changes import create_connection
from judges.runs.services import control
from tests.annotation.assignments.factories import make_import
from tests.conftest import ClientOf
from tests.factories import make_project, make_user
from tests.faults.clients import open_website

ANSWERS = 4


def make(slug: str) -> Project:
    """Make a project with a lead of its own."""
    return make_project(slug=slug, lead=make_user(username=f"lead-{slug}", name=slug))


def make_judged(slug: str, *, questions: int) -> Project:
    """Make a project with so many questions of four answers each."""
    project = make(slug)
    data_import = make_import(project=project)
    keys = [key_of_question(text=f"{slug} {number}") for number in range(questions)]
    made = Question.objects.bulk_create(
        Question(
            project=project,
            data_import=data_import,
            key=key,
            key_hash=text_hash(key),
            text=f"{slug} {number}",
            position=number,
        )
        for number, key in enumerate(keys)
    )
    GoldAnswer.objects.bulk_create(
        GoldAnswer(question=question, data_import=data_import, text="golden age", position=0)
        for question in made
    )
    Candidate.objects.bulk_create(
        Candidate(
            question=question,
            project=project,
            data_import=data_import,
            text=(text := f"the gold of answer {question.position} or {place}"),
            pool_hash=pool_hash(text, pooling="exact"),
        )
        for question in made
        for place in range(ANSWERS)
    )
    return project


def open_crowd(
    *, folder: str, sheets: int, raters: int, judged: int, paid: int, connection: dict[str, Any]
) -> None:
    """Make work for raters, start judges that are slow, lexical and paid, and let a lead in."""
    # Known to this process only once it is imported.
    import tests.faults.judging  # noqa: F401

    open_website(questions=sheets, answers=2, raters=raters, folder=folder)
    project, asked = make_judged("judged", questions=judged), make_judged("asked", questions=paid)
    for key in ("slow", "fuzzy_match_guarded"):
        control.start_run(project=project, judge_key=key, options={})
    made = create_connection(
        project=asked, by=asked.created_by, name="hostile", model="hostile-1", **connection
    )
    control.start_run(project=asked, judge_key="llm", options={}, connection_id=made.public_id)
    sessions = Path(folder, "sessions.json")
    lead = ClientOf(make("imported").created_by).cookies["sessionid"].value
    known = json.loads(sessions.read_text(encoding="utf-8"))
    sessions.write_text(json.dumps({**known, "lead": lead}), encoding="utf-8")


COMMANDS: dict[str, Callable[..., None]] = {"open_crowd": open_crowd}

"""Imports and exports that stop in the middle, so that whoever is at work on them can be killed there.

Run as a program it makes the tables, and begins what a worker is to do: `python -m tests.faults.filing WHAT`.
"""

import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"

import django

if __name__ == "__main__":
    django.setup()

LONG_SECONDS = 3_600
ROWS_A_CHUNK = 100
QUESTIONS = 450
HOSTILE_QUESTIONS = 40
CONFIRMED_AT = "confirmed-at"


def stop_in_the_middle(journal: Path) -> None:
    """Let whoever first writes the second part of an import, or the lines of a file, say so and stand still.

    Whoever comes afterwards goes on.
    """
    from annotation.items.services import applying, reading
    from annotation.release import services

    def stand_still(original: Callable[..., Any], *, at_call: int) -> Callable[..., Any]:
        calls = 0

        def perhaps(*arguments: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == at_call and not journal.exists():
                journal.write_text(str(os.getpid()), encoding="utf-8")
                time.sleep(LONG_SECONDS)
            return original(*arguments)

        return perhaps

    # Else all of it would be one chunk.
    reading.chunks_of.__defaults__ = (ROWS_A_CHUNK,)
    applying.write_chunk = stand_still(applying.write_chunk, at_call=2)
    services._write = stand_still(services._write, at_call=1)


def seed(what: str) -> None:
    """Make a project, and an import or an export in it that waits for a worker."""
    from annotation.items.services.applying import confirm_import
    from annotation.release import services
    from annotation.release.services import start_export
    from tests.annotation.items.conftest import jsonl, upload_to
    from tests.factories import make_project
    from tests.faults.tables import make_tables

    make_tables()
    project = make_project(slug="files")
    rows = [
        {"question": f"question {number}", "answers": ["gold"], "prediction": "answer", "system": "s"}
        for number in range(QUESTIONS)
    ]
    data_import = upload_to(project, files={"many.jsonl": jsonl(rows)})
    confirm_import(data_import=data_import, in_background=what == "import")
    if what == "export":
        services.INLINE_ROWS = 0
        start_export(project=project, format_key="openqa-eval-gold", by=project.created_by)


def hostile_judges(*, gold: int, answer: int, questions: int) -> None:
    """Let a project's runs judge answers of so many letters, and an import wait in another's."""
    from judges.runs.services.control import start_run
    from tests.annotation.items.conftest import import_into, jsonl, upload_to
    from tests.factories import make_project
    from tests.faults.tables import make_tables

    make_tables()
    hostile = make_project(slug="hostile")
    rows = [
        {
            "question": f"question {number}",
            "answers": ["g" * gold + f" {number}"],
            "prediction": "a b " * (answer // 4) + str(number),
            "system": "s",
        }
        for number in range(questions)
    ]
    import_into(hostile, files={"hostile.jsonl": jsonl(rows)})
    for threshold in (0.5, 0.6, 0.7, 0.8):
        start_run(project=hostile, judge_key="fuzzy_match_guarded", options={"threshold": threshold})
    foreign = make_project(slug="foreign")
    upload_to(foreign, files={"some.jsonl": jsonl([{"question": "q", "answers": ["a"]}])})


def cancel_and_import() -> None:
    """Cancel all runs that can be cancelled, and confirm the import that waits."""
    from judges.runs.models import JudgeRun
    from judges.runs.services.control import cancel_run

    _note_time()
    for run in JudgeRun.objects.filter(state__in=["queued", "running"]):
        cancel_run(run=run)
    import_foreign()


def import_foreign() -> None:
    """Confirm the import that waits, whatever else is at work."""
    from annotation.items.models import DataImport
    from annotation.items.services.applying import confirm_import

    _note_time()
    confirm_import(data_import=DataImport.objects.get(project__slug="foreign"), in_background=True)


def _note_time() -> None:
    """Note when somebody began, unless it was noted: what it takes to start this process is not theirs."""
    from django.conf import settings

    path = settings.DATA_DIR / CONFIRMED_AT
    if not path.exists():
        path.write_text(str(time.time()), encoding="utf-8")


COMMANDS: dict[str, Callable[[], None]] = {
    "import": partial(seed, "import"),
    "export": partial(seed, "export"),
    # As long as files may hold them, which no judge begins; and as long as judges take them.
    "hostile": partial(hostile_judges, gold=8_000, answer=80_000, questions=HOSTILE_QUESTIONS),
    "long": partial(hostile_judges, gold=1_900, answer=1_900, questions=20 * HOSTILE_QUESTIONS),
    "cancel": cancel_and_import,
    "confirm": import_foreign,
}

if __name__ == "__main__":
    COMMANDS[sys.argv[1]]()

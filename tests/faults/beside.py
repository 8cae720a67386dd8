"""A large study, all long work on it, and a second process beside it that wants to write all the time.

Run by `tests.faults.arena` as a process of its own, through `tests.faults.launch`.
"""

import json
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.db import connections

from annotation.accounts.models import User
from annotation.projects.models import Project
from annotation.release.selectors.formats import EXPORT_FORMATS
from annotation.release.services import write_file
from benchmarks.apparatus import study
from tests.faults.tables import make_tables
from tests.long_work import WORKS, make_study

PAUSE_SECONDS = 0.02


def work_beside_a_writer(*, folder: str, questions: int, answers: int, only: list[str]) -> None:
    """Do all long work, one after the other, and write down how long the other process waited at most."""
    make_tables()
    with pytest.MonkeyPatch.context() as patch:
        project = make_study(patch, questions=questions, answers=answers)
        _settle_tables()
        for name in only or WORKS:
            do = WORKS[name](project)
            # What is prepared may be as large as the study.
            _settle_tables()
            _note(folder, name, **beside_a_writer(do))
            project = Project.objects.filter(pk=project.pk).first() or project


def write_all_exports(*, folder: str, questions: int, answers: int) -> None:
    """Write every form of export, and write down the memory that each took."""
    make_tables()
    with pytest.MonkeyPatch.context() as patch:
        project = make_study(patch, questions=questions, answers=answers)
        _settle_tables()
        for form in EXPORT_FORMATS:
            path = Path(folder) / form.key
            export = partial(_export, project, form.key, path)
            waited = beside_a_writer(partial(_in_a_child, export))
            memory = int(_memory(path).read_text(encoding="utf-8"))
            _note(folder, form.key, **waited, size=path.stat().st_size, memory=memory)


def _settle_tables() -> None:
    # As the databases do for themselves in time: plans for a study of this size.
    with connections["default"].cursor() as cursor:
        cursor.execute("ANALYZE")


def _export(project: Project, key: str, path: Path) -> None:
    # From here on the peak is counted anew.
    Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")
    before = _status("VmRSS")
    write_file(project=project, format_key=key, path=path)
    _memory(path).write_text(str(_status("VmHWM") - before), encoding="utf-8")


def _memory(path: Path) -> Path:
    return path.with_suffix(".memory")


def _status(field: str) -> int:
    """Return a size from the process's status, in bytes."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    line = next(line for line in lines if line.startswith(f"{field}:"))
    return int(line.split()[1]) * 1024


def _in_a_child(do: Callable[[], Any]) -> None:
    code = os.waitstatus_to_exitcode(os.waitpid(_fork(do), 0)[1])
    assert code == 0, code


def _fork(do: Callable[[], Any]) -> int:
    connections.close_all()
    child = os.fork()
    if child:
        return child
    try:
        do()
    except BaseException:
        os._exit(1)
    os._exit(0)


def beside_a_writer(do: Callable[[], Any]) -> dict[str, float]:
    """Do it while another process writes a row again and again; return how long either took."""
    told = settings.DATA_DIR / "longest-wait"
    stop = settings.DATA_DIR / "stop"
    settings.DATA_DIR.mkdir(parents=True, exist_ok=True)
    stop.unlink(missing_ok=True)
    told.unlink(missing_ok=True)
    User.objects.get_or_create(username="writer")
    writer = _fork(lambda: _write_until(stop, told))
    while not told.exists():
        time.sleep(PAUSE_SECONDS)
    began = time.monotonic()
    try:
        do()
    finally:
        took = time.monotonic() - began
        stop.touch()
        code = os.waitstatus_to_exitcode(os.waitpid(writer, 0)[1])
    assert code == 0, "the writer was refused"
    longest, writes = told.read_text(encoding="utf-8").split()
    return {"took": took, "longest_wait": float(longest), "writes": float(writes)}


def _write_until(stop: Path, told: Path) -> None:
    longest, writes = 0.0, 0
    User.objects.filter(username="writer").update(name="0")
    while True:
        is_last = stop.exists()
        told.write_text(f"{longest} {writes}", encoding="utf-8")
        if is_last:
            return
        began = time.monotonic()
        User.objects.filter(username="writer").update(name=str(writes))
        longest, writes = max(longest, time.monotonic() - began), writes + 1
        time.sleep(PAUSE_SECONDS)


def _note(folder: str, name: str, **measured: float) -> None:
    votes = study.QUESTIONS * study.ANSWERS_A_QUESTION * study.RATERS
    line = json.dumps({"name": name, "votes": votes, **measured})
    print(line, flush=True)
    with (Path(folder) / "measured.jsonl").open("a", encoding="utf-8") as file:
        file.write(f"{line}\n")


COMMANDS: dict[str, Callable[..., None]] = {
    "work_beside_a_writer": work_beside_a_writer,
    "write_all_exports": write_all_exports,
}

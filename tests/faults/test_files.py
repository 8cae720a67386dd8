"""Workers that die in the middle of an import or of an export: nobody waits for it longer than a minute."""

import os
import random
import time

import pytest

from tests.faults.filing import CONFIRMED_AT, QUESTIONS
from tests.faults.proof import Proof
from tests.faults.workshop import Kept, Workshop

# The leases are five and fifteen minutes: what is free sooner was known to be dead.
A_MINUTE = 60
# After the worker died: an import is whole or gone, and a file is there.
ENDINGS = {"import": "failed", "export": "finished"}
CANCEL_SECONDS = 5
# Each hand works for two seconds, then looks who else waits.
TURN_SECONDS = 10
AT_WORK = "SELECT count(*) FROM judges_judgerun WHERE state IN ('queued', 'running')"
CLAIMED = "SELECT count(*) FROM judges_runbatch WHERE state = 'claimed'"
FOREIGN_IMPORT = (
    "SELECT data_import.state FROM annotation_dataimport data_import "
    "JOIN annotation_project project ON project.id = data_import.project_id WHERE project.slug = 'foreign'"
)
VICTIMS = {"process": "the worker's process", "worker": "the whole worker"}


def die_in_the_middle(workshop: Workshop, *, what: str, dies: str) -> float:
    """Kill a worker, or its one process, in the middle; return after how many seconds it mattered no more."""
    journal = workshop.folder / "stood-still"
    workshop.environment["STAND_STILL_JOURNAL"] = str(journal)
    workshop.queue.start()
    run_filing(workshop, what)
    worker = workshop.start_worker(concurrency=1)
    workshop.start_clock()
    workshop.wait_until(journal.exists)
    before = time.monotonic()
    kill(workshop, worker, dies=dies)
    workshop.wait_until(lambda: state_of(workshop, what) == ENDINGS[what])
    return time.monotonic() - before


def run_filing(workshop: Workshop, command: str) -> None:
    workshop.arena.run_program("tests.faults.filing", command, environment=workshop.environment)


def kill(workshop: Workshop, worker: Kept, *, dies: str) -> None:
    if dies == "process":
        workshop.guard.kill_child(worker.pid, chance=random.Random(1))
    else:
        workshop.kill(worker)
        workshop.start_worker(concurrency=1)


def state_of(workshop: Workshop, what: str) -> str:
    table = {"import": "annotation_dataimport", "export": "annotation_export"}[what]
    return str(workshop.arena.rows(f"SELECT state FROM {table}")[0][0])


def leftovers(workshop: Workshop) -> list[str]:
    """Return what is wrong once it is over."""
    questions = workshop.arena.rows("SELECT count(*) FROM annotation_question")[0][0]
    is_import = state_of(workshop, "import") == "failed"
    found = [] if questions == (0 if is_import else QUESTIONS) else [f"{questions} questions"]
    exports = workshop.arena.folder / "data" / "exports"
    names = os.listdir(exports) if exports.exists() else []
    return found + [name for name in names if name.startswith(".")]


@pytest.mark.services
class TestKilledInTheMiddle:
    @pytest.mark.parametrize(("what", "dies"), [("import", "process"), ("export", "worker")])
    def test_is_free_within_a_minute(self, what: str, dies: str, workshop: Workshop) -> None:
        seconds = die_in_the_middle(workshop, what=what, dies=dies)
        assert seconds < A_MINUTE
        assert leftovers(workshop) == []

    @pytest.mark.prove
    @pytest.mark.parametrize("what", ENDINGS)
    @pytest.mark.parametrize("dies", VICTIMS)
    def test_is_free_within_a_minute_with_an_installations_own_waits(
        self, what: str, dies: str, workshop: Workshop, proof: Proof
    ) -> None:
        workshop.take_its_time()
        seconds = die_in_the_middle(workshop, what=what, dies=dies)
        assert leftovers(workshop) == []
        proof.record(
            "P25",
            f"kill -9 of {VICTIMS[dies]} in the middle of an {what}",
            promised="free within 60 s",
            measured=f"{ENDINGS[what]} after {seconds:.0f} s",
            database=workshop.arena.database,
        )
        assert seconds < A_MINUTE


@pytest.mark.prove
class TestHostileRuns:
    """Answers of 80 kB beside gold answers of 8 kB once held both processes for 167 s after *Cancel*."""

    def test_keep_nobody_elses_import_waiting(self, workshop: Workshop, proof: Proof) -> None:
        seconds = import_beside_runs(workshop, "hostile", "cancel")
        proof.record(
            "P25",
            "another project's import while four hostile runs are cancelled",
            promised="≤ 5 s (was 167 s)",
            measured=f"{seconds:.1f} s",
            database=workshop.arena.database,
        )
        assert seconds < CANCEL_SECONDS

    def test_leave_a_worker_to_others_while_they_go_on(self, workshop: Workshop, proof: Proof) -> None:
        seconds = import_beside_runs(workshop, "long", "confirm")
        at_work = workshop.arena.rows(AT_WORK)[0][0]
        proof.record(
            "P25",
            "another project's import beside four hostile runs",
            promised="≤ 10 s",
            measured=f"{seconds:.1f} s; {at_work} of the runs still at work",
            database=workshop.arena.database,
        )
        assert at_work > 0
        assert seconds < TURN_SECONDS


def import_beside_runs(workshop: Workshop, runs: str, command: str) -> float:
    """Return after how many seconds another project's import is in, from before it is confirmed."""
    workshop.take_its_time()
    workshop.queue.start()
    run_filing(workshop, runs)
    workshop.start_clock()
    workshop.start_worker(concurrency=2)
    workshop.wait_until(lambda: bool(workshop.arena.rows(CLAIMED)[0][0]))
    run_filing(workshop, command)
    workshop.wait_until(lambda: workshop.arena.rows(FOREIGN_IMPORT)[0][0] == "applied")
    confirmed_at = (workshop.arena.folder / "data" / CONFIRMED_AT).read_text(encoding="utf-8")
    return time.time() - float(confirmed_at)

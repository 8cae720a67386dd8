"""Workers and queues that die while a judge is at work; see `promises.md` P8 to P10."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from judges.management import processes
from tests.faults.arena import PROJECT_FOLDER, Arena, open_arena
from tests.faults.judging import ANSWERS

QUESTIONS = 40
CONCURRENCY = 2
LEASE_SECONDS = 2
PATIENCE_SECONDS = 120


class Workshop:
    """A database with a run to work on, a queue of its own, and workers that can be killed."""

    def __init__(self, arena: Arena, folder: Path) -> None:
        self.arena = arena
        self.folder = folder
        self.journal = folder / "journal"
        self.environment = {
            **arena.environment,
            "REDIS_URL": f"redis+socket://{folder / 'queue.sock'}",
            "ASSAY_RUN_LEASE_SECONDS": str(LEASE_SECONDS),
            "SLOW_JUDGE_JOURNAL": str(self.journal),
        }
        self._running: list[subprocess.Popen[bytes]] = []

    def seed(self, *, questions: int) -> None:
        command = [sys.executable, "-m", "tests.faults.judging", str(questions)]
        subprocess.run(command, cwd=PROJECT_FOLDER, env=self.environment, check=True, timeout=120)

    def start_queue(self) -> "subprocess.Popen[bytes]":
        service = processes.redis_service(socket_path=self.folder / "queue.sock", folder=self.folder)
        return self._start(service.command)

    def start_worker(self) -> "subprocess.Popen[bytes]":
        command = processes.worker_service(folder=self.folder, concurrency=CONCURRENCY).command
        return self._start(tuple("tests.faults.judging" if word == "config" else word for word in command))

    def _start(self, command: tuple[str, ...]) -> "subprocess.Popen[bytes]":
        with (self.folder / "processes.log").open("ab") as log:
            process = subprocess.Popen(
                command,
                cwd=PROJECT_FOLDER,
                env=self.environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._running.append(process)
        return process

    def kill(self, process: "subprocess.Popen[bytes]") -> None:
        """Kill a process and everything it started, without a word."""
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=30)
        self._running.remove(process)

    def kill_all(self) -> None:
        for process in list(self._running):
            self.kill(process)

    def verdict_count(self) -> int:
        return int(self.arena.rows("SELECT count(*) FROM judges_verdict")[0][0])

    def has_verdicts(self, count: int) -> bool:
        return self.verdict_count() >= count

    def has_judged_again(self) -> bool:
        return any(count > 1 for count in self.asked().values())

    def asked(self) -> Counter[str]:
        """Count how often each batch was judged."""
        return Counter(self.journal.read_text(encoding="utf-8").splitlines() if self.journal.exists() else [])

    def state(self) -> str:
        return str(self.arena.rows("SELECT state FROM judges_judgerun")[0][0])

    def wait_until(self, is_so: Callable[[], bool]) -> None:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not is_so():
            if time.monotonic() > deadline:
                log = (self.folder / "processes.log").read_text(encoding="utf-8", errors="replace")
                pytest.fail(f"still {self.state()} with {self.verdict_count()} verdicts\n{log[-3000:]}")
            time.sleep(0.05)

    def wait_until_over(self) -> None:
        self.wait_until(lambda: self.state() not in {"queued", "running"})

    def violations(self, *, questions: int, batches_lost: int) -> list[str]:
        """Say what is wrong once the run is over; `batches_lost`: how many may have been judged again."""
        found = [] if self.state() == "finished" else [f"the run is {self.state()}"]
        counts = [count for _, count in self.arena.rows(COUNTS)]
        if counts != [1] * (questions * ANSWERS):
            found.append(f"verdicts an answer: {Counter(counts)}")
        again = sum(count - 1 for count in self.asked().values())
        if again > batches_lost:
            found.append(f"{again} batches judged again, {batches_lost} lost")
        return found


COUNTS = (
    "SELECT candidate.id, count(verdict.id) FROM annotation_candidate candidate "
    "LEFT JOIN judges_verdict verdict ON verdict.candidate_id = candidate.id GROUP BY candidate.id"
)


@pytest.fixture
def workshop(tmp_path: Path) -> Iterator[Workshop]:
    # The address of a Unix socket must be short.
    folder = Path(tempfile.mkdtemp(prefix="assay-"))
    with open_arena(tmp_path) as arena:
        made = Workshop(arena, folder)
        try:
            yield made
        finally:
            made.kill_all()
            shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.services
class TestKilledWorkers:
    def test_lose_nothing_and_judge_nothing_twice(self, workshop: Workshop) -> None:
        survive(workshop, kills=1, questions=QUESTIONS)

    @pytest.mark.prove
    def test_lose_nothing_however_many_die(self, workshop: Workshop) -> None:
        survive(workshop, kills=17, questions=300)

    def test_would_be_noticed_if_claims_did_not_hold(self, workshop: Workshop) -> None:
        workshop.environment["BROKEN_CLAIM"] = "1"
        workshop.start_queue()
        workshop.seed(questions=QUESTIONS)
        for _ in range(2):
            workshop.start_worker()
        workshop.wait_until(workshop.has_judged_again)
        assert any(
            "judged again" in words for words in workshop.violations(questions=QUESTIONS, batches_lost=0)
        )


def survive(workshop: Workshop, *, kills: int, questions: int) -> None:
    """Kill a worker at work so many times, let another finish, and look at what they left."""
    workshop.start_queue()
    workshop.seed(questions=questions)
    for _ in range(kills):
        worker, enough = workshop.start_worker(), workshop.verdict_count() + 4 * ANSWERS
        workshop.wait_until(partial(workshop.has_verdicts, enough))
        workshop.kill(worker)
        assert workshop.state() == "running"
    workshop.start_worker()
    workshop.wait_until_over()
    assert workshop.violations(questions=questions, batches_lost=kills * CONCURRENCY) == []


@pytest.mark.services
class TestKilledQueue:
    def test_with_everything_in_it_is_rung_again(self, workshop: Workshop) -> None:
        queue = workshop.start_queue()
        workshop.seed(questions=QUESTIONS)
        worker = workshop.start_worker()
        workshop.wait_until(partial(workshop.has_verdicts, 4 * ANSWERS))
        workshop.kill(worker)
        workshop.kill(queue)
        for path in workshop.folder.glob("appendonly*"):
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        workshop.start_queue()
        workshop.start_worker()
        workshop.wait_until_over()
        assert workshop.violations(questions=QUESTIONS, batches_lost=CONCURRENCY) == []

"""A database with a run to work on, a queue of its own, and workers that can be killed."""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import psycopg2
import pytest

from commands import processes
from tests.faults.arena import PROJECT_FOLDER, Arena
from tests.faults.guard import Guard, Started
from tests.faults.judging import ANSWERS
from tests.faults.servers import OwnRedis

CONCURRENCY = 2
# On a busy machine a long proof takes its time; this ends only what hangs.
PATIENCE_SECONDS = 900
# So that short proofs see a dead worker's batch come back.
SHORT_WAITS = {
    "ASSAY_RUN_LEASE_SECONDS": "2",
    "ASSAY_SWEEP_SECONDS": "1",
    "ASSAY_OUTAGE_REST_SECONDS": "1",
    # Read in `tests.faults.judging`.
    "HURRY": "1",
    # Celery would have Django check everything at each start of a worker.
    "CELERY_SKIP_CHECKS": "1",
}
COUNTS = (
    "SELECT candidate.id, count(verdict.id) FROM annotation_candidate candidate "
    "LEFT JOIN judges_verdict verdict ON verdict.candidate_id = candidate.id GROUP BY candidate.id"
)
SETTLED = "SELECT finished_at FROM judges_runbatch WHERE finished_at IS NOT NULL ORDER BY finished_at"
OPEN = "SELECT count(*) FROM judges_runbatch WHERE state NOT IN ('done', 'failed')"


class Fault(NamedTuple):
    """From when to when something was broken, in seconds since the epoch."""

    began: float
    ended: float


class Kept:
    """A service that is started again when it ends by itself, as an installation's supervisor does it."""

    def __init__(self, service: processes.Service, start: Callable[[processes.Service], Started]) -> None:
        self._service = service
        self._start = start
        self.start()

    def start(self) -> None:
        """Start it, the first time or once more."""
        self.pid = self._start(self._service).pid


class Workshop:
    """Where a judge works while things break."""

    def __init__(self, arena: Arena, *, guard: Guard, folder: Path) -> None:
        self.arena = arena
        self.guard = guard
        self.folder = folder
        self.journal = folder / "journal"
        self.queue = OwnRedis(guard, folder=folder)
        self.faults: list[Fault] = []
        self.ended_by_themselves = 0
        self._kept: list[Kept] = []
        self.environment = {
            **arena.environment,
            **SHORT_WAITS,
            "REDIS_URL": self.queue.url,
            "SLOW_JUDGE_JOURNAL": str(self.journal),
        }

    def take_its_time(self) -> None:
        """Wait as long as an installation does."""
        for name in SHORT_WAITS:
            del self.environment[name]

    def open(self, *, questions: int, **options: Any) -> None:
        """Start the queue, a run on so many questions, and the clock that rings for it."""
        self.queue.start()
        described = json.dumps({"questions": questions, **options})
        self.arena.run_program("tests.faults.judging", described, environment=self.environment)
        self.start_clock()

    def start_clock(self) -> Kept:
        """Start what rings for work that lies open."""
        return self._keep(processes.clock_service(folder=self.folder))

    def start_worker(self, *, concurrency: int = CONCURRENCY) -> Kept:
        """Start a worker as an installation does, but that it knows the slow judge."""
        return self._keep(processes.worker_service(concurrency=concurrency))

    def _keep(self, service: processes.Service) -> Kept:
        self._kept.append(Kept(service, self._start))
        return self._kept[-1]

    def _start(self, service: processes.Service) -> Started:
        return self.guard.start(
            ["tests.faults.judging" if word == "config" else word for word in service.command],
            environment=self.environment,
            folder=PROJECT_FOLDER,
        )

    def kill(self, kept: Kept) -> None:
        """Kill a worker and everything it started, without a word; it stays away."""
        self._kept.remove(kept)
        self.guard.kill(kept.pid)
        self.faults.append(Fault(time.time(), time.time()))

    def restart_ended(self) -> None:
        """Start again what ended by itself: a Celery worker does if a child dies as the queue goes."""
        for kept in self._kept:
            if not self.guard.is_running(kept.pid):
                self.guard.kill(kept.pid)
                self.faults.append(Fault(time.time(), time.time()))
                self.ended_by_themselves += 1
                kept.start()

    @contextmanager
    def broken(self) -> Iterator[None]:
        """Note from when to when something is broken."""
        began = time.time()
        yield
        self.faults.append(Fault(began, time.time()))

    def verdict_count(self) -> int:
        """Count all verdicts."""
        return int(self.arena.rows("SELECT count(*) FROM judges_verdict")[0][0])

    def has_verdicts(self, count: int) -> bool:
        """Say whether there are so many verdicts."""
        return self.verdict_count() >= count

    def has_judged_again(self) -> bool:
        """Say whether any batch was judged twice."""
        return any(count > 1 for count in self.asked().values())

    def asked(self) -> Counter[str]:
        """Count how often each batch was judged."""
        return Counter(self.journal.read_text(encoding="utf-8").splitlines() if self.journal.exists() else [])

    def state(self) -> str:
        """Return the state of the run."""
        return str(self.arena.rows("SELECT state FROM judges_judgerun")[0][0])

    def wait_until(self, is_so: Callable[[], bool]) -> None:
        """Look again and again; fail, saying what the processes said, where it does not come true."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not self._is(is_so):
            self.restart_ended()
            if time.monotonic() > deadline:
                log = self.guard.log.read_text(encoding="utf-8", errors="replace")
                pytest.fail(f"still {self.state()} with {self.verdict_count()} verdicts\n{log[-3000:]}")
            time.sleep(0.05)

    def _is(self, is_so: Callable[[], bool]) -> bool:
        try:
            return is_so()
        except psycopg2.OperationalError:
            return False

    def wait_for_more(self, *, batches: int) -> None:
        """Wait until so many more batches are judged."""
        self.wait_until(partial(self.has_verdicts, self.verdict_count() + batches * ANSWERS))

    def wait_until_over(self) -> None:
        """Wait until the run is at its end."""
        self.wait_until(lambda: self.state() not in {"queued", "running"})

    def longest_standstill(self) -> float:
        """Return for how many seconds no batch was settled, while nothing was broken and work was left."""
        settled = [_seconds(row[0]) for row in self.arena.rows(SETTLED)]
        return max((_whole_seconds(pair, self.faults) for pair in pairwise(settled)), default=0.0)

    def violations(self, *, questions: int, batches_lost: int) -> list[str]:
        """Say what is wrong once the run is over; `batches_lost`: how many may have been judged again."""
        found = [] if self.state() == "finished" else [f"the run is {self.state()}"]
        if self.arena.rows(OPEN) != [(0,)]:
            found.append("batches are left open")
        counts = [count for _, count in self.verdicts_an_answer()]
        if counts != [1] * (questions * ANSWERS):
            found.append(f"verdicts an answer: {Counter(counts)}")
        again, lost = self.judged_again(), batches_lost + self.lost_by_themselves()
        if again > lost:
            found.append(f"{again} batches judged again, {lost} lost")
        return found

    def lost_by_themselves(self) -> int:
        """Return how many batches may have been in the hands of what ended by itself."""
        return CONCURRENCY * self.ended_by_themselves

    def verdicts_an_answer(self) -> list[tuple[int, int]]:
        """Return each answer's id and how many verdicts it has."""
        return [(int(row[0]), int(row[1])) for row in self.arena.rows(COUNTS)]

    def judged_again(self) -> int:
        """Count how often a batch was judged beyond the first time."""
        return sum(count - 1 for count in self.asked().values())


def _seconds(at: datetime | str) -> float:
    # SQLite keeps times as text in UTC.
    return datetime.fromisoformat(f"{at}+00:00").timestamp() if isinstance(at, str) else at.timestamp()


def _whole_seconds(pair: tuple[float, float], faults: list[Fault]) -> float:
    """Return how long a pause between two batches was, less the time in which something was broken."""
    began, ended = pair
    broken = sum(max(0.0, min(ended, fault.ended) - max(began, fault.began)) for fault in faults)
    return ended - began - broken

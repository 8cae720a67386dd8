"""Everything dies in turn while people judge, judges run and imports come in; nothing is lost."""

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import cycle, islice

import pytest
from django.db import connection

from tests.faults.crowd import ANSWERS
from tests.faults.history import Tables, lost_or_repeated
from tests.faults.proof import Proof
from tests.faults.servers import OwnPostgres
from tests.faults.visitors import Importer, Website, leave
from tests.faults.workshop import CONCURRENCY, Kept, Workshop
from tests.hostile import Provider

VERDICTS = (
    "SELECT run.judge_key, count(verdict.id), count(DISTINCT verdict.candidate_id) "
    "FROM judges_verdict verdict JOIN judges_judgerun run ON run.id = verdict.run_id GROUP BY run.judge_key"
)
RUN_STATES = "SELECT judge_key, state FROM judges_judgerun"
OPEN_BATCHES = "SELECT count(*) FROM judges_runbatch WHERE state NOT IN ('done', 'failed')"
IMPORTED = (
    "SELECT count(*), count(DISTINCT prediction.question_id), count(DISTINCT prediction.candidate_id) "
    "FROM annotation_prediction prediction JOIN annotation_system system ON system.id = prediction.system_id "
    "JOIN annotation_project project ON project.id = system.project_id WHERE project.slug = 'imported'"
)
BUSY_IMPORTS = "SELECT count(*) FROM annotation_dataimport WHERE state IN ('checking', 'applying')"
SYSTEMS = 12


@pytest.fixture
def database(request: pytest.FixtureRequest) -> OwnPostgres | None:
    """A database server that may be killed; SQLite has none."""
    return request.getfixturevalue("postgres") if connection.vendor == "postgresql" else None


@pytest.fixture
def place(database: OwnPostgres | None, request: pytest.FixtureRequest) -> Workshop:
    """A workshop on it."""
    found: Workshop = request.getfixturevalue("stoppable_workshop" if database else "workshop")
    return found


@pytest.fixture
def provider(place: Workshop) -> Iterator[Provider]:
    place.environment["ASSAY_LLM_ALLOWED_HOSTS"] = "127.0.0.1"
    journal = place.folder / "paid.jsonl"
    with Provider("seed=7 good*8 429:1 500 latency=0.02", journal=journal) as started:
        yield started


class Crowd:
    """Raters, runs and imports at work in one place, and what keeps them going."""

    def __init__(
        self,
        place: Workshop,
        provider: Provider,
        database: OwnPostgres | None,
        *,
        sheets: int,
        raters: int,
        judged: int,
        paid: int,
        rows: int,
        pause_seconds: float,
        kills: int,
    ) -> None:
        self.place = place
        self.database = database
        self.judged, self.paid, self.rows = judged * ANSWERS, paid * ANSWERS, rows
        self.met: Counter[str] = Counter()
        place.arena.environment.update(place.environment)
        place.queue.start()
        self.website = Website(place.arena, guard=place.guard)
        address = {"base_url": provider.base_url, "parallel_calls": 2, "timeout_seconds": 5}
        work = {"sheets": sheets, "raters": raters, "judged": judged, "paid": paid, "connection": address}
        place.arena.run("open_crowd", **work)
        self.website.start()
        self.worker: Kept = place.start_worker()
        self.clock: Kept = place.start_clock()
        self.website.let_in(pause_seconds=pause_seconds, at_a_time=sheets // (kills + 1))
        lead = self.website.session("lead")
        self.lead = Importer(self.website, "lead", lead, project="imported", rows=rows)
        self.lead.start()

    def faults(self) -> dict[str, Callable[[], None]]:
        """Return what can die here, and how it dies and comes back."""
        found = {
            "worker's process": self.kill_process,
            "clock": self.kill_clock,
            "worker": self.kill_worker,
            "queue": self.kill_queue,
            "web": self.kill_web,
        }
        return {**found, "database": self.kill_database} if self.database else found

    def kill_process(self) -> None:
        self.place.guard.kill_child(self.worker.pid, chance=random.Random(13))

    def kill_worker(self) -> None:
        self.place.kill(self.worker)
        self.worker = self.place.start_worker()

    def kill_clock(self) -> None:
        self.place.kill(self.clock)
        self.clock = self.place.start_clock()

    def kill_queue(self) -> None:
        self.place.queue.kill()
        self.place.queue.start()

    def kill_web(self) -> None:
        self.website.kill()
        self.website.start()

    def kill_database(self) -> None:
        assert self.database is not None
        self.database.kill()
        self.database.start()

    def kill(self, kind: str) -> None:
        """Kill one kind once raters, the long run and an import have gone on since the last one."""
        self.website.wait_for_more(submits=3)
        verdicts = self.place.verdict_count()
        self.place.wait_until(lambda: self.place.has_verdicts(verdicts + 1) or self.has_judged())
        self.place.wait_until(lambda: self.lead.seen in {"checking", "applying"} or not self.lead.is_alive())
        assert self.lead.is_alive(), self.lead.error
        self.met["run"] += not self.has_judged()
        self.met["import"] += self.place.arena.rows(BUSY_IMPORTS) != [(0,)]
        self.met[kind] += 1
        self.faults()[kind]()

    def end(self) -> None:
        """Let everybody end what they are at, and judges and imports come to their end."""
        self.website.close()
        self.place.wait_until(lambda: not self.lead.is_alive())
        leave([self.lead])
        self.place.wait_until(self.has_judged)
        self.place.wait_until(lambda: all(state == "finished" for state in self.run_states().values()))

    def has_judged(self) -> bool:
        return self.place.arena.rows(OPEN_BATCHES) == [(0,)]

    def run_states(self) -> dict[str, str]:
        return {str(key): str(state) for key, state in self.place.arena.rows(RUN_STATES)}

    def wrongs(self) -> list[str]:
        """Say what is lost, doubled, or more than was asked for."""
        found = lost_or_repeated(history=self.website.history(), tables=Tables(self.place.arena))
        wanted = {"slow": self.judged, "fuzzy_match_guarded": self.judged, "llm": self.paid}
        verdicts = {key: counts for key, *counts in self.place.arena.rows(VERDICTS)}
        found += [f"{key}: {verdicts.get(key)}" for key, n in wanted.items() if verdicts.get(key) != [n, n]]
        rows = self.lead.applied * self.rows
        if self.place.arena.rows(IMPORTED) != [(rows, rows // SYSTEMS, rows)]:
            found.append(f"{rows} rows came in, there are {self.place.arena.rows(IMPORTED)}")
        most = CONCURRENCY * (self.met.total() - self.met["run"] - self.met["import"])
        most += self.place.lost_by_themselves()
        if self.place.judged_again() > most:
            found.append(f"{self.place.judged_again()} batches judged again, {most} may have been in hand")
        return found


@pytest.mark.services
class TestAllAtOnce:
    def test_loses_nothing_when_each_dies_once(
        self, place: Workshop, provider: Provider, database: OwnPostgres | None
    ) -> None:
        crowd = Crowd(
            place,
            provider,
            database,
            sheets=150,
            raters=3,
            judged=12,
            paid=4,
            rows=600,
            pause_seconds=0.05,
            kills=6,
        )
        for kind in crowd.faults():
            crowd.kill(kind)
        crowd.end()
        assert crowd.wrongs() == []

    @pytest.mark.prove
    def test_loses_nothing_to_32_kills(
        self, place: Workshop, provider: Provider, database: OwnPostgres | None, proof: Proof
    ) -> None:
        place.environment["SLOW_JUDGE_BATCH"] = "8"
        crowd = Crowd(
            place,
            provider,
            database,
            sheets=4_000,
            raters=8,
            judged=3_100,
            paid=60,
            rows=36_000,
            pause_seconds=0.3,
            kills=32,
        )
        for kind in islice(cycle(crowd.faults()), 32):
            crowd.kill(kind)
        crowd.end()
        assert crowd.wrongs() == []
        # What was to die while it worked must have been at work.
        assert min(crowd.met["run"], crowd.met["import"]) >= 24
        proof.record(
            "P3",
            f"32 kill -9 in turn: {', '.join(crowd.faults())}",
            promised="0 lost, 0 doubled, 0 over-assigned, each import whole",
            measured=told(crowd),
            database=place.arena.database,
        )


def told(crowd: Crowd) -> str:
    """Say what was at work, and what became of it."""
    return (
        f"0 of {crowd.website.submits():,} acknowledged sheets of 8 raters; 2 runs of {crowd.judged:,} "
        f"answers and a paid one of {crowd.paid}, each verdict once, {crowd.place.judged_again()} of "
        f"{len(crowd.place.asked()):,} batches judged again; imports of {crowd.rows:,} rows broken off "
        f"{crowd.lead.broken_off} times, {crowd.lead.applied} in the end whole; "
        f"a run was at work at {crowd.met['run']} kills, an import at {crowd.met['import']}"
    )

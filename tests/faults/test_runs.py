"""Workers, queues and databases that die while a judge is at work; see `promises.md` P8 to P10."""

import time

import pytest

from tests.faults.proof import Proof
from tests.faults.servers import OwnPostgres
from tests.faults.workshop import CONCURRENCY, Workshop

QUESTIONS = 30
MANY_QUESTIONS = 300
REDIS_SECONDS = 60
DATABASE_SECONDS = 30


@pytest.mark.services
class TestKilledWorkers:
    def test_lose_nothing_and_judge_nothing_twice(self, workshop: Workshop) -> None:
        survive(workshop, kills=1, questions=QUESTIONS)

    @pytest.mark.prove
    def test_lose_nothing_however_many_die(self, workshop: Workshop, proof: Proof) -> None:
        workshop.take_its_time()
        survive(workshop, kills=17, questions=MANY_QUESTIONS)
        tell(proof, workshop, fault="17 kill -9 of workers", lost=17 * CONCURRENCY)

    def test_that_ends_by_itself_is_started_again(self, workshop: Workshop) -> None:
        workshop.open(questions=QUESTIONS)
        worker = workshop.start_worker()
        workshop.wait_for_more(batches=4)
        # As Celery's does, with a traceback, where a process of it dies just as the queue goes.
        workshop.guard.crash(worker.pid)
        workshop.wait_until_over()
        assert workshop.ended_by_themselves == 1
        assert workshop.violations(questions=QUESTIONS, batches_lost=0) == []

    def test_would_be_noticed_if_claims_did_not_hold(self, workshop: Workshop) -> None:
        workshop.environment["BROKEN_CLAIM"] = "1"
        workshop.open(questions=QUESTIONS)
        for _ in range(2):
            workshop.start_worker()
        workshop.wait_until(workshop.has_judged_again)
        found = workshop.violations(questions=QUESTIONS, batches_lost=0)
        assert any("judged again" in words for words in found)


def survive(workshop: Workshop, *, kills: int, questions: int) -> None:
    """Kill a worker at work so many times, let another finish, and look at what they left."""
    workshop.open(questions=questions)
    for _ in range(kills):
        worker = workshop.start_worker()
        workshop.wait_for_more(batches=4)
        workshop.kill(worker)
        assert workshop.state() == "running"
    workshop.start_worker()
    workshop.wait_until_over()
    assert workshop.violations(questions=questions, batches_lost=kills * CONCURRENCY) == []


@pytest.mark.services
class TestKilledQueue:
    def test_that_forgot_everything_is_rung_again(self, workshop: Workshop) -> None:
        lose_queue(workshop, seconds=1, questions=QUESTIONS)

    @pytest.mark.prove
    def test_that_was_away_for_a_minute_is_rung_again(self, workshop: Workshop, proof: Proof) -> None:
        workshop.take_its_time()
        lose_queue(workshop, seconds=REDIS_SECONDS, questions=MANY_QUESTIONS)
        tell(proof, workshop, fault=f"Redis stopped {REDIS_SECONDS} s and flushed", lost=0)


def lose_queue(workshop: Workshop, *, seconds: float, questions: int) -> None:
    """Take the queue away from a worker at work, and bring it back empty."""
    workshop.open(questions=questions)
    workshop.start_worker()
    workshop.wait_for_more(batches=4)
    with workshop.broken():
        workshop.queue.kill()
        time.sleep(seconds)
        workshop.queue.start()
        workshop.queue.flush()
    workshop.wait_until_over()
    assert workshop.violations(questions=questions, batches_lost=0) == []


@pytest.mark.services
class TestStoppedDatabase:
    def test_loses_nothing(self, stoppable_workshop: Workshop, postgres: OwnPostgres) -> None:
        lose_database(stoppable_workshop, postgres, seconds=1, questions=QUESTIONS)

    @pytest.mark.prove
    def test_loses_nothing_when_away_for_long(
        self, stoppable_workshop: Workshop, postgres: OwnPostgres, proof: Proof
    ) -> None:
        stoppable_workshop.take_its_time()
        lose_database(stoppable_workshop, postgres, seconds=DATABASE_SECONDS, questions=MANY_QUESTIONS)
        tell(
            proof,
            stoppable_workshop,
            fault=f"database stopped {DATABASE_SECONDS} s",
            lost=CONCURRENCY,
        )


def lose_database(workshop: Workshop, postgres: OwnPostgres, *, seconds: float, questions: int) -> None:
    """Take the database away from a worker at work, and bring it back."""
    workshop.open(questions=questions)
    workshop.start_worker()
    workshop.wait_for_more(batches=4)
    with workshop.broken():
        postgres.stop()
        time.sleep(seconds)
        postgres.start()
    workshop.wait_until_over()
    assert workshop.violations(questions=questions, batches_lost=CONCURRENCY) == []


def tell(proof: Proof, workshop: Workshop, *, fault: str, lost: int) -> None:
    """Write down what was promised and what was measured."""
    database = workshop.arena.database
    batches, again = len(workshop.asked()), workshop.judged_again()
    proof.record(
        "P8", fault, promised="every batch at its end", measured=f"{batches} of {batches}", database=database
    )
    proof.record(
        "P9",
        fault,
        promised=f"0 duplicates, judged again ≤ {lost} in flight",
        measured=f"0 duplicates, {again} of {batches} batches again",
        database=database,
    )
    standstill = workshop.longest_standstill()
    proof.record("P10", fault, promised="≤ 60 s", measured=f"{standstill:.0f} s", database=database)
    assert standstill <= 60

"""Runs that pay for each call, while workers die and the provider misbehaves; see P8 to P11."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.faults.paid import PaidWork
from tests.faults.proof import Proof
from tests.faults.workshop import Workshop
from tests.hostile import Provider, Script, calls_paid_needlessly

# A good provider that leaves time to die in, and one that is rarely good; nothing: `hang` and `cut`.
STEADY = "latency=0.2 good"
HOSTILE = "seed=5 latency=0.02 good*10 429:1 429 500*2 garbage half broken html error cut hang"
# With this seed two dozen answers meet each of its ways.
HOSTILE_AT_ONCE = HOSTILE.replace("seed=5", "seed=607")
# About what 20 and 600 answers cost.
SMALL_CAP = 6_000_000_000
LARGE_CAP = 150_000_000_000
STANDSTILL_SECONDS = 60
AWAY_SECONDS = 60
MOST_FAILED = 6

Open = Callable[[str], PaidWork]


@pytest.fixture
def open_work(workshop: Workshop) -> Iterator[Open]:
    """Make a provider by a script, and a workshop that pays it."""
    with ExitStack() as stack:

        def open_it(script: str) -> PaidWork:
            provider = Provider(script, journal=workshop.folder / "paid.jsonl")
            return PaidWork(workshop, stack.enter_context(provider))

        yield open_it


@pytest.mark.services
class TestHostileProvider:
    def test_leaves_a_run_complete_or_with_reasons(self, open_work: Open) -> None:
        endure(open_work(HOSTILE_AT_ONCE), questions=6)

    @pytest.mark.prove
    def test_leaves_a_long_run_complete_or_with_reasons(self, open_work: Open, proof: Proof) -> None:
        work = open_work(HOSTILE)
        work.workshop.take_its_time()
        endure(work, questions=100)
        fault = "provider answers 429, 500, garbage, half a JSON, nothing"
        tell_end(proof, work, fault)
        entries = work.provider.entries()
        needless = calls_paid_needlessly(entries)
        proof.record(
            "P9",
            fault,
            promised="0 duplicates, nothing paid again that was answered well",
            measured=f"0 duplicates, {needless} of {len(entries)} calls paid needlessly",
            database=work.workshop.arena.database,
        )


@pytest.mark.services
class TestProviderAway:
    def test_fails_hardly_an_answer(self, open_work: Open) -> None:
        outlast(open_work("latency=0.02 good"), failures=14, questions=10)

    @pytest.mark.prove
    def test_for_a_minute_fails_hardly_an_answer(self, open_work: Open, proof: Proof) -> None:
        work = open_work("latency=0.2 good")
        work.workshop.take_its_time()
        outlast(work, failures=0, questions=100, seconds=AWAY_SECONDS)
        tell_end(proof, work, f"provider answers 500 to everything for {AWAY_SECONDS} s")


def outlast(work: PaidWork, *, failures: int, questions: int, seconds: float = 0) -> None:
    """Let the provider fail every call, so many or for so long; few answers are left without a verdict."""
    work.open(questions=questions, hands=4)
    work.workshop.start_worker()
    work.wait_for_calls(10)
    with work.workshop.broken():
        good, work.provider.script = work.provider.script, Script("500")
        work.wait_for_calls(failures)
        time.sleep(seconds)
        work.provider.script = good
    work.workshop.wait_until_over()
    assert work.violations(questions=questions) == []
    # Before ten calls have failed nobody can know that it is the provider.
    assert work.failed() <= MOST_FAILED


def endure(work: PaidWork, *, questions: int) -> None:
    """Judge with a hostile provider, and look at what is left."""
    work.open(questions=questions, hands=4, timeout_seconds=1)
    work.workshop.start_worker()
    work.workshop.wait_until_over()
    assert work.violations(questions=questions) == []
    ways = {step.name for step in work.provider.script.steps}
    assert {entry.step for entry in work.provider.entries()} == ways


@pytest.mark.services
class TestKilledWorkers:
    def test_pay_again_only_for_what_was_in_flight(self, open_work: Open) -> None:
        survive(open_work(STEADY), kills=1, questions=8)

    @pytest.mark.parametrize("api", ["anthropic", "gemini"])
    def test_pay_again_only_for_what_was_in_flight_whatever_the_api(self, open_work: Open, api: str) -> None:
        survive(open_work(STEADY), kills=1, questions=8, api=api)

    @pytest.mark.prove
    def test_pay_again_only_for_what_was_in_flight_however_many_die(
        self, open_work: Open, proof: Proof
    ) -> None:
        work = open_work(STEADY)
        work.workshop.take_its_time()
        survive(work, kills=17, questions=120)
        fault = "17 kill -9 of paying workers"
        tell_end(proof, work, fault)
        tell_bill(proof, work, fault)


def survive(work: PaidWork, *, kills: int, questions: int, api: str = "openai") -> None:
    """Kill a paying worker so many times, let another finish, and look at the bill."""
    work.open(questions=questions, hands=2, api=api)
    for _ in range(kills):
        worker = work.workshop.start_worker()
        work.wait_for_calls(10)
        work.kill(worker)
    work.workshop.start_worker()
    work.workshop.wait_until_over()
    assert work.violations(questions=questions) == []
    assert work.workshop.state() == "finished"
    assert work.paid_again() <= work.in_flight_at_kills


@pytest.mark.services
class TestSpendCap:
    def test_is_never_passed(self, open_work: Open) -> None:
        work = open_work("latency=0.05 good")
        work.open(questions=15, hands=2, spend_cap=SMALL_CAP)
        spend(work, workers=2, concurrency=2, kills=1)
        assert_capped(work, cap=SMALL_CAP)

    @pytest.mark.parametrize("api", ["anthropic", "gemini"])
    def test_is_never_passed_whatever_the_api(self, open_work: Open, api: str) -> None:
        work = open_work("latency=0.05 good*3 429:1 500")
        work.open(questions=15, hands=2, spend_cap=SMALL_CAP, api=api)
        spend(work, workers=1, concurrency=2, kills=0)
        assert_capped(work, cap=SMALL_CAP)

    @pytest.mark.prove
    def test_is_never_passed_however_many_die(self, open_work: Open, proof: Proof) -> None:
        work = open_work("seed=9 latency=0.05 good*20 500 half cut")
        work.open(questions=400, hands=2, spend_cap=LARGE_CAP)
        spend(work, workers=8, concurrency=1, kills=17)
        assert_capped(work, cap=LARGE_CAP)
        tell_cap(proof, work, "8 workers, 17 random kill -9")

    def test_would_be_missed_without_its_condition(self, open_work: Open) -> None:
        work = open_work("good")
        work.workshop.environment["BROKEN_RESERVATION"] = "1"
        work.open(questions=15, hands=2, spend_cap=SMALL_CAP)
        spend(work, workers=1, concurrency=2, kills=0)
        assert work.bill().charged > SMALL_CAP


def spend(work: PaidWork, *, workers: int, concurrency: int, kills: int) -> None:
    """Let many worker processes spend what there is, while they are killed at random."""
    running = [work.workshop.start_worker(concurrency=concurrency) for _ in range(workers)]
    chance = random.Random(kills)
    for _ in range(kills):
        work.wait_for_calls(5)
        work.kill(running.pop(chance.randrange(len(running))))
        running.append(work.workshop.start_worker(concurrency=concurrency))
    work.workshop.wait_until_over()
    work.workshop.wait_until(work.is_settled)


def assert_capped(work: PaidWork, *, cap: int) -> None:
    """Check that the cap ended the run, and that neither side counts more than it."""
    assert work.workshop.state() == "paused"
    assert "limit" in work.message()
    bill = work.bill()
    assert 0 < bill.charged <= bill.spent <= cap


def tell_cap(proof: Proof, work: PaidWork, fault: str) -> None:
    """Write down what was spent."""
    bill = work.bill()
    proof.record(
        "P11",
        fault,
        promised=f"0 over the cap of {LARGE_CAP / 1e12:.4f} USD",
        measured=f"charged {bill.charged / 1e12:.4f} USD, counted {bill.spent / 1e12:.4f} USD",
        database=work.workshop.arena.database,
    )


def tell_end(proof: Proof, work: PaidWork, fault: str) -> None:
    """Write down how the run ended, and for how long nothing moved."""
    database = work.workshop.arena.database
    batches = len(work.workshop.verdicts_an_answer())
    measured = f"{batches} of {batches}, {work.failed()} of them failed with a reason"
    proof.record("P8", fault, promised="every batch at its end", measured=measured, database=database)
    standstill = work.workshop.longest_standstill()
    proof.record("P10", fault, promised="≤ 60 s", measured=f"{standstill:.0f} s", database=database)
    assert standstill <= STANDSTILL_SECONDS


def tell_bill(proof: Proof, work: PaidWork, fault: str) -> None:
    """Write down what was paid twice."""
    proof.record(
        "P9",
        fault,
        promised=f"0 duplicates, calls paid again ≤ {work.in_flight_at_kills} in flight",
        measured=f"0 duplicates, {work.paid_again()} of {len(work.provider.entries())} calls paid again",
        database=work.workshop.arena.database,
    )

"""A workshop whose judge pays a provider for every call, and what both sides know of the bill."""

from typing import NamedTuple

from tests.faults.judging import ANSWERS
from tests.faults.workshop import Kept, Workshop
from tests.hostile import Provider, calls_paid_again

# Per token, in pico-USD.
INPUT_PRICE = 1_000_000
OUTPUT_PRICE = 2_000_000
STATES = "SELECT state, error, size FROM judges_runbatch"
IN_FLIGHT = "SELECT id FROM judges_call WHERE state = 'reserved'"
PURSES = "SELECT spent, reserved FROM judges_judgerun UNION ALL SELECT spent, reserved FROM judges_connection"
MESSAGE = "SELECT message FROM judges_judgerun"


class Bill(NamedTuple):
    """What a run cost: by the provider's journal, and by our ledger; in pico-USD."""

    charged: int
    spent: int


class PaidWork:
    """A run over a connection to a provider that misbehaves."""

    def __init__(self, workshop: Workshop, provider: Provider) -> None:
        self.workshop = workshop
        self.provider = provider
        self._in_flight_at_kills: set[int] = set()
        workshop.environment["ASSAY_LLM_ALLOWED_HOSTS"] = "127.0.0.1"

    def open(
        self,
        *,
        questions: int,
        hands: int,
        timeout_seconds: int = 2,
        spend_cap: int | None = None,
        api: str = "openai",
    ) -> None:
        """Start the queue, and a run on so many questions; `hands`: calls at once of each worker process."""
        connection = {
            "api": api,
            "base_url": self.provider.base_url if api == "openai" else self.provider.origin,
            "input_price": INPUT_PRICE,
            "output_price": OUTPUT_PRICE,
            "parallel_calls": hands,
            "timeout_seconds": timeout_seconds,
        }
        self.workshop.open(questions=questions, connection=connection, spend_cap=spend_cap)

    def kill(self, worker: Kept) -> None:
        """Kill a worker, and note which calls were in flight (those of other workers, too)."""
        self.workshop.kill(worker)
        # A set: what was in flight stays reserved until its lease has ended, maybe past the next kill.
        self._in_flight_at_kills |= {int(row[0]) for row in self.workshop.arena.rows(IN_FLIGHT)}

    @property
    def in_flight_at_kills(self) -> int:
        """How many calls were in flight when a worker was killed."""
        return len(self._in_flight_at_kills)

    def wait_for_calls(self, more: int) -> None:
        """Wait until the provider was asked so many more times."""
        wanted = len(self.provider.entries()) + more
        self.workshop.wait_until(lambda: len(self.provider.entries()) >= wanted)

    def is_settled(self) -> bool:
        """Say whether no money is reserved any more."""
        return not any(reserved for _, reserved in self.workshop.arena.rows(PURSES))

    def bill(self) -> Bill:
        """Return what the run cost, by both sides."""
        prices = {"input_price": INPUT_PRICE, "output_price": OUTPUT_PRICE}
        charged = sum(entry.price(**prices) for entry in self.provider.entries())
        return Bill(charged=charged, spent=int(self.workshop.arena.rows(PURSES)[0][0]))

    def paid_again(self) -> int:
        """Count calls that the provider charged although an equal one was charged before."""
        return calls_paid_again(self.provider.entries())

    def message(self) -> str:
        """Return what the run says about itself."""
        return str(self.workshop.arena.rows(MESSAGE)[0][0])

    def failed(self) -> int:
        """Count the batches that failed for good."""
        return sum(state == "failed" for state, _, _ in self.workshop.arena.rows(STATES))

    def violations(self, *, questions: int) -> list[str]:
        """Say what is wrong once the run is over."""
        return [*self._unfinished(questions), *self._wrong_bill()]

    def _unfinished(self, questions: int) -> list[str]:
        batches = self.workshop.arena.rows(STATES)
        found = [f"a batch is {state}" for state, _, _ in batches if state not in {"done", "failed"}]
        found += [
            "a batch failed without a reason" for state, why, _ in batches if state == "failed" and not why
        ]
        if self.workshop.state() != "finished" and not self.message():
            found.append(f"the run is {self.workshop.state()} and does not say why")
        judged = sum(size for state, _, size in batches if state == "done")
        counts = [count for _, count in self.workshop.verdicts_an_answer()]
        if len(counts) != questions * ANSWERS or max(counts) > 1 or sum(counts) != judged:
            found.append(f"{sum(counts)} verdicts for {judged} of {questions * ANSWERS} answers")
        return found

    def _wrong_bill(self) -> list[str]:
        bill = self.bill()
        found = [f"charged {bill.charged}, counted only {bill.spent}"] if bill.charged > bill.spent else []
        if not self.is_settled():
            found.append("money is reserved for calls that are over")
        return found

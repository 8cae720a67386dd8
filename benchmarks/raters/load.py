"""Raters in a closed loop: each hands in a sheet, waits for the reply, thinks, and goes on.

`python -m benchmarks.raters.load PLAN`, a `Plan` as JSON, in a process of its own and without Django. It
prints `begin` after the warm-up, then `end`, then a `Measured` as JSON, so that whoever started it can read
meters at those moments.
"""

import http.client
import json
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlsplit

PATIENCE_SECONDS = 60
# All raters take their first work at once, of a server that has just started.
OPENING_SECONDS = 300
PAUSE_AFTER_ERROR_SECONDS = 0.2


class Refused(Exception):
    """A reply that is not what a page expects."""


class Rater(Protocol):
    """One rater of a platform, as its page works."""

    def open(self) -> None:
        """Take the first work."""

    def hand_in(self) -> int:
        """Hand in what is at hand and have the next work at hand; return how many answers were judged."""

    def prepare(self) -> None:
        """Do what the page does behind the scenes; nobody waits for it."""

    def is_done(self) -> bool:
        """Return whether nothing is left for this rater."""


class Connection:
    """A connection that stays open, with the headers of one person."""

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        """Take where the platform is and what every request carries."""
        self._http = http.client.HTTPConnection(urlsplit(url).netloc, timeout=PATIENCE_SECONDS)
        self._headers = {"Accept": "application/json", **headers}
        self.requests = 0

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Return a reply's JSON, None where it is empty; raises `Refused`."""
        content = self.read(method, path, body)
        return json.loads(content) if content else None

    def read(self, method: str, path: str, body: Any = None) -> bytes:
        """Return a reply as it came; raises `Refused`."""
        self.requests += 1
        headers = self._headers if body is None else {**self._headers, "Content-Type": "application/json"}
        try:
            self._http.request(method, path, None if body is None else json.dumps(body), headers)
            reply = self._http.getresponse()
            content = reply.read()
        except (OSError, http.client.HTTPException) as error:
            self._http.close()
            raise Refused(type(error).__name__) from None
        if reply.status >= 400:
            words = " ".join(content[:200].decode(errors="replace").split())
            raise Refused(f"{reply.status} {words}")
        return content


def random_label(labels: Sequence[Any], of: str, rater: int) -> Any:
    """Return what a rater says of an answer: raters differ on one in ten."""
    is_right = random.Random(of).random() < 0.6
    differs = random.Random(f"{of} {rater}").random() < 0.05
    return labels[is_right == differs]


@dataclass(frozen=True)
class Plan:
    """What to do. `platform`: the module whose `Rater` works; `people`: what each of them is given."""

    platform: str
    url: str
    people: list[dict[str, Any]]
    seconds: float
    warm_up_seconds: float = 3.0
    think_seconds: float = 0.0


@dataclass(frozen=True)
class Measured:
    """What came of it between `begin` and `end`.

    `milliseconds`: of each hand-in. `ran_out`: there was nothing left to judge before the time was over.
    """

    seconds: float
    judgments: int
    requests: int
    milliseconds: list[float]
    processor_seconds: float
    ran_out: bool
    errors: dict[str, int] = field(default_factory=dict)


class _Person(threading.Thread):
    """One rater; keeps when each hand-in began, how long it took, and how many answers it judged."""

    def __init__(self, rater: Rater, plan: Plan, stop: threading.Event, seed: int) -> None:
        super().__init__(daemon=True)
        self.rater, self.plan, self.stop = rater, plan, stop
        self.chance = random.Random(seed)
        self.turns: list[tuple[float, float, int]] = []
        self.errors: Counter[str] = Counter()
        self.opened = threading.Event()

    def run(self) -> None:
        # Nobody starts at the same moment as the others.
        self.stop.wait(self.chance.random() * max(self.plan.think_seconds, 0.5))
        self._try(self.rater.open)
        self.opened.set()
        while not self.stop.is_set():
            if self.rater.is_done():
                self.stop.set()
                return
            self._try(self._turn)

    def _turn(self) -> None:
        start = time.perf_counter()
        judged = self.rater.hand_in()
        if judged:
            self.turns.append((start, time.perf_counter(), judged))
        self.rater.prepare()
        if self.plan.think_seconds:
            self.stop.wait(self.plan.think_seconds * (0.5 + self.chance.random()))

    def _try(self, act: Any) -> None:
        try:
            act()
        except Refused as error:
            self.errors[str(error)] += 1
            self.stop.wait(PAUSE_AFTER_ERROR_SECONDS)


def work(plan: Plan) -> Measured:
    """Let all raters work for the plan's time, or until one finds nothing left."""
    make = import_module(plan.platform).Rater
    connections = [Connection(plan.url, person["headers"]) for person in plan.people]
    stop = threading.Event()
    people = [
        _Person(make(connection, person), plan, stop, seed)
        for seed, (connection, person) in enumerate(zip(connections, plan.people, strict=True))
    ]
    for person in people:
        person.start()
    deadline = time.monotonic() + OPENING_SECONDS
    for person in people:
        person.opened.wait(max(0.0, deadline - time.monotonic()))
    stop.wait(plan.warm_up_seconds + plan.think_seconds)
    print("begin", flush=True)
    begin, asked, processor = (
        time.perf_counter(),
        sum(each.requests for each in connections),
        time.process_time(),
    )
    ran_out = stop.wait(plan.seconds)
    end, used = time.perf_counter(), time.process_time() - processor
    asked = sum(each.requests for each in connections) - asked
    print("end", flush=True)
    stop.set()
    for person in people:
        person.join(PATIENCE_SECONDS)
    turns = [turn for person in people for turn in person.turns if begin <= turn[1] <= end]
    return Measured(
        seconds=end - begin,
        judgments=sum(judged for _, _, judged in turns),
        requests=asked,
        milliseconds=[1_000 * (done - start) for start, done, _ in turns],
        processor_seconds=used,
        ran_out=ran_out,
        errors=dict(sum((person.errors for person in people), Counter())),
    )


if __name__ == "__main__":
    print(json.dumps(asdict(work(Plan(**json.loads(Path(sys.argv[1]).read_text()))))), flush=True)

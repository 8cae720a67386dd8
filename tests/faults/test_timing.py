"""How long the server takes over a rater's act does not tell whether their colleague agreed."""

import http.client
import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.metrics import roc_auc_score

from tests.faults.arena import Arena, open_arena
from tests.faults.guard import Guard
from tests.faults.proof import Proof
from tests.faults.servers import wait_until
from tests.faults.visitors import CSRF, PROCESSOR_SECONDS, Website

ANSWERS = 2
SUBMITS = 500
RESAMPLES = 2_000


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Arena]:
    with open_arena(tmp_path) as made:
        yield made


@pytest.fixture
def guard(tmp_path: Path) -> Iterator[Guard]:
    with Guard(log=tmp_path / "log") as made:
        yield made


class Area(NamedTuple):
    """How well a time tells agreement: the area under the ROC curve with its bootstrap interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.low:.3f} to {self.high:.3f})"


def area_of(times: list[float], agreed: list[bool], *, share: float = 0.95) -> Area:
    """Return the area and the interval that holds it with this probability."""
    values, truth = np.array(times), np.array(agreed)
    chance = np.random.default_rng(1)
    sides: tuple[NDArray[Any], NDArray[Any]] = (values[truth], values[~truth])

    def draw() -> float:
        drawn = [chance.choice(side, len(side)) for side in sides]
        labels = np.repeat([True, False], [len(side) for side in sides])
        return float(roc_auc_score(labels, np.concatenate(drawn)))

    drawn = [draw() for _ in range(RESAMPLES)]
    low, high = np.quantile(drawn, [(1 - share) / 2, (1 + share) / 2])
    return Area(float(roc_auc_score(truth, values)), float(low), float(high))


class Spent(NamedTuple):
    """What a request took, in seconds: by the clock, and of the server's processor.

    A busy machine blurs the clock and hardly the processor: what is told there an idle one tells by the
    clock.
    """

    clock: float
    processor: float


class Stopwatch:
    """A rater with a stopwatch, on one connection, who finds everything correct."""

    def __init__(self, website: Website, *, folder: Path) -> None:
        self.website = website
        self.said = json.loads((folder / "said.json").read_text(encoding="utf-8"))
        self.line = http.client.HTTPConnection("127.0.0.1", website.port, timeout=60)
        session = (folder / "session").read_text(encoding="utf-8")
        self.headers = {
            "Content-Type": "application/json",
            "Cookie": f"sessionid={session}; csrftoken={CSRF}",
            "X-CSRFToken": CSRF,
        }
        self.agreed: list[bool] = []
        # Of each submit, and of each request right after one.
        self.submits: list[Spent] = []
        self.right_after: list[Spent] = []

    def ask(self, path: str, **body: Any) -> tuple[Spent, dict[str, Any]]:
        """Return what a request took and what was said to it."""
        text = json.dumps({"ahead": 1, **body})
        started = time.perf_counter()
        self.line.request("POST", f"/api/projects/arena/sheets/{path}", text, self.headers)
        reply = self.line.getresponse()
        content = reply.read()
        spent = Spent(time.perf_counter() - started, float(reply.headers[PROCESSOR_SECONDS]))
        assert reply.status == 200, content
        return spent, json.loads(content)

    def work(self) -> None:
        """Hand in everything, and after each sheet ask at once for the next."""
        _, told = self.ask("next")
        while told["sheets"]:
            sheet = told["sheets"][0]
            answers = [{"id": answer["id"], "label": "correct"} for answer in sheet["answers"]]
            self.agreed.append(self.said[sheet["question"]["text"]] == "correct")
            path, key = f"{sheet['id']}/submit", f"key {sheet['id']}"
            spent, _ = self.ask(path, submission_key=key, answers=answers)
            self.submits.append(spent)
            spent, told = self.ask("next")
            self.right_after.append(spent)


def measure(arena: Arena, guard: Guard, *, submits: int, settles_at_once: bool) -> Stopwatch:
    arena.run("open_divided", questions=submits, answers=ANSWERS)
    website = Website(arena, guard=guard, settles_at_once=settles_at_once)
    website.start()
    rater = Stopwatch(website, folder=arena.folder)
    wait_until(lambda: is_up(rater), what="the web server")
    rater.work()
    rater.line.close()
    website.kill()
    assert len(rater.agreed) == submits
    return rater


def is_up(rater: Stopwatch) -> bool:
    try:
        rater.ask("next")
    except (OSError, http.client.HTTPException):
        rater.line.close()
        return False
    return True


def times_of(rater: Stopwatch) -> list[tuple[str, list[float]]]:
    return [
        (f"{of} time of a {what}", [getattr(spent, of) for spent in each])
        for what, each in (("submit", rater.submits), ("request right after a submit", rater.right_after))
        for of in ("clock", "processor")
    ]


@pytest.mark.prove
@pytest.mark.services
class TestTimeOfASubmit:
    def test_tells_nothing_of_agreement(self, arena: Arena, guard: Guard, proof: Proof) -> None:
        rater = measure(arena, guard, submits=SUBMITS, settles_at_once=False)
        for name, times in times_of(rater):
            area = area_of(times, rater.agreed)
            print(f"{arena.database}, {name}: {area}, median {1000 * np.median(times):.1f} ms")
            proof.record(
                "P22",
                f"{name}, colleague agreed or not",
                promised="area under the curve 0.5",
                measured=f"{area} in {SUBMITS} submits",
                database=arena.database,
            )
            # At 95% one run in twenty would fail where nothing is told.
            assert area_of(times, rater.agreed, share=0.999).low <= 0.5

    def test_would_tell_where_votes_are_settled_before_the_reply(self, arena: Arena, guard: Guard) -> None:
        # What settling costs shows less since it costs less: more submits, so that it shows all the same.
        rater = measure(arena, guard, submits=3 * SUBMITS, settles_at_once=True)
        areas = {name: area_of(times, rater.agreed) for name, times in times_of(rater)}
        for name, area in areas.items():
            print(f"{arena.database}, settled before the reply, {name}: {area}")
        assert areas["processor time of a submit"].low > 0.5

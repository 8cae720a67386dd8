"""Assay under load: a study filled at once, its web server as people start it, and a rater's page."""

import json
import secrets
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.apparatus.processes import run_apart
from benchmarks.raters.load import Connection, random_label
from benchmarks.raters.platforms import START_SECONDS, Platform, started
from tools.with_services import free_port

ROOT = Path(__file__).resolve().parents[2]
SLUG = "load"
# As frontend/src/features/judging/desk.ts asks for sheets.
SHEETS_HELD, MOST_HELD, STEP, SLACK = 3, 24, 6, 4
SECONDS_HELD = 720


class Rater:
    """A rater at the judging page."""

    def __init__(self, connection: Connection, person: dict[str, Any]) -> None:
        """Take the way to the server and the rater's number."""
        self._ask, self._number = connection.ask, person["number"]
        self._held: dict[tuple[str, int], dict[str, Any]] = {}
        self._handed_in: set[tuple[str, int]] = set()
        self._work: dict[str, Any] = {}

    def open(self) -> None:
        """Take the first sheets."""
        self._next(SHEETS_HELD)
        self.prepare()

    def hand_in(self) -> int:
        """Hand in the sheet in front; the reply brings the next ones."""
        if not self._held:
            self._next(SHEETS_HELD)
            return 0
        (key, sheet), *_ = self._held.items()
        body = {
            "submission_key": secrets.token_hex(16),
            "version": sheet["version"],
            "ahead": SHEETS_HELD,
            "answers": [
                {
                    "id": answer["id"],
                    "label": random_label(("correct", "incorrect"), answer["id"], self._number),
                }
                for answer in sheet["answers"]
            ],
            "seconds": 5.0,
        }
        del self._held[key]
        self._handed_in.add(key)
        self._absorb(self._ask("POST", f"/api/projects/{SLUG}/sheets/{sheet['id']}/submit", body))
        return len(sheet["answers"])

    def prepare(self) -> None:
        """Take more sheets behind the scenes, a few at a time."""
        while ahead := self._ahead():
            held = len(self._held)
            self._next(ahead)
            if len(self._held) <= held:
                return

    def is_done(self) -> bool:
        """Return whether the server said that nothing is left."""
        return not self._held and bool(self._work.get("nothing_left"))

    def _next(self, ahead: int) -> None:
        self._absorb(self._ask("POST", f"/api/projects/{SLUG}/sheets/next", {"ahead": ahead}))

    def _absorb(self, work: dict[str, Any]) -> None:
        self._work = work
        for sheet in work["sheets"]:
            if (key := (sheet["id"], sheet["version"])) not in self._handed_in:
                self._held.setdefault(key, sheet)

    def _ahead(self) -> int:
        progress = self._work["progress"]
        pace = progress["median_seconds"]
        by_pace = MOST_HELD if pace is None else int(SECONDS_HELD / max(1, pace))
        wanted = max(SHEETS_HELD, min(MOST_HELD, progress["left_questions"] // 3, by_pace))
        held = len(self._held)
        return 0 if held > wanted - SLACK else min(wanted, held + STEP)


@contextmanager
def assay(*, environment: dict[str, str], raters: int) -> Iterator[Platform]:
    """Start everything as `make run` does on a study filled before, with so many of its raters signed in."""
    folder, port = Path(environment["ASSAY_DATA"]), free_port()
    run_apart("raters.studies", "sign_in", str(raters), str(folder / "people.json"), environment=environment)
    serve = [sys.executable, "manage.py", "serve", "--port", str(port)]
    url = environment["DATABASE_URL"]
    with started(serve, port=port, log=folder / "serve.log", environment=environment, folder=ROOT) as process:
        _wait_until_well(f"http://127.0.0.1:{port}/healthz")
        yield Platform(
            name="Assay",
            module=__name__,
            url=f"http://127.0.0.1:{port}",
            process=process,
            people=json.loads((folder / "people.json").read_text()),
            count_over=partial(_count_over, environment),
            database=url if url.startswith("postgres") else "",
        )


def _wait_until_well(url: str) -> None:
    """Wait until worker and clock are up, too: their start is not what judging takes."""
    for _ in range(START_SECONDS):
        with suppress(OSError), urllib.request.urlopen(url, timeout=5):
            return
        time.sleep(1)
    raise RuntimeError("the product did not come up whole")


def _count_over(environment: dict[str, str]) -> int:
    path = Path(environment["ASSAY_DATA"]) / "over.json"
    run_apart("raters.studies", "count_over", str(path), environment=environment)
    return int(path.read_text())

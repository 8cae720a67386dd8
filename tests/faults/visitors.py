"""Raters who judge over the network while servers die, and who hand in again what was not acknowledged."""

import http.client
import json
import threading
import time
from pathlib import Path
from typing import Any

from judges.management import processes
from tests.faults.arena import PROJECT_FOLDER, Arena
from tests.faults.guard import Guard, Started
from tests.faults.servers import lasting_port, wait_until

CSRF = "c" * 32
PAUSE_SECONDS = 0.02
# Replies that end an attempt; any other, and none at all, mean that the browser tries again.
ENDING = {200, 409}


class Website:
    """The web server of an installation, that can be killed, and the raters at it."""

    def __init__(self, arena: Arena, *, guard: Guard) -> None:
        self.arena = arena
        self.guard = guard
        self.port = lasting_port()
        self.stopping = threading.Event()
        self.visitors: list[Visitor] = []
        self._process: Started | None = None
        self._environment = {
            **arena.environment,
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "ALLOWED_HOSTS": "127.0.0.1",
        }

    def open(self, *, questions: int, raters: int) -> None:
        """Make work, start the server, and let everybody in."""
        self.arena.run("open_website", questions=questions, answers=2, raters=raters)
        self.start()
        sessions = json.loads(Path(self.arena.folder, "sessions.json").read_text(encoding="utf-8"))
        self.visitors = [Visitor(self, name, session) for name, session in sessions.items()]
        for visitor in self.visitors:
            visitor.start()

    def start(self) -> None:
        """Start the server."""
        service = processes.web_service(host="127.0.0.1", port=self.port)
        self._process = self.guard.start(
            service.command,
            environment=self._environment,
            folder=PROJECT_FOLDER,
            address=f"http://127.0.0.1:{self.port}",
        )

    def kill(self) -> None:
        """Kill the server without a word."""
        assert self._process is not None
        self.guard.kill(self._process.pid)

    def close(self) -> None:
        """Let everybody end what they are at, and go."""
        self.stopping.set()
        for visitor in self.visitors:
            visitor.join(timeout=300)
        failed = [repr(visitor.error) for visitor in self.visitors if visitor.error]
        assert not failed, failed
        assert not any(visitor.is_alive() for visitor in self.visitors)

    def wait_for_more(self, *, submits: int) -> None:
        """Wait until so many more sheets were acknowledged."""
        wanted = self.submits() + submits
        wait_until(lambda: self.submits() >= wanted, what=f"{submits} more sheets")

    def submits(self) -> int:
        """Count the sheets that were acknowledged."""
        return sum(entry["act"] == "submit" and entry["status"] == 200 for entry in self.history())

    def retries(self) -> int:
        """Count the attempts that were not answered, or not well."""
        return sum(visitor.retries for visitor in self.visitors)

    def history(self) -> list[dict[str, Any]]:
        """Return all acknowledged requests in the order of time."""
        entries = [entry for visitor in self.visitors for entry in list(visitor.entries)]
        return sorted(entries, key=lambda entry: float(entry["started"]))


class Visitor(threading.Thread):
    """One rater, who repeats every request with the same key until it is answered."""

    def __init__(self, website: Website, name: str, session: str) -> None:
        super().__init__(name=name, daemon=True)
        self.website = website
        self.entries: list[dict[str, Any]] = []
        self.retries = 0
        self.error: BaseException | None = None
        self._headers = {
            "Content-Type": "application/json",
            "Cookie": f"sessionid={session}; csrftoken={CSRF}",
            "X-CSRFToken": CSRF,
        }

    def run(self) -> None:
        try:
            reply: dict[str, Any] = {}
            while not self.website.stopping.is_set() and not reply.get("nothing_left"):
                reply = (
                    self._submit(reply["sheets"][0]) if reply.get("sheets") else self._post("next", "next")
                )
        except BaseException as error:
            self.error = error

    def _submit(self, sheet: dict[str, Any]) -> dict[str, Any]:
        answers = [{"id": answer["id"], "label": "correct"} for answer in sheet["answers"]]
        key = f"{self.name}-{sheet['id']}-{len(self.entries)}"
        return self._post("submit", f"{sheet['id']}/submit", submission_key=key, answers=answers)

    def _post(self, act: str, path: str, **body: Any) -> dict[str, Any]:
        started = time.time()
        while (answered := self._attempt(path, json.dumps({"ahead": 1, **body}))) is None:
            self.retries += 1
            self.website.stopping.wait(PAUSE_SECONDS)
        status, reply = answered
        self.entries.append(
            {
                "rater": self.name,
                "act": act,
                "body": body,
                "started": started,
                "ended": time.time(),
                "status": status,
                "reply": reply,
            }
        )
        return reply if status == 200 else {}

    def _attempt(self, path: str, body: str) -> tuple[int, dict[str, Any]] | None:
        line = http.client.HTTPConnection("127.0.0.1", self.website.port, timeout=20)
        try:
            line.request("POST", f"/api/projects/arena/sheets/{path}", body, self._headers)
            reply = line.getresponse()
            content = reply.read()
            if reply.status in {400, 403, 404}:
                raise AssertionError(f"{path} was answered {reply.status}: {content!r}")
            return (reply.status, json.loads(content)) if reply.status in ENDING else None
        except (OSError, http.client.HTTPException):
            return None
        finally:
            line.close()

"""People who work over the network while servers die, and who do again what was not acknowledged."""

import http.client
import json
import math
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from django.http import HttpRequest, HttpResponse

from commands import processes
from tests.faults.arena import PROJECT_FOLDER, Arena
from tests.faults.guard import Guard, Started
from tests.faults.servers import lasting_port, wait_until

CSRF = "c" * 32
# A header of replies, where the settings of tests are asked for it.
PROCESSOR_SECONDS = "X-Processor-Seconds"
PAUSE_SECONDS = 0.02
# How often a page asks how far an import is.
LOOK_SECONDS = 0.2
# Replies that end an attempt; any other, and none at all, mean that the browser tries again.
ENDING = {200, 201, 409}
BOUNDARY = "rows"


class Website:
    """The web server of an installation, that can be killed, and the raters at it."""

    def __init__(self, arena: Arena, *, guard: Guard, settles_at_once: bool = False) -> None:
        self.arena = arena
        self.guard = guard
        self.port = lasting_port()
        self.stopping = threading.Event()
        self.visitors: list[Visitor] = []
        # More sheets than this nobody hands in before somebody waits for more of them.
        self.ration: float = math.inf
        self.at_a_time: float = math.inf
        self._process: Started | None = None
        self._environment = {
            **arena.environment,
            "DJANGO_SETTINGS_MODULE": "tests.settings",
            "ALLOWED_HOSTS": "127.0.0.1",
            **({} if settles_at_once else {"SETTLES_LATER": "1"}),
            "TELLS_PROCESSOR_TIME": "1",
        }

    def open(self, *, questions: int, raters: int, at_a_time: float = math.inf) -> None:
        """Make work, start the server, and let everybody in."""
        self.arena.run("open_website", questions=questions, answers=2, raters=raters)
        self.start()
        self.let_in(at_a_time=at_a_time)

    def let_in(self, *, pause_seconds: float = 0, at_a_time: float = math.inf) -> None:
        """Let every rater in for whom there is work.

        `pause_seconds`: how long they think over a sheet. `at_a_time`: how many sheets all hand in
        before they rest until the next wait for more, so that the work lasts on machines of any speed.
        """
        self.at_a_time = self.ration = at_a_time
        self.visitors = [
            Visitor(self, name, self.session(name), pause_seconds=pause_seconds)
            for name in self._sessions()
            if name.startswith("rater")
        ]
        for visitor in self.visitors:
            visitor.start()

    def session(self, name: str) -> str:
        """Return the session of somebody who is signed in."""
        return self._sessions()[name]

    def _sessions(self) -> dict[str, str]:
        found: dict[str, str] = json.loads(
            Path(self.arena.folder, "sessions.json").read_text(encoding="utf-8")
        )
        return found

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
        leave(self.visitors)

    def wait_for_more(self, *, submits: int) -> None:
        """Wait until so many more sheets were acknowledged; fails at once where all work is done."""
        wanted = self.submits() + submits
        self.ration = self.submits() + self.at_a_time
        wait_until(lambda: self.submits() >= wanted or not self.is_busy(), what=f"{submits} more sheets")
        assert self.submits() >= wanted, "there is no work left: make more"

    def is_busy(self) -> bool:
        """Say whether anybody is at work."""
        return any(visitor.is_alive() for visitor in self.visitors)

    def submits(self) -> int:
        """Count the sheets that were acknowledged."""
        return sum(visitor.acknowledged for visitor in self.visitors)

    def rest(self) -> None:
        """Wait while everything that is to be handed in before the next wait is."""
        while self.submits() >= self.ration and not self.stopping.wait(PAUSE_SECONDS):
            pass

    def retries(self) -> int:
        """Count the attempts that were not answered, or not well."""
        return sum(visitor.retries for visitor in self.visitors)

    def history(self) -> list[dict[str, Any]]:
        """Return all acknowledged requests in the order of time."""
        entries = [entry for visitor in self.visitors for entry in list(visitor.entries)]
        return sorted(entries, key=lambda entry: float(entry["started"]))


def tell_processor_time(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Say with each reply how long the server's thread computed before it."""

    def answer(request: HttpRequest) -> HttpResponse:
        began = time.thread_time()
        reply = get_response(request)
        reply[PROCESSOR_SECONDS] = f"{time.thread_time() - began:.9f}"
        return reply

    return answer


def leave(people: Sequence["Person"]) -> None:
    """Wait until they have ended what they were at; fails with what failed for them."""
    for person in people:
        person.join(timeout=900)
    failed = [f"{person.name}: {person.error!r}" for person in people if person.error]
    assert not failed, failed
    assert not any(person.is_alive() for person in people)


class Person(threading.Thread):
    """Somebody at a browser, who repeats every request until it is answered."""

    def __init__(self, website: Website, name: str, session: str) -> None:
        super().__init__(name=name, daemon=True)
        self.website = website
        self.retries = 0
        self.error: BaseException | None = None
        self._headers = {"Cookie": f"sessionid={session}; csrftoken={CSRF}", "X-CSRFToken": CSRF}

    def run(self) -> None:
        try:
            self.work()
        except BaseException as error:
            self.error = error

    def work(self) -> None:
        raise NotImplementedError

    def say(self, method: str, path: str, body: str, kind: str = "application/json") -> tuple[int, Any]:
        """Send a request until it is answered, and return how."""
        while (answered := self._attempt(method, path, body, kind)) is None:
            self.retries += 1
            self.website.stopping.wait(PAUSE_SECONDS)
        return answered

    def _attempt(self, method: str, path: str, body: str, kind: str) -> tuple[int, Any] | None:
        line = http.client.HTTPConnection("127.0.0.1", self.website.port, timeout=20)
        try:
            line.request(method, f"/api/projects/{path}", body, {**self._headers, "Content-Type": kind})
            reply = line.getresponse()
            content = reply.read()
            if reply.status in {400, 403, 404}:
                raise AssertionError(f"{path} was answered {reply.status}: {content!r}")
            return (reply.status, json.loads(content)) if reply.status in ENDING else None
        except (OSError, http.client.HTTPException):
            return None
        finally:
            line.close()


class Visitor(Person):
    """One rater, who hands in with the same key until that is acknowledged."""

    def __init__(self, website: Website, name: str, session: str, *, pause_seconds: float = 0) -> None:
        super().__init__(website, name, session)
        self.entries: list[dict[str, Any]] = []
        self.acknowledged = 0
        self.pause_seconds = pause_seconds

    def work(self) -> None:
        reply: dict[str, Any] = {}
        while not self.website.stopping.wait(self.pause_seconds) and not reply.get("nothing_left"):
            self.website.rest()
            reply = self._submit(reply["sheets"][0]) if reply.get("sheets") else self._post("next", "next")

    def _submit(self, sheet: dict[str, Any]) -> dict[str, Any]:
        answers = [{"id": answer["id"], "label": "correct"} for answer in sheet["answers"]]
        key = f"{self.name}-{sheet['id']}-{len(self.entries)}"
        return self._post("submit", f"{sheet['id']}/submit", submission_key=key, answers=answers)

    def _post(self, act: str, path: str, **body: Any) -> dict[str, Any]:
        started = time.time()
        status, reply = self.say("POST", f"arena/sheets/{path}", json.dumps({"ahead": 1, **body}))
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
        self.acknowledged += act == "submit" and status == 200
        return reply if status == 200 else {}


class Importer(Person):
    """A lead who brings in one large file after another, and again whatever was broken off."""

    def __init__(self, website: Website, name: str, session: str, *, project: str, rows: int) -> None:
        super().__init__(website, name, session)
        self.address = f"{project}/imports"
        self.rows = rows
        self.applied = 0
        self.broken_off = 0
        self.seen = ""

    def work(self) -> None:
        while not self.website.stopping.wait(LOOK_SECONDS):
            self._bring_in(f"rows-{self.applied}.tsv")
            self.applied += 1

    def _bring_in(self, name: str) -> None:
        """Upload a file, and confirm or check it again until it is in; also when everybody else goes."""
        id_ = self._upload(name)
        while (found := self.say("GET", f"{self.address}/{id_}", "")[1])["state"] != "applied":
            if found["state"] != self.seen and found["state"] in {"failed", "refused"}:
                assert "worker stopped" in found["message"] or "on the server" in found["message"], found
                self.broken_off += 1
            self.seen = found["state"]
            act = {"refused": "check", "ready": "confirm", "failed": "confirm"}.get(self.seen)
            if act:
                self.say("POST", f"{self.address}/{id_}/{act}", "{}")
            time.sleep(LOOK_SECONDS)
        self.seen = "applied"

    def _upload(self, name: str) -> str:
        # No reply does not mean that nothing came in: a person looks at the list first.
        for _ in range(1_000):
            stored = {each["files"][0]["name"]: each["id"] for each in self.say("GET", self.address, "")[1]}
            if name in stored:
                return str(stored[name])
            self._attempt("POST", self.address, self._form(name), f"multipart/form-data; boundary={BOUNDARY}")
        raise AssertionError(f"{name} cannot be uploaded")

    def _form(self, name: str) -> str:
        """Return a file of predictions by twelve systems, no two of which are the same, as a form."""
        lines = (
            f"question {name} {row // 12}\tsystem {row % 12}\tanswer {row}\tgold" for row in range(self.rows)
        )
        text = "\n".join(("question\tsystem\tprediction\tgold", *lines))
        head = f'Content-Disposition: form-data; name="files"; filename="{name}"'
        return f"--{BOUNDARY}\r\n{head}\r\n\r\n{text}\r\n--{BOUNDARY}--\r\n"

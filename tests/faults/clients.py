"""Raters at their browsers: many clients in one process, each writing down every request and reply.

Run by `tests.faults.arena` as a process of its own, through `tests.faults.launch`.
"""

import json
import os
import random
import threading
import time
import traceback
from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Protocol
from unittest.mock import patch

from django.conf import settings
from django.db import connections
from django.db.models import Q

from annotation.accounts.models import User
from annotation.assignments.models import Assignment, Sheet
from annotation.assignments.services.handing_out import hand_out
from annotation.items.models import Candidate, Question
from annotation.judgments.models import Judgment
from annotation.judgments.services.settling import settle_due
from annotation.projects.models import Membership
from common.tasks import Rounds
from tests.annotation.assignments.factories import judge as judge_sheet
from tests.annotation.assignments.factories import make_import, make_question
from tests.conftest import ClientOf
from tests.factories import make_member, make_project, read_what_is_new
from tests.faults.tables import make_tables

ROOT = "/api/projects/arena/sheets"
NOT_AT_REST = Q(state=Sheet.State.OPEN) | Q(settling_due=True)
IDLE_SECONDS = 0.3
BUSY = 503
LABELS = ("correct", "incorrect")
# What the database refuses, whatever our code does.
GUARDS = {"taken_at_most_wanted", "slot_held_once", "slot_counted_once"}


def seed(*, questions: int, answers: int, raters: int, is_broken: bool) -> None:
    """Make the tables and a project with open work; a broken one lacks the constraints."""
    if is_broken:
        drop_constraints()
    make_tables()
    project = make_project(slug="arena")
    for number in range(raters):
        read_what_is_new(make_member(project=project, username=f"rater{number}"))
    data_import = make_import(project=project)
    for _number in range(questions):
        make_question(project=project, answers=answers, data_import=data_import)


def drop_constraints() -> None:
    """Take away what the database would guard, before the tables are made.

    Afterwards is too late on SQLite, where Django makes the whole table anew, with all that its model says.
    """
    for model in (Candidate, Assignment, Judgment):
        constraints = model._meta.constraints
        constraints[:] = [each for each in constraints if each.name not in GUARDS]


def drop_locks() -> None:
    """Let everybody hand out at once: no row lock, no transaction, and time between look and take."""

    def look_without_lock(*, question_id: int) -> Question:
        return Question.objects.get(pk=question_id)

    def dawdle(*_: Any, **__: Any) -> None:
        time.sleep(0.1)

    patch.multiple(
        "annotation.assignments.services.handing_out",
        try_lock_question=look_without_lock,
        wait_for_question=look_without_lock,
        freeze=dawdle,
        transaction=SimpleNamespace(atomic=nullcontext),
    ).start()


class Clock(threading.local):
    """The time as one client sees it; now and then one comes when all leases have ended."""

    ahead = timedelta()

    def now(self) -> datetime:
        return datetime.now(tz=UTC) + self.ahead


CLOCK = Clock()


class Rations(Protocol):
    """Leave to treat one sheet each, given out to all processes; blocks while there is none."""

    def acquire(self) -> bool: ...


class Client(threading.Thread):
    """One tab of one rater, who works until nobody holds a sheet and nothing is left."""

    def __init__(
        self,
        *,
        name: str,
        rater: int,
        folder: str,
        is_calm: bool = False,
        most_acts: int = 100_000,
        rations: Rations | None = None,
    ) -> None:
        super().__init__(name=name)
        self.rations = rations
        self.rater = f"rater{rater}"
        self.chance = random.Random(name)
        self.journal = Path(folder) / f"{name}.jsonl"
        self.is_calm = is_calm
        self.most_acts = most_acts
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            with self.journal.open("a", encoding="utf-8") as self.book:
                self.http = ClientOf(User.objects.get(username=self.rater))
                self.http.raise_request_exception = False
                self.work()
        except BaseException as error:
            self.error = error
        finally:
            connections.close_all()

    def work(self) -> None:
        reply = self.post("next", "next", ahead=2)
        for _ in range(self.most_acts):
            if reply.get("sheets"):
                if self.rations is not None:
                    self.rations.acquire()
                reply = self.treat(reply["sheets"][0])
                continue
            if self.is_calm or not Sheet.objects.filter(NOT_AT_REST).exists():
                return
            time.sleep(IDLE_SECONDS)
            reply = self.post("next", "next", ahead=2)

    def treat(self, sheet: dict[str, Any]) -> dict[str, Any]:
        """Mostly hand the sheet in; sometimes click twice, skip, take back, or end all leases first."""
        dice = 0.5 if self.is_calm else self.chance.random()
        if dice < 0.02:
            body = {"reason": "unclear", "ahead": 2, **self.version(sheet), **self.key()}
            return self.post("skip", f"{sheet['id']}/skip", sheet, **body)
        if dice < 0.05:
            CLOCK.ahead += timedelta(seconds=2 * settings.ASSAY_LEASE_SECONDS)
            self.post("next", "next", ahead=2)
            CLOCK.ahead = timedelta()
        key = self.key()
        reply = self.submit(sheet, key)
        if dice > 0.94:
            reply = self.submit(sheet, key)
        if dice > 0.97:
            reply = self.post("undo", "undo", ahead=2)
        return reply

    def key(self) -> dict[str, str]:
        return {"submission_key": f"{self.name}-{self.chance.getrandbits(40):x}"}

    def submit(self, sheet: dict[str, Any], key: dict[str, str]) -> dict[str, Any]:
        labels = {answer["id"]: self.label(answer["id"]) for answer in sheet["answers"]}
        answers = [{"id": id_, "label": label} for id_, label in labels.items()]
        body = {"answers": answers, "ahead": 2, **self.version(sheet), **key}
        return self.post("submit", f"{sheet['id']}/submit", sheet, **body)

    def version(self, sheet: dict[str, Any]) -> dict[str, int]:
        """Return what the page sends of a sheet's version: one rater's page is from before there were any."""
        return {} if self.rater == "rater0" else {"version": sheet["version"]}

    def label(self, answer: str) -> str:
        # One rater in ten differs on an answer, the same one in both tabs.
        return LABELS[random.Random(self.rater + answer).random() < 0.1]

    def post(self, act: str, path: str, sheet: dict[str, Any] | None = None, **body: Any) -> dict[str, Any]:
        started = time.time()
        # As the page does where the database was too busy to answer.
        while (reply := self.http.post(f"{ROOT}/{path}", body, format="json")).status_code == BUSY:
            pass
        content: dict[str, Any] = reply.json()
        entry = {
            "rater": self.rater,
            "act": act,
            "sheet": sheet["id"] if sheet else "",
            "body": body,
            "started": started,
            "ended": time.time(),
            "status": reply.status_code,
            "reply": content,
        }
        self.book.write(json.dumps(entry) + "\n")
        if reply.status_code == 200:
            return content
        return self.post("next", "next", ahead=2) if reply.status_code == 409 else {}


def judge(
    *,
    folder: str,
    questions: int,
    answers: int,
    raters: int,
    tabs: int,
    processes: int,
    is_broken: bool = False,
) -> None:
    """Make work, and let every rater judge in several tabs, all at once in several processes.

    What they hand in is settled beside them, as in an installation. Afterwards every rater comes once more,
    one after the other and without mishaps: somebody may have left while a colleague's last act opened an
    answer again.
    """
    settings.ASSAY_SETTLES_AT_ONCE = False
    seed(questions=questions, answers=answers, raters=raters, is_broken=is_broken)
    tabs_of_all = [(rater, f"client{rater}-{tab}") for rater in range(raters) for tab in range(tabs)]
    connections.close_all()
    children = [
        _fork(tabs_of_all[number::processes], folder=folder, is_broken=is_broken)
        for number in range(processes)
    ]
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    if any(codes):
        raise SystemExit(f"clients ended with {codes}")
    settle_due()
    for rater in range(0 if is_broken else raters):
        _work(Client(name=f"client-last{rater}", rater=rater, folder=folder, is_calm=True))
        settle_due()


def _fork(
    tabs: list[tuple[int, str]], *, folder: str, is_broken: bool, rations: Rations | None = None
) -> int:
    """Start a process for these tabs and return its id; nothing is imported anew."""
    child = os.fork()
    if child:
        return child
    try:
        if is_broken:
            drop_locks()
        patch("common.clock.timezone.now", CLOCK.now).start()
        # A broken arena may never come to an end.
        most_acts = 12 if is_broken else 100_000
        _work(
            *(
                Client(name=name, rater=rater, folder=folder, most_acts=most_acts, rations=rations)
                for rater, name in tabs
            )
        )
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def _work(*clients: Client) -> None:
    rounds = Rounds(settle_due, seconds=settings.ASSAY_SETTLE_SECONDS)
    for thread in (rounds, *clients):
        thread.start()
    for client in clients:
        client.join()
    rounds.stop()
    rounds.join()
    failed = [f"{client.name}: {client.error!r}" for client in clients if client.error]
    if failed:
        raise SystemExit("\n".join(failed))


def hammer(*, requests: int, connections_at_once: int, folder: str) -> None:
    """Hand in one sheet of one rater with one key, as many times as asked, all at once."""
    seed(questions=2, answers=3, raters=1, is_broken=False)
    http = ClientOf(User.objects.get(username="rater0"))
    (sheet,) = http.post(f"{ROOT}/next", {}, format="json").json()["sheets"]
    body = {
        "submission_key": "one and the same",
        "answers": [{"id": answer["id"], "label": "correct"} for answer in sheet["answers"]],
    }
    barrier = threading.Barrier(connections_at_once)
    replies: list[Any] = []

    def click() -> None:
        client = ClientOf(User.objects.get(username="rater0"))
        barrier.wait()
        for _ in range(requests // connections_at_once):
            reply = client.post(f"{ROOT}/{sheet['id']}/submit", body, format="json")
            replies.append([reply.status_code, reply.json().get("outcome")])
        connections.close_all()

    threads = [threading.Thread(target=click) for _ in range(connections_at_once)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    Path(folder, "replies.json").write_text(json.dumps(replies), encoding="utf-8")


def open_website(*, questions: int, answers: int, raters: int, folder: str) -> None:
    """Make work and sign every rater in; their sessions are written to a file."""
    seed(questions=questions, answers=answers, raters=raters, is_broken=False)
    names = [f"rater{number}" for number in range(raters)]
    sessions = {name: ClientOf(User.objects.get(username=name)).cookies["sessionid"].value for name in names}
    Path(folder, "sessions.json").write_text(json.dumps(sessions), encoding="utf-8")


def open_divided(*, questions: int, answers: int, folder: str) -> None:
    """Make work that a colleague has judged: every other question, by lot, as nobody else will judge it.

    A rater who says "correct" to everything agrees with them on half of the questions. Which ones is
    written to a file, by the text of the question.
    """
    seed(questions=questions, answers=answers, raters=2, is_broken=False)
    colleague = Membership.objects.select_related("project__protocol", "user").get(user__username="rater1")
    labels = random.Random("divided").sample([*LABELS] * (questions // 2), questions)
    said: dict[str, str] = {}
    while sheets := hand_out(rater=colleague):
        said[sheets[0].question.text] = label = labels[len(said)]
        judge_sheet(sheets[0], label)
    Path(folder, "said.json").write_text(json.dumps(said), encoding="utf-8")
    session = ClientOf(User.objects.get(username="rater0")).cookies["sessionid"].value
    Path(folder, "session").write_text(session, encoding="utf-8")


COMMANDS: dict[str, Callable[..., None]] = {
    "judge": judge,
    "hammer": hammer,
    "open_website": open_website,
    "open_divided": open_divided,
}

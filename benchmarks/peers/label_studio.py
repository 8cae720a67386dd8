"""Label Studio under the same load: choices of two labels, by `label-studio start`.

Its page asks for more around each task (actions, history); here it is asked only for the next task and to
keep an annotation. Two annotations a task are wanted, as in Assay.
"""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.peers.environments import people_of, run_script, version_of
from benchmarks.raters.load import Connection, Refused, random_label
from benchmarks.raters.platforms import RATERS_AN_ANSWER, Item, Platform, query, started
from tools.with_services import free_port

DATABASES = ("sqlite", "postgresql")
OVER = f"""
    SELECT COUNT(*) FROM (
        SELECT task_id FROM task_completion GROUP BY task_id HAVING COUNT(*) > {RATERS_AN_ANSWER}
    ) AS over_k
"""
# Run by its own Python: nobody need sign in, as with Assay.
PREPARE = """
import json, sys, time
sys.path.insert(0, sys.argv[1])
import django
django.setup()
from importlib import import_module
from django.conf import settings
from organizations.models import Organization
from projects.models import Project
from tasks.models import Task
from users.models import User
texts, raters, wanted = json.load(sys.stdin)
lead = User.objects.create_user(email="lead@example.com", password="")
organization = Organization.create_organization(created_by=lead, title="load")
lead.active_organization = organization
lead.save()
project = Project.objects.create(
    title="load", created_by=lead, organization=organization, maximum_annotations=wanted,
    label_config='<View><Text name="text" value="$text"/><Choices name="label" toName="text">'
    '<Choice value="correct"/><Choice value="incorrect"/></Choices></View>',
)
Task.objects.bulk_create(
    Task(data={"text": text}, project=project, overlap=wanted, inner_id=place)
    for place, text in enumerate(texts, start=1)
)
sessions = import_module(settings.SESSION_ENGINE)
people = []
for number in range(raters):
    user = User.objects.create(email=f"rater-{number}@example.com", username=f"rater-{number}")
    organization.add_user(user)
    user.active_organization = organization
    user.save()
    session = sessions.SessionStore()
    session["_auth_user_id"] = str(user.pk)
    session["_auth_user_backend"] = "django.contrib.auth.backends.ModelBackend"
    session["_auth_user_hash"] = user.get_session_auth_hash()
    session["last_login"] = time.time()
    session["organization_pk"] = organization.pk
    session.save()
    people.append(session.session_key)
print(json.dumps({"project": project.pk, "people": people}))
"""


class Rater:
    """A rater at the stream of tasks."""

    def __init__(self, connection: Connection, person: dict[str, Any]) -> None:
        """Take the way to the server, and which project there is."""
        self._ask, self._person = connection.ask, person
        self._task: dict[str, Any] | None = None
        self._is_done = False

    def open(self) -> None:
        """Take the first task."""
        self._take()

    def hand_in(self) -> int:
        """Hand in an annotation, and take the next task."""
        if self._task is None:
            self._take()
            return 0
        label = random_label(("correct", "incorrect"), self._task["data"]["text"], self._person["number"])
        chosen = {"from_name": "label", "to_name": "text", "type": "choices", "value": {"choices": [label]}}
        path = f"/api/tasks/{self._task['id']}/annotations/?project={self._person['project']}"
        self._ask("POST", path, {"result": [chosen], "lead_time": 5.0})
        self._take()
        return 1

    def prepare(self) -> None:
        """Do nothing: the page holds one task."""

    def is_done(self) -> bool:
        """Return whether there was no next task."""
        return self._is_done

    def _take(self) -> None:
        self._task = None
        try:
            self._task = self._ask("GET", f"/api/projects/{self._person['project']}/next/")
        except Refused as error:
            if not str(error).startswith("404"):
                raise
            self._is_done = True


@contextmanager
def platform(
    *, environment: Path, folder: Path, database: str, items: Sequence[Item], raters: int
) -> Iterator[Platform]:
    """Make a project with every answer as a task, and start Label Studio on it."""
    port = free_port()
    variables = {
        **os.environ,
        "BASE_DATA_DIR": str(folder),
        "DJANGO_SETTINGS_MODULE": "core.settings.label_studio",
        "COLLECT_ANALYTICS": "False",
        "LATEST_VERSION_CHECK": "False",
        "SENTRY_DSN": "",
        "FRONTEND_SENTRY_DSN": "",
        **_database(database),
    }
    package = next(environment.glob("lib/python*/site-packages/label_studio"))
    python = environment / "bin" / "python"
    run_script([python, package / "manage.py", "migrate", "--verbosity", "0"], environment=variables)
    texts = [f"{item.question}\n{answer}" for item in items for answer in item.answers]
    made = run_script(
        [python, "-c", PREPARE, package],
        environment=variables,
        given=json.dumps([texts, raters, RATERS_AN_ANSWER]),
    )
    start: list[str | Path] = [
        environment / "bin" / "label-studio",
        "start",
        "--no-browser",
        "--port",
        str(port),
    ]
    del variables["DJANGO_SETTINGS_MODULE"]
    with started(start, port=port, log=folder / "log", environment=variables, folder=folder) as process:
        yield Platform(
            name=f"Label Studio {version_of('label_studio', environment)}",
            module=__name__,
            url=f"http://127.0.0.1:{port}",
            process=process,
            people=people_of(json.loads(made)),
            count_over=partial(query, database or str(folder / "label_studio.sqlite3"), OVER),
            database=database,
        )


def _database(url: str) -> dict[str, str]:
    if not url:
        return {"DJANGO_DB": "sqlite"}
    parts = urlsplit(url)
    return {
        "DJANGO_DB": "default",
        "POSTGRE_USER": parts.username or "",
        "POSTGRE_PASSWORD": parts.password or "",
        "POSTGRE_NAME": parts.path.removeprefix("/"),
        "POSTGRE_HOST": parts.hostname or "",
        "POSTGRE_PORT": str(parts.port or 5432),
    }

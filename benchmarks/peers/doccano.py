"""doccano under the same load: texts and two labels, by its own web server as it starts by default.

What its page sends is read from the page that comes with it (`list`, `add` and `confirm` of text
classification). It knows no k: every rater is given every text.
"""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.peers.environments import people_of, run_script, version_of
from benchmarks.raters.load import Connection, random_label
from benchmarks.raters.platforms import RATERS_AN_ANSWER, Item, Platform, query, started
from tools.with_services import free_port

DATABASES = ("sqlite", "postgresql")
OVER = f"""
    SELECT COUNT(*) FROM (
        SELECT example_id FROM labels_category
        GROUP BY example_id HAVING COUNT(DISTINCT user_id) > {RATERS_AN_ANSWER}
    ) AS over_k
"""
# Run by doccano's Python: nobody need sign in, as with Assay.
PREPARE = """
import json, sys
sys.path.insert(0, sys.argv[1])
import django
django.setup()
from django.conf import settings
from django.contrib.auth.models import User
from django.test import Client
from examples.models import Example
from label_types.models import CategoryType
from projects.models import Member, TextClassificationProject
from roles.models import Role
texts, raters = json.load(sys.stdin)
lead = User.objects.create_superuser("lead")
project = TextClassificationProject.objects.create(
    name="load", project_type="DocumentClassification", single_class_classification=True, created_by=lead
)
labels = [CategoryType.objects.create(project=project, text=text).pk for text in ("correct", "incorrect")]
Example.objects.bulk_create(Example(project=project, text=text) for text in texts)
role = Role.objects.get(name=settings.ROLE_ANNOTATOR)
people = []
for number in range(raters):
    user = User.objects.create(username=f"rater-{number}")
    Member.objects.create(project=project, user=user, role=role)
    browser = Client()
    browser.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    people.append(browser.cookies["sessionid"].value)
print(json.dumps({"project": project.pk, "labels": labels, "people": people}))
"""


class Rater:
    """A rater at the page that labels texts."""

    def __init__(self, connection: Connection, person: dict[str, Any]) -> None:
        """Take the way to the server, and which project and labels there are."""
        self._ask, self._person = connection.ask, person
        self._root = f"/v1/projects/{person['project']}/examples"
        self._offset = 0
        self._texts: list[dict[str, Any]] = []

    def open(self) -> None:
        """Take the first text."""
        self._take()

    def hand_in(self) -> int:
        """Label the text and read its labels, say that it is done, and take the next one."""
        if not self._texts:
            self._take()
            return 0
        (text,) = self._texts
        label = random_label(self._person["labels"], text["text"], self._person["number"])
        self._ask("POST", f"{self._root}/{text['id']}/categories", {"label": label})
        self._read_labels()
        self._ask("POST", f"{self._root}/{text['id']}/states", {})
        self._offset += 1
        self._take()
        return 1

    def prepare(self) -> None:
        """Ask how far the rater is; the page shows the next text meanwhile."""
        self._ask("GET", f"/v1/projects/{self._person['project']}/metrics/progress")

    def is_done(self) -> bool:
        """Return whether the last text is done."""
        return self._offset > 0 and not self._texts

    def _take(self) -> None:
        self._texts = []
        self._texts = self._ask("GET", f"{self._root}?limit=1&offset={self._offset}&q=&confirmed=")["results"]
        self._read_labels()

    def _read_labels(self) -> None:
        for text in self._texts:
            self._ask("GET", f"{self._root}/{text['id']}/categories")


@contextmanager
def platform(
    *,
    environment: Path,
    folder: Path,
    database: str,
    items: Sequence[Item],
    raters: int,
    name: str = "doccano",
    module: str = __name__,
) -> Iterator[Platform]:
    """Make a project with every answer as a text, and start doccano on it."""
    port = free_port()
    file = folder / "db.sqlite3"
    variables = {
        **os.environ,
        "DOCCANO_HOME": str(folder),
        "DATABASE_URL": f"{database}?sslmode=disable" if database else f"sqlite:///{file}",
        "DJANGO_SETTINGS_MODULE": "config.settings.production",
        "STANDALONE": "True",
    }
    command = environment / "bin" / "doccano"
    run_script([command, "init"], environment=variables)
    backend = next(environment.glob("lib/python*/site-packages/backend"))
    texts = [f"{item.question}\n{answer}" for item in items for answer in item.answers]
    made = run_script(
        [environment / "bin" / "python", "-c", PREPARE, backend],
        environment=variables,
        given=json.dumps([texts, raters]),
    )
    with started(
        [command, "webserver", "--port", str(port)],
        port=port,
        log=folder / "log",
        environment=variables,
        folder=folder,
    ) as process:
        yield Platform(
            name=f"{name} {version_of('doccano', environment)}",
            module=module,
            url=f"http://127.0.0.1:{port}",
            process=process,
            people=people_of(json.loads(made)),
            count_over=partial(query, database or str(file), OVER),
            database=database,
        )

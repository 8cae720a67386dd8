"""A bundle taken on SQLite restores on this database, and a restore that is killed leaves nothing."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db import connection

from annotation.projects.models import Project
from commands.processes import die_with_parent
from tests.factories import make_user
from tests.judges.bundles.factories import hashes, restore, write
from tests.world import make_world

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]
ROOT = Path(__file__).parent.parent.parent
# A restore that stops before its last part until it is killed.
STALLED = """
import sys, django
django.setup()
from judges.bundles.services import restoring
from annotation.accounts.models import User
def stall(*_):
    print("inserted", flush=True)
    sys.stdin.read()
restoring._Restore._require_agreement = stall
file = open(sys.argv[1], "rb")
restoring.restore_bundle(file=file, by=User.objects.get(username="restorer"), slug="killed")
"""
ON_SQLITE = """
import sys, django
django.setup()
from pathlib import Path
from django.core.management import call_command
call_command("migrate", verbosity=0)
from tests.judges.bundles.factories import hashes
from tests.world import make_world
import json
folder = Path(sys.argv[1])
print(json.dumps(hashes(make_world(slug="own").project, folder)))
"""


@pytest.fixture(autouse=True)
def _own_data_folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path / "data"


def counts() -> dict[str, int]:
    ours = [model for label in ("annotation", "judges") for model in apps.get_app_config(label).get_models()]
    return {model.__name__: model._base_manager.count() for model in ours}


def address_of_database() -> str:
    name = connection.settings_dict["NAME"]
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    found = settings.DATABASES["default"]
    return f"postgres://{found['USER']}:{found['PASSWORD']}@{found['HOST']}:{found['PORT']}/{name}"


def start(program: str, *arguments: str, database: str, folder: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "DATABASE_URL": database, "ASSAY_DATA": str(folder)}
    return subprocess.Popen(
        [sys.executable, "-c", program, *arguments],
        cwd=ROOT,
        env={**environment, "DJANGO_SETTINGS_MODULE": "config.settings"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=die_with_parent,
    )


class TestRestoring:
    def test_killed_in_the_middle_leaves_nothing(self, tmp_path: Path) -> None:
        if connection.vendor == "sqlite" and "memory" in str(connection.settings_dict["NAME"]):
            pytest.skip("another process cannot reach this database")
        path = write(make_world(slug="own").project, tmp_path / "bundle.zip")
        make_user(username="restorer")
        before = counts()
        with start(STALLED, str(path), database=address_of_database(), folder=tmp_path) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "inserted\n"
            assert counts() == before
            process.send_signal(signal.SIGKILL)
        assert process.returncode == -signal.SIGKILL
        assert counts() == before
        assert restore(path, by=Project.objects.get().created_by, slug="killed").slug == "killed"

    def test_taken_on_sqlite(self, tmp_path: Path) -> None:
        made = tmp_path / "sqlite"
        made.mkdir()
        address = f"sqlite:///{made / 'one.sqlite3'}"
        with start(ON_SQLITE, str(made), database=address, folder=made) as process:
            assert process.stdout is not None
            before = json.loads(process.stdout.readlines()[-1])
        assert process.returncode == 0
        restored = restore(made / "bundle", by=make_user(username="restorer"), slug="own", connects=True)
        # One more member leads it, whom only bundles name.
        after = hashes(restored, tmp_path / "after")
        assert {**after, "bundle": ""} == {**before, "bundle": ""}

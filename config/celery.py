"""The Celery application: doorbells only, the database rows are the truth."""

import os
import sys
from pathlib import Path

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

_HOME = str(Path(__file__).resolve().parent.parent)
# Celery puts the folder one stands in before all others, and it may have a `config` of its own.
_path = sys.path[:]
app = Celery("assay")
sys.path[:] = _path
# The program `celery` searches that folder only until this module is there, then takes out its first mention.
if _HOME not in sys.path[1:]:
    sys.path.insert(1, _HOME)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(
    [
        "annotation.accounts.mailboxes",
        "annotation.items",
        "annotation.release",
        "judges.prejudging",
        "judges.runs",
        "judges.webhooks",
    ]
)

"""The Celery application: doorbells only, the database rows are the truth."""

import os
import sys

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# Celery puts the folder one stands in before all others, and it may have a `config` of its own.
_path = sys.path[:]
app = Celery("assay")
sys.path[:] = _path
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

"""The Celery application: doorbells only, the database rows are the truth."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("assay")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(
    [
        "annotation.items",
        "annotation.release",
        "judges.prejudging",
        "judges.runs",
    ]
)

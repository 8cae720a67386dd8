"""The entry point of the web server."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# Only once settings can be found.
django_application = get_wsgi_application()

from django.conf import settings  # noqa: E402

from annotation.judgments.services.settling import settle_and_count_tables  # noqa: E402
from common.tasks import Rounds  # noqa: E402
from common.web.serving import PatientServer  # noqa: E402
from config.operation.metrics import requests  # noqa: E402

THREADS = 8

application = PatientServer(
    django_application,
    threads=THREADS,
    patience_seconds=settings.ASSAY_CLIENT_PATIENCE_SECONDS,
    count=requests.add if settings.ASSAY_METRICS_TOKEN else None,
)
if settings.ASSAY_METRICS_TOKEN:
    Rounds(requests.tell, seconds=5).start()
Rounds(settle_and_count_tables, seconds=settings.ASSAY_SETTLE_SECONDS).start()

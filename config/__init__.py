"""The wiring: the only package that knows everything."""

import gc

# A process makes 400,000 objects that stay while it loads. Looking for garbage among them again and again
# took a fifth of its start; `config.apps` begins once all is there.
gc.disable()

# Whoever rings does so with this application: without it Celery makes one of its own, whose rings are lost.
from config.celery import app as celery_app  # noqa: E402

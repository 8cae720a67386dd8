"""The wiring: the only package that knows everything."""

# Whoever rings does so with this application: without it Celery makes one of its own, whose rings are lost.
from config.celery import app as celery_app

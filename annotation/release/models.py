"""Release: exports as rows with states."""

from django.conf import settings
from django.db import models

from annotation.projects.models import Project
from common.identifiers import new_public_id


class Export(models.Model):
    """A file made for somebody to take away."""

    class State(models.TextChoices):
        """Where an export stands."""

        QUEUED = "queued"
        RUNNING = "running"
        FINISHED = "finished"
        FAILED = "failed"

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="exports")
    format = models.CharField(max_length=60)
    # `answers`: the keys of those that were chosen, in the order of the file; empty: all there are.
    options = models.JSONField(default=dict, blank=True)
    state = models.CharField(max_length=20, choices=State, default=State.QUEUED)
    file_name = models.CharField(max_length=200)
    # Relative to the data folder.
    path = models.CharField(max_length=300, blank=True)
    rows = models.PositiveIntegerField(default=0)
    size = models.PositiveBigIntegerField(default=0)
    sha256 = models.CharField(max_length=64, blank=True)
    message = models.TextField(blank=True)
    lease_expires_at = models.DateTimeField(null=True)
    # How often somebody began to write it: what kills its writers is not tried for ever.
    attempts = models.PositiveSmallIntegerField(default=0)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.format} {self.state}"

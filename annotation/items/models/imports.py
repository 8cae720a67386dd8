"""Imports: sets of files on their way into a project."""

from django.conf import settings
from django.db import models

from annotation.projects.models import Project
from common.identifiers import new_public_id

# Of a file of an import: how many bytes its copy in UTF-8 has, where an encoding is chosen.
COPY_SIZE = "copy_size"


class DataImport(models.Model):
    """A set of files on its way into a project; every row it made points back, so it can be undone whole."""

    class State(models.TextChoices):
        """Where an import stands."""

        CHECKING = "checking"
        READY = "ready"
        REFUSED = "refused"
        APPLYING = "applying"
        APPLIED = "applied"
        FAILED = "failed"
        # Being taken out: on its way to "undone", or to "failed" where its message says why.
        UNDOING = "undoing"
        UNDONE = "undone"

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="imports")
    state = models.CharField(max_length=20, choices=State, default=State.CHECKING)
    format = models.CharField(max_length=60, blank=True)
    options = models.JSONField(default=dict, blank=True)
    # [{"name", "size", "path" relative to the data folder, "sha256", and `COPY_SIZE`}]
    files = models.JSONField(default=list)
    counts = models.JSONField(default=dict, blank=True)
    sample = models.JSONField(default=list, blank=True)
    # Where columns can be mapped: [{"name", "meaning", "system", "values": the first few}]
    columns = models.JSONField(default=list, blank=True)
    problems = models.JSONField(default=list, blank=True)
    # All of them, by cause: [{one problem's fields, "count", "lines": the first}]
    causes = models.JSONField(default=list, blank=True)
    problem_count = models.PositiveIntegerField(default=0)
    rows_total = models.PositiveIntegerField(default=0)
    rows_done = models.PositiveIntegerField(default=0)
    message = models.TextField(blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    # Renewed with every chunk; a background import whose lease ended is taken up or failed by the sweeper.
    lease_expires_at = models.DateTimeField(null=True)
    applied_at = models.DateTimeField(null=True)
    undone_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project"],
                condition=models.Q(state__in=["applying", "undoing"]),
                name="one_import_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.format} {self.state}"

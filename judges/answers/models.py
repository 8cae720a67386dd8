"""Views of the table of answers that somebody saved under a name."""

from django.conf import settings
from django.db import models

from annotation.projects.models import Project
from common.identifiers import new_public_id
from judges.answers.rules import LONGEST_NAME


class AnswerView(models.Model):
    """Filters, columns and order of the table, as its address has them; opened by an address of its own."""

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="answer_views", db_index=False
    )
    name = models.CharField(max_length=LONGEST_NAME)
    # What the address says, by the names it has there; never a place on a page.
    query = models.JSONField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "name"], name="answer_view_name_once")]

    def __str__(self) -> str:
        return self.name

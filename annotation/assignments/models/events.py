"""What leads did to the work in people's hands, for the history on the work page."""

from django.db import models

from annotation.accounts.models import User
from annotation.projects.models import Membership, Project


class WorkEvent(models.Model):
    """One act of a lead; rows are only ever added."""

    class Kind(models.TextChoices):
        """TAKEN_BACK: the sheets in a rater's hands went back to where anybody may be given them."""

        PAUSED = "paused"
        RESUMED = "resumed"
        TAKEN_BACK = "taken_back"
        PILOT_BEGUN = "pilot_begun"
        PILOT_ENDED = "pilot_ended"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="work_events")
    kind = models.CharField(max_length=20, choices=Kind)
    # Whom it concerned; nobody where it concerned all.
    rater = models.ForeignKey(Membership, null=True, on_delete=models.PROTECT, related_name="+")
    by = models.ForeignKey(User, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    sheets = models.PositiveIntegerField(default=0)
    answers = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["project", "at"], name="work_events_in_order")]

    def __str__(self) -> str:
        return self.kind

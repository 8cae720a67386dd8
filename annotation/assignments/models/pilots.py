"""Pilots: questions that every rater judges before the work, with votes that never count."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.assignments.models.purposes import Purpose
from annotation.assignments.models.sheets import Sheet
from annotation.items.models.questions import Question
from annotation.projects.models import Project
from common.identifiers import new_public_id


class Pilots(models.Manager["Pilot"]):
    """The pilots of all projects."""

    def open_in(self, *, project_id: int) -> "Pilot | None":
        """Return the pilot that goes on in a project, or None."""
        return self.filter(project=project_id, ended_at=None).first()

    def has_ended_for(self, *, sheet: Sheet) -> bool:
        """Whether a sheet was of a pilot that is over: nothing on it is taken back any more."""
        ended = self.filter(questions__question=sheet.question_id, ended_at__isnull=False)
        return sheet.purpose == Purpose.PILOT and ended.exists()


class Pilot(models.Model):
    """One pilot round; while it is open, its questions are all that raters are handed."""

    class Outcome(models.TextChoices):
        """What became of the questions. AGAIN: judged as work. LEFT_OUT: no part of the study."""

        AGAIN = "again"
        LEFT_OUT = "left_out"

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="pilots")
    # By which the questions were drawn; none where they are the first ones.
    seed = models.PositiveIntegerField(null=True)
    begun_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    begun_at = models.DateTimeField()
    ended_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    ended_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=20, choices=Outcome, blank=True)

    objects = Pilots()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project"], condition=Q(ended_at=None), name="one_open_pilot"),
            models.CheckConstraint(
                condition=Q(ended_at=None, outcome="") | (Q(ended_at__isnull=False) & ~Q(outcome="")),
                name="ended_pilot_has_outcome",
            ),
        ]

    def __str__(self) -> str:
        return self.outcome or "open"


class PilotQuestion(models.Model):
    """A question of a pilot; none is in two of them."""

    pilot = models.ForeignKey(Pilot, on_delete=models.CASCADE, related_name="questions")
    question = models.OneToOneField(Question, on_delete=models.CASCADE, related_name="in_pilot")

    def __str__(self) -> str:
        return f"pilot of {self.question_id}"

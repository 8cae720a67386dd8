"""Published numbers without answers, which stand beside a study's own and enter no statistic."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.projects.models import Project
from common.identifiers import new_public_id
from judges.comparison.rules.leaderboard.references import Reference
from judges.comparison.rules.leaderboard.references import Subject as ReferenceSubject


class ReferenceScore(models.Model):
    """A published number of a system or a judge; one taken out stays, with who did it."""

    class Subject(models.TextChoices):
        """Whose number it is."""

        SYSTEM = "system"
        JUDGE = "judge"

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="reference_scores")
    subject = models.CharField(max_length=10, choices=Subject)
    name = models.CharField(max_length=200)
    # The key of a leaderboard's column, a measure of judges, or words of its own.
    measure = models.CharField(max_length=200)
    # A share or a coefficient.
    value = models.FloatField()
    n = models.PositiveIntegerField(null=True)
    # What it was measured on, in words.
    about = models.CharField(max_length=200, blank=True)
    # Which part of the study it stands with: a system's, the questions of a data set; a judge's, the answers
    # of a system, by its name, and the prompt it was asked by.
    dataset = models.CharField(max_length=100, blank=True, default="")
    system = models.CharField(max_length=200, blank=True, default="")
    prompt = models.CharField(max_length=100, blank=True, default="")
    source = models.CharField(max_length=500)
    source_url = models.CharField(max_length=500, blank=True)
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    added_at = models.DateTimeField()
    removed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    removed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["project", "subject", "name", "measure", "about", "dataset", "system", "prompt"],
                condition=Q(removed_at__isnull=True),
                name="reference_score_once",
            ),
            models.CheckConstraint(condition=Q(value__gte=-1, value__lte=1), name="reference_is_a_share"),
        ]

    def __str__(self) -> str:
        return f"{self.name}, {self.measure}: {self.value}"

    def as_reference(self) -> Reference:
        """Return it as plain values."""
        values = {name: getattr(self, name) for name in Reference._fields}
        return Reference(**{**values, "subject": ReferenceSubject(self.subject)})

"""What runs said of answers."""

from django.db import models

from annotation.items.models import Candidate
from judges.runs.models.runs import JudgeRun


class Verdict(models.Model):
    """What a run said of a candidate; `accepted` is null where it could not judge, with the reason."""

    run = models.ForeignKey(JudgeRun, on_delete=models.CASCADE, related_name="verdicts")
    candidate = models.ForeignKey(Candidate, on_delete=models.CASCADE, related_name="verdicts")
    accepted = models.BooleanField(null=True)
    score = models.FloatField(null=True)
    unscored_reason = models.CharField(max_length=60, blank=True)
    raw_reply = models.TextField(blank=True)
    # Words, parted by commas, for what a person should look at before believing it.
    flags = models.CharField(max_length=200, blank=True)
    judged_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["run", "candidate"], name="one_verdict_a_candidate"),
            models.CheckConstraint(
                condition=models.Q(accepted__isnull=False) | ~models.Q(unscored_reason=""),
                name="unscored_says_why",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.accepted} ({self.score})"

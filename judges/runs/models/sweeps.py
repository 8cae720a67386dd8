"""The sweeper's sign of life."""

from django.db import models


class LastSweep(models.Model):
    """When the sweeper last came round: one row, written by a worker that the clock's message reached."""

    swept_at = models.DateTimeField()

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(pk=1), name="one_last_sweep")]

    def __str__(self) -> str:
        return f"last sweep at {self.swept_at}"

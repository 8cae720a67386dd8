"""What a rater's work is for, and the one place that says which of it counts."""

from typing import TypeVar

from django.db import models
from django.db.models import Q, QuerySet

Row = TypeVar("Row", bound=models.Model)


class Purpose(models.TextChoices):
    """Why a sheet was handed out. Only votes hold slots, are counted, settle anything or leave as votes.

    PILOT: a first round by all raters. TRAINING: with feedback. KNOWN_ANSWER: somebody decided it before.
    REPEAT: the rater judged it before. SECOND: others decided it, and another human judges it once more.
    """

    VOTE = "vote"
    PILOT = "pilot"
    TRAINING = "training"
    KNOWN_ANSWER = "known_answer"
    REPEAT = "repeat"
    SECOND = "second_pass"


IS_VOTE = Q(purpose=Purpose.VOTE)


class RowsByPurpose(models.Manager[Row]):
    """Rows of a table with a `purpose`. Whoever counts, settles or shows votes begins with `votes()`."""

    def votes(self) -> QuerySet[Row]:
        """Return the rows that count as votes, or that belong to such; never a pilot's or a training's."""
        return self.filter(IS_VOTE)


def are_votes(relation: str) -> Q:
    """Return `votes()` as a condition on rows reached through `relation`, for joins and counts."""
    return Q(**{f"{relation}__purpose": Purpose.VOTE})

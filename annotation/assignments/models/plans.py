"""The lead's plan: who judges which part of the questions, how much at most, and in which order."""

from django.db import models
from django.db.models import F, Q

from annotation.items.models.questions import Question
from annotation.projects.models import Membership, Project


class WorkPlan(models.Model):
    """How a project's work is handed out; a project without one gives everything to everybody."""

    class Sharing(models.TextChoices):
        """EVERYONE: whoever comes. NAMED: chosen raters, each all or a part. SHARES: in proportion."""

        EVERYONE = "everyone"
        NAMED = "named"
        SHARES = "shares"

    class Order(models.TextChoices):
        """In which order questions are begun."""

        IMPORTED = "imported"
        SEED = "seed"

    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="work_plan")
    sharing = models.CharField(max_length=20, choices=Sharing, default=Sharing.EVERYONE)
    order = models.CharField(max_length=20, choices=Order, default=Order.IMPORTED)
    # What goes first, as the lead wrote it: ids of questions, data sets or tags.
    goes_first = models.JSONField(default=list, blank=True)
    saved_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.sharing}, {self.order}"


class PlannedRater(models.Model):
    """What the plan says of one rater; a rater without a row has no limit, no part and no share."""

    rater = models.OneToOneField(Membership, on_delete=models.CASCADE, related_name="planned")
    # Of a plan with named raters: whether this is one, and from which to which question, counted from 1.
    takes_part = models.BooleanField(default=False)
    # Who judges this rater's part in their place, in a plan with named raters.
    stand_in = models.ForeignKey(
        Membership, on_delete=models.SET_NULL, null=True, related_name="stands_in_for"
    )
    first_question = models.PositiveIntegerField(null=True)
    last_question = models.PositiveIntegerField(null=True)
    # Of a plan with shares: any numbers, read in proportion to each other.
    share = models.PositiveIntegerField(default=0)
    # The share as a piece of a circle of `rules.CIRCLE` units; a question is judged by whose pieces it meets.
    piece_start = models.PositiveIntegerField(default=0)
    piece_length = models.PositiveIntegerField(default=0)
    answers_at_most = models.PositiveIntegerField(null=True)
    questions_at_most = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(first_question=None)
                | Q(last_question=None)
                | Q(first_question__lte=F("last_question")),
                name="part_from_first_to_last",
            ),
            models.CheckConstraint(condition=~Q(stand_in=F("rater")), name="stand_in_is_another"),
        ]

    def __str__(self) -> str:
        return f"plan of {self.rater_id}"


class PriorityQuestion(models.Model):
    """A question that goes before those without a place."""

    question = models.OneToOneField(Question, on_delete=models.CASCADE, related_name="priority")
    place = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"{self.place}"

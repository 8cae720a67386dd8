"""Adjudication: decisions and their history."""

from collections.abc import Iterable

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.adjudication.rules import SENT_BACK
from annotation.items.models import Candidate
from common.identifiers import new_public_id

# A program settled the answer, or agreed with the only rater: what it errs at is in these decisions.
WITH_PROGRAMS = ("prejudged", "routed")


class Decisions(models.QuerySet["Decision"]):
    """Rows of the histories. Whoever reads what was decided begins with `in_force()`."""

    def in_force(self) -> "Decisions":
        """Return the decisions that hold: the last rows of histories, but for reopenings."""
        return self.current().filter(is_reopening=False)

    def current(self) -> "Decisions":
        """Return the last row of each history, reopenings among them."""
        return self.filter(is_current=True)

    def without_programs(self) -> "Decisions":
        """Return those in which no program had a part: the others hold because one said so, too."""
        return self.exclude(source__in=WITH_PROGRAMS)

    def last_numbers(self, candidates: Iterable[Candidate]) -> dict[int, int]:
        """Return the number of the last row of each history, by candidate id; answers without one lack."""
        rows = self.filter(candidate__in=candidates).order_by("number")
        return dict(rows.values_list("candidate_id", "number"))


def are_in_force(relation: str) -> Q:
    """Return `in_force()` as a condition on decisions reached through `relation`, for joins."""
    return Q(**{f"{relation}__is_current": True, f"{relation}__is_reopening": False})


class Decision(models.Model):
    """What a candidate was decided to be, and by what; rows are added, only `is_current` moves."""

    class Source(models.TextChoices):
        """What settled the answer."""

        UNANIMOUS = "unanimous"
        MAJORITY = "majority"
        # By one rater and a judge who said the same, where the lead lets that be enough.
        ROUTED = "routed"
        ADJUDICATED = "adjudicated"
        PREJUDGED = "prejudged"
        IMPORTED = "imported"
        # As people decided the same answer in another project, which `rule` names.
        REUSED = "reused"

    class Category(models.TextChoices):
        """Why raters came to differ; `rules.CATEGORIES` says when each fits."""

        GUIDELINE = "guideline", "Unclear guidelines"
        EVIDENCE = "evidence", "Missing knowledge or evidence"
        GRANULARITY = "granularity", "Borderline granularity"
        AMBIGUOUS_QUESTION = "ambiguous_question", "Ambiguous question"
        TIME_DEPENDENT = "time_dependent", "Time-dependent answer"
        INCORRECT_GOLD = "incorrect_gold", "Incorrect gold answer"
        RATER_ERROR = "rater_error", "Annotator error"
        OTHER = "other", "Other"

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    candidate = models.ForeignKey(
        Candidate, on_delete=models.PROTECT, related_name="decisions", db_index=False
    )
    number = models.PositiveIntegerField()
    is_current = models.BooleanField(default=True)
    # Empty when the decision was reopened, or the answer sent back to raters: then nothing is decided.
    label = models.CharField(max_length=60, blank=True)
    is_reopening = models.BooleanField(default=False)
    source = models.CharField(max_length=20, choices=Source)
    rule = models.CharField(max_length=60, blank=True)
    reason = models.TextField(blank=True)
    category = models.CharField(max_length=60, choices=Category, blank=True)
    # Raters may read the reason, where the protocol lets them read decisions at all.
    is_reason_shown = models.BooleanField(default=False)
    # Decisions made in one act share a name, by which they are taken back together.
    group = models.CharField(max_length=20, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    decided_at = models.DateTimeField()

    objects = Decisions.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["candidate", "number"], name="decision_number_once"),
            models.UniqueConstraint(
                fields=["candidate"], condition=Q(is_current=True), name="one_current_decision"
            ),
            models.CheckConstraint(
                condition=~Q(rule=SENT_BACK)
                | Q(is_reopening=True, decided_by__isnull=False, label="") & ~Q(reason=""),
                name="sent_back_by_somebody_with_a_reason",
            ),
        ]
        indexes = [models.Index(fields=["group"], name="decisions_of_group", condition=~Q(group=""))]

    def __str__(self) -> str:
        return f"{self.label} ({self.source})"

    @property
    def is_in_force(self) -> bool:
        """Whether the row is one of `in_force()`."""
        return self.is_current and not self.is_reopening

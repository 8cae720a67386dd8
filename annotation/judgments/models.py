"""Judgments: labels as they stand now, and the append-only history they come from."""

from django.db import models
from django.db.models import Q

from annotation.assignments.models import IS_VOTE, Assignment, Purpose, RowsByPurpose, Sheet
from annotation.items.models.questions import Candidate, Question
from annotation.projects.models import Membership, ProtocolVersion
from common.identifiers import new_public_id


class Judgment(models.Model):
    """A rater's label for an answer as it stands; `JudgmentRevision` says how it came about."""

    class State(models.TextChoices):
        """SURPLUS: kept and shown, never counted. WITHDRAWN: taken back by its rater.

        MISSING: says "cannot judge", so it is kept but is no vote, and its slot was passed on.
        """

        COUNTED = "counted"
        MISSING = "missing"
        SURPLUS = "surplus"
        WITHDRAWN = "withdrawn"

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    assignment = models.OneToOneField(Assignment, on_delete=models.PROTECT, related_name="judgment")
    candidate = models.ForeignKey(Candidate, on_delete=models.PROTECT, related_name="judgments")
    rater = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="judgments")
    slot = models.PositiveSmallIntegerField()
    round = models.CharField(max_length=20, choices=Assignment.Round)
    state = models.CharField(max_length=20, choices=State, default=State.COUNTED)
    purpose = models.CharField(max_length=20, choices=Purpose, default=Purpose.VOTE)
    # A key of the protocol's labels.
    label = models.CharField(max_length=60)
    comment = models.TextField(blank=True)
    evidence_url = models.TextField(blank=True)
    evidence_quote = models.TextField(blank=True)
    judged_at = models.DateTimeField()

    objects = RowsByPurpose["Judgment"]()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["candidate", "slot"], condition=Q(state="counted"), name="slot_counted_once"
            ),
            models.UniqueConstraint(
                fields=["candidate", "rater"], condition=IS_VOTE, name="judged_once_a_rater"
            ),
            models.CheckConstraint(condition=IS_VOTE | ~Q(state="counted"), name="only_votes_are_counted"),
        ]

    def __str__(self) -> str:
        return f"{self.label} ({self.state})"


class JudgmentRevision(models.Model):
    """One act on a judgment; rows are only ever added."""

    class Action(models.TextChoices):
        """What the rater did; SET_ASIDE is done to a tie-break once the first raters agree after all."""

        SUBMIT = "submit"
        WITHDRAW = "withdraw"
        EDIT = "edit"
        SET_ASIDE = "set_aside"

    judgment = models.ForeignKey(Judgment, on_delete=models.PROTECT, related_name="revisions", db_index=False)
    number = models.PositiveIntegerField()
    action = models.CharField(max_length=20, choices=Action)
    state = models.CharField(max_length=20, choices=Judgment.State)
    label = models.CharField(max_length=60)
    comment = models.TextField(blank=True)
    evidence_url = models.TextField(blank=True)
    evidence_quote = models.TextField(blank=True)
    # Of the whole sheet, shared equally among its answers; idle and hidden time left out.
    seconds = models.FloatField(null=True)
    protocol_version = models.ForeignKey(ProtocolVersion, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["judgment", "number"], name="revision_number_once")]

    def __str__(self) -> str:
        return f"{self.action} {self.number}"


class CheckAnswer(models.Model):
    """A rater's answer to a question check (ambiguous? changes over time? gold improper?).

    A yes in either round is the rater's mark on the question; the first answers are never overwritten.
    """

    class Round(models.TextChoices):
        """AGAIN: given when the rater, who had said no, was asked once more."""

        FIRST = "first"
        AGAIN = "again"

    sheet = models.ForeignKey(Sheet, on_delete=models.PROTECT, related_name="check_answers")
    question = models.ForeignKey(Question, on_delete=models.PROTECT, related_name="check_answers")
    rater = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="check_answers")
    check_key = models.CharField(max_length=60)
    round = models.CharField(max_length=20, choices=Round, default=Round.FIRST)
    answer = models.BooleanField()
    # The sheet's.
    purpose = models.CharField(max_length=20, choices=Purpose, default=Purpose.VOTE)
    answered_at = models.DateTimeField()

    objects = RowsByPurpose["CheckAnswer"]()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["question", "rater", "check_key", "round"],
                condition=IS_VOTE,
                name="check_once_a_rater_and_round",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.check_key}: {self.answer}"

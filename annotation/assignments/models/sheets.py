"""Assignments: sheets handed to raters, the slots on them, and remarks on the question."""

from django.db import models
from django.db.models import Q

from annotation.assignments.models.purposes import IS_VOTE, Purpose, RowsByPurpose
from annotation.items.models.questions import Candidate, Question
from annotation.projects.models import Membership, Project, ProtocolVersion
from common.identifiers import new_public_id


class Sheet(models.Model):
    """A question with the answers open for one rater, handed out whole under one lease."""

    class State(models.TextChoices):
        """Where a sheet stands. DUE: made for its rater, who gets it when next asking for work."""

        DUE = "due"
        OPEN = "open"
        SUBMITTED = "submitted"
        SKIPPED = "skipped"
        EXPIRED = "expired"

    class Again(models.TextChoices):
        """What its rater is asked once more: the checks about the question alone, or to judge after all."""

        NOTHING = ""
        CHECKS = "checks"
        ANSWERS = "answers"

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="sheets")
    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="sheets")
    rater = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="sheets")
    protocol_version = models.ForeignKey(ProtocolVersion, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=20, choices=State, default=State.OPEN)
    purpose = models.CharField(max_length=20, choices=Purpose, default=Purpose.VOTE)
    asks_again = models.CharField(max_length=20, choices=Again, default=Again.NOTHING, blank=True)
    # Raised whenever what the sheet shows is given anew. The client returns it with what it hands in, so that
    # nobody has to guess what its rater was looking at.
    version = models.PositiveIntegerField(default=1)
    handed_out_at = models.DateTimeField()
    lease_expires_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    # The client's key of the submit or skip that closed the sheet: the same key again is the same act.
    submission_key = models.CharField(max_length=64, null=True)
    # Keys of submits that were taken back: whoever sends one of them again comes too late.
    former_keys = models.JSONField(default=list)
    # What the submit came to, kept so that a repeated request gets the same reply.
    outcome = models.JSONField(null=True)
    # What its rater had answered before taking the submit back: {"answers": [...], "checks": {...}}.
    draft = models.JSONField(null=True)
    seconds = models.FloatField(null=True)
    # Its rater did something with it that later steps have not yet drawn the consequences of.
    settling_due = models.BooleanField(default=False)

    objects = RowsByPurpose["Sheet"]()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["question", "rater"], condition=Q(state="open"), name="one_open_sheet_a_question"
            ),
            models.UniqueConstraint(fields=["rater", "submission_key"], name="submission_key_once"),
        ]
        indexes = [
            models.Index(fields=["rater", "state"], name="sheets_of_rater"),
            models.Index(
                fields=["project", "lease_expires_at"], name="open_sheet_lease", condition=Q(state="open")
            ),
            models.Index(
                fields=["project", "question"], name="sheet_settling_due", condition=Q(settling_due=True)
            ),
        ]

    def __str__(self) -> str:
        return self.public_id


# Sheets that their rater still has to hand in, or may get again.
UNFINISHED = (Sheet.State.OPEN, Sheet.State.DUE, Sheet.State.EXPIRED)


class Assignment(models.Model):
    """One answer on one sheet: a slot of the candidate held by a rater.

    As a vote at most one a rater, for ever.
    """

    class Round(models.TextChoices):
        """Why the slot existed; agreement reads the first round only."""

        FIRST = "first"
        REPLACEMENT = "replacement"
        TIE_BREAK = "tie_break"

    class State(models.TextChoices):
        """LIVE: handed out. DONE: judged and counted. The others hold no slot.

        FILLER: on the sheet only to fill it. SURPLUS: judged, not counted. SKIPPED: passed over, or judged
        with a label that is no vote.
        """

        LIVE = "live"
        FILLER = "filler"
        DONE = "done"
        SURPLUS = "surplus"
        SKIPPED = "skipped"
        EXPIRED = "expired"

    sheet = models.ForeignKey(Sheet, on_delete=models.PROTECT, related_name="assignments")
    candidate = models.ForeignKey(Candidate, on_delete=models.PROTECT, related_name="assignments")
    rater = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="assignments")
    # From 1; those beyond the protocol's raters are tie-breaks. 0 where no slot was ever held.
    slot = models.PositiveSmallIntegerField()
    round = models.CharField(max_length=20, choices=Round, default=Round.FIRST)
    state = models.CharField(max_length=20, choices=State, default=State.LIVE)
    # The sheet's, unless the answer was put among others.
    purpose = models.CharField(max_length=20, choices=Purpose, default=Purpose.VOTE)
    skip_reason = models.CharField(max_length=200, blank=True)
    # The answer's place on this rater's sheet.
    position = models.PositiveSmallIntegerField(default=0)

    objects = RowsByPurpose["Assignment"]()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["candidate", "slot"],
                condition=Q(state__in=["live", "done"]) & IS_VOTE,
                name="slot_held_once",
            ),
            models.UniqueConstraint(
                fields=["candidate", "rater"], condition=IS_VOTE, name="rater_once_a_candidate"
            ),
            models.UniqueConstraint(
                fields=["candidate", "rater"],
                condition=Q(purpose=Purpose.PILOT),
                name="rater_once_a_pilots_candidate",
            ),
            models.CheckConstraint(
                condition=IS_VOTE | (Q(slot=0) & ~Q(state="done")), name="only_votes_hold_slots"
            ),
        ]

    def __str__(self) -> str:
        return f"slot {self.slot} {self.state}"


class QuestionFlag(models.Model):
    """A rater's remark that something about a question deserves the lead's eye."""

    class Kind(models.TextChoices):
        """What is the matter."""

        AMBIGUOUS = "ambiguous"
        TIME_DEPENDENT = "time_dependent"
        LIST = "list"
        GOLD_IMPROPER = "gold_improper"
        UNCLEAR = "unclear"

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="flags")
    rater = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="flags")
    kind = models.CharField(max_length=20, choices=Kind)
    note = models.TextField(blank=True)
    flagged_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["question", "rater", "kind"], name="flag_once_a_rater"),
        ]

    def __str__(self) -> str:
        return self.kind

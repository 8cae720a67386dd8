"""Tables of sheets, and of the plan by which they are handed out."""

from typing import TypeVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q, QuerySet

from annotation.accounts.models import User
from annotation.items.models.questions import Candidate, Question
from annotation.projects.models import Membership, Project, ProtocolVersion
from common.identifiers import new_public_id
from common.memory import once


class WorkEvent(models.Model):
    """One act of a lead; rows are only ever added."""

    class Kind(models.TextChoices):
        """TAKEN_BACK: the sheets in a rater's hands went back to where anybody may be given them."""

        PAUSED = "paused"
        RESUMED = "resumed"
        TAKEN_BACK = "taken_back"
        PILOT_BEGUN = "pilot_begun"
        PILOT_ENDED = "pilot_ended"

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="work_events", db_index=False)
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
    rater = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="sheets", db_index=False)
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

    # How many questions still waited for its rater when it was handed out, and when they were counted last:
    # since then each sheet takes one from the number of the sheet before. Null where that cannot be said.
    waiting_after = models.PositiveIntegerField(null=True)
    waiting_counted_at = models.DateTimeField(null=True)
    # It holds what goes first of its question, and the rest comes on a sheet of its own.
    goes_first = models.BooleanField(default=False)
    # What is on it, where that was read or made together with it; never stored.
    on_it: "list[Assignment] | None" = None

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
            # A rater's pace and last sheet are its head, however many they have handed in.
            models.Index(
                fields=["rater", "-closed_at", "-id"],
                name="handed_in_by_rater",
                condition=Q(state="submitted"),
            ),
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

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="flags", db_index=False)
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


class Pilots(models.Manager["Pilot"]):
    """The pilots of all projects."""

    def open_in(self, *, project_id: int) -> "Pilot | None":
        """Return the pilot that goes on in a project, or None."""
        return once(("pilot", project_id), lambda: self.filter(project=project_id, ended_at=None).first())

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

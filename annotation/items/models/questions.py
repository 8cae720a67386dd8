"""Questions and pooled candidates: what people judge, and all of it that they may see."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from annotation.items.models.imports import DataImport
from annotation.projects.models import Project
from common.identifiers import new_public_id


class Question(models.Model):
    """A question of a project; this row is the lock under which its answers are handed out and settled."""

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="questions", db_index=False)
    data_import = models.ForeignKey(DataImport, on_delete=models.PROTECT, related_name="questions")
    # Joins questions across files: the rule QKEY over the text, or the file's own id.
    key = models.TextField()
    key_hash = models.CharField(max_length=64)
    external_id = models.CharField(max_length=200, blank=True)
    text = models.TextField()
    dataset = models.CharField(max_length=100, blank=True)
    tags = models.JSONField(default=list, blank=True)
    # How many of those who wrote the gold answers gave one; null where the file does not say.
    reference_count = models.PositiveSmallIntegerField(null=True)
    position = models.PositiveIntegerField()
    in_sample = models.BooleanField(default=True)
    # Of which part of the questions a random sample was drawn, for every question that could have been drawn,
    # and with which probability, for those that were; a sample that somebody chose has neither.
    sample_stratum = models.PositiveSmallIntegerField(null=True)
    sample_probability = models.FloatField(null=True)
    # Served for practice, so no part of the study: no sample takes it in again.
    is_left_out = models.BooleanField(default=False)
    # Since when the text is as it is, where a lead corrected it; `QuestionCorrection` keeps what it was.
    corrected_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "key_hash"], name="question_key_once"),
            models.CheckConstraint(
                condition=Q(is_left_out=False) | Q(in_sample=False), name="left_out_is_not_sampled"
            ),
            models.CheckConstraint(
                condition=Q(sample_probability=None)
                | Q(in_sample=True, sample_stratum__isnull=False, sample_probability__gt=0)
                & Q(sample_probability__lte=1),
                name="drawn_is_sampled",
            ),
        ]
        indexes = [models.Index(fields=["project", "position"], name="question_order")]

    def __str__(self) -> str:
        return self.text


class QuestionCorrection(models.Model):
    """What a question said before a lead corrected it; rows are only ever added."""

    question = models.ForeignKey(
        Question, on_delete=models.CASCADE, related_name="corrections", db_index=False
    )
    number = models.PositiveIntegerField()
    former_text = models.TextField()
    reason = models.TextField()
    corrected_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    corrected_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["question", "number"], name="correction_number_once"),
        ]

    def __str__(self) -> str:
        return self.former_text


class Candidate(models.Model):
    """An answer to a question, pooled over the systems that gave it; what raters and judges judge."""

    class State(models.TextChoices):
        """Where an answer stands. `UNASKED`: nobody is to judge it (outside the sample, or linked only)."""

        UNASKED = "unasked"
        OPEN = "open"
        DISPUTED = "disputed"
        DECIDED = "decided"

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    question = models.ForeignKey(
        Question, on_delete=models.CASCADE, related_name="candidates", db_index=False
    )
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="candidates", db_index=False)
    data_import = models.ForeignKey(DataImport, on_delete=models.PROTECT, related_name="candidates")
    text = models.TextField()
    # As a row of votes typed it that is pooled with it: the same row is known by it when it comes again.
    text_of_row = models.TextField(blank=True)
    pool_hash = models.CharField(max_length=64)
    group = models.CharField(max_length=60, blank=True)
    # 0 but for rows of a file that keeps duplicates.
    duplicate = models.PositiveIntegerField(default=0)
    position = models.PositiveIntegerField(default=0)
    # False: answers that equal a row are linked to it, but nobody is asked (whatever the sample).
    is_judgeable = models.BooleanField(default=True)
    # Made of a gold answer, to be judged among the others; a system may give the same answer later.
    from_gold = models.BooleanField(default=False)
    state = models.CharField(max_length=20, choices=State, default=State.UNASKED)
    # Slots that may be filled, and slots that are (handed out or judged): the second never passes the first.
    wanted = models.PositiveSmallIntegerField(default=0)
    taken = models.PositiveSmallIntegerField(default=0)
    # Votes that must have been counted before the answer settles; more than the protocol's raters once it
    # was sent back to raters.
    least_votes = models.PositiveSmallIntegerField(default=0)
    # Drawn for people, who are handed it before all that is not, on a sheet without the rest of its question.
    goes_first = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["question", "group", "pool_hash", "duplicate"], name="candidate_pooled_once"
            ),
            models.CheckConstraint(condition=Q(taken__lte=F("wanted")), name="taken_at_most_wanted"),
        ]
        # Their order matters: without statistics SQLite takes the last of equally good indexes, and must not
        # look up a question's answers by `candidate_state`, which reads all that is open of the project.
        indexes = [
            models.Index(fields=["project", "state"], name="candidate_state"),
            models.Index(
                fields=["project", "question"],
                name="candidate_with_open_slot",
                condition=Q(state="open") & Q(taken__lt=F("wanted")),
            ),
            models.Index(
                fields=["project", "question"],
                name="candidate_begun",
                condition=Q(state="open") & Q(taken__lt=F("wanted")) & Q(taken__gt=0),
            ),
            models.Index(
                fields=["project", "question"],
                name="candidate_going_first",
                condition=Q(state="open") & Q(taken__lt=F("wanted")) & Q(goes_first=True),
            ),
        ]

    def __str__(self) -> str:
        return self.text

    @property
    def is_untouched(self) -> bool:
        """Whether nobody holds the answer, has a vote on it, or decided it."""
        return self.taken == 0 and self.state in (self.State.UNASKED, self.State.OPEN)

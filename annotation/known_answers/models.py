"""Known answers, the lead's plan for using them, and what raters said of them in training."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from annotation.items.models.questions import Candidate
from annotation.projects.models import Membership, Project
from common.identifiers import new_public_id


class QualityPlan(models.Model):
    """How a project looks at its raters' work; a project without one uses the defaults."""

    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="quality_plan")
    # Of the sheets a rater is handed: how many hold hidden known answers, and how many the rater has had.
    known_share = models.FloatField(default=0.05)
    repeat_share = models.FloatField(default=0.0)
    # Sheets and hours that lie between a sheet and its second coming.
    repeat_distance = models.PositiveIntegerField(default=30)
    repeat_hours = models.PositiveIntegerField(default=24)
    # Of the questions: how many are judged once more by another rater, after the work.
    second_share = models.FloatField(default=0.0)
    is_training = models.BooleanField(default=False)
    # Who gets fewer of the training's answers right judges them again.
    pass_share = models.FloatField(default=0.8)
    least_answers = models.PositiveIntegerField(default=5)
    saved_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=Q(known_share__gte=0, repeat_share__gte=0, pass_share__gte=0, pass_share__lte=1)
                & Q(known_share__lte=1 - F("repeat_share")),
                name="quality_shares_are_shares",
            ),
            models.CheckConstraint(
                condition=Q(second_share__gte=0, second_share__lte=1), name="second_share_is_share"
            ),
        ]

    def __str__(self) -> str:
        return f"quality plan of {self.project_id}"


class KnownAnswer(models.Model):
    """An answer whose label the lead says is known."""

    class Use(models.TextChoices):
        """HIDDEN: handed out among the others, unmarked. TRAINING: judged first, openly, with feedback."""

        HIDDEN = "hidden"
        TRAINING = "training"

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="known_answers")
    # One use an answer: whoever was told its label in training cannot be asked blindly.
    candidate = models.OneToOneField(Candidate, on_delete=models.CASCADE, related_name="known")
    use = models.CharField(max_length=20, choices=Use)
    label = models.CharField(max_length=60)
    explanation = models.TextField(blank=True)
    marked_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    marked_at = models.DateTimeField()
    # What was said of it stays, but no longer says anything about raters.
    withdrawn_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["project", "use"], name="known_in_use", condition=Q(withdrawn_at=None)),
        ]

    def __str__(self) -> str:
        return f"{self.use}: {self.label}"


class TrainingAttempt(models.Model):
    """One time through the training's answers by one rater."""

    rater = models.ForeignKey(
        Membership, on_delete=models.PROTECT, related_name="training_attempts", db_index=False
    )
    number = models.PositiveIntegerField()
    started_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["rater", "number"], name="training_attempt_once"),
            models.UniqueConstraint(
                fields=["rater"], condition=Q(finished_at=None), name="one_open_training_attempt"
            ),
        ]

    def __str__(self) -> str:
        return f"attempt {self.number}"


class TrainingAnswer(models.Model):
    """What a rater said of one answer in training; never a vote."""

    attempt = models.ForeignKey(
        TrainingAttempt, on_delete=models.CASCADE, related_name="answers", db_index=False
    )
    known = models.ForeignKey(KnownAnswer, on_delete=models.PROTECT, related_name="training_answers")
    label = models.CharField(max_length=60)
    # By the label that was known then.
    is_right = models.BooleanField()
    answered_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["attempt", "known"], name="training_answer_once"),
        ]

    def __str__(self) -> str:
        return self.label


class TrainingPass(models.Model):
    """Somebody has passed the training, or was let through by a lead; it holds whatever changes later."""

    rater = models.OneToOneField(Membership, on_delete=models.CASCADE, related_name="training_pass")
    passed_at = models.DateTimeField()
    let_through_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    def __str__(self) -> str:
        return f"passed by {self.rater_id}"

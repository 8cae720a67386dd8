"""Gold: the ledger of changes to gold answers."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.adjudication.models import Decision
from annotation.items.models import Question
from common.identifiers import new_public_id


class GoldChange(models.Model):
    """An addition to or removal from a question's gold answers, and its undoing if it was undone."""

    class Action(models.TextChoices):
        """What the change does."""

        ADDED = "added"
        REMOVED = "removed"

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    question = models.ForeignKey(
        Question, on_delete=models.CASCADE, related_name="gold_changes", db_index=False
    )
    action = models.CharField(max_length=10, choices=Action)
    text = models.TextField()
    # Hash of question, action and text among changes in force, so that none is in force twice.
    text_hash = models.CharField(max_length=64)
    rule = models.CharField(max_length=60)
    reason = models.TextField(blank=True)
    decision = models.ForeignKey(Decision, on_delete=models.PROTECT, null=True, related_name="gold_changes")
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    changed_at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    undo_reason = models.TextField(blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["question", "action", "text_hash"],
                condition=Q(undone_at__isnull=True),
                name="change_in_force_once",
            ),
        ]
        indexes = [models.Index(fields=["question", "changed_at"], name="gold_change_history")]

    def __str__(self) -> str:
        return f"{self.action} {self.text}"

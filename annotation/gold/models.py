"""Gold: the ledger of changes to gold answers, and proposals that a lead does not want to see again."""

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

    class Kind(models.TextChoices):
        """How the text is compared with answers, as `GoldAnswer.Kind` says it of imported ones."""

        STRING = "string"
        REGEX = "regex"

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    question = models.ForeignKey(
        Question, on_delete=models.CASCADE, related_name="gold_changes", db_index=False
    )
    action = models.CharField(max_length=10, choices=Action)
    text = models.TextField()
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.STRING)
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
    # Proposals accepted in one act share a name, by which they are taken back together.
    group = models.CharField(max_length=20, blank=True)

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


class DismissedProposal(models.Model):
    """A proposal for a question's gold list that a lead put aside."""

    question = models.ForeignKey(
        Question, on_delete=models.CASCADE, related_name="dismissed_proposals", db_index=False
    )
    # Hash of the proposal's kind and text.
    proposal_hash = models.CharField(max_length=64)
    dismissed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    dismissed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["question", "proposal_hash"], name="proposal_dismissed_once"),
        ]

    def __str__(self) -> str:
        return self.proposal_hash

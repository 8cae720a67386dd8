"""Tagging: sets of tags by version, rounds, the items they drew, and what people said of each."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from annotation.items.models import Candidate, Question
from annotation.projects.models import Membership, Project
from common.identifiers import new_public_id
from judges.runs.models import JudgeRun, Verdict
from judges.tagging.rules.sets import SetSpec, read_set


class TagSet(models.Model):
    """One version of a set of tags. Edited in place until a round uses it; then a change is a new version."""

    class Subject(models.TextChoices):
        """What a tag of the set belongs to."""

        ANSWER = "answer"
        QUESTION = "question"
        VERDICT = "verdict"

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="tag_sets", db_index=False)
    key = models.SlugField(max_length=60)
    version = models.PositiveIntegerField()
    name = models.CharField(max_length=100)
    summary = models.TextField(blank=True)
    source = models.CharField(max_length=200, blank=True)
    subject = models.CharField(max_length=20, choices=Subject)
    several = models.BooleanField(default=True)
    # As `rules.Tag.to_json` writes them.
    tags = models.JSONField()
    content_hash = models.CharField(max_length=64)
    # Null where Assay brought the set along.
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "key", "version"], name="tag_set_version_once"),
        ]

    def __str__(self) -> str:
        return f"{self.key}@{self.version}"

    def as_spec(self) -> SetSpec:
        """Return it as plain values."""
        return read_set(
            key=self.key,
            name=self.name,
            summary=self.summary,
            source=self.source,
            subject=self.subject,
            several=self.several,
            tags=self.tags,
        )


class TaggingRound(models.Model):
    """A sample that people tag, drawn once by filter, size and seed."""

    class Proposals(models.TextChoices):
        """What is proposed before people: nothing, tags that no tagger sees, or tags beside the item."""

        NONE = "none"
        HIDDEN = "hidden"
        SHOWN = "shown"

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="tagging_rounds")
    name = models.CharField(max_length=100)
    tag_set = models.ForeignKey(TagSet, on_delete=models.RESTRICT, related_name="rounds")
    # As `rules.Filter.to_json` writes it.
    filter = models.JSONField()
    # The judge whose verdicts are tagged; null once its run is gone, and its signature stays.
    run = models.ForeignKey(JudgeRun, on_delete=models.SET_NULL, null=True, related_name="tagging_rounds")
    judge_signature = models.TextField(blank=True)
    size = models.PositiveIntegerField(null=True)
    seed = models.PositiveBigIntegerField()
    # How many items the filter found when the round was drawn.
    population = models.PositiveIntegerField()
    proposals = models.CharField(max_length=20, choices=Proposals, default=Proposals.NONE)
    # The model that proposes; null where rules do, or once its run is gone.
    proposer_run = models.OneToOneField(
        JudgeRun, on_delete=models.SET_NULL, null=True, related_name="proposes_in"
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class RoundTagger(models.Model):
    """Somebody whom a round names; a round that names nobody is tagged by every lead and adjudicator."""

    round = models.ForeignKey(TaggingRound, on_delete=models.CASCADE, related_name="named", db_index=False)
    member = models.ForeignKey(Membership, on_delete=models.PROTECT, related_name="named_in_rounds")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["round", "member"], name="named_once_a_round")]

    def __str__(self) -> str:
        return f"{self.member_id} in {self.round_id}"


class TaggedItem(models.Model):
    """What one round drew: a question, or an answer; with the verdict on it where the set is about these."""

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    round = models.ForeignKey(TaggingRound, on_delete=models.CASCADE, related_name="items", db_index=False)
    position = models.PositiveIntegerField()
    question = models.ForeignKey(Question, on_delete=models.PROTECT, related_name="tagged_items")
    candidate = models.ForeignKey(Candidate, on_delete=models.PROTECT, null=True, related_name="tagged_items")
    # Null once the judge judged again; what it said when the round was drawn stays.
    verdict = models.ForeignKey(Verdict, on_delete=models.SET_NULL, null=True, related_name="tagged_items")
    accepted = models.BooleanField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "position"], name="tagged_position_once"),
            models.UniqueConstraint(
                fields=["round", "candidate"], condition=Q(candidate__isnull=False), name="tagged_answer_once"
            ),
            models.UniqueConstraint(
                fields=["round", "question"], condition=Q(candidate__isnull=True), name="tagged_question_once"
            ),
        ]

    def __str__(self) -> str:
        return f"item {self.position}"


class TagProposal(models.Model):
    """What a program proposed for an item, or why it could not; nobody's tagging, never counted as one."""

    item = models.OneToOneField(TaggedItem, on_delete=models.CASCADE, related_name="proposal")
    # What proposed it, with its revision: equal signatures propose the same for equal items.
    signature = models.TextField()
    # Keys of the round's set, in its order; none where nothing could be proposed.
    tags = models.JSONField(default=list, blank=True)
    reason = models.TextField(blank=True)
    # Why nothing could be proposed.
    failure = models.CharField(max_length=60, blank=True)
    proposed_at = models.DateTimeField()

    def __str__(self) -> str:
        return ", ".join(self.tags) or self.failure


class Taggings(models.QuerySet["Tagging"]):
    """Rows of the histories. Whoever reads what was said begins with `in_force()`."""

    def in_force(self) -> "Taggings":
        """Return what is said of items now: the last rows of histories, but for withdrawals."""
        return self.filter(is_current=True, is_withdrawal=False)


class Tagging(models.Model):
    """What a person said of an item, or that it was taken back; rows are added, only `is_current` moves."""

    item = models.ForeignKey(TaggedItem, on_delete=models.CASCADE, related_name="taggings", db_index=False)
    number = models.PositiveIntegerField()
    is_current = models.BooleanField(default=True)
    is_withdrawal = models.BooleanField(default=False)
    # Keys of the round's set, in its order.
    tags = models.JSONField(default=list, blank=True)
    # Nothing that anybody found supports the answer.
    is_unattributable = models.BooleanField(default=False)
    note = models.TextField(blank=True)
    tagged_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    tagged_at = models.DateTimeField()

    objects = Taggings.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["item", "number"], name="tagging_number_once"),
            models.UniqueConstraint(
                fields=["item"], condition=Q(is_current=True), name="one_current_tagging"
            ),
        ]

    def __str__(self) -> str:
        return ", ".join(self.tags) or "nothing"

    @property
    def is_in_force(self) -> bool:
        """Whether the row is one of `in_force()`."""
        return self.is_current and not self.is_withdrawal

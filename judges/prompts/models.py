"""A project's own prompts, and the worked examples that were chosen for its runs."""

from django.conf import settings
from django.db import models

from annotation.projects.models import Project
from common.identifiers import new_public_id
from judges.methods.llm.prompts import (
    BRIEF_REPLY,
    THINKS_FIRST,
    THOUGHT_OUT_REPLY,
    PromptTemplate,
    WorkedExample,
)


class Prompt(models.Model):
    """One version of a prompt. It is never updated: a change is a new version."""

    class Parser(models.TextChoices):
        """How replies are read."""

        FIRST_WORD = "first-word"
        STRICT = "strict"
        LAST_AFTER_BAR = "last-after-bar"
        LABEL = "label"

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="prompts", db_index=False)
    key = models.SlugField(max_length=60)
    name = models.CharField(max_length=100)
    version = models.PositiveIntegerField()
    system = models.TextField(blank=True)
    template = models.TextField()
    parser = models.CharField(max_length=20, choices=Parser)
    response_schema = models.JSONField(null=True)
    hash = models.CharField(max_length=64)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "key", "version"], name="prompt_version_once"),
        ]

    def __str__(self) -> str:
        return f"{self.key}@{self.version}"

    def as_template(self) -> PromptTemplate:
        """Return it as the value that judges use."""
        return PromptTemplate(
            key=self.key,
            version=self.version,
            name=self.name,
            system=self.system,
            template=self.template,
            parser=self.parser,
            response_schema=self.response_schema,
            reply_tokens=THOUGHT_OUT_REPLY if self.parser == THINKS_FIRST else BRIEF_REPLY,
        )


class ExampleSet(models.Model):
    """Worked examples as they were when a run was started, so that it can go on with the same ones."""

    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="example_sets", db_index=False
    )
    hash = models.CharField(max_length=64)
    # A list of [question, golds, answer, whether it is correct].
    examples = models.JSONField()
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["project", "hash"], name="example_set_once")]

    def __str__(self) -> str:
        return self.hash

    def as_examples(self) -> tuple[WorkedExample, ...]:
        """Return them as the values that judges use."""
        return tuple(
            WorkedExample(question, tuple(golds), answer, is_correct)
            for question, golds, answer, is_correct in self.examples
        )

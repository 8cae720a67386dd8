"""Projects: the organizations that own them, studies, protocol versions, members and invitations."""

from typing import Any

from django.conf import settings
from django.db import models

from annotation.projects.rules import Protocol
from common.identifiers import new_public_id


class Organizations(models.Manager["Organization"]):
    """All organizations."""

    def locked(self, pk: int) -> "Organization":
        """Return an organization whose row is the lock of all that it counts, until the transaction ends.

        Taken after a project's row, never before.
        """
        return self.select_for_update(no_key=True).get(pk=pk)


class Organization(models.Model):
    """Accounts that own projects together, and how much these may come to; null limits nothing."""

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=200)
    most_projects = models.PositiveIntegerField(null=True)
    most_answers = models.PositiveIntegerField(null=True)
    most_people = models.PositiveIntegerField(null=True)
    # On language models, in pico-USD (1e-12 USD).
    monthly_spend_cap = models.BigIntegerField(null=True)
    created_at = models.DateTimeField()

    objects = Organizations()

    def __str__(self) -> str:
        return self.slug


class OrganizationMember(models.Model):
    """An account in an organization; this opens no project."""

    class Role(models.TextChoices):
        """What a member may do with the organization itself."""

        OWNER = "owner"
        MEMBER = "member"

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    # The constraint's index begins with it.
    organization = models.ForeignKey(
        Organization, on_delete=models.CASCADE, related_name="members", db_index=False
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="organizations")
    role = models.CharField(max_length=20, choices=Role)
    joined_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "user"], name="organization_member_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} ({self.role})"


class Projects(models.Manager["Project"]):
    """All studies."""

    def locked(self, pk: int) -> "Project":
        """Return a project whose row is the lock of acts that take turns, until the transaction ends.

        Rows that only refer to it, such as sheets handed out meanwhile, do not wait for it.
        """
        return self.select_for_update(no_key=True).get(pk=pk)


class Project(models.Model):
    """A study: one set of questions judged under one protocol."""

    class State(models.TextChoices):
        """Where a project stands."""

        OPEN = "open"
        ARCHIVED = "archived"

    class Pooling(models.TextChoices):
        """Which answers to one question count as the same answer."""

        EXACT = "exact"
        CASEFOLD = "casefold"
        NORMALIZED = "normalized"

    class Cleaning(models.TextChoices):
        """What is taken out of answers before people and programs judge them (`analysis.text`)."""

        NONE = "none"
        CHAT = "chat"

    class SampleMethod(models.TextChoices):
        """How the questions that people judge were chosen."""

        ALL = "all"
        # Those that every system answered.
        COMMON = "common"
        SEED = "seed"
        STRATA = "strata"
        FILTER = "filter"
        QUESTIONS = "questions"
        VOTES = "votes"

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    state = models.CharField(max_length=20, choices=State, default=State.OPEN)
    archived_at = models.DateTimeField(null=True)
    # From then on nobody finds it any more, while its rows go in chunks.
    deleted_at = models.DateTimeField(null=True)
    pooling = models.CharField(max_length=20, choices=Pooling, default=Pooling.NORMALIZED)
    cleaning = models.CharField(max_length=20, choices=Cleaning, default=Cleaning.NONE)
    # Orders sheets and draws samples; part of the project, so that both can be repeated.
    seed = models.PositiveBigIntegerField(default=1)
    sample_method = models.CharField(max_length=20, choices=SampleMethod, default=SampleMethod.ALL)
    sample_options = models.JSONField(default=dict, blank=True)
    protocol = models.OneToOneField(
        "annotation.ProtocolVersion", on_delete=models.PROTECT, null=True, related_name="current_project"
    )
    # One rater is asked of an answer, and further ones where what that one says is not enough.
    starts_with_one = models.BooleanField(default=False)
    # Raters are handed only what goes first, until a later step ends that.
    hands_out_first_only = models.BooleanField(default=False)
    # Some answers are, or were, settled by one rater and a judge: a later step knows which (`find_routes`).
    has_routes = models.BooleanField(default=False)
    # Whose limits count it; null: nobody's.
    organization = models.ForeignKey(
        Organization, on_delete=models.PROTECT, null=True, related_name="projects"
    )
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()

    objects = Projects()

    def __str__(self) -> str:
        return self.slug

    @property
    def raters_at_first(self) -> int:
        """How many raters an answer without votes is given to; none without a protocol."""
        if self.protocol is None:
            return 0
        return 1 if self.starts_with_one else self.protocol.rules.raters_per_answer


class ProtocolVersion(models.Model):
    """One version of a project's protocol; `spec` is checked by `rules.parse_protocol`."""

    project = models.ForeignKey(
        Project, on_delete=models.CASCADE, related_name="protocol_versions", db_index=False
    )
    number = models.PositiveIntegerField()
    spec = models.JSONField()
    content_hash = models.CharField(max_length=64)
    created_at = models.DateTimeField()
    # Set when the first sheet is handed out; from then on a change makes a new version.
    frozen_at = models.DateTimeField(null=True)
    _rules: tuple[Any, Protocol] | None = None

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "number"], name="protocol_version_number_once"),
        ]

    def __str__(self) -> str:
        return f"{self.project_id} v{self.number}"

    @property
    def rules(self) -> Protocol:
        """The protocol as plain values, read once for each `spec`: it is asked for at every answer."""
        if self._rules is None or self._rules[0] is not self.spec:
            self._rules = (self.spec, Protocol.from_spec(self.spec))
        return self._rules[1]


class Change(models.Model):
    """That something of a project changed; the database itself writes it (`common.database.revisions`).

    Several rows of an area come to one with the sum of their changes and the newest mark; nobody but whoever
    clears away changes a row on PostgreSQL. No foreign key: it would have each change look its project up.
    """

    project_id = models.BigIntegerField()
    # A `rules.Area`.
    area = models.PositiveSmallIntegerField()
    changes = models.PositiveBigIntegerField()
    # Of the newest: a number that no other change has, not even one that was rolled back.
    mark = models.BigIntegerField()

    class Meta:
        indexes = [models.Index(fields=["project_id", "area"], name="changes_of_project")]

    def __str__(self) -> str:
        return f"{self.project_id}: {self.changes} in {self.area}"


class Upkeep(models.Model):
    """What the answers of a study still have to be brought in line with; the row is kept once it is done."""

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    project = models.OneToOneField(Project, on_delete=models.CASCADE, related_name="upkeep")
    # [[stored_as, facts]]: `ProjectEvent`s, in the order in which they are told.
    due = models.JSONField(default=list, blank=True)
    # Raised with every event: what came while others were told is not crossed out with them.
    number = models.PositiveIntegerField(default=0)
    asked_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.project_id}: {[event for event, _ in self.due]}"


class Membership(models.Model):
    """A person in a project; as annotator this row *is* the rater."""

    class Role(models.TextChoices):
        """What a member may do; a member has exactly one role."""

        LEAD = "lead"
        ADJUDICATOR = "adjudicator"
        ANNOTATOR = "annotator"
        VIEWER = "viewer"

    class State(models.TextChoices):
        """Whether a member takes part at the moment."""

        ACTIVE = "active"
        PAUSED = "paused"
        LEFT = "left"

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="members", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="memberships")
    role = models.CharField(max_length=20, choices=Role)
    state = models.CharField(max_length=20, choices=State, default=State.ACTIVE)
    # Names the rater in exports; says nothing about the person or the order of joining.
    pseudonym = models.CharField(max_length=40)
    # Under a protocol with groups of systems: the group whose answers this rater judges.
    group = models.CharField(max_length=60, blank=True)
    # Set once somebody held a role that shows systems, gold or votes; never handed blind work again.
    unblinded_at = models.DateTimeField(null=True)
    joined_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["project", "user"], name="member_once"),
            models.UniqueConstraint(fields=["project", "pseudonym"], name="pseudonym_once"),
        ]

    def __str__(self) -> str:
        return f"{self.pseudonym} ({self.role})"


class Activity(models.Model):
    """What a lead or adjudicator asked the server to do in a project; rows are only ever added.

    Noted before the work begins and finished after it. What was refused is taken out again, so a row that is
    not finished is a request at work, or one whose server died: nobody knows what became of it.
    """

    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    # The operation's id in the API's schema, and what the address names below the project.
    operation = models.CharField(max_length=60)
    place = models.CharField(max_length=200)
    # Empty where a person did it in a browser.
    token_name = models.CharField(max_length=100, blank=True)
    request_id = models.CharField(max_length=64)
    begun_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["project", "id"], name="activity_of_project")]

    def __str__(self) -> str:
        return f"{self.operation} in {self.project_id}"


class GuidelinesReading(models.Model):
    """A member's word that they have read the guidelines; rows are only ever added."""

    member = models.ForeignKey(Membership, on_delete=models.CASCADE, related_name="readings", db_index=False)
    version = models.ForeignKey(ProtocolVersion, on_delete=models.CASCADE, related_name="readings")
    # As they stood: a version changes in place until work starts.
    text = models.TextField(blank=True)
    read_at = models.DateTimeField()

    class Meta:
        indexes = [models.Index(fields=["member", "read_at"], name="readings_of_member")]

    def __str__(self) -> str:
        return f"{self.member_id} read v{self.version_id}"


class Invitation(models.Model):
    """A link that lets one person join in one role; only its hash is kept."""

    public_id = models.CharField(max_length=20, unique=True, default=new_public_id, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=20, choices=Membership.Role)
    label = models.CharField(max_length=150, blank=True)
    # Of systems, for an annotator under a protocol that has a rater for each.
    group = models.CharField(max_length=60, blank=True)
    token_hash = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    accepted_at = models.DateTimeField(null=True)
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    def __str__(self) -> str:
        return f"{self.role} for {self.label or 'anyone'}"

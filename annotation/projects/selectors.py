"""Read projects, members, invitations and organizations."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from inspect import signature
from itertools import pairwise
from typing import Literal, NamedTuple, ParamSpec, TypeVar, cast

from django.db import connection
from django.db.models import (
    Case,
    Count,
    Exists,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    When,
)
from django.db.models.functions import Coalesce

from annotation.accounts.models import OutgoingMail, User
from annotation.accounts.outbox.ports import Waiting
from annotation.accounts.rules import is_allowed
from annotation.projects.models import (
    Activity,
    GuidelinesReading,
    Invitation,
    Membership,
    Organization,
    OrganizationMember,
    Project,
    ProtocolVersion,
)
from annotation.projects.ports import (
    MonthlySpending,
    answers_by_project,
    decisions_waiting,
    questions_left,
    spending_of,
)
from annotation.projects.rules import Area, Difference, Line, Revision, differences, guideline_lines
from common.clock import now
from common.database.rows import snapshot
from common.errors import Invalid, NotFound
from common.memory import memory_of_project, once

Parameters = ParamSpec("Parameters")
Value = TypeVar("Value")


# Written once: a request of a board asks it several times; Django takes 0.3 ms to write it, 0.02 to run it.
REVISION = """
    SELECT area, SUM(changes), MAX(mark) FROM annotation_change WHERE area IN (%s) AND project_id = %%s
    GROUP BY area
"""


class ProjectNotFound(NotFound):
    """There is no such project, or this person is no member."""


class OrganizationNotFound(NotFound):
    """There is no such organization, or this person is not in it."""


class OnlyReads(Invalid):
    """A viewer asked for an API token that does more than read."""

    def __init__(self, project: str) -> None:
        reason = (
            f"You are a viewer of “{project},” so a token for it can only read. "
            "Choose the scope “read” instead."
        )
        super().__init__(reason, details={"fields": {"scope": [reason]}})


class InvitationUnusable(NotFound):
    """The link was used or withdrawn, has expired or never was, or its maker may not invite any more."""

    def __init__(self) -> None:
        super().__init__(
            "This invitation link does not work: it was used or revoked, has expired, or never "
            "existed. If you joined with it, sign in; otherwise, ask the person who invited "
            "you for a new one."
        )


@dataclass(frozen=True)
class ProtocolStep:
    """A version of a protocol, and how it differs from the previous one."""

    number: int
    content_hash: str
    created_at: datetime
    frozen_at: datetime | None
    differences: list[Difference]
    guideline_lines: list[Line]


def read_revision(project_id: int, areas: Collection[Area] = tuple(Area)) -> Revision:
    """Return what moves with every change of these areas of a project, in one query.

    As of the snapshot in which it is read; what a transaction does and takes back has a revision of its own.
    """
    with connection.cursor() as cursor:
        cursor.execute(REVISION % ", ".join(["%s"] * len(areas)), [*map(int, areas), project_id])
        return {area: (int(total), mark) for area, total, mark in cursor.fetchall()}


def kept(*areas: Area) -> Callable[[Callable[Parameters, Value]], Callable[Parameters, Value]]:
    """Keep what a read of a project returns for as long as nothing changes in these areas (none: in any).

    The first argument is the project; what else chooses is hashable. Whatever is read must be counted: it
    belongs to the areas of its tables (`config.steps.revisions`), and a test looks. Shared, so nobody may
    write to it. All it is made of is read as of one moment, the project, too; in a transaction of the
    caller's, what was made while others wrote is not kept.
    """
    watched = areas or tuple(Area)

    def keep(read: Callable[Parameters, Value]) -> Callable[Parameters, Value]:
        bind = signature(read).bind

        @wraps(read)
        def read_kept(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Value:
            bound = bind(*args, **kwargs)
            bound.apply_defaults()
            project = bound.arguments.pop("project")
            key = (read, tuple(bound.arguments.values()))

            def make() -> Value:
                moment = _moment.get()
                assert moment is not None
                bound.arguments["project"] = moment.project
                return read(*bound.args, **bound.kwargs)

            memory = memory_of_project(project.pk)
            if _moment.get() is None:
                found = memory.find(key, state=read_revision(project.pk, watched))
                if found is not None:
                    return cast(Value, found)
            with _one_moment(project) as moment:
                return memory.get(key, state=moment.of(watched), make=make, still=moment.still(watched))

        return read_kept

    return keep


class _Moment(NamedTuple):
    """A project as of one moment; is_safe: nobody else's changes are seen until it has passed."""

    project: Project
    revision: Revision
    is_safe: bool

    def of(self, areas: Collection[Area]) -> Revision:
        """Return the revision of some areas."""
        return {area: found for area, found in self.revision.items() if area in areas}

    def still(self, areas: Collection[Area]) -> Callable[[], Revision] | None:
        """Return what tells whether they have changed, where they can."""
        return None if self.is_safe else lambda: read_revision(self.project.pk, areas)


_moment: ContextVar[_Moment | None] = ContextVar("moment", default=None)


@contextmanager
def _one_moment(project: Project) -> Iterator[_Moment]:
    """Read all of a project as of one moment, in which a read within another is."""
    within = _moment.get()
    if within is not None and within.project.pk == project.pk:
        yield within
        return
    is_safe = not connection.in_atomic_block
    with snapshot():
        revision = read_revision(project.pk)
        moment = _Moment(read_anew(project), revision, is_safe)
        token = _moment.set(moment)
        try:
            yield moment
        finally:
            _moment.reset(token)


def read_anew(project: Project) -> Project:
    """Return the project and its protocol as they are now; as it was, once it is deleted."""
    return Project.objects.select_related("protocol").filter(pk=project.pk).first() or project


def name_sample(project: Project) -> str:
    """Return in one word how the questions that people judge were chosen, such as `seed,seed=1,size=300`."""
    options = sorted(project.sample_options.items())
    return ",".join([project.sample_method, *(f"{name}={value}" for name, value in options)])


def sees_systems(member: Membership) -> bool:
    """Whether the member may learn which system gave an answer; of adjudicators the protocol says that."""
    protocol = member.project.protocol
    return member.role in {Membership.Role.LEAD, Membership.Role.VIEWER} or (
        member.role == Membership.Role.ADJUDICATOR
        and protocol is not None
        and protocol.rules.adjudication_unblinded
    )


def get_membership(*, user: User, slug: str) -> Membership:
    """Return the person's membership in the project; raises `ProjectNotFound` for strangers, too."""
    return only_membership(memberships_in(user=user.pk, slug=slug))


def find_own_project(*, user: User, slug: str, scope: str) -> int:
    """Return the key of a project in which the person is, for a token of a scope.

    Raises `ProjectNotFound`, and `OnlyReads` for viewers whose token would do more than read.
    """
    member = get_membership(user=user, slug=slug)
    if member.role == Membership.Role.VIEWER and not is_allowed(scope="read", needed=scope):
        raise OnlyReads(member.project.name)
    return member.project_id


def memberships_in(*, user: int, slug: str) -> QuerySet[Membership]:
    """Return the person's membership in the project, if any, for whoever reads more along with it."""
    members = Membership.objects.select_related("project__protocol", "user")
    return members.filter(user=user, project__slug=slug).exclude(state=Membership.State.LEFT)


def only_membership(found: Iterable[Membership]) -> Membership:
    """Return the one membership there is; raises `ProjectNotFound`."""
    membership = next(iter(found), None)
    if membership is None:
        raise no_such_project()
    return membership


def no_such_project() -> ProjectNotFound:
    """Return what strangers are told, and members of a project that is gone."""
    return ProjectNotFound("There is no such project, or you are not a member of it.")


def is_deleted(key: int) -> bool:
    """Whether a project is gone, or going."""
    return not Project.objects.filter(pk=key, deleted_at=None).exists()


def list_memberships(*, user: User) -> QuerySet[Membership]:
    """Return the person's projects, newest first, with how far each is; annotators do not learn that.

    What is decided moves with colleagues' votes: an annotator who edits and reads it again would read those.
    Counts follow stored states through relations; the rules that set them live in later steps.
    """
    answers = _count("candidates", is_judgeable=True, question__in_sample=True)
    return (
        Membership.objects.filter(user=user)
        .exclude(state=Membership.State.LEFT)
        .select_related("project__protocol", "user")
        .annotate(
            question_count=_count("questions"),
            answer_count=_not_for_annotators(answers),
            decided_count=_not_for_annotators(_count("candidates", state="decided")),
        )
        .order_by("-project__created_at", "-pk")
    )


def count_questions_left(*, member: Membership) -> int | None:
    """Return how many questions the judging page says are left for an annotator, None for other roles."""
    if member.role != Membership.Role.ANNOTATOR:
        return None
    return questions_left(rater=member)


def count_decisions_waiting(*, member: Membership) -> int | None:
    """Return how many answers wait for an adjudicator to decide them, None for other roles."""
    if member.role != Membership.Role.ADJUDICATOR:
        return None
    return decisions_waiting(project=member.project)


def what_waits(*, user: User) -> list[Waiting]:
    """Return what waits for a person in open projects, as their list of projects and *Overview* say it.

    Annotators hear of their own questions alone, however others judge.
    """
    members = Membership.objects.filter(
        user=user,
        state=Membership.State.ACTIVE,
        project__state=Project.State.OPEN,
        project__deleted_at=None,
    ).exclude(role=Membership.Role.VIEWER)
    waiting = []
    for member in members.select_related("project__protocol", "user").order_by("project__name", "pk"):
        is_judging = member.role == Membership.Role.ANNOTATOR
        count = questions_left(rater=member) if is_judging else decisions_waiting(project=member.project)
        if count:
            waiting.append(Waiting(member.project.name, member.project.slug, is_judging, count))
    return waiting


def _not_for_annotators(count: Coalesce) -> Case:
    return Case(When(role=Membership.Role.ANNOTATOR, then=None), default=count, output_field=IntegerField())


def _count(relation: str, **conditions: object) -> Coalesce:
    """Count a project's rows of one relation, in a sub-query of its own so that counts do not multiply."""
    rows = Project.objects.filter(
        pk=OuterRef("project"), **{f"{relation}__{field}": value for field, value in conditions.items()}
    ).order_by()
    return Coalesce(Subquery(rows.values("pk").annotate(n=Count(relation)).values("n")), 0)


def list_members(*, project: Project) -> QuerySet[Membership]:
    """Return the members with how many judgments of each count or are surplus."""
    judged = Count("judgments", filter=Q(judgments__purpose="vote") & ~Q(judgments__state="withdrawn"))
    return project.members.select_related("user").annotate(judged_count=judged).order_by("joined_at", "pk")


def open_invitations(*, at: datetime | None = None) -> QuerySet[Invitation]:
    """Return the invitations that let somebody in now: the one rule of what a link may do.

    Whoever made one must still be somebody who may invite: an active lead of a project that is open.
    """
    may_invite = Membership.objects.filter(
        project=OuterRef("project"),
        user=OuterRef("created_by"),
        user__is_active=True,
        role=Membership.Role.LEAD,
        state=Membership.State.ACTIVE,
        project__state=Project.State.OPEN,
    )
    return Invitation.objects.filter(
        Exists(may_invite), accepted_at=None, revoked_at=None, expires_at__gt=at or now()
    )


def list_invitations(*, project: Project) -> QuerySet[Invitation]:
    """Return the invitations, newest first, with `is_open`: whether the link lets somebody in now.

    email_state: of the message that brings the link, null where there is none, or none any more.
    """
    is_open = Exists(open_invitations().filter(pk=OuterRef("pk")))
    mails = OutgoingMail.objects.filter(about=OuterRef("public_id")).order_by("pk")
    found = project.invitations.annotate(is_open=is_open, email_state=Subquery(mails.values("state")[:1]))
    return found.order_by("-created_at", "-pk")


def is_invitation_open(*, public_id: str) -> bool:
    """Return whether an invitation still lets somebody in."""
    return open_invitations().filter(public_id=public_id).exists()


def hash_token(token: str) -> str:
    """Return what is stored of an invitation's token."""
    return hashlib.sha256(token.encode()).hexdigest()


def get_invitation(*, token: str) -> Invitation:
    """Return the invitation a link stands for; raises `InvitationUnusable`, which never says why."""
    found = open_invitations().select_related("project").filter(token_hash=hash_token(token)).first()
    if found is None:
        raise InvitationUnusable
    return found


def list_protocol_steps(*, project: Project) -> list[ProtocolStep]:
    """Return the versions of the project's protocol, the newest first, with what each changed."""
    versions = list(project.protocol_versions.order_by("number"))
    # The first has none before it, and so changed nothing of itself.
    steps = [_step(new, before=old) for old, new in pairwise([*versions[:1], *versions])]
    return steps[::-1]


def _step(version: ProtocolVersion, *, before: ProtocolVersion) -> ProtocolStep:
    old, new = before.rules, version.rules
    return ProtocolStep(
        number=version.number,
        content_hash=version.content_hash,
        created_at=version.created_at,
        frozen_at=version.frozen_at,
        differences=differences(old, new),
        guideline_lines=guideline_lines(old.guidelines, new.guidelines),
    )


@dataclass(frozen=True)
class Guidelines:
    """The guidelines in force as they concern one member.

    `standing`: "new" to the member, "changed" since they last read them, or "read"; `lines`: what changed.
    """

    text: str
    hash: str
    standing: Literal["new", "changed", "read"]
    lines: list[Line]


@dataclass(frozen=True)
class Reader:
    """An annotator, and the version of the guidelines that they last confirmed reading, or null."""

    public_id: str
    name: str
    pseudonym: str
    number: int | None
    read_at: datetime | None
    is_up_to_date: bool


def guidelines_for(*, member: Membership) -> Guidelines:
    """Return the guidelines in force, and what changed since the member last read them."""
    text = _guidelines_in_force(member.project)
    last = last_reading(member)
    lines = guideline_lines(last.text, text) if last else []
    return Guidelines(
        text=text,
        hash=hash_text(text),
        standing="read" if _is_known(text, last) else "changed" if last else "new",
        lines=lines,
    )


def unread_guidelines(*, member: Membership) -> str:
    """Return the hash of the guidelines in force, or nothing where the member has read them."""
    text = _guidelines_in_force(member.project)
    return "" if not text or _is_known(text, last_reading(member)) else hash_text(text)


def last_reading(member: Membership) -> GuidelinesReading | None:
    """Return what the member last said they had read."""

    def read() -> GuidelinesReading | None:
        return GuidelinesReading.objects.filter(member=member).order_by("-read_at", "-pk").first()

    return once(("reading", member.pk), read)


_JUDGES = Q(role=Membership.Role.ANNOTATOR, state=Membership.State.ACTIVE, user__is_imported=False)


def list_readers(*, project: Project) -> list[Reader]:
    """Return those who judge, and whoever read the guidelines, in the order they joined."""
    text, last = _guidelines_in_force(project), _last_readings(project)
    members = project.members.select_related("user").filter(_JUDGES | Q(pk__in=list(last)))
    return [_reader(member, last.get(member.pk), text) for member in members.order_by("joined_at", "pk")]


def count_unread(*, project: Project) -> int:
    """Count the annotators who have not read the guidelines as they stand, and get no work until they do."""
    text, last = _guidelines_in_force(project), _last_readings(project)
    members = project.members.filter(_JUDGES).values_list("pk", flat=True)
    return sum(not _is_known(text, last.get(member_id)) for member_id in members)


def _last_readings(project: Project) -> dict[int, GuidelinesReading]:
    readings = GuidelinesReading.objects.filter(member__project=project).select_related("version")
    return {reading.member_id: reading for reading in readings.order_by("read_at", "pk")}


def _reader(member: Membership, last: GuidelinesReading | None, text: str) -> Reader:
    return Reader(
        public_id=member.public_id,
        name=member.user.name,
        pseudonym=member.pseudonym,
        number=last.version.number if last else None,
        read_at=last.read_at if last else None,
        is_up_to_date=_is_known(text, last),
    )


def hash_text(text: str) -> str:
    """Return what names a state of the guidelines."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _guidelines_in_force(project: Project) -> str:
    return project.protocol.rules.guidelines if project.protocol else ""


def _is_known(text: str, last: GuidelinesReading | None) -> bool:
    return not text or (last is not None and last.text == text)


@dataclass(frozen=True)
class ActivityEntry:
    """An action of a lead or adjudicator.

    `operation`: its ID in the API’s schema. `place`: the IDs in the address, such as `run_id=…`. `token`: the
    name of the API token used; empty if the action came from a browser, `unnamed` after the account is
    closed. `finished_at`: null while the action is running, or if it stopped or failed.
    """

    id: int
    person: str
    operation: str
    place: str
    token: str
    request_id: str
    begun_at: datetime
    finished_at: datetime | None


def list_activity(project: Project) -> QuerySet[Activity]:
    """Return what leads and adjudicators did, newest first, with who they are."""
    return Activity.objects.filter(project=project).select_related("user").order_by("-pk")


def describe_activity(activity: Activity) -> ActivityEntry:
    """Return an entry of the log as leads read it."""
    return ActivityEntry(
        id=activity.pk,
        person=activity.user.name,
        operation=activity.operation,
        place=activity.place,
        token=activity.token_name,
        request_id=activity.request_id,
        begun_at=activity.begun_at,
        finished_at=activity.finished_at,
    )


def list_organizations(*, user: User) -> QuerySet[OrganizationMember]:
    """Return the organizations that a person is in, by name."""
    members = OrganizationMember.objects.filter(user=user).select_related("organization")
    return members.order_by("organization__name", "pk")


def get_organization(*, user: User, slug: str) -> OrganizationMember:
    """Return the person's place in an organization; raises `OrganizationNotFound` for strangers, too."""
    member = list_organizations(user=user).filter(organization__slug=slug).first()
    if member is None:
        raise OrganizationNotFound("There is no such organization, or you are not in it.")
    return member


def open_projects(organization: Organization) -> QuerySet[Project]:
    """Return the projects of an organization that count as such: not those that are archived or deleted."""
    return organization.projects.filter(state=Project.State.OPEN, deleted_at=None)


def count_people(organization: Organization) -> int:
    """Return how many accounts are in an organization or take part in its open projects, each once.

    Not those that stand for raters of a file, nor who cannot sign in.
    """
    is_person = {"user__is_active": True, "user__is_imported": False}
    members = OrganizationMember.objects.filter(organization=organization, **is_person)
    taking_part = Membership.objects.filter(project__in=open_projects(organization), **is_person)
    taking_part = taking_part.exclude(state=Membership.State.LEFT)
    return members.values("user").union(taking_part.values("user")).count()


@dataclass(frozen=True)
class OrganizationPlace:
    """An organization that somebody belongs to, and their role in it.

    `member_id`: the ID of their own membership.
    """

    slug: str
    name: str
    role: OrganizationMember.Role
    member_id: str


@dataclass(frozen=True)
class OrganizationPerson:
    """A person in an organization, with their role in it."""

    member_id: str
    name: str
    username: str
    role: OrganizationMember.Role
    joined_at: datetime


@dataclass(frozen=True)
class OrganizationProject:
    """How much of its organization’s limits a project uses, without the project’s contents."""

    slug: str
    name: str
    state: Project.State
    answer_count: int
    people_count: int


@dataclass(frozen=True)
class ProjectOrganization:
    """Which organization a project is in, if any, and which ones the caller may move it into."""

    slug: str
    name: str
    may_move: bool
    choices: list[OrganizationPlace]


def describe_place(place: OrganizationMember) -> OrganizationPlace:
    """Return an organization as one of its members sees it."""
    organization = place.organization
    return OrganizationPlace(
        organization.slug, organization.name, OrganizationMember.Role(place.role), place.public_id
    )


def describe_person(member: OrganizationMember) -> OrganizationPerson:
    """Return a member of an organization as owners see them."""
    return OrganizationPerson(
        member_id=member.public_id,
        name=member.user.name,
        username=member.user.username,
        role=OrganizationMember.Role(member.role),
        joined_at=member.joined_at,
    )


def list_organization_people(organization: Organization) -> list[OrganizationPerson]:
    """Return who is in an organization, in the order in which they joined."""
    members = organization.members.select_related("user").order_by("joined_at", "pk")
    return [describe_person(member) for member in members]


def list_organization_projects(organization: Organization) -> list[OrganizationProject]:
    """Return the projects of an organization by name, with what each adds to what is counted."""
    answers = answers_by_project(organization=organization)
    is_person = Q(members__user__is_active=True, members__user__is_imported=False)
    people = Count("members", filter=is_person & ~Q(members__state=Membership.State.LEFT))
    projects = organization.projects.filter(deleted_at=None).annotate(people=people)
    return [
        OrganizationProject(
            slug=project.slug,
            name=project.name,
            state=Project.State(project.state),
            answer_count=answers.get(project.pk, 0),
            people_count=project.people,
        )
        for project in projects.order_by("name", "pk")
    ]


def monthly_spending(organization: Organization) -> MonthlySpending:
    """Return what an organization spends on language models this month."""
    return spending_of(organization=organization)


def organization_of(*, project: Project, user: User) -> ProjectOrganization:
    """Return which organization a project is in, and where the person may move it."""
    places = [describe_place(place) for place in list_organizations(user=user)]
    current = project.organization
    return ProjectOrganization(
        slug=current.slug if current else "",
        name=current.name if current else "",
        may_move=current is None or current.slug in {place.slug for place in places},
        choices=places,
    )

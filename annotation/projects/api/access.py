"""Who may use a view below a project."""

import logging
from collections.abc import Callable
from functools import wraps
from typing import Any, ClassVar

from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError, IntegrityError, InterfaceError
from django.http import HttpResponse, HttpResponseBase
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.response import Response

from annotation.accounts.api import UserView
from annotation.projects import selectors
from annotation.projects.events import ResultsWanted
from annotation.projects.models import Activity, Membership, Project
from annotation.projects.services.activity import CHANGES_NOTHING, begin_activity, end_activity
from annotation.projects.services.members import note_opening
from common.errors import Conflict, Forbidden
from common.events import publish
from common.memory import shared
from common.requests.conditional import conditional, etag_of, find_known
from common.requests.idempotency import REPLAYED
from common.web.door import SendableJSONRenderer
from common.web.replies import OPERATION

logger = logging.getLogger(__name__)

LEAD = Membership.Role.LEAD
ADJUDICATOR = Membership.Role.ADJUDICATOR
ANNOTATOR = Membership.Role.ANNOTATOR
VIEWER = Membership.Role.VIEWER
EVERYBODY = frozenset({LEAD, ADJUDICATOR, ANNOTATOR, VIEWER})
FIRST_REFUSAL = 400
FIRST_FAILURE = 500


class WrongRole(Forbidden):
    """A member, but not in a role that may do this."""


class PausedMember(Forbidden):
    """A lead or adjudicator whose part in the project is paused may read and not write."""

    code = "member_paused"


class ArchivedProject(Conflict):
    """Nothing is written in an archived project until a lead opens it again."""

    code = "project_archived"


class SystemsHidden(Forbidden):
    """Answers asked for by their system, by somebody who may not learn which system gave an answer."""


class ProjectView(UserView):
    """A view below a project: finds the project and the member, and lets in only `allowed_roles`.

    Strangers get "not found", members in another role "forbidden". `write_roles` narrows everything
    but GET where it is given; viewers write only where it names them. Who is paused may only read, and so
    may all where the project is archived unless `works_archived`; annotators are told so where work is handed
    out, since what they have already judged is taken in all the same. Whoever comes in where annotators may
    not has seen what unblinds. What others than annotators change is noted for the project's leads
    (decision 0059).
    """

    access = "signed_in"
    # That of the address: `issuing.Bearer` sees to it.
    serves_project_tokens = True
    allowed_roles: ClassVar[frozenset[Membership.Role]]
    write_roles: ClassVar[frozenset[Membership.Role] | None] = None
    works_archived: ClassVar[bool] = False
    member: Membership
    project: Project
    activity: Activity | None = None
    activity_was_done: bool | None = None

    @classmethod
    def errors_of(cls, method: str, *, names_things: bool) -> frozenset[int]:
        """Return those of any view, and that nothing is written in an archived project."""
        found = super().errors_of(method, names_things=names_things)
        if method == "get" or cls.works_archived or cls._writing_roles() <= {ANNOTATOR}:
            return found
        return found | {409}

    def require_access(self, request: Request, **kwargs: Any) -> None:
        """Check the role."""
        self.member = self.find_member(kwargs["slug"])
        self.project = self.member.project
        reading = request.method in SAFE_METHODS
        if self.member.role not in (self.allowed_roles if reading else self._writing_roles()):
            raise WrongRole("Your role in this project does not allow this.")
        if self.member.role == VIEWER and self.bearer is not None and not reading:
            raise WrongRole("You are a viewer of this project, so your API tokens can only read it.")
        if self.member.role != ANNOTATOR and not reading:
            self._require_open()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Note what is opened, and have ready what results are made of."""
        super().initial(request, *args, **kwargs)
        if self.member.role == ANNOTATOR:
            return
        # Before the reply is made, so that no failure lets somebody have looked unnoticed.
        if ANNOTATOR not in self.allowed_roles and self.member.unblinded_at is None:
            note_opening(member=self.member)
        publish(ResultsWanted(project_id=self.project.pk))
        if request.method not in SAFE_METHODS:
            self._begin_activity(**kwargs)

    def handle_exception(self, exc: Exception) -> Response:
        """Say of a project that was deleted meanwhile that there is none, whatever missed its rows."""
        is_missing = isinstance(exc, IntegrityError | ObjectDoesNotExist)
        project = vars(self).get("project")
        if is_missing and project is not None and selectors.is_deleted(project.pk):
            exc = selectors.no_such_project()
        return super().handle_exception(exc)

    def finalize_response(self, request: Request, response: Response, *args: Any, **kwargs: Any) -> Response:
        """Say of what was noted whether it was done; a reply that is sent again did nothing.

        Of what failed nobody knows how far it came, so that stays without an end.
        """
        was_done = response.status_code < FIRST_REFUSAL and REPLAYED not in response.headers
        # Asked twice where a reply is kept with its work, which may be undone in between.
        if response.status_code < FIRST_FAILURE and was_done != self.activity_was_done:
            self._end_activity(was_done=was_done)
        return super().finalize_response(request, response, *args, **kwargs)

    def _begin_activity(self, **kwargs: Any) -> None:
        name = self.declared(OPERATION)
        if name is None or name in CHANGES_NOTHING:
            return
        place = {key: value for key, value in kwargs.items() if key != "slug"}
        token = self.bearer.token.name if self.bearer else ""
        self.activity = begin_activity(
            project=self.project, user=self.user, operation=name, place=place, token_name=token
        )

    def _end_activity(self, *, was_done: bool) -> None:
        if self.activity is None:
            return
        try:
            end_activity(self.activity, was_done=was_done)
        except (DatabaseError, InterfaceError) as error:
            # The work is done or refused all the same; whoever is told otherwise asks for it again.
            logger.warning("an activity log entry was left open: %s", type(error).__name__)
        else:
            self.activity_was_done = was_done

    def find_member(self, slug: str) -> Membership:
        """Return who asks, as a member; a view may read more along with it."""
        return selectors.get_membership(user=self.user, slug=slug)

    @property
    def sees_systems(self) -> bool:
        """Whether a reply may bring an answer together with the systems that gave it."""
        return selectors.sees_systems(self.member)

    def require_sees_systems(self) -> None:
        """Raise `SystemsHidden`; for whatever lists answers or questions by their systems."""
        if not self.sees_systems:
            raise SystemsHidden(
                "Adjudicators of this project do not see which system gave an answer, so you cannot "
                "filter by system."
            )

    @property
    def sees_raters(self) -> bool:
        """Whether a reply may bring an answer together with the annotators who judged it."""
        return self.member.role == LEAD

    def require_sees_raters(self) -> None:
        """Refuse adjudicators; for whatever lists answers by who judged them. Raises `WrongRole`."""
        if not self.sees_raters:
            raise WrongRole("Only leads can filter answers by who judged them.")

    @classmethod
    def _writing_roles(cls) -> frozenset[Membership.Role]:
        return cls.allowed_roles - {VIEWER} if cls.write_roles is None else cls.write_roles

    def _require_open(self) -> None:
        if self.member.state == Membership.State.PAUSED:
            raise PausedMember("Your work in this project is paused. Ask another lead to let you continue.")
        if self.project.state == Project.State.ARCHIVED and not self.works_archived:
            raise ArchivedProject("This project is archived. To change it, reopen it in its settings.")


def kept_reply(get: Callable[..., Response]) -> Callable[..., HttpResponseBase]:
    """Send what this or another web process replied to the same question about the project as it is now.

    To a client that has it already nothing is sent and nothing is made (304). Not for annotators.
    For views whose reply is made of the question, of whether the asker sees systems, and of tables that the
    project's revision counts; a test looks.
    """

    @conditional
    @wraps(get)
    def get_kept(view: ProjectView, request: Request, *args: Any, **kwargs: Any) -> HttpResponseBase:
        asked = sorted(request.query_params.lists())
        state = (view.project.created_at, selectors.read_revision(view.project.pk), view.sees_systems)

        name = (request.path, asked, state)
        etag = etag_of(repr(name))
        if (known := find_known(request, etag)) is not None:
            return known

        def make() -> bytes:
            # Read anew: it may have changed before the state was read. Who asks stays as the name says.
            view.project = selectors.read_anew(view.project)
            return SendableJSONRenderer().render(get(view, request, *args, **kwargs).data)

        return HttpResponse(shared(repr(name), make), "application/json", headers={"ETag": etag})

    return get_kept


class LeadView(ProjectView):
    """A view for leads alone."""

    allowed_roles = frozenset({LEAD})


class AdjudicatorView(ProjectView):
    """A view for those who see what annotators must not: adjudicators and leads."""

    allowed_roles = frozenset({LEAD, ADJUDICATOR})


class LeadAndViewerView(ProjectView):
    """A view of results or data for leads, which viewers read, too (decision 0060)."""

    allowed_roles = frozenset({LEAD, VIEWER})


class AdjudicatorAndViewerView(ProjectView):
    """A view of results or data that all but annotators read; viewers change nothing (decision 0060)."""

    allowed_roles = frozenset({LEAD, ADJUDICATOR, VIEWER})


class AnnotatorView(ProjectView):
    """A view for annotators alone."""

    allowed_roles = frozenset({ANNOTATOR})

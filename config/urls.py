"""Every address of the server."""

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path, re_path

from annotation.accounts import api as accounts
from annotation.projects.api import invitations, members, projects
from common.pages import serve_application, serve_no_such_address

PROJECT_ROUTES: list[URLPattern | URLResolver] = [
    # annotation.projects
    path("protocol", projects.ProtocolView.as_view()),
    path("members", members.MembersView.as_view()),
    path("members/<str:member_id>", members.MemberView.as_view()),
    path("invitations", invitations.InvitationsView.as_view()),
    path("invitations/<str:invitation_id>", invitations.InvitationView.as_view()),
    # annotation.items
    # annotation.assignments and annotation.judgments
    # annotation.adjudication
    # annotation.gold
    # annotation.agreement
    # annotation.release
    # judges.runs
    # judges.comparison
]

API_ROUTES: list[URLPattern | URLResolver] = [
    path("session", accounts.SessionView.as_view()),
    path("presets", projects.PresetsView.as_view()),
    path("invitations/<str:token>", invitations.InvitationByTokenView.as_view()),
    path("invitations/<str:token>/accept", invitations.InvitationAcceptView.as_view()),
    path("projects", projects.ProjectsView.as_view()),
    path("projects/<slug:slug>", projects.ProjectDetailView.as_view()),
    path("projects/<slug:slug>/", include(PROJECT_ROUTES)),
    # judges.runs
]

urlpatterns = [
    path("api/", include(API_ROUTES)),
    re_path(r"^api/", serve_no_such_address),
    # Everything else is the single-page application, which routes by itself.
    re_path(r"^(?!api/|static/)", serve_application, {"folder": settings.FRONTEND_DIST}),
]

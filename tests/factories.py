"""Make people and projects for tests; each step's own factories live in its conftest."""

from dataclasses import asdict
from itertools import count
from typing import Any

from analysis.intervals import Figure
from annotation.accounts.models import User
from annotation.projects.models import Membership, Project
from annotation.projects.selectors import unread_guidelines
from annotation.projects.services.making import create_project
from annotation.projects.services.members import add_member
from annotation.projects.services.protocols import read_guidelines

_numbers = count(1)
PASSWORD = "correct horse battery"


def make_user(*, username: str = "", name: str = "") -> User:
    """Make an account whose password is `PASSWORD`."""
    username = username or f"person{next(_numbers)}"
    return User.objects.create_user(username=username, name=name or username.title(), password=PASSWORD)


def make_project(*, lead: User | None = None, preset: str = "openqa-eval", **fields: str) -> Project:
    """Make a project under a ready-made protocol."""
    name = fields.pop("name", f"Study {next(_numbers)}")
    return create_project(lead=lead or make_user(), name=name, preset=preset, **fields)


def make_member(*, project: Project, role: str = Membership.Role.ANNOTATOR, username: str = "") -> Membership:
    """Make a person and let them join."""
    return add_member(project=project, user=make_user(username=username), role=role)


def read_what_is_new(member: Membership) -> Membership:
    """Let a member read the guidelines in force, without which nobody is handed sheets over HTTP."""
    if unread := unread_guidelines(member=member):
        read_guidelines(member=member, seen_hash=unread)
    return member


def make_figure(value: float | None, **more: Any) -> dict[str, Any]:
    """Return a figure as replies have it, with what a test says nothing of."""
    return asdict(Figure(value, **more))

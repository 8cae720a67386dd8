"""Two links in two roles, followed by one person at once."""

import threading

import pytest
from django.db import connections

from annotation.accounts.models import User
from annotation.projects.services.members import accept_invitation, invite
from common.errors import DomainError
from tests.factories import make_project, make_user

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


def test_who_follows_both_at_once_has_one_role() -> None:
    """A viewer sees what an annotator must not, so nobody is both."""
    project = make_project(slug="small")
    person = make_user()
    roles = ("viewer", "annotator") * 3
    links = [invite(project=project, by=project.created_by, role=role).token for role in roles]
    start = threading.Barrier(len(links))
    came: list[str] = []
    refused: list[str] = []

    def join(token: str) -> None:
        start.wait()
        try:
            came.append(accept_invitation(token=token, user=User.objects.get(pk=person.pk)).role)
        except DomainError as error:
            refused.append(error.error_code)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=join, args=(token,)) for token in links]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (member,) = project.members.filter(user=person)
    assert came == [member.role]
    assert refused == ["already_member"] * (len(links) - 1)

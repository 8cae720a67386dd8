"""A study that is made once for all tests of a file, which only read it."""

from collections.abc import Iterator
from typing import Any

import pytest

from annotation.projects.models import Project
from tests.conftest import ClientOf


@pytest.fixture
def reading(project: Project, django_db_blocker: Any) -> Iterator[None]:
    # These tests only read: a transaction for each would check 200,000 rows again each time.
    with django_db_blocker.unblock():
        yield


def read_page(project: Project, page: str, **query: str) -> Any:
    """Return what a page of the project gets from the server, as its lead."""
    reply = ClientOf(project.created_by).get(f"/api/projects/{project.slug}/{page}", query)
    assert reply.status_code == 200, reply.json()
    return reply.json()

"""A study that is empty, or half there, is read without an error: every page of every role, at each stage."""

from typing import Any

import pytest

from annotation.projects.models import Project
from tests.annotation.adjudication.factories import make_answers, make_question
from tests.asking import Asked, queries
from tests.conftest import ClientOf
from tests.factories import make_member, make_project
from tests.requests_from_schema import operations

pytestmark = [pytest.mark.long, pytest.mark.django_db]

ASKED = Asked(texts=("x",))
READING = [
    operation
    for operation in operations()
    if operation.method == "GET" and operation.route.is_of_a_project and not operation.route.objects
]


def nothing(project: Project) -> None:
    """A project just made."""


def questions(project: Project) -> None:
    for number in range(3):
        make_question(project=project, text=f"question {number}", gold=["gold"])


def answers(project: Project) -> None:
    """Answers that no system gave, as those of a file of votes."""
    for number in range(3):
        make_answers(project=project, question=f"question {number}", gold=["gold"], texts=["a", "gold"])


class TestEarlyStages:
    @pytest.mark.parametrize("stage", [nothing, questions, answers])
    @pytest.mark.parametrize("role", ["lead", "adjudicator", "annotator"])
    def test_are_read_whole(self, role: str, stage: Any, subtests: pytest.Subtests) -> None:
        project = make_project(slug="own")
        stage(project)
        user = project.created_by if role == "lead" else make_member(project=project, role=role).user
        client = ClientOf(user)
        client.raise_request_exception = False
        for operation in READING:
            if role not in operation.route.view.allowed_roles:
                continue
            address = operation.address({}, slug="own")
            with subtests.test(operation.name):
                for query in queries(operation, ASKED):
                    assert client.get(address + query).status_code < 500, query

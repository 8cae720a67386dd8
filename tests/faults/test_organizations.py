"""Two at once never grow an organization past a limit that has room for one."""

import threading
from collections.abc import Callable

import pytest
from django.db import connection, connections

from annotation.items.models import Candidate, DataImport
from annotation.items.services.applying import confirm_import
from annotation.projects.models import Organization, Project
from annotation.projects.selectors import count_people, open_projects
from annotation.projects.services.making import create_project, set_state
from annotation.projects.services.members import accept_invitation, invite
from annotation.projects.services.organizations import (
    add_organization_member,
    change_organization,
    create_organization,
)
from common.errors import DomainError
from judges.connections.models import Connection
from judges.runs.models import Call
from tests.annotation.items.conftest import import_into, outputs, upload_to
from tests.factories import make_user
from tests.judges.runs.asking import make_connection
from tests.judges.runs.services.test_spending import Purse

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


def make(lab: Organization, name: str) -> Project:
    owner = lab.members.order_by("pk")[0].user
    return create_project(lead=owner, name=name, preset="evouna", organization=lab)


def at_once(*acts: Callable[[], object]) -> list[str]:
    """Do them at the same time, and return what became of each: nothing, or the code of its refusal."""
    start = threading.Barrier(len(acts))
    told: list[str] = []

    def run(act: Callable[[], object]) -> None:
        connection.ensure_connection()
        start.wait()
        try:
            act()
            told.append("")
        except DomainError as error:
            told.append(error.error_code)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(act,)) for act in acts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(told)


@pytest.fixture
def lab() -> Organization:
    return create_organization(slug="lab", owner=make_user())


def limit(lab: Organization, **limits: int) -> None:
    change_organization(organization=lab, limits=limits)


def test_projects(lab: Organization) -> None:
    archived = make(lab, "Archived")
    set_state(project=archived, state=Project.State.ARCHIVED)
    limit(lab, most_projects=1)
    told = at_once(
        *(lambda name=name: make(lab, f"Study {name}") for name in range(5)),
        lambda: set_state(project=archived, state=Project.State.OPEN),
    )
    assert told == ["", *["project_limit_reached"] * 5]
    assert open_projects(lab).count() == 1


def test_people(lab: Organization) -> None:
    """Each by a project of its own: within one, who joins waits for the project's row anyway."""
    projects = [make(lab, f"Study {number}") for number in range(4)]
    people = [make_user() for _ in range(6)]
    limit(lab, most_people=2)
    links = [invite(project=each, by=each.created_by, role="annotator").token for each in projects]
    told = at_once(
        *(
            lambda token=token, user=user: accept_invitation(token=token, user=user)
            for token, user in zip(links, people, strict=False)
        ),
        *(
            lambda user=user: add_organization_member(organization=lab, username=user.username, role="member")
            for user in people[4:]
        ),
    )
    assert told[0] == ""
    assert set(told[1:]) == {"people_limit_reached", "project_full"}
    assert count_people(lab) == 2


def test_answers(lab: Organization) -> None:
    """Some pass the look before they begin; of these, all but one are taken out as a whole."""
    projects = [make(lab, f"Study {number}") for number in range(4)]
    checked = [upload_to(each, files={"A.jsonl": outputs(q1="Paris", q2="Rome")}) for each in projects]
    limit(lab, most_answers=3)
    told = at_once(*(lambda one=one: confirm_import(data_import=one) for one in checked))
    states = list(DataImport.objects.values_list("state", flat=True))
    assert set(told) <= {"", "answer_limit_reached"}
    assert states.count("applied") == 1
    assert states.count("ready") == told.count("answer_limit_reached")
    assert Candidate.objects.count() == 2


def test_spending(lab: Organization) -> None:
    """Over connections of several projects: each has its own row, and the organization's is one for all."""
    purses = [Purse(priced_connection(make(lab, f"Study {number}")), cap=1_000) for number in range(4)]
    change_organization(organization=lab, limits={"monthly_spend_cap": 100})
    told = at_once(*(lambda purse=purse: purse.reserve(60) for purse in purses))
    assert told == [""] * 4
    assert Call.objects.filter(state="reserved").count() == 1
    assert Call.objects.get(state="reserved").charged_to is not None


def priced_connection(project: Project) -> Connection:
    import_into(project, files={"A.jsonl": outputs(q1="Paris")})
    connection = make_connection(project)
    Connection.objects.filter(pk=connection.pk).update(input_price=1, output_price=1)
    return connection

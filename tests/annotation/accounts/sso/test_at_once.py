"""Several at once at the door to the provider: a new password, connections, and sign-ons."""

import threading
from collections.abc import Callable
from functools import partial

import pytest
from django.db import OperationalError, connections
from django.test import Client

from annotation.accounts.models import ProviderIdentity, User
from annotation.accounts.services import anonymize_user, make_password_token, set_password_by_link
from annotation.accounts.sso import discovery
from annotation.accounts.sso.identities import connect
from annotation.projects.models import Invitation, Membership
from annotation.projects.services.members import accept_invitation, invite
from tests.annotation.accounts.sso.conftest import SUBJECT, come_back
from tests.annotation.accounts.sso.test_connecting import begin_connecting, ended, signed_in
from tests.annotation.accounts.sso.test_joining import begin
from tests.factories import make_project, make_user
from tests.scripted_provider import ScriptedProvider

pytestmark = [pytest.mark.services, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for the provider as long as six at once take on a busy machine."""
    monkeypatch.setattr(discovery, "CALL_SECONDS", 90.0)


def at_once(*acts: Callable[[], object]) -> list[object]:
    """Do all at once, and return what came of each: its result, or what it raised."""
    start = threading.Barrier(len(acts))
    came: list[object] = [None] * len(acts)

    def act(place: int) -> None:
        start.wait()
        try:
            came[place] = acts[place]()
        except Exception as error:
            came[place] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=act, args=(place,)) for place in range(len(acts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return came


def names(came: list[object]) -> list[str]:
    return sorted(type(each).__name__ for each in came)


def test_of_several_accounts_one_gets_an_ended_identity(provider: ScriptedProvider) -> None:
    former, *people = (make_user() for _ in range(5))
    ended(former, provider)
    came = at_once(*(partial(connect, user=user, issuer=provider.issuer, subject=SUBJECT) for user in people))
    assert names(came) == ["ProviderIdentity"] + ["SsoInUse"] * 3
    row = ProviderIdentity.objects.get()
    assert (row.user in people, row.ended_at) == (True, None)


def test_a_connection_and_a_new_password_leave_none_open(provider: ScriptedProvider) -> None:
    """It was begun with the former password: it comes first and ends, or comes too late."""
    for number in range(5):
        user = make_user()
        provider.person = {"sub": f"person-{number}"}
        client = signed_in(user)
        redirect = provider.approve(begin_connecting(client))
        token = make_password_token(user=user)
        came = at_once(
            partial(come_back, client, redirect),
            partial(set_password_by_link, token=token, password="a long enough phrase"),
        )
        assert not [each for each in came if isinstance(each, Exception)]
    assert User.objects.count() == 5
    assert not ProviderIdentity.objects.filter(ended_at=None).exists()


def test_a_closed_account_keeps_no_connection(provider: ScriptedProvider) -> None:
    """It would keep the person from connecting another account for good."""
    for number in range(5):
        user = make_user()
        provider.person = {"sub": f"person-{number}"}
        client = signed_in(user)
        redirect = provider.approve(begin_connecting(client))
        came = at_once(partial(come_back, client, redirect), partial(anonymize_user, user=user))
        assert not [each for each in came if isinstance(each, Exception)]
    assert not ProviderIdentity.objects.exists()


def test_several_people_with_one_link(provider: ScriptedProvider) -> None:
    """One is in; the others have no account. Others join the project by password meanwhile."""
    project = make_project(slug="small")
    links = [invite(project=project, by=project.created_by, role="annotator").token for _ in range(3)]
    acts: list[Callable[[], object]] = []
    for number in range(4):
        # All want one username.
        provider.person = {"sub": f"person-{number}", "preferred_username": "pat"}
        client = Client()
        acts.append(partial(come_back, client, provider.approve(begin(client, links[0]))))
    acts += [partial(accept_by_password, token=link, username="pat") for link in links[1:]]
    before = User.objects.count()
    came = at_once(*acts)
    assert sorted(str(each) for each in came[:4]) == ["/join/" + links[0]] * 3 + ["/small"]
    assert not [each for each in came if isinstance(each, OperationalError)]
    joined = sum(isinstance(each, Membership) for each in came)
    assert User.objects.count() == before + 1 + joined
    assert ProviderIdentity.objects.count() == 1
    assert Invitation.objects.filter(accepted_at=None).count() == 2 - joined


def accept_by_password(*, token: str, username: str) -> Membership:
    return accept_invitation(token=token, user=None, username=username, password="a long enough phrase")


def test_one_person_by_several_links(provider: ScriptedProvider) -> None:
    """They have one account, and are in one project at least; none of them waits for another in a circle."""
    owner = make_user()
    projects = [make_project(slug=f"small-{number}", lead=owner) for number in range(3)]
    acts: list[Callable[[], object]] = []
    for project in projects:
        client = Client()
        link = invite(project=project, by=owner, role="annotator").token
        acts.append(partial(come_back, client, provider.approve(begin(client, link))))
    came = at_once(*acts)
    assert not [each for each in came if isinstance(each, Exception)]
    (identity,) = ProviderIdentity.objects.all()
    assert User.objects.count() == 2
    assert Membership.objects.filter(user=identity.user).count() == 1

"""Promises P12 and P13 as walks at random over everything that can be done to a connection."""

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import httpcore2
import pytest
from django.conf import LazySettings
from django.db import connection as database

from annotation.accounts.models import User
from annotation.projects.models import Project
from common.outgoing.addresses import parse_policy
from common.outgoing.guard import CallRefused
from judges.connections.models import Connection
from tests.common.outgoing.address_forms import FORBIDDEN_FORMS, PUBLIC_FORMS
from tests.conftest import ClientOf
from tests.faults.proof import Proof
from tests.hostile import Provider
from tests.judges.connections.conftest import guarded_backend

ADDRESS = "/api/projects/small/connections"


class House(NamedTuple):
    """A server, the key that was entered for it, and the ways to write its address."""

    provider: Provider
    key: str

    def spelled(self, chance: random.Random) -> str:
        port = self.provider.port
        return chance.choice(
            [
                f"http://127.0.0.1:{port}/v1",
                f"HTTP://127.0.0.1:{port}/v1/",
                f"http://127.0.0.1:{port}",
                f"http://127.0.0.1:{port}/v1/deep",
            ]
        )

    def is_clean(self) -> bool:
        """Say whether no key but its own ever came here."""
        return {entry.authorization for entry in self.provider.entries()} <= {"", f"Bearer {self.key}"}


class Walk:
    """One person (or thief) who does things to a connection, and calls it after each."""

    def __init__(self, client: ClientOf, houses: tuple[House, House], chance: random.Random) -> None:
        self.client = client
        self.houses = houses
        self.chance = chance
        self.id = self._create(houses[0])

    def step(self) -> None:
        act = self.chance.choice(
            [self._move, self._bring_key, self._take_key, self._half, self._by_hand, self._copy]
        )
        act(self.chance.choice(self.houses))
        self.client.post(f"{ADDRESS}/{self.id}/test")

    def _create(self, house: House) -> str:
        given = {"name": f"{self.chance.random()}", "base_url": house.spelled(self.chance), "model": "m"}
        reply = self.client.post(ADDRESS, {**given, "key": house.key, "timeout_seconds": 5}, format="json")
        return str(reply.json()["id"])

    def _patch(self, **body: Any) -> None:
        self.client.patch(f"{ADDRESS}/{self.id}", body, format="json")

    def _move(self, house: House) -> None:
        self._patch(base_url=house.spelled(self.chance))

    def _half(self, house: House) -> None:
        self._patch(base_url=house.spelled(self.chance), model="n", key_last_four="wxyz", has_key=True)

    def _bring_key(self, house: House) -> None:
        self._patch(base_url=house.spelled(self.chance), key=house.key)

    def _take_key(self, house: House) -> None:
        self._patch(key="", base_url=house.spelled(self.chance))

    def _by_hand(self, house: House) -> None:
        Connection.objects.filter(public_id=self.id).update(base_url=house.spelled(self.chance))

    def _copy(self, house: House) -> None:
        """Take over what another row stores, as SQL could."""
        stored = Connection.objects.get(public_id=self._create(house)).encrypted_key
        Connection.objects.filter(public_id=self.id).update(encrypted_key=stored)


@pytest.fixture
def houses(start_provider: Callable[[str], Provider]) -> tuple[House, House]:
    return (
        House(start_provider("good"), "sk-first-0123456789"),
        House(start_provider("good"), "sk-second-0123456789"),
    )


@pytest.fixture
def client(lead: User, project: Project, settings: LazySettings) -> ClientOf:
    settings.ASSAY_LLM_ALLOWED_HOSTS = ["127.0.0.1"]
    return ClientOf(lead)


def walk(client: ClientOf, houses: tuple[House, House], *, walks: int, steps: int) -> int:
    """Walk, and return how many calls arrived with a key."""
    for seed in range(walks):
        walker = Walk(client, houses, random.Random(seed))
        for _ in range(steps):
            walker.step()
    return sum(bool(entry.authorization) for house in houses for entry in house.provider.entries())


class TestKeysStayWithTheirHost:
    def test_on_every_walk(self, client: ClientOf, houses: tuple[House, House]) -> None:
        assert walk(client, houses, walks=4, steps=12) > 0
        assert all(house.is_clean() for house in houses)

    @pytest.mark.prove
    def test_on_many_walks(self, client: ClientOf, houses: tuple[House, House]) -> None:
        arrived = walk(client, houses, walks=150, steps=12)
        assert all(house.is_clean() for house in houses)
        Proof().record(
            "P12",
            "two servers, 1,800 changes at random by API and by hand, a call after each",
            promised="0 keys at the other server",
            measured=f"0; {arrived} calls arrived with their own server's key",
            database=database.vendor,
        )


def refusals(*, draws: int) -> int:
    """Draw names that lead now here, now there; return how many calls were refused."""
    refused = 0
    policy = parse_policy(["public"])
    inside = [form.strip("[]") for form in FORBIDDEN_FORMS if form[0].isdigit() or form[0] == "["]
    outside = [form.strip("[]") for form in PUBLIC_FORMS]
    for seed in range(draws):
        chance = random.Random(seed)
        found = chance.choices(inside + outside * 10, k=chance.randint(1, 4))
        try:
            guarded_backend(resolve=lambda host, port, found=found: found).connect_tcp("rebinds.example", 443)
        except CallRefused:
            refused += 1
            assert not all(policy.allows(host="x", port=443, address=address) for address in found)
        except httpcore2.ConnectError:
            assert set(found) <= set(outside)
    return refused


class TestCallsStayOutside:
    def test_wherever_a_name_leads(self, reached: list[str]) -> None:
        assert refusals(draws=300) > 0
        assert set(reached) <= {form.strip("[]") for form in PUBLIC_FORMS}

    @pytest.mark.prove
    def test_whatever_is_entered_stored_or_resolved(
        self,
        client: ClientOf,
        settings: LazySettings,
        reached: list[str],
    ) -> None:
        settings.ASSAY_LLM_ALLOWED_HOSTS = ["public"]
        given = {"name": "n", "base_url": "https://models.example.org", "model": "m"}
        made = client.post(ADDRESS, given, format="json").json()["id"]
        tried = 0
        for form in FORBIDDEN_FORMS:
            for url in (f"https://{form}/v1", f"http://{form}/v1", f"https://{form}:8443"):
                client.post(ADDRESS, {**given, "name": url, "base_url": url}, format="json")
                client.patch(f"{ADDRESS}/{made}", {"base_url": url}, format="json")
                Connection.objects.filter(public_id=made).update(base_url=url)
                assert client.post(f"{ADDRESS}/{made}/test").json()["works"] is False
                tried += 1
        refused = refusals(draws=10_000)
        assert set(reached) <= {form.strip("[]") for form in PUBLIC_FORMS}
        Proof().record(
            "P13",
            f"{len(set(FORBIDDEN_FORMS))} address forms by API and by hand, 10,000 names that rebind",
            promised="0 calls inside",
            measured=f"0 of {tried} forms and schemes; {refused:,} names refused",
            database=database.vendor,
        )

"""Trying a connection says in words what is wrong."""

from collections.abc import Callable

import pytest

from annotation.projects.models import Organization, Project
from annotation.projects.services.organizations import change_organization, create_organization
from judges.connections.services.changes import archive_connection
from judges.connections.services.client import MOST_INPUT_TOKENS, try_connection
from judges.runs.models import MonthlySpend
from judges.runs.services.spending import CAP_WITHOUT_PRICES, TRIAL_TOO_DEAR
from tests.hostile import Provider
from tests.judges.connections.conftest import MakeConnection

# 1 USD per million tokens.
PRICE = 1_000_000
BOUND = (MOST_INPUT_TOKENS + 16) * PRICE


class TestTryConnection:
    @pytest.mark.parametrize(
        ("step", "said"),
        [
            ("401:bad+key", "The provider responded with status 401: bad key"),
            ("429", "The provider responded with status 429."),
            ("html", "reply is incomplete"),
            ("redirect", "redirect"),
        ],
    )
    def test_tells_the_failure(
        self, start_provider: Callable[[str], Provider], make_connection: MakeConnection, step: str, said: str
    ) -> None:
        trial = try_connection(connection=make_connection(base_url=start_provider(step).base_url))
        assert not trial.works
        assert said in trial.error

    def test_makes_one_call(
        self, start_provider: Callable[[str], Provider], make_connection: MakeConnection
    ) -> None:
        provider = start_provider("good")
        assert try_connection(connection=make_connection(base_url=provider.base_url)).works
        assert len(provider.entries()) == 1

    def test_makes_none_past_the_cap(
        self, start_provider: Callable[[str], Provider], make_connection: MakeConnection
    ) -> None:
        provider = start_provider("good")
        priced = {"base_url": provider.base_url, "input_price": PRICE, "output_price": PRICE}
        connection = make_connection(**priced, spend_cap=BOUND)
        assert try_connection(connection=connection).works
        connection.refresh_from_db()
        assert 0 < connection.spent < BOUND
        assert try_connection(connection=connection).error == TRIAL_TOO_DEAR
        assert len(provider.entries()) == 1

    @pytest.mark.parametrize(("step", "is_charged"), [("500", True), ("429", False)])
    def test_charges_a_failed_one_only_where_it_may_be_billed(
        self,
        start_provider: Callable[[str], Provider],
        make_connection: MakeConnection,
        step: str,
        is_charged: bool,
    ) -> None:
        connection = make_connection(base_url=start_provider(step).base_url, input_price=PRICE)
        try_connection(connection=connection)
        connection.refresh_from_db()
        assert connection.spent == (MOST_INPUT_TOKENS * PRICE if is_charged else 0)

    def test_makes_none_through_an_archived_one(self, make_connection: MakeConnection) -> None:
        connection = make_connection()
        archived = archive_connection(project=connection.project, public_id=connection.public_id)
        assert "archived" in try_connection(connection=archived).error

    def test_makes_none_under_a_cap_without_prices(
        self, start_provider: Callable[[str], Provider], make_connection: MakeConnection
    ) -> None:
        provider = start_provider("good")
        connection = make_connection(base_url=provider.base_url, input_price=PRICE, spend_cap=BOUND)
        assert try_connection(connection=connection).error == CAP_WITHOUT_PRICES
        assert provider.entries() == []


class TestInAnOrganization:
    @pytest.fixture
    def lab(self, project: Project) -> Organization:
        lab = create_organization(slug="lab", name="The lab", owner=project.created_by)
        Project.objects.filter(pk=project.pk).update(organization=lab)
        return change_organization(organization=lab, limits={"monthly_spend_cap": BOUND})

    def test_counts_what_the_call_cost_and_makes_none_past_the_limit(
        self,
        start_provider: Callable[[str], Provider],
        make_connection: MakeConnection,
        lab: Organization,
    ) -> None:
        provider = start_provider("good")
        priced = {"base_url": provider.base_url, "input_price": PRICE, "output_price": PRICE}
        connection = make_connection(**priced)
        assert try_connection(connection=connection).works
        connection.refresh_from_db()
        assert 0 < MonthlySpend.objects.get(organization=lab).spent == connection.spent < BOUND
        before = connection.spent
        assert "“The lab” may spend" in try_connection(connection=connection).error
        connection.refresh_from_db()
        assert (connection.spent, len(provider.entries())) == (before, 1)

    @pytest.mark.parametrize(("step", "is_charged"), [("500", True), ("429", False)])
    def test_charges_a_failed_one_only_where_it_may_be_billed(
        self,
        start_provider: Callable[[str], Provider],
        make_connection: MakeConnection,
        lab: Organization,
        step: str,
        is_charged: bool,
    ) -> None:
        priced = {"input_price": PRICE, "output_price": PRICE}
        try_connection(connection=make_connection(base_url=start_provider(step).base_url, **priced))
        assert MonthlySpend.objects.get().spent == (BOUND if is_charged else 0)

    def test_makes_none_without_prices(
        self,
        start_provider: Callable[[str], Provider],
        make_connection: MakeConnection,
        lab: Organization,
    ) -> None:
        provider = start_provider("good")
        assert "needs prices" in try_connection(connection=make_connection(base_url=provider.base_url)).error
        assert provider.entries() == []

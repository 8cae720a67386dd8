"""Trying a connection says in words what is wrong."""

from collections.abc import Callable

import pytest

from judges.connections.services.changes import archive_connection
from judges.connections.services.client import CAP_REACHED, MOST_INPUT_TOKENS, try_connection
from tests.hostile import Provider
from tests.judges.connections.conftest import MakeConnection

# 1 USD per million tokens.
PRICE = 1_000_000


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
        bound = (MOST_INPUT_TOKENS + 16) * PRICE
        priced = {"base_url": provider.base_url, "input_price": PRICE, "output_price": PRICE}
        connection = make_connection(**priced, spend_cap=bound)
        assert try_connection(connection=connection).works
        connection.refresh_from_db()
        assert 0 < connection.spent < bound
        assert try_connection(connection=connection).error == CAP_REACHED
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

"""Trying a connection says in words what is wrong."""

from collections.abc import Callable

import pytest

from judges.connections.services import archive_connection, try_connection
from tests.hostile import Provider
from tests.judges.connections.conftest import MakeConnection


class TestTryConnection:
    @pytest.mark.parametrize(
        ("step", "said"),
        [
            ("401:bad+key", "The provider answered 401: bad key"),
            ("429", "The provider answered 429."),
            ("html", "not a whole completion"),
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

    def test_makes_none_through_an_archived_one(self, make_connection: MakeConnection) -> None:
        connection = make_connection()
        archived = archive_connection(project=connection.project, public_id=connection.public_id)
        assert "archived" in try_connection(connection=archived).error

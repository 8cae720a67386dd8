"""What `make test-services` leaves out reaches nothing that it is about."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.reach import OURS, modules_that_reach, reaches_services

ROOT = Path(__file__).resolve().parent.parent


class TestReachesServices:
    def test_what_computes_by_itself_does_not(self, request: pytest.FixtureRequest) -> None:
        assert not reaches_services(request.node)

    def test_what_asks_for_the_database_does(self, request: pytest.FixtureRequest, db: None) -> None:
        assert reaches_services(request.node)

    def test_what_has_something_made_in_it_does(self, request: pytest.FixtureRequest, lead: object) -> None:
        assert reaches_services(request.node)

    def test_what_has_a_process_started_does(
        self, request: pytest.FixtureRequest, start_provider: Callable[[str], object]
    ) -> None:
        assert reaches_services(request.node)

    @pytest.mark.services
    def test_what_is_marked_does(self, request: pytest.FixtureRequest) -> None:
        assert reaches_services(request.node)


class TestModulesThatReach:
    def test_import_what_is_connected_themselves_or_through_others(self) -> None:
        assert {
            "tests.common.test_memory",
            "tests.common.test_startup",
            "tests.judges.methods.test_steps",
        } <= modules_that_reach()

    def test_are_looked_for_in_all_packages(self) -> None:
        assert {path.parent.name for path in ROOT.glob("*/__init__.py")} == {*OURS}

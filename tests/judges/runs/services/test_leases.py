"""Batches in hand: held for as long as their worker lives, and no longer."""

from datetime import datetime, timedelta

import pytest
from django.db import OperationalError, connections
from pytest_django import Settings

from annotation.projects.models import Project
from common.clock import now
from judges.runs import rules
from judges.runs.models import RunBatch
from judges.runs.services import batches, worker
from judges.runs.services.batches import Claim, renew_lease
from tests.judges.runs.services.conftest import start


@pytest.fixture
def at() -> datetime:
    return now()


@pytest.fixture
def claim(study: Project, at: datetime) -> Claim:
    claim = batches.claim_batch(run_id=start(study).pk, at=at)
    assert claim is not None
    return claim


def lease_of(claim: Claim) -> datetime | None:
    return RunBatch.objects.get(pk=claim.batch_id).lease_expires_at


class TestRenewLease:
    def test_holds_a_batch_longer(self, claim: Claim, at: datetime, settings: Settings) -> None:
        later = at + timedelta(seconds=20)
        assert renew_lease(claim=claim, at=later) is True
        assert lease_of(claim) == later + timedelta(seconds=settings.ASSAY_RUN_LEASE_SECONDS)

    def test_takes_nothing_from_its_next_owner(self, claim: Claim, at: datetime) -> None:
        RunBatch.objects.filter(pk=claim.batch_id).update(attempt=2, owner="another")
        before = lease_of(claim)
        assert renew_lease(claim=claim, at=at + timedelta(seconds=20)) is False
        assert lease_of(claim) == before


class TestKeeper:
    def test_renews_what_is_held_and_nothing_else(self, claim: Claim, at: datetime) -> None:
        leases, later = worker.Leases(), at + timedelta(seconds=20)
        with leases.kept(claim):
            leases._renew(later)
        held = lease_of(claim)
        assert held is not None
        assert held > later
        leases._renew(later + timedelta(seconds=20))
        assert lease_of(claim) == held

    def test_lets_go_of_what_hangs(self, claim: Claim, at: datetime) -> None:
        leases, before = worker.Leases(), lease_of(claim)
        with leases.kept(claim):
            leases._renew(now() + timedelta(seconds=rules.LONGEST_HOLD_SECONDS))
        assert lease_of(claim) == before

    def test_survives_a_database_that_is_away(
        self, claim: Claim, at: datetime, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def fail(**_: object) -> bool:
            raise OperationalError

        monkeypatch.setattr(worker, "renew_lease", fail)
        monkeypatch.setattr(connections, "close_all", lambda: None)
        leases = worker.Leases()
        with leases.kept(claim):
            leases._renew(at)

    def test_ends_with_its_work(self) -> None:
        with worker.Leases() as leases:
            assert leases._thread.is_alive()
        assert not leases._thread.is_alive()

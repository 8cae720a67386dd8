"""The sweeper."""

import pytest
from django.conf import settings

from config.steps import sweeper


class TestSweep:
    def test_everything_that_may_be_left_open_is_rung_for(
        self, monkeypatch: pytest.MonkeyPatch, db: None
    ) -> None:
        rung: list[tuple[object, ...]] = []
        monkeypatch.setattr(sweeper, "enqueue_on_commit", lambda *call: rung.append(call))
        sweeper.sweep()
        assert rung == [(sweeper.see_to.name, what) for what in sweeper.SWEPT]
        rung.clear()
        sweeper.sweep_hourly()
        assert rung == [(sweeper.see_to.name, what) for what in sweeper.SWEPT_HOURLY]

    def test_the_clock_rings_for_the_sweeper(self) -> None:
        schedule = settings.CELERY_BEAT_SCHEDULE
        assert schedule["sweep"]["task"] == sweeper.sweep.name
        assert schedule["sweep-hourly"]["task"] == sweeper.sweep_hourly.name

    @pytest.mark.parametrize("what", [*sweeper.SWEPT, *sweeper.SWEPT_HOURLY])
    def test_nothing_left_open_is_nothing_to_do(self, what: str, db: None) -> None:
        sweeper.see_to(what)

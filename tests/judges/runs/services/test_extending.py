"""Runs are planned in chunks: exactly once, whoever dies over it, begins anew or cancels meanwhile."""

from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

from annotation.projects.models import Project
from common.clock import now
from common.database import rows
from judges.runs.models import JudgeRun
from judges.runs.services import batches, control, worker
from tests.judges.runs.services.conftest import start, work

State = JudgeRun.State
ANSWERS = 5
Between = Callable[[Callable[[], object]], None]


class Died(Exception):
    """The process is gone."""


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    # Batches of two answers: three chunks.
    monkeypatch.setattr(rows, "LARGEST", 1)


@pytest.fixture
def between(monkeypatch: pytest.MonkeyPatch) -> Between:
    """Do something after the first chunk is planned."""
    add_share = batches._add_chunk

    def arrange(act: Callable[[], object]) -> None:
        left = [act]

        def add(run: JudgeRun, token: datetime, chunk: Any) -> datetime | None:
            held = add_share(run, token, chunk)
            if left:
                left.pop()()
            return held

        monkeypatch.setattr(batches, "_add_chunk", add)

    return arrange


def die() -> None:
    raise Died


def planned(run: JudgeRun) -> Counter[int]:
    return Counter(pk for ids in run.batches.values_list("candidate_ids", flat=True) for pk in ids)


class TestPlanning:
    def test_by_a_process_that_dies_is_gone_on_with_by_the_sweeper(
        self, study: Project, between: Between
    ) -> None:
        between(die)
        with pytest.raises(Died):
            start(study)
        run = work(JudgeRun.objects.get())
        assert (run.verdicts.count(), run.state) == (2, State.RUNNING)
        worker.sweep_runs(at=now())
        assert run.batches.count() == 1
        worker.sweep_runs(at=now() + batches.PLANNING + timedelta(seconds=1))
        assert set(planned(run).values()) == {1}
        run = work(run)
        assert (run.verdicts.count(), run.state, run.planning_until) == (ANSWERS, State.FINISHED, None)

    def test_leaves_a_run_open_until_all_is_planned(self, study: Project, between: Between) -> None:
        states: list[str] = []
        between(lambda: states.append(work(JudgeRun.objects.get()).state))
        run = start(study)
        assert states == [State.RUNNING]
        assert work(run).verdicts.count() == ANSWERS

    def test_is_done_once_where_two_start_the_same(self, study: Project, between: Between) -> None:
        between(lambda: start(study))
        run = start(study)
        assert planned(run) == Counter(dict.fromkeys(planned(run), 1))
        assert (len(planned(run)), run.planning_until) == (ANSWERS, None)
        assert work(run).state == State.FINISHED

    def test_stops_where_the_run_is_cancelled(self, study: Project, between: Between) -> None:
        between(lambda: control.cancel_run(run=JudgeRun.objects.get()))
        run = start(study)
        assert (run.state, run.batches.count(), run.planning_until) == (State.CANCELLED, 0, None)
        assert work(start(study)).verdicts.count() == ANSWERS

    def test_goes_on_where_the_run_is_paused(self, study: Project, between: Between) -> None:
        between(lambda: control.pause_run(run=JudgeRun.objects.get()))
        run = start(study)
        assert (run.state, len(planned(run))) == (State.PAUSED, ANSWERS)
        assert work(control.resume_run(run=run)).state == State.FINISHED

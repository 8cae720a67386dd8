"""A worker shares itself: batches that last are parted, cancelling is seen, nobody takes all workers."""

import os
import signal
from collections.abc import Iterator, Sequence

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from annotation.projects.models import Project
from common.clock import now
from judges.protocol import JudgeInput
from judges.protocol import Verdict as Said
from judges.runs import rules
from judges.runs.models import JudgeRun, RunBatch
from judges.runs.selectors.work import whose_turn
from judges.runs.services import batches, control, worker
from judges.runs.services.worker import Seats
from tests.factories import make_project
from tests.judges.runs.asking import make_connection
from tests.judges.runs.conftest import StubbornJudge, accept_all, add_question
from tests.judges.runs.services.conftest import start

State = JudgeRun.State


@pytest.fixture
def answer_by_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "SLICE_LETTERS", 0)


def turn(run: JudgeRun) -> int:
    return worker.take_turn(run_id=run.pk, batches=10, seconds=0.0)


@pytest.mark.usefixtures("answer_by_answer")
class TestABatchThatOutlastsItsTurn:
    def test_is_parted_and_each_answer_judged_once(
        self, study: Project, stubborn: type[StubbornJudge]
    ) -> None:
        asked: list[str] = []

        def behave(batch: Sequence[JudgeInput]) -> list[Said]:
            asked.extend(item.answer for item in batch)
            return accept_all(batch)

        stubborn.behave = staticmethod(behave)
        run = start(study, "stubborn")
        turns = 0
        while turn(run):
            turns += 1
            assert run.verdicts.count() == turns
        run.refresh_from_db()
        assert (run.state, turns, sorted(asked)) == (
            State.FINISHED,
            5,
            sorted(study.candidates.values_list("text", flat=True)),
        )
        assert sum(run.batches.values_list("size", flat=True)) == 5
        assert set(run.batches.values_list("state", flat=True)) == {RunBatch.State.DONE}

    def test_rings_again(
        self,
        study: Project,
        rung: list[tuple[object, ...]],
        django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    ) -> None:
        run = start(study)
        with django_capture_on_commit_callbacks(execute=True):
            turn(run)
        assert ("judges.runs.work", (run.pk,)) in rung

    def test_of_somebody_else_keeps_its_answers(self, study: Project) -> None:
        run = start(study)
        claim = batches.claim_batch(run_id=run.pk, at=now())
        assert claim is not None
        RunBatch.objects.filter(pk=claim.batch_id).update(owner="somebody else")
        verdicts = {claim.candidate_ids[0]: Said(accepted=True)}
        rest = claim.candidate_ids[1:]
        assert batches.close_batch(claim=claim, verdicts=verdicts, at=now(), rest=rest) is False
        assert (run.batches.count(), run.verdicts.count()) == (3, 0)


@pytest.mark.usefixtures("answer_by_answer")
class TestCancelling:
    def test_is_seen_after_the_answer_in_hand(self, study: Project, stubborn: type[StubbornJudge]) -> None:
        calls = 0

        def behave(batch: Sequence[JudgeInput]) -> list[Said]:
            nonlocal calls
            calls += 1
            control.cancel_run(run=run)
            return accept_all(batch)

        stubborn.behave = staticmethod(behave)
        run = start(study, "stubborn")
        worker.work_on_run(run_id=run.pk, batches=10)
        run.refresh_from_db()
        assert (calls, run.state, run.verdicts.count()) == (1, State.CANCELLED, 0)


class TestWhoseTurn:
    @pytest.fixture
    def other(self, study: Project) -> Project:
        other = make_project(slug="other")
        add_question(other, "what", golds=["that"], answers=["this", "that", "it"])
        return other

    def test_is_that_of_a_project_for_which_nobody_works(self, study: Project, other: Project) -> None:
        first, second, theirs = start(study), start(study, "token_f1"), start(other)

        def chosen() -> JudgeRun | None:
            return whose_turn(run_id=second.pk, at=now(), may_call=True)

        assert chosen() == second
        batches.claim_batch(run_id=first.pk, at=now())
        assert chosen() == theirs
        batches.claim_batch(run_id=theirs.pk, at=now())
        assert chosen() == second

    def test_works_for_the_other_and_rings_again_for_its_own(
        self,
        study: Project,
        other: Project,
        rung: list[tuple[object, ...]],
        django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    ) -> None:
        run, theirs = start(study), start(other)
        batches.claim_batch(run_id=run.pk, at=now())
        with django_capture_on_commit_callbacks(execute=True):
            worker.take_turn(run_id=run.pk, batches=10, seconds=60)
        assert theirs.verdicts.count() == 3
        assert rung.count(("judges.runs.work", (theirs.pk,))) == 0
        assert rung.count(("judges.runs.work", (run.pk,))) == 1

    def test_is_of_no_run_over_a_connection_where_no_place_is_left(self, study: Project) -> None:
        connection = make_connection(study)
        run = control.start_run(
            project=study, judge_key="llm", options={}, connection_id=connection.public_id
        )
        assert whose_turn(run_id=run.pk, at=now(), may_call=True) == run
        assert whose_turn(run_id=run.pk, at=now(), may_call=False) is None


@pytest.fixture
def seats() -> Iterator[Seats]:
    seats = Seats()
    yield seats
    seats.set_up(processes=1)
    assert seats._file is not None
    seats._file.close()


class TestSeats:
    def test_leave_one_process_of_a_worker_without(self, seats: Seats) -> None:
        seats.set_up(processes=2)
        with seats.taken() as mine:
            assert mine
            assert not self.taken_elsewhere(seats)
        assert self.taken_elsewhere(seats)

    def test_are_free_again_when_who_sat_is_killed(self, seats: Seats) -> None:
        seats.set_up(processes=2)
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            with seats.taken():
                os.write(writing, b"1")
                signal.pause()
        os.read(reading, 1)
        assert not self.taken_here(seats)
        os.kill(child, 9)
        os.waitpid(child, 0)
        assert self.taken_here(seats)

    def test_are_for_everybody_where_there_is_one_process_or_none(self, seats: Seats) -> None:
        assert self.taken_here(seats)
        seats.set_up(processes=1)
        assert self.taken_here(seats)

    def taken_here(self, seats: Seats) -> bool:
        with seats.taken() as mine:
            return mine

    def taken_elsewhere(self, seats: Seats) -> bool:
        child = os.fork()
        if not child:
            os._exit(int(self.taken_here(seats)))
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 1

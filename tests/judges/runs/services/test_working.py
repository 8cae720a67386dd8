"""Runs at work: claimed, settled, failed, retried, swept."""

import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from annotation.projects.models import Project
from common.clock import now
from judges import registry
from judges.protocol import JudgeFailed, JudgeInput
from judges.protocol import Verdict as Said
from judges.runs import rules
from judges.runs.models import JudgeRun, RunBatch, Verdict
from judges.runs.selectors.progress import Failure, get_progress
from judges.runs.services import batches, control, worker
from judges.runs.services.batches import put_back_batch
from tests.judges.runs.conftest import (
    StubbornJudge,
    accept_all,
)
from tests.judges.runs.services.conftest import start, work

State = JudgeRun.State


# What somebody else's judge may return, and what its run says then.
UNUSABLE: dict[str, tuple[Callable[[int], Any], str]] = {
    "words": (lambda asked: [Said(accepted="yes")] * asked, "`accepted` is str, not bool or None"),
    "numbers": (lambda asked: [Said(accepted=2)] * asked, "`accepted` is int, not bool or None"),
    "lists": (lambda asked: [Said(accepted=[])] * asked, "`accepted` is list, not bool or None"),
    "no reason": (lambda asked: [Said(accepted=None)] * asked, "None without an `unscored_reason`"),
    "long reasons": (
        lambda asked: [Said(accepted=None, unscored_reason="x" * 61)] * asked,
        "`unscored_reason` is not a line of at most 60 characters",
    ),
    "broken reasons": (lambda asked: [Said(None, None, "a\0b")] * asked, "`unscored_reason` is not a line"),
    "no number": (lambda asked: [Said(True, float("nan"))] * asked, "`score` is not a finite number"),
    "without end": (lambda asked: [Said(True, float("-inf"))] * asked, "`score` is not a finite number"),
    "beyond floats": (lambda asked: [Said(True, 10**400)] * asked, "`score` is not a finite number"),
    "scores as text": (lambda asked: [Said(True, "0.5")] * asked, "`score` is str, not float or None"),
    "no reply": (lambda asked: [Said(True, raw_reply=None)] * asked, "`raw_reply` is NoneType, not str"),
    "flag as text": (lambda asked: [Said(True, flags="injection")] * asked, "`flags` is not a tuple"),
    "long flags": (lambda asked: [Said(True, flags=("x" * 150,) * 2)] * asked, "more than 200 characters"),
    "one more": (lambda asked: [Said(accepted=True)] * (asked + 1), "verdicts for "),
    "the end": (lambda asked: sys.exit(3), "it exited the process instead of judging"),
    "none": (lambda asked: None, "it returned NoneType for "),
    "no verdicts": (lambda asked: [True] * asked, "a verdict is bool, not Verdict"),
}


class TestUnusableVerdicts:
    @pytest.mark.parametrize("kind", UNUSABLE)
    def test_fail_the_batch_and_name_judge_and_package(
        self, study: Project, stubborn: type[StubbornJudge], monkeypatch: pytest.MonkeyPatch, kind: str
    ) -> None:
        replies, fault = UNUSABLE[kind]
        entry = registry.JUDGES["stubborn"]._replace(package="other 2.0")
        monkeypatch.setitem(registry.JUDGES, "stubborn", entry)
        monkeypatch.setattr(stubborn, "behave", staticmethod(lambda batch: replies(len(batch))))
        run = start(study, judge="stubborn")
        work(run)
        run.refresh_from_db()
        assert run.state == State.FAILED
        for batch in run.batches.all():
            assert batch.state == RunBatch.State.FAILED
            assert batch.error.startswith("The judge stubborn (other 2.0) did not return usable verdicts: ")
            assert fault in batch.error
        assert not run.verdicts.exists()

    def test_a_probability_is_one(self) -> None:
        entry = registry.JUDGES["bem"]
        for score, fault in ((0.0, ""), (1.0, ""), (1.5, "`score` is not a probability from 0 to 1")):
            assert rules.fault_of_verdicts([Said(True, score)], asked=1, entry=entry) == fault


class TestClaimBatch:
    @pytest.fixture
    def run(self, study: Project) -> JudgeRun:
        return start(study)

    @pytest.fixture
    def at(self) -> datetime:
        return now()

    def test_hands_each_batch_to_one_owner(self, run: JudgeRun, at: datetime) -> None:
        claims = list(iter(lambda: batches.claim_batch(run_id=run.pk, at=at), None))
        assert len({claim.batch_id for claim in claims}) == len({claim.owner for claim in claims}) == 3
        run.refresh_from_db()
        assert (run.state, run.started_at) == (State.RUNNING, at)

    def test_hands_a_batch_out_again_after_its_lease(
        self, run: JudgeRun, at: datetime, settings: Settings
    ) -> None:
        firsts = list(iter(lambda: batches.claim_batch(run_id=run.pk, at=at), None))
        later = at + timedelta(seconds=settings.ASSAY_RUN_LEASE_SECONDS)
        second = batches.claim_batch(run_id=run.pk, at=later)
        assert second is not None
        (first,) = (claim for claim in firsts if claim.batch_id == second.batch_id)
        assert (first.attempt, second.attempt) == (1, 2)
        verdicts = {pk: Said(accepted=True) for pk in first.candidate_ids}
        assert batches.close_batch(claim=first, verdicts=verdicts, at=later) is False
        assert batches.close_batch(claim=second, verdicts=verdicts, at=later) is True
        assert batches.close_batch(claim=second, verdicts=verdicts, at=later) is False
        assert run.verdicts.count() == len(first.candidate_ids)

    def test_gives_up_what_took_three_workers_down(self, run: JudgeRun, at: datetime) -> None:
        for attempt in range(rules.MAX_ATTEMPTS + 1):
            while batches.claim_batch(run_id=run.pk, at=at + timedelta(hours=attempt)):
                pass
        assert set(run.batches.values_list("state", flat=True)) == {RunBatch.State.FAILED}
        worker.sweep_runs(at=at)
        run.refresh_from_db()
        assert run.state == State.FAILED
        failure = get_progress(run=run, at=at).failures[0]
        assert (failure.count, "worker stopped" in failure.reason) == (5, True)

    def test_lets_a_batch_rest(self, run: JudgeRun, at: datetime) -> None:
        claims = list(iter(lambda: batches.claim_batch(run_id=run.pk, at=at), None))
        put_back_batch(claim=claims[0], reason="busy", at=at, chance=1.0)
        holdup = get_progress(run=JudgeRun.objects.get(pk=run.pk), at=at).holdup
        assert (holdup.reason, holdup.until) == ("busy", at + timedelta(seconds=2))
        assert batches.claim_batch(run_id=run.pk, at=at + timedelta(seconds=1.9)) is None
        again = batches.claim_batch(run_id=run.pk, at=at + timedelta(seconds=2))
        assert again is not None
        assert again.batch_id == claims[0].batch_id
        assert get_progress(run=JudgeRun.objects.get(pk=run.pk), at=at).holdup is None


class TestVerdicts:
    def test_are_one_a_run_and_answer_by_constraint(self, study: Project) -> None:
        run = work(start(study))
        verdict = run.verdicts.order_by("pk").first()
        assert verdict is not None
        with pytest.raises(IntegrityError), transaction.atomic():
            Verdict.objects.create(run=run, candidate=verdict.candidate, accepted=True, judged_at=now())

    def test_say_why_where_there_is_none_by_constraint(self, study: Project) -> None:
        run = start(study)
        candidate = study.candidates.first()
        with pytest.raises(IntegrityError), transaction.atomic():
            Verdict.objects.create(run=run, candidate=candidate, accepted=None, judged_at=now())

    def test_leave_out_answers_that_disappeared(self, study: Project) -> None:
        run = start(study)
        study.candidates.filter(text="Queen").delete()
        assert work(run).state == State.FINISHED
        assert run.verdicts.count() == 4


class TestFailures:
    def test_for_good_fail_the_batch_and_say_why(self, study: Project, stubborn: type[StubbornJudge]) -> None:
        run = work(start(study, "stubborn"))
        progress = get_progress(run=run, at=now())
        assert (run.state, progress.failed, progress.done, progress.total) == (State.FAILED, 5, 0, 5)
        assert progress.failures == (Failure("the model is missing", 5),)

    def test_of_one_batch_leave_the_others(self, study: Project, stubborn: type[StubbornJudge]) -> None:
        def behave(batch: Sequence[JudgeInput]) -> list[Said]:
            if any(item.answer == "1966" for item in batch):
                raise ValueError("a bug")
            return accept_all(batch)

        stubborn.behave = staticmethod(behave)
        run = work(start(study, "stubborn"))
        progress = get_progress(run=run, at=now())
        assert (progress.done, progress.failed) == (4, 1)
        assert progress.failures[0].reason.startswith(
            "The judge failed because of an error on the server. Reference:"
        )

    def test_can_be_retried(self, study: Project, stubborn: type[StubbornJudge]) -> None:
        run = work(start(study, "stubborn"))
        stubborn.behave = staticmethod(accept_all)
        run = work(control.retry_failed(run=run))
        assert (run.state, run.verdicts.count()) == (State.FINISHED, 5)
        with pytest.raises(control.NothingFailed):
            control.retry_failed(run=run)

    def test_are_tried_again_by_a_new_start(self, study: Project, stubborn: type[StubbornJudge]) -> None:
        run = work(start(study, "stubborn"))
        assert work(start(study, "stubborn")).state == State.FAILED
        stubborn.behave = staticmethod(accept_all)
        again = work(start(study, "stubborn"))
        assert (again.pk, again.state, again.verdicts.count()) == (run.pk, State.FINISHED, 5)

    def test_by_a_gold_list_of_the_past_are_not_retried(
        self, study: Project, stubborn: type[StubbornJudge], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        stubborn.behave = staticmethod(
            lambda batch: [Said(accepted=None, unscored_reason="abstained") for _ in batch]
        )
        run = work(start(study, "stubborn", gold="amended"))
        monkeypatch.setattr("judges.runs.selectors.work.gold_version", lambda *_, **__: "amended-other")
        with pytest.raises(control.NotRepeatable, match="gold list has changed"):
            control.retry_failed(run=run, reason="abstained")
        run.refresh_from_db()
        assert (run.state, run.verdicts.count()) == (State.FINISHED, 5)

    def test_that_pass_are_tried_again(
        self, study: Project, stubborn: type[StubbornJudge], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        replies: Iterator[bool] = iter([False, True, True, True])

        def behave(batch: Sequence[JudgeInput]) -> list[Said]:
            if not next(replies):
                raise JudgeFailed("busy", retryable=True)
            return accept_all(batch)

        stubborn.behave = staticmethod(behave)
        monkeypatch.setattr("judges.runs.services.worker.random.random", lambda: 0.0)
        run = work(start(study, "stubborn"))
        assert (run.state, run.verdicts.count()) == (State.FINISHED, 5)


class TestSweepRuns:
    def test_rings_for_what_lies_open(
        self,
        study: Project,
        rung: list[tuple[object, ...]],
        django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    ) -> None:
        run = start(study)
        with django_capture_on_commit_callbacks(execute=True):
            assert worker.sweep_runs(at=now()) == 1
        assert rung == [("judges.runs.work", (run.pk,))]

    def test_leaves_finished_runs_and_claims_in_force_alone(self, study: Project) -> None:
        work(start(study))
        other = start(study, "token_f1")
        while batches.claim_batch(run_id=other.pk, at=now()):
            pass
        assert worker.sweep_runs(at=now()) == 0
        other.refresh_from_db()
        assert other.state == State.RUNNING


class TestProgress:
    def test_is_counted_from_rows(self, study: Project) -> None:
        run = start(study)
        worker.work_on_run(run_id=run.pk, batches=1)
        run.refresh_from_db()
        assert run.started_at is not None
        later = run.started_at + timedelta(seconds=4)
        progress = get_progress(run=run, at=later)
        assert (progress.total, progress.done) == (5, 2)
        assert progress.pace == (0.5, 6.0)

"""Runs: started once, extended, claimed, settled, retried, cancelled, swept."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

import pytest
from django.db import IntegrityError, transaction
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from annotation.items.models import DataImport, GoldAnswer, Question
from annotation.projects.models import Project
from common.clock import now
from judges.protocol import JudgeFailed, JudgeInput
from judges.protocol import Verdict as Said
from judges.runs import rules, services
from judges.runs.models import JudgeRun, RunBatch, Verdict
from judges.runs.selectors import Failure, get_progress
from judges.runs.services.batches import put_back_batch
from tests.judges.runs.conftest import (
    StubbornJudge,
    accept_all,
    add_answer,
    add_question,
    make_import,
    run_fields,
)

State = JudgeRun.State


@pytest.fixture(autouse=True)
def rung(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """The doorbells that were rung, instead of a broker."""
    rings: list[tuple[object, ...]] = []
    monkeypatch.setattr("common.tasks._ring", lambda *ring: rings.append(ring))
    return rings


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    split = rules.split_into_batches
    monkeypatch.setattr("judges.runs.services.starting.split_into_batches", lambda ids: split(ids, size=2))


def _start(project: Project, judge: str = "exact_match", **options: object) -> JudgeRun:
    return services.start_run(project=project, judge_key=judge, options=options)


def _work(run: JudgeRun) -> JudgeRun:
    services.work_on_run(run_id=run.pk, batches=100)
    run.refresh_from_db()
    return run


def _accepted(run: JudgeRun) -> dict[str, bool | None]:
    return dict(run.verdicts.values_list("candidate__text", "accepted"))


class TestStartRun:
    def test_judges_every_answer(self, study: Project) -> None:
        run = _work(_start(study))
        assert run.state == State.FINISHED
        assert _accepted(run) == {
            "beatles": True,
            "Queen": False,
            "The Fab Four!": True,
            "1965": True,
            "1966": False,
        }

    def test_rings_for_a_worker_after_commit(
        self,
        study: Project,
        rung: list[tuple[object, ...]],
        django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    ) -> None:
        with django_capture_on_commit_callbacks(execute=True):
            run = _start(study)
            assert rung == []
        assert rung == [("judges.runs.work", (run.pk,))]

    def test_changes_nothing_when_repeated(self, study: Project) -> None:
        run = _work(_start(study))
        before, verdicts = run_fields(run), list(run.verdicts.order_by("pk").values_list())
        again = _start(study, gold="original")
        assert run_fields(again) == before
        assert list(_work(again).verdicts.order_by("pk").values_list()) == verdicts
        assert JudgeRun.objects.count() == 1

    def test_takes_only_what_is_new(self, study: Project) -> None:
        run = _work(_start(study))
        earlier = set(run.verdicts.values_list("pk", flat=True))
        add_answer(Question.objects.get(text="when was it"), "August, 1965")
        again = _start(study)
        assert (again.pk, again.state) == (run.pk, State.QUEUED)
        assert get_progress(run=again, at=now())[2:4] == (6, 5)
        assert _accepted(_work(again))["August, 1965"] is True
        assert earlier < set(run.verdicts.values_list("pk", flat=True))

    def test_is_another_run_with_other_options(self, study: Project) -> None:
        runs = [_start(study, "token_f1", threshold=value) for value in ("0.5", 0.9, 0.5)]
        assert runs[0].pk == runs[2].pk != runs[1].pk
        assert runs[1].signature == "judge:token_f1|threshold:0.9|gold:original|revision:1"
        assert runs[1].options == {"threshold": 0.9, "gold": "original"}

    def test_of_an_empty_project_is_finished(self, project: Project) -> None:
        assert _start(project).state == State.FINISHED

    @pytest.mark.parametrize(
        ("judge", "options", "error"),
        [
            ("oracle", {}, services.starting.UnknownJudgeKey),
            ("recorded", {}, services.starting.UnknownJudgeKey),
            ("token_f1", {"threshold": 2}, services.starting.BadJudgeOption),
            ("token_f1", {"gold": "silver"}, services.starting.BadJudgeOption),
            ("exact_match", {"threshold": 0.5}, services.starting.BadJudgeOption),
        ],
    )
    def test_refuses_what_it_does_not_know(
        self, study: Project, judge: str, options: dict[str, object], error: type[Exception]
    ) -> None:
        with pytest.raises(error):
            _start(study, judge, **options)
        assert not JudgeRun.objects.exists()

    def test_says_what_to_install(
        self, study: Project, stubborn: type, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from judges import registry

        needy = registry.JUDGES["stubborn"]._replace(requires=("no_such_module",), extra="neural")
        monkeypatch.setitem(registry.JUDGES, "stubborn", needy)
        with pytest.raises(services.starting.JudgeNotInstalled, match="neural"):
            _start(study, "stubborn")


class TestGold:
    def test_of_none_leaves_answers_unscored(self, project: Project) -> None:
        add_question(project, "who", golds=[], answers=["x"])
        verdict = _work(_start(project)).verdicts.get()
        assert (verdict.accepted, verdict.unscored_reason) == (None, "no_gold")

    def test_of_regular_expressions_only_is_no_business_of_a_lexical_judge(self, project: Project) -> None:
        add_question(project, "who", golds=["x|y"], answers=["x"], regex=True)
        assert _work(_start(project)).verdicts.get().unscored_reason == "gold_is_regex"

    def test_amended_is_named_in_the_signature(self, study: Project) -> None:
        run = _start(study, gold="amended")
        assert run.gold_version.startswith("amended-")
        assert f"gold:{run.gold_version}" in run.signature
        assert _work(run).state == State.FINISHED

    def test_that_moves_meanwhile_stops_the_run(
        self, study: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run = _start(study, gold="amended")
        monkeypatch.setattr("judges.runs.services.working.gold_version", lambda *_, **__: "amended-other")
        _work(run)
        assert (run.state, run.verdicts.count(), run.batches.count()) == (State.FAILED, 0, 0)
        assert "gold list changed" in run.message

    def test_that_moved_since_makes_a_run_stale(
        self, study: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run = _work(_start(study, gold="amended"))
        assert get_progress(run=run, at=now()).stale is False
        monkeypatch.setattr("judges.runs.selectors.gold_version", lambda *_, **__: "amended-other")
        assert get_progress(run=run, at=now()).stale is True


class TestExtendLexicalRuns:
    def test_starts_every_lexical_judge(self, study: Project) -> None:
        services.extend_lexical_runs(project_id=study.pk)
        runs = study.judge_runs.order_by("judge_key")
        assert [run.judge_key for run in runs] == ["containment", "exact_match", "token_f1"]

    def test_repeated_changes_nothing(self, study: Project) -> None:
        for _ in range(2):
            services.extend_lexical_runs(project_id=study.pk)
        assert RunBatch.objects.count() == 9

    def test_extends_other_runs_of_lexical_judges_too(self, study: Project) -> None:
        run = _work(_start(study, "token_f1", threshold=0.9))
        add_answer(Question.objects.get(text="when was it"), "1967")
        services.extend_lexical_runs(project_id=study.pk)
        assert _work(run).verdicts.count() == 6

    def test_leaves_cancelled_runs_alone(self, study: Project) -> None:
        run = services.cancel_run(run=_start(study))
        services.extend_lexical_runs(project_id=study.pk)
        run.refresh_from_db()
        assert run.state == State.CANCELLED


class TestGoldThatComesLater:
    @pytest.fixture
    def run(self, project: Project) -> JudgeRun:
        add_question(project, "who", golds=[], answers=["x"])
        add_question(project, "what", golds=["y"], answers=["y"])
        services.extend_lexical_runs(project_id=project.pk)
        return _work(project.judge_runs.get(judge_key="exact_match"))

    def _bring_gold(self, project: Project) -> DataImport:
        data_import = make_import(project)
        question = project.questions.get(text="who")
        GoldAnswer.objects.create(question=question, data_import=data_import, text="x", position=0)
        DataImport.objects.filter(pk=data_import.pk).update(applied_at=now())
        services.extend_lexical_runs(project_id=project.pk)
        return data_import

    def test_has_its_question_judged_again(self, project: Project, run: JudgeRun) -> None:
        assert _accepted(run) == {"x": None, "y": True}
        untouched = run.verdicts.get(candidate__text="y").pk
        self._bring_gold(project)
        assert _accepted(_work(run)) == {"x": True, "y": True}
        assert run.verdicts.get(candidate__text="y").pk == untouched

    def test_is_not_missed_by_a_batch_in_hand(self, project: Project, run: JudgeRun) -> None:
        add_answer(project.questions.get(text="who"), "z")
        services.extend_lexical_runs(project_id=project.pk)
        claim = services.claim_batch(run_id=run.pk, at=now())
        assert claim is not None
        self._bring_gold(project)
        stale = {pk: Said(accepted=None, unscored_reason="no_gold") for pk in claim.candidate_ids}
        assert services.settle_batch(claim=claim, verdicts=stale, at=now()) is False
        assert _accepted(_work(run)) == {"x": True, "y": True, "z": False}

    def test_leaves_no_verdict_behind_when_it_goes(self, project: Project, run: JudgeRun) -> None:
        data_import = self._bring_gold(project)
        _work(run)
        data_import.gold_answers.all().delete()
        services.extend_lexical_runs(project_id=project.pk)
        assert _accepted(_work(run)) == {"x": None, "y": True}


class TestClaimBatch:
    @pytest.fixture
    def run(self, study: Project) -> JudgeRun:
        return _start(study)

    @pytest.fixture
    def at(self) -> datetime:
        return now()

    def test_hands_each_batch_to_one_owner(self, run: JudgeRun, at: datetime) -> None:
        claims = list(iter(lambda: services.claim_batch(run_id=run.pk, at=at), None))
        assert len({claim.batch_id for claim in claims}) == len({claim.owner for claim in claims}) == 3
        run.refresh_from_db()
        assert (run.state, run.started_at) == (State.RUNNING, at)

    def test_hands_a_batch_out_again_after_its_lease(
        self, run: JudgeRun, at: datetime, settings: Settings
    ) -> None:
        first = services.claim_batch(run_id=run.pk, at=at)
        assert first is not None
        later = at + timedelta(seconds=settings.ASSAY_RUN_LEASE_SECONDS)
        second = services.claim_batch(run_id=run.pk, at=later)
        assert second is not None
        assert (second.batch_id, second.attempt) == (first.batch_id, 2)
        verdicts = {pk: Said(accepted=True) for pk in first.candidate_ids}
        assert services.settle_batch(claim=first, verdicts=verdicts, at=later) is False
        assert services.settle_batch(claim=second, verdicts=verdicts, at=later) is True
        assert services.settle_batch(claim=second, verdicts=verdicts, at=later) is False
        assert run.verdicts.count() == 2

    def test_gives_up_what_took_three_workers_down(self, run: JudgeRun, at: datetime) -> None:
        for attempt in range(rules.MAX_ATTEMPTS + 1):
            while services.claim_batch(run_id=run.pk, at=at + timedelta(hours=attempt)):
                pass
        assert set(run.batches.values_list("state", flat=True)) == {RunBatch.State.FAILED}
        services.sweep_runs(at=at)
        run.refresh_from_db()
        assert run.state == State.FAILED
        failure = get_progress(run=run, at=at).failures[0]
        assert (failure.count, "worker died" in failure.reason) == (5, True)

    def test_lets_a_batch_rest(self, run: JudgeRun, at: datetime) -> None:
        claims = list(iter(lambda: services.claim_batch(run_id=run.pk, at=at), None))
        put_back_batch(claim=claims[0], reason="busy", at=at, chance=1.0)
        assert services.claim_batch(run_id=run.pk, at=at + timedelta(seconds=1.9)) is None
        again = services.claim_batch(run_id=run.pk, at=at + timedelta(seconds=2))
        assert again is not None
        assert again.batch_id == claims[0].batch_id


class TestVerdicts:
    def test_are_one_a_run_and_answer_by_constraint(self, study: Project) -> None:
        run = _work(_start(study))
        verdict = run.verdicts.order_by("pk").first()
        assert verdict is not None
        with pytest.raises(IntegrityError), transaction.atomic():
            Verdict.objects.create(run=run, candidate=verdict.candidate, accepted=True, judged_at=now())

    def test_say_why_where_there_is_none_by_constraint(self, study: Project) -> None:
        run = _start(study)
        candidate = study.candidates.first()
        with pytest.raises(IntegrityError), transaction.atomic():
            Verdict.objects.create(run=run, candidate=candidate, accepted=None, judged_at=now())

    def test_leave_out_answers_that_disappeared(self, study: Project) -> None:
        run = _start(study)
        study.candidates.filter(text="Queen").delete()
        assert _work(run).state == State.FINISHED
        assert run.verdicts.count() == 4


class TestFailures:
    def test_for_good_fail_the_batch_and_say_why(self, study: Project, stubborn: type[StubbornJudge]) -> None:
        run = _work(_start(study, "stubborn"))
        progress = get_progress(run=run, at=now())
        assert (run.state, progress.failed, progress.done, progress.total) == (State.FAILED, 5, 0, 5)
        assert progress.failures == (Failure("the model is missing", 5),)

    def test_of_one_batch_leave_the_others(self, study: Project, stubborn: type[StubbornJudge]) -> None:
        def behave(batch: Sequence[JudgeInput]) -> list[Said]:
            if any(item.answer == "1966" for item in batch):
                raise ValueError("a bug")
            return accept_all(batch)

        stubborn.behave = staticmethod(behave)
        run = _work(_start(study, "stubborn"))
        progress = get_progress(run=run, at=now())
        assert (progress.done, progress.failed) == (4, 1)
        assert progress.failures[0].reason.startswith("The judge broke. Reference:")

    def test_can_be_retried(self, study: Project, stubborn: type[StubbornJudge]) -> None:
        run = _work(_start(study, "stubborn"))
        assert _start(study, "stubborn").state == State.FAILED
        stubborn.behave = staticmethod(accept_all)
        run = _work(services.retry_failed(run=run))
        assert (run.state, run.verdicts.count()) == (State.FINISHED, 5)
        with pytest.raises(services.starting.NothingFailed):
            services.retry_failed(run=run)

    def test_that_pass_are_tried_again(
        self, study: Project, stubborn: type[StubbornJudge], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        replies: Iterator[bool] = iter([False, True, True, True])

        def behave(batch: Sequence[JudgeInput]) -> list[Said]:
            if not next(replies):
                raise JudgeFailed("busy", retryable=True)
            return accept_all(batch)

        stubborn.behave = staticmethod(behave)
        monkeypatch.setattr("judges.runs.services.working.random.random", lambda: 0.0)
        run = _work(_start(study, "stubborn"))
        assert (run.state, run.verdicts.count()) == (State.FINISHED, 5)


class TestCancelRun:
    def test_keeps_verdicts_and_drops_what_is_in_hand(self, study: Project) -> None:
        run = _start(study)
        services.work_on_run(run_id=run.pk, batches=1)
        claim = services.claim_batch(run_id=run.pk, at=now())
        assert claim is not None
        run = services.cancel_run(run=run)
        verdicts = {pk: Said(accepted=True) for pk in claim.candidate_ids}
        assert services.settle_batch(claim=claim, verdicts=verdicts, at=now()) is False
        assert (run.state, run.verdicts.count()) == (State.CANCELLED, 2)
        with pytest.raises(services.starting.RunIsOver):
            services.cancel_run(run=run)

    def test_goes_on_when_started_again(self, study: Project) -> None:
        run = _start(study)
        services.work_on_run(run_id=run.pk, batches=1)
        services.cancel_run(run=run)
        again = _work(_start(study))
        assert (again.pk, again.state, again.verdicts.count()) == (run.pk, State.FINISHED, 5)


class TestSweepRuns:
    def test_rings_for_what_lies_open(
        self,
        study: Project,
        rung: list[tuple[object, ...]],
        django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    ) -> None:
        run = _start(study)
        with django_capture_on_commit_callbacks(execute=True):
            assert services.sweep_runs(at=now()) == 1
        assert rung == [("judges.runs.work", (run.pk,))]

    def test_leaves_finished_runs_and_claims_in_force_alone(self, study: Project) -> None:
        _work(_start(study))
        other = _start(study, "token_f1")
        while services.claim_batch(run_id=other.pk, at=now()):
            pass
        assert services.sweep_runs(at=now()) == 0
        other.refresh_from_db()
        assert other.state == State.RUNNING


class TestProgress:
    def test_is_counted_from_rows(self, study: Project) -> None:
        run = _start(study)
        services.work_on_run(run_id=run.pk, batches=1)
        run.refresh_from_db()
        assert run.started_at is not None
        later = run.started_at + timedelta(seconds=4)
        progress = get_progress(run=run, at=later)
        assert (progress.total, progress.done) == (5, 2)
        assert progress.pace == (0.5, 6.0)

"""Runs: started once, extended, held to the gold answers, cancelled."""

from typing import Any

import pytest
from django.db import connection
from pytest_django import DjangoCaptureOnCommitCallbacks

from annotation.accounts.models import User
from annotation.items.models import DataImport, GoldAnswer, Question
from annotation.items.services.corrections import correct_question
from annotation.projects.models import Project
from common.clock import now
from judges.protocol import Verdict as Said
from judges.runs.models import JudgeRun, RunBatch
from judges.runs.selectors.progress import get_progress
from judges.runs.services import batches, control, planning, worker
from tests.judges.runs.conftest import (
    StubbornJudge,
    add_answer,
    add_question,
    make_import,
    run_fields,
)
from tests.judges.runs.services.conftest import accepted, start, work

State = JudgeRun.State


class TestStartRun:
    def test_judges_every_answer(self, study: Project) -> None:
        run = work(start(study))
        assert run.state == State.FINISHED
        assert accepted(run) == {
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
            run = start(study)
            assert rung == []
        assert rung == [("judges.runs.work", (run.pk,))]

    def test_is_planned_before_anything_is_locked(
        self, study: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        make_plan = planning.make_plan
        depths: list[int] = []

        def note_depth(**given: Any) -> Any:
            depths.append(len(connection.savepoint_ids))
            return make_plan(**given)

        monkeypatch.setattr(control, "make_plan", note_depth)
        start(study)
        assert depths == [len(connection.savepoint_ids)]

    def test_changes_nothing_when_repeated(self, study: Project) -> None:
        run = work(start(study))
        before, verdicts = run_fields(run), list(run.verdicts.order_by("pk").values_list())
        again = start(study, gold="original")
        assert run_fields(again) == before
        assert list(work(again).verdicts.order_by("pk").values_list()) == verdicts
        assert JudgeRun.objects.count() == 1

    def test_takes_only_what_is_new(self, study: Project) -> None:
        run = work(start(study))
        earlier = set(run.verdicts.values_list("pk", flat=True))
        add_answer(Question.objects.get(text="when was it"), "August, 1965")
        again = start(study)
        assert (again.pk, again.state) == (run.pk, State.QUEUED)
        progress = get_progress(run=again, at=now())
        assert (progress.total, progress.done) == (6, 5)
        assert accepted(work(again))["August, 1965"] is True
        assert earlier < set(run.verdicts.values_list("pk", flat=True))

    def test_is_another_run_with_other_options(self, study: Project) -> None:
        runs = [start(study, "token_f1", threshold=value) for value in ("0.5", 0.9, 0.5)]
        assert runs[0].pk == runs[2].pk != runs[1].pk
        assert runs[1].signature == "judge:token_f1|threshold:0.9|gold:original|revision:1"
        assert runs[1].options == {"threshold": 0.9, "gold": "original"}

    def test_of_an_empty_project_is_finished(self, project: Project) -> None:
        assert start(project).state == State.FINISHED

    @pytest.mark.parametrize(
        ("judge", "options", "error"),
        [
            ("oracle", {}, planning.UnknownJudgeKey),
            ("recorded", {}, planning.UnknownJudgeKey),
            ("token_f1", {"threshold": 2}, planning.BadJudgeOption),
            ("token_f1", {"gold": "silver"}, planning.BadJudgeOption),
            ("exact_match", {"threshold": 0.5}, planning.BadJudgeOption),
        ],
    )
    def test_refuses_what_it_does_not_know(
        self, study: Project, judge: str, options: dict[str, object], error: type[Exception]
    ) -> None:
        with pytest.raises(error):
            start(study, judge, **options)
        assert not JudgeRun.objects.exists()

    def test_says_what_to_install(
        self, study: Project, stubborn: type, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from judges import registry

        needy = registry.JUDGES["stubborn"]._replace(requires=("no_such_module",), extra="neural")
        monkeypatch.setitem(registry.JUDGES, "stubborn", needy)
        with pytest.raises(planning.JudgeNotInstalled, match="neural"):
            start(study, "stubborn")


class TestGold:
    def test_of_none_leaves_answers_unscored(self, project: Project) -> None:
        add_question(project, "who", golds=[], answers=["x"])
        verdict = work(start(project)).verdicts.get()
        assert (verdict.accepted, verdict.unscored_reason) == (None, "no_gold")

    def test_of_regular_expressions_only_is_no_business_of_a_lexical_judge(self, project: Project) -> None:
        add_question(project, "who", golds=["x|y"], answers=["x"], regex=True)
        assert work(start(project)).verdicts.get().unscored_reason == "gold_is_regex"

    def test_of_regular_expressions_is_read_by_the_judge_of_patterns(self, project: Project) -> None:
        add_question(project, "who", golds=["x|y"], answers=["It was X.", "z"], regex=True)
        assert accepted(work(start(project, "regex"))) == {"It was X.": True, "z": False}

    def test_of_strings_says_nothing_to_the_judge_of_patterns(self, study: Project) -> None:
        verdicts = work(start(study, "regex")).verdicts
        assert set(verdicts.values_list("accepted", "unscored_reason")) == {(None, "no_pattern")}

    def test_of_none_is_no_gold_to_the_judge_of_patterns_too(self, project: Project) -> None:
        add_question(project, "who", golds=[], answers=["x"])
        assert work(start(project, "regex")).verdicts.get().unscored_reason == "no_gold"

    def test_amended_is_named_in_the_signature(self, study: Project) -> None:
        run = start(study, gold="amended")
        assert run.gold_version.startswith("amended-")
        assert f"gold:{run.gold_version}" in run.signature
        assert work(run).state == State.FINISHED

    def test_that_moves_meanwhile_stops_the_run(
        self, study: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run = start(study, gold="amended")
        monkeypatch.setattr("judges.runs.selectors.work.gold_version", lambda *_, **__: "amended-other")
        work(run)
        assert (run.state, run.verdicts.count(), run.batches.count()) == (State.FAILED, 0, 0)
        assert "gold list changed" in run.message

    def test_that_moved_since_makes_a_run_stale(
        self, study: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run = work(start(study, gold="amended"))
        assert get_progress(run=run, at=now()).stale is None
        monkeypatch.setattr("judges.runs.selectors.progress.gold_version", lambda *_, **__: "amended-other")
        assert get_progress(run=run, at=now()).stale


class TestExtendRuns:
    def test_starts_the_judge_of_patterns_where_there_are_patterns(self, study: Project) -> None:
        add_question(study, "which", golds=["x|y"], answers=["x"], regex=True)
        control.extend_runs(project_id=study.pk)
        assert study.judge_runs.filter(judge_key="regex").count() == 1

    def test_starts_every_automatic_judge(self, study: Project) -> None:
        control.extend_runs(project_id=study.pk)
        runs = study.judge_runs.order_by("judge_key")
        assert [run.judge_key for run in runs] == ["containment", "exact_match", "learned", "token_f1"]

    def test_repeated_changes_nothing(self, study: Project) -> None:
        for _ in range(2):
            control.extend_runs(project_id=study.pk)
        assert RunBatch.objects.count() == 12

    def test_extends_other_runs_of_lexical_judges_too(self, study: Project) -> None:
        run = work(start(study, "token_f1", threshold=0.9))
        add_answer(Question.objects.get(text="when was it"), "1967")
        control.extend_runs(project_id=study.pk)
        assert work(run).verdicts.count() == 6

    def test_leaves_cancelled_runs_alone(self, study: Project) -> None:
        run = control.cancel_run(run=start(study))
        control.extend_runs(project_id=study.pk)
        run.refresh_from_db()
        assert run.state == State.CANCELLED


class TestGoldThatComesLater:
    @pytest.fixture
    def run(self, project: Project) -> JudgeRun:
        add_question(project, "who", golds=[], answers=["x"])
        add_question(project, "what", golds=["y"], answers=["y"])
        control.extend_runs(project_id=project.pk)
        return work(project.judge_runs.get(judge_key="exact_match"))

    def _bring_gold(self, project: Project) -> DataImport:
        data_import = make_import(project)
        question = project.questions.get(text="who")
        GoldAnswer.objects.create(question=question, data_import=data_import, text="x", position=0)
        DataImport.objects.filter(pk=data_import.pk).update(applied_at=now())
        control.extend_runs(project_id=project.pk)
        return data_import

    def test_has_its_question_judged_again(self, project: Project, run: JudgeRun) -> None:
        assert accepted(run) == {"x": None, "y": True}
        untouched = run.verdicts.get(candidate__text="y").pk
        self._bring_gold(project)
        assert accepted(work(run)) == {"x": True, "y": True}
        assert run.verdicts.get(candidate__text="y").pk == untouched

    def test_is_not_missed_by_a_batch_in_hand(self, project: Project, run: JudgeRun) -> None:
        add_answer(project.questions.get(text="who"), "z")
        control.extend_runs(project_id=project.pk)
        claim = batches.claim_batch(run_id=run.pk, at=now())
        assert claim is not None
        self._bring_gold(project)
        stale = {pk: Said(accepted=None, unscored_reason="no_gold") for pk in claim.candidate_ids}
        assert batches.close_batch(claim=claim, verdicts=stale, at=now()) is False
        assert accepted(work(run)) == {"x": True, "y": True, "z": False}

    def test_leaves_no_verdict_behind_when_it_goes(self, project: Project, run: JudgeRun) -> None:
        data_import = self._bring_gold(project)
        work(run)
        data_import.gold_answers.all().delete()
        control.extend_runs(project_id=project.pk)
        assert accepted(work(run)) == {"x": None, "y": True}


class TestGoldThatComesLaterToOtherJudges:
    @pytest.fixture
    def run(self, project: Project, stubborn: type[StubbornJudge]) -> JudgeRun:
        add_question(project, "who", golds=["a"], answers=["x"])
        add_question(project, "what", golds=["y"], answers=["y"])
        stubborn.behave = staticmethod(lambda batch: [Said("x" in item.golds) for item in batch])
        return work(start(project, "stubborn"))

    @pytest.fixture
    def gold(self, project: Project, run: JudgeRun) -> GoldAnswer:
        data_import = make_import(project)
        question = project.questions.get(text="who")
        gold = GoldAnswer.objects.create(question=question, data_import=data_import, text="x", position=1)
        DataImport.objects.filter(pk=data_import.pk).update(applied_at=now())
        control.extend_runs(project_id=project.pk)
        return gold

    @pytest.mark.usefixtures("gold")
    def test_makes_their_runs_stale_until_they_are_started_again(
        self, project: Project, run: JudgeRun
    ) -> None:
        assert accepted(run) == {"x": False, "y": False}
        untouched = run.verdicts.get(candidate__text="y").pk
        assert get_progress(run=run, at=now()).stale
        again = work(start(project, "stubborn"))
        assert (again.pk, accepted(again)) == (run.pk, {"x": True, "y": False})
        assert run.verdicts.get(candidate__text="y").pk == untouched
        assert get_progress(run=again, at=now()).stale is None

    def test_so_does_a_question_that_was_corrected(self, project: Project, run: JudgeRun, lead: User) -> None:
        question = project.questions.get(text="who")
        correct_question(project=project, public_id=question.public_id, text="whom", reason="typo", by=lead)
        assert get_progress(run=run, at=now()).stale
        assert get_progress(run=work(start(project, "stubborn")), at=now()).stale is None

    def test_is_no_news_to_runs_that_came_after_it(
        self, project: Project, gold: GoldAnswer, stubborn: type[StubbornJudge]
    ) -> None:
        run = work(start(project, "stubborn"))
        before = run_fields(run)
        assert run_fields(start(project, "stubborn")) == before


class TestCancelRun:
    def test_keeps_verdicts_and_drops_what_is_in_hand(self, study: Project) -> None:
        run = start(study)
        worker.work_on_run(run_id=run.pk, batches=1)
        claim = batches.claim_batch(run_id=run.pk, at=now())
        assert claim is not None
        run = control.cancel_run(run=run)
        verdicts = {pk: Said(accepted=True) for pk in claim.candidate_ids}
        assert batches.close_batch(claim=claim, verdicts=verdicts, at=now()) is False
        assert (run.state, run.verdicts.count()) == (State.CANCELLED, 2)
        with pytest.raises(control.RunIsOver):
            control.cancel_run(run=run)

    def test_goes_on_when_started_again(self, study: Project) -> None:
        run = start(study)
        worker.work_on_run(run_id=run.pk, batches=1)
        control.cancel_run(run=run)
        again = work(start(study))
        assert (again.pk, again.state, again.verdicts.count()) == (run.pk, State.FINISHED, 5)

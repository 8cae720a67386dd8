"""Runs that judge new answers as they arrive: which can, within what limit, and what stops them."""

from typing import Any

import pytest

from annotation.items.models import Question
from annotation.projects.models import Project
from common.clock import now
from judges import registry
from judges.connections.models import Connection
from judges.protocol import Needs, Verdict
from judges.runs.models import JudgeRun, RunBatch
from judges.runs.selectors.progress import get_progress
from judges.runs.services import control
from judges.runs.services.batches import begin_extending, carry_out
from judges.runs.services.spending import CAP_WITHOUT_PRICES
from tests.annotation.items.conftest import import_into, jsonl
from tests.judges.runs.asking import PRICE, Scripted, make_connection
from tests.judges.runs.conftest import StubbornJudge, accept_all, add_answer
from tests.judges.runs.services.conftest import work

State = JudgeRun.State
USD = 1_000_000_000_000
# What one call of the scripted model costs.
CALL = 110 * PRICE
pytestmark = pytest.mark.usefixtures("model")


@pytest.fixture
def run(connection: Connection) -> JudgeRun:
    return work(ask(connection, follows=True, spend_cap=USD))


@pytest.fixture
def patient(stubborn: type[StubbornJudge]) -> str:
    stubborn.behave = staticmethod(accept_all)
    return "stubborn"


def ask(connection: Connection, **fields: Any) -> JudgeRun:
    return control.start_run(
        project=connection.project,
        judge_key="llm",
        options=fields.pop("options", {}),
        connection_id=connection.public_id,
        **fields,
    )


def arrive(study: Project, *texts: str) -> None:
    question = Question.objects.get(project=study, text="when was it")
    for text in texts:
        add_answer(question, text)
    control.extend_runs(project_id=study.pk)


class TestNewAnswers:
    def test_are_judged_as_they_arrive(self, study: Project, run: JudgeRun, model: Scripted) -> None:
        arrive(study, "1967", "1968")
        run.refresh_from_db()
        assert run.state == State.QUEUED
        assert (work(run).state, run.verdicts.count(), len(model.asked)) == (State.FINISHED, 7, 7)

    def test_are_left_where_nobody_wants_them_judged(self, study: Project, connection: Connection) -> None:
        run = work(ask(connection))
        arrive(study, "1967")
        assert (work(run).state, run.verdicts.count()) == (State.FINISHED, 5)

    def test_are_judged_by_models_of_this_machine_too(self, study: Project, patient: str) -> None:
        run = work(control.start_run(project=study, judge_key=patient, options={}, follows=True))
        arrive(study, "1967")
        assert work(run).verdicts.count() == 6

    def test_are_judged_against_the_amended_list_while_it_is_the_same(
        self, study: Project, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run = work(
            control.start_run(
                project=study, judge_key="exact_match", options={"gold": "amended"}, follows=True
            )
        )
        arrive(study, "1967")
        assert work(run).verdicts.count() == 6
        monkeypatch.setattr("judges.runs.selectors.work.gold_version", lambda *_, **__: "amended-other")
        arrive(study, "1968")
        assert (work(run).state, run.verdicts.count()) == (State.FINISHED, 6)
        control.change_run(run=run, changes={"follows": False})
        with pytest.raises(control.NotRepeatable):
            control.change_run(run=run, changes={"follows": True})

    def test_are_planned_once_by_two_imports_at_once(self, study: Project, run: JudgeRun) -> None:
        add_answer(Question.objects.get(text="when was it"), "1967")
        first = begin_extending(run, goes_on=False)
        control.extend_runs(project_id=study.pk)
        carry_out(run, token=first, at=now(), forgets=True)
        control.extend_runs(project_id=study.pk)
        planned = RunBatch.objects.filter(run=run).exclude(state=RunBatch.State.DONE)
        assert planned.count() == 1

    def test_stop_at_the_limit_and_wait_for_a_new_one(
        self, study: Project, run: JudgeRun, model: Scripted
    ) -> None:
        control.change_run(run=run, changes={"spend_cap": 5 * CALL})
        arrive(study, "1967")
        assert work(run).state == State.PAUSED
        assert "spending limit" in run.message
        assert (run.spent, len(model.asked)) == (5 * CALL, 5)
        arrive(study, "1968")
        assert (work(run).state, len(model.asked)) == (State.PAUSED, 5)
        with pytest.raises(control.FollowingNeedsCap):
            control.resume_run(run=run, changes={"spend_cap": None})
        resumed = work(control.resume_run(run=run, changes={"spend_cap": USD}))
        assert (resumed.state, resumed.verdicts.count()) == (State.FINISHED, 7)

    def test_stay_finished_over_an_archived_connection(self, study: Project, run: JudgeRun) -> None:
        assert run.connection is not None
        run.connection.archived_at = now()
        run.connection.save()
        arrive(study, "1967")
        assert (work(run).state, run.batches.exclude(state="done").count()) == (State.FINISHED, 0)
        progress = get_progress(run=run, at=now())
        assert (progress.follows, progress.following_note) == (False, "archived")
        with pytest.raises(control.CannotFollow, match="archived"):
            control.change_run(run=run, changes={"follows": True})

    def test_bring_no_canceled_run_to_life(self, study: Project, run: JudgeRun) -> None:
        arrive(study, "1967")
        run = control.cancel_run(run=run)
        arrive(study, "1968")
        assert (work(run).state, run.batches.exclude(state="done").count()) == (State.CANCELLED, 0)
        assert get_progress(run=run, at=now()).follows is False
        again = work(ask(run.connection)) if run.connection else run
        assert (again.pk, again.verdicts.count()) == (run.pk, 7)
        assert get_progress(run=again, at=now()).follows is True


class TestChoice:
    def test_made_later_has_everything_judged(self, study: Project, connection: Connection) -> None:
        run = work(ask(connection, spend_cap=USD))
        arrive(study, "1967")
        changed = control.change_run(run=run, changes={"follows": True})
        assert (changed.state, changed.follows) == (State.QUEUED, True)
        assert work(run).verdicts.count() == 6

    def test_is_taken_back(self, study: Project, run: JudgeRun) -> None:
        control.change_run(run=run, changes={"follows": False})
        arrive(study, "1967")
        assert work(run).verdicts.count() == 5

    def test_stays_when_the_judge_is_started_again(self, run: JudgeRun, connection: Connection) -> None:
        assert ask(connection).follows is True

    def test_needs_a_limit_where_calls_cost_money(self, connection: Connection) -> None:
        with pytest.raises(control.FollowingNeedsCap) as refused:
            ask(connection, follows=True)
        assert set(refused.value.details["fields"]) == {"spend_cap"}
        assert JudgeRun.objects.count() == 0
        run = work(ask(connection))
        with pytest.raises(control.FollowingNeedsCap):
            control.change_run(run=run, changes={"follows": True})
        control.change_run(run=run, changes={"follows": True, "spend_cap": USD})
        with pytest.raises(control.FollowingNeedsCap):
            control.change_run(run=run, changes={"spend_cap": None})
        run.refresh_from_db()
        assert (run.follows, run.spend_cap) == (True, USD)

    def test_needs_none_where_calls_are_free(self, study: Project, connection: Connection) -> None:
        Connection.objects.update(input_price=0, output_price=0)
        run = work(ask(connection, follows=True))
        arrive(study, "1967")
        assert work(run).verdicts.count() == 6
        with pytest.raises(control.CapNeedsPrices, match=CAP_WITHOUT_PRICES[:20]):
            control.change_run(run=run, changes={"spend_cap": USD})

    def test_has_no_effect_once_calls_cost_money(self, study: Project, connection: Connection) -> None:
        Connection.objects.update(input_price=0, output_price=0)
        run = work(ask(connection, follows=True))
        Connection.objects.update(input_price=PRICE)
        arrive(study, "1967")
        assert work(run).verdicts.count() == 5
        progress = get_progress(run=run, at=now())
        assert (progress.follows, progress.following_note) == (False, "cap")

    def test_is_no_choice_for_what_costs_nothing(self, study: Project) -> None:
        run = work(control.start_run(project=study, judge_key="exact_match", options={}, follows=True))
        progress = get_progress(run=run, at=now())
        assert (progress.follows, progress.following_note) == (True, "always")
        with pytest.raises(control.CannotFollow):
            control.change_run(run=run, changes={"follows": False})

    def test_is_refused_to_a_sample(self, study: Project, connection: Connection) -> None:
        with pytest.raises(control.CannotFollow, match="sample"):
            ask(connection, follows=True, spend_cap=USD, sample_size=2)
        run = work(ask(connection, spend_cap=USD, sample_size=2))
        with pytest.raises(control.CannotFollow, match="sample"):
            control.change_run(run=run, changes={"follows": True})
        assert control.change_run(run=run, changes={"follows": False}).state == State.SAMPLED
        rest = work(control.continue_run(run=run))
        assert control.change_run(run=rest, changes={"follows": True}).follows is True

    def test_is_refused_to_whatever_hears_others(self, study: Project) -> None:
        members = [
            work(control.start_run(project=study, judge_key=key, options={}))
            for key in ("exact_match", "token_f1")
        ]
        options = {"members": ",".join(member.public_id for member in members)}
        with pytest.raises(control.CannotFollow, match="members judge them first"):
            control.start_run(project=study, judge_key="jury", options=options, follows=True)
        jury = work(control.start_run(project=study, judge_key="jury", options=options))
        assert get_progress(run=jury, at=now()).following_note == "members"

    def test_is_refused_to_whatever_is_told_of_decisions(
        self, study: Project, patient: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run = work(control.start_run(project=study, judge_key=patient, options={}))
        entry = registry.JUDGES[patient]._replace(needs=Needs.DECISIONS)
        monkeypatch.setitem(registry.JUDGES, patient, entry)
        with pytest.raises(control.CannotFollow, match="decisions"):
            control.change_run(run=run, changes={"follows": True})

    def test_is_refused_to_a_run_that_was_stopped(self, run: JudgeRun) -> None:
        control.change_run(run=run, changes={"follows": False})
        JudgeRun.objects.update(state=State.CANCELLED)
        with pytest.raises(control.CannotFollow, match="was stopped"):
            control.change_run(run=run, changes={"follows": True})


def test_gold_of_an_import_has_what_was_judged_before_judged_again(project: Project, model: Scripted) -> None:
    import_into(project, system="s", files={"a.jsonl": jsonl([{"question": "who", "prediction": "x"}])})
    exact = work(project.judge_runs.get(judge_key="exact_match"))
    run = work(ask(make_connection(project), follows=True, spend_cap=USD))
    assert (exact.verdicts.count(), run.verdicts.count(), len(model.asked)) == (1, 1, 0)
    import_into(project, files={"gold.jsonl": jsonl([{"question": "who", "answer": ["x"]}])})
    assert [work(each).verdicts.get().accepted for each in (exact, run)] == [True, True]
    assert not get_progress(run=run, at=now()).stale


def test_a_batch_in_hand_hears_of_new_gold(study: Project, patient: str) -> None:
    from judges.runs.services.batches import claim_batch, close_batch

    run = control.start_run(project=study, judge_key=patient, options={}, follows=True)
    claim = claim_batch(run_id=run.pk, at=now())
    assert claim is not None
    control.extend_runs(project_id=study.pk)
    said = {pk: Verdict(accepted=False) for pk in claim.candidate_ids}
    assert close_batch(claim=claim, verdicts=said, at=now()) is False
    assert work(run).verdicts.filter(accepted=True).count() == 5

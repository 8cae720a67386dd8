"""Runs that ask a model: each call reserved, made once, settled; never past a cap."""

from collections.abc import Iterator
from dataclasses import astuple
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from annotation.items.models import Question
from annotation.projects.models import Project
from common.clock import now
from judges.connections.models import Connection
from judges.methods.llm.client import Completion, CompletionRequest
from judges.protocol import JudgeFailed
from judges.runs import rules
from judges.runs.models import Call, JudgeRun, RunBatch, Verdict
from judges.runs.selectors.progress import Failure, get_progress
from judges.runs.services import control, planning, spending, worker
from judges.runs.services.batches import claim_batch
from judges.runs.services.control import (
    cancel_run,
    continue_run,
    extend_runs,
    pause_run,
    resume_run,
    retry_failed,
    start_run,
)
from judges.runs.services.planning import estimate_run
from judges.runs.services.worker import sweep_runs, wake_runs, work_on_run
from tests.hostile import Provider
from tests.judges.runs.asking import PRICE, Scripted, make_connection, reply
from tests.judges.runs.conftest import add_answer
from tests.judges.runs.services.conftest import work

State = JudgeRun.State


def start(connection: Connection, **fields: Any) -> JudgeRun:
    options = fields.pop("options", {})
    return start_run(
        project=connection.project,
        judge_key="llm",
        options=options,
        connection_id=connection.public_id,
        **fields,
    )


class TestCalls:
    def test_are_made_once_an_answer_and_charged(self, connection: Connection, model: Scripted) -> None:
        run = work(start(connection))
        assert (run.state, run.verdicts.filter(accepted=True).count()) == (State.FINISHED, 5)
        assert len(model.asked) == 5
        connection.refresh_from_db()
        assert (run.spent, run.reserved) == (connection.spent, connection.reserved) == (5 * 110 * PRICE, 0)
        totals = get_progress(run=run, at=now()).calls
        assert (totals.calls, totals.cache_hits, totals.paid_input_tokens) == (5, 0, 500)

    def test_tell_which_models_the_provider_served(self, connection: Connection, model: Scripted) -> None:
        served = iter([("one", "fp_a"), ("one", "fp_a"), ("one", "fp_b"), ("two", ""), ("", "")])

        def answer(_: CompletionRequest) -> Completion:
            name, fingerprint = next(served)
            return reply("correct", model=name, fingerprint=fingerprint)

        model.answer = answer
        run = work(start(connection))
        told = get_progress(run=run, at=now()).served
        assert [astuple(each)[:4] for each in told] == [
            ("one", "fp_a", 2, 2),
            ("one", "fp_b", 1, 1),
            ("two", "", 1, 1),
        ]
        assert [each.first_at for each in told] == sorted(each.first_at for each in told)
        assert told[0].first_at < told[0].last_at < told[1].first_at

    def test_tell_of_no_model_behind_no_verdict(self, connection: Connection, model: Scripted) -> None:
        model.answer = lambda _: reply("perhaps", model="old")
        run = work(start(connection, options={"repeats": 2}))
        assert [astuple(each)[:4] for each in get_progress(run=run, at=now()).served] == [("old", "", 10, 5)]
        model.answer = lambda _: reply("correct", model="new")
        run = work(retry_failed(run=run))
        assert [astuple(each)[:4] for each in get_progress(run=run, at=now()).served] == [("new", "", 10, 5)]

    def test_that_failed_tell_of_no_model(self, connection: Connection, model: Scripted) -> None:
        run = work(start(connection))
        assert get_progress(run=run, at=now()).served == []

    def test_are_not_paid_again_for_equal_requests(self, connection: Connection, model: Scripted) -> None:
        first = work(start(connection))
        again = work(start(connection, options={"gold": "amended"}))
        assert again.pk != first.pk
        assert (again.state, again.spent, again.calls.filter(is_cache_hit=True).count()) == ("finished", 0, 5)
        assert len(model.asked) == 5

    def test_are_asked_as_often_as_repeats_say(self, connection: Connection, model: Scripted) -> None:
        run = work(start(connection, options={"repeats": 3}))
        assert len(model.asked) == 15
        assert sorted(set(run.calls.values_list("repeat", flat=True))) == [0, 1, 2]

    def test_that_were_paid_for_serve_after_a_crash(
        self, connection: Connection, model: Scripted, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run = start(connection, options={"repeats": 2})
        replies: Iterator[bool] = iter([True] + [False] * 100)

        def crash_once(request: CompletionRequest) -> Completion:
            if request.repeat == 1 and next(replies):
                raise JudgeFailed("broke off", retryable=True, may_be_billed=True)
            return reply("correct")

        model.answer = crash_once
        monkeypatch.setattr("judges.runs.services.worker.random.random", lambda: 0.0)
        assert work(run).state == State.FINISHED
        # Five answers twice, and the one call that broke off.
        assert len(model.asked) == 11

    def test_without_a_count_of_tokens_are_charged_in_full(
        self, connection: Connection, model: Scripted
    ) -> None:
        model.answer = lambda request: reply("correct", input_tokens=0, output_tokens=0)
        run = work(start(connection, sample_size=1))
        call = run.calls.get()
        assert call.cost == call.reserved == run.spent > 0

    def test_whose_reply_was_not_counted_are_charged_for_the_longest(
        self, connection: Connection, model: Scripted
    ) -> None:
        model.answer = lambda request: reply("correct", output_tokens=0)
        run = work(start(connection, sample_size=1))
        assert run.spent == (100 + model.asked[0].max_tokens) * PRICE


class TestFailures:
    @pytest.mark.parametrize("may_be_billed", [True, False])
    def test_cost_what_the_provider_may_charge(
        self, connection: Connection, model: Scripted, may_be_billed: bool
    ) -> None:
        def fail(request: CompletionRequest) -> Completion:
            raise JudgeFailed("no", retryable=False, may_be_billed=may_be_billed)

        model.answer = fail
        run = work(start(connection))
        assert (run.state, run.reserved, bool(run.spent)) == (State.FAILED, 0, may_be_billed)
        states = set(run.calls.values_list("state", flat=True))
        assert states == {"settled" if may_be_billed else "released"}
        assert get_progress(run=run, at=now()).failures == (Failure("no", 5),)

    def test_of_every_call_let_the_provider_rest_and_no_answer_fail(
        self, connection: Connection, model: Scripted, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def break_down(request: CompletionRequest) -> Completion:
            raise JudgeFailed("The provider responded with status 500.", retryable=True)

        monkeypatch.setattr(worker, "OUTAGE_CALLS", 3)
        monkeypatch.setattr(rules, "MAX_ATTEMPTS", 1)
        model.answer = break_down
        run = work(start(connection))
        connection.refresh_from_db()
        assert (run.state, len(model.asked)) == (State.RUNNING, 3)
        assert connection.rests_until is not None
        # The first two were tried as often as one may be here, before anybody could know.
        assert run.batches.filter(state=RunBatch.State.FAILED).count() == 2

    def test_of_every_call_for_long_pause_the_run_and_say_why(
        self, connection: Connection, model: Scripted, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def break_down(request: CompletionRequest) -> Completion:
            raise JudgeFailed("The provider responded with status 500.", retryable=True)

        monkeypatch.setattr(worker, "OUTAGE_CALLS", 1)
        monkeypatch.setattr(worker, "MAX_REFUSALS", 1)
        model.answer = break_down
        run = work(start(connection))
        assert run.state == State.PAUSED
        assert run.message == f"{worker.OUTAGE} The provider responded with status 500."

    def test_that_need_a_person_pause_the_run(self, connection: Connection, model: Scripted) -> None:
        def refuse(request: CompletionRequest) -> Completion:
            raise JudgeFailed(
                "The provider responded with status 401: bad key", retryable=False, pauses_run=True
            )

        model.answer = refuse
        run = work(start(connection))
        assert (run.state, run.message) == (State.PAUSED, "The provider responded with status 401: bad key")
        assert (len(model.asked), run.batches.filter(state=RunBatch.State.OPEN).count()) == (1, 5)
        model.answer = lambda request: reply("correct")
        assert work(resume_run(run=run)).state == State.FINISHED

    def test_of_the_client_pause_the_run(
        self, connection: Connection, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def refuse(connection: Connection) -> None:
            raise JudgeFailed("may not be called", retryable=False, pauses_run=True)

        monkeypatch.setattr("judges.connections.services.client.open_client", refuse)
        run = work(start(connection))
        assert (run.state, run.message) == (State.PAUSED, "may not be called")

    def test_unreadable_replies_are_asked_anew(self, connection: Connection, model: Scripted) -> None:
        model.answer = lambda request: reply("perhaps")
        run = work(start(connection))
        (failure,) = get_progress(run=run, at=now()).failures
        assert failure.count == 5
        model.answer = lambda request: reply("incorrect")
        run = work(retry_failed(run=run, reason=failure.reason))
        assert (run.state, run.verdicts.filter(accepted=False).count()) == (State.FINISHED, 5)
        assert (len(model.asked), run.spent) == (10, 10 * 110 * PRICE)


class TestRepliesThatNoDatabaseKeeps:
    @pytest.mark.parametrize("script", ["unstorable", "unsayable", "unspeakable"])
    def test_leave_the_run_at_its_end_and_nothing_in_flight(
        self, study: Project, settings: Settings, tmp_path: Path, script: str
    ) -> None:
        settings.ASSAY_LLM_ALLOWED_HOSTS = ["127.0.0.1"]
        with Provider(script, journal=tmp_path / "asked.jsonl") as provider:
            connection = make_connection(study)
            Connection.objects.filter(pk=connection.pk).update(base_url=provider.base_url)
            run = work(start(connection))
            assert len(provider.entries()) == 5
        assert run.state == (State.FAILED if script == "unspeakable" else State.FINISHED)
        assert (run.reserved, run.calls.filter(state=Call.State.RESERVED).count()) == (0, 0)
        assert not any("broke" in failure.reason for failure in get_progress(run=run, at=now()).failures)


class TestRateLimits:
    def test_of_the_provider_let_everybody_rest(self, connection: Connection, model: Scripted) -> None:
        def busy(request: CompletionRequest) -> Completion:
            raise JudgeFailed("429", retryable=True, retry_after_seconds=30)

        model.answer = busy
        run = work(start(connection))
        connection.refresh_from_db()
        assert connection.rests_until is not None
        assert connection.rests_until > now() + timedelta(seconds=20)
        assert len(model.asked) == 1
        batch = run.batches.get(attempt=1)
        assert (batch.state, batch.waits, batch.refusals) == ("open", 1, 1)
        assert wake_runs(at=now()) == 0
        assert wake_runs(at=connection.rests_until) == 1

    def test_that_are_over_let_no_answer_wait_for_long(
        self, connection: Connection, model: Scripted, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def busy(request: CompletionRequest) -> Completion:
            raise JudgeFailed("429", retryable=True, retry_after_seconds=30)

        monkeypatch.setattr("judges.runs.services.worker.random.random", lambda: 1.0)
        model.answer = busy
        run = start(connection, sample_size=1)
        RunBatch.objects.filter(run=run).update(refusals=rules.MAX_REFUSALS - 2)
        work(run)
        connection.refresh_from_db()
        assert connection.rests_until is not None
        not_before = run.batches.get().not_before
        assert not_before is not None
        assert not_before < connection.rests_until + timedelta(seconds=60)
        assert not_before <= now() + timedelta(seconds=rules.LONGEST_PAUSE_SECONDS)

    def test_that_never_end_pause_the_run(self, connection: Connection, model: Scripted) -> None:
        def busy(request: CompletionRequest) -> Completion:
            raise JudgeFailed("429", retryable=True, retry_after_seconds=0)

        model.answer = busy
        run = start(connection, sample_size=1)
        RunBatch.objects.filter(run=run).update(refusals=rules.MAX_REFUSALS - 1)
        work(run)
        assert run.state == State.PAUSED
        assert "rate limit" in run.message

    def test_of_the_connection_are_kept(self, connection: Connection, model: Scripted) -> None:
        Connection.objects.filter(pk=connection.pk).update(requests_per_minute=1)
        run = work(start(connection))
        assert (len(model.asked), run.state) == (1, State.RUNNING)
        assert run.batches.filter(state=RunBatch.State.OPEN, attempt=0).count() == 4


class TestCaps:
    def test_pause_the_run_before_they_are_passed(self, connection: Connection, model: Scripted) -> None:
        bound = 10_000 * PRICE
        model.answer = lambda request: reply("correct", input_tokens=9_900, output_tokens=100)
        run = work(start(connection, spend_cap=2 * bound + PRICE))
        assert (run.state, len(model.asked), run.spent) == (State.PAUSED, 2, 2 * bound)
        assert run.reserved == 0

    def test_of_a_run_are_named_in_the_pause(self, connection: Connection, model: Scripted) -> None:
        run = work(start(connection, spend_cap=1))
        assert run.state == State.PAUSED
        assert run.message.startswith("The run’s spending limit of 0.000000000001 USD has been reached")
        assert (len(model.asked), run.spent, run.reserved) == (0, 0, 0)
        run = resume_run(run=run, changes={"spend_cap": 10**12})
        assert work(run).state == State.FINISHED

    def test_can_be_taken_away(self, connection: Connection, model: Scripted) -> None:
        run = work(start(connection, spend_cap=1))
        assert work(resume_run(run=run)).state == State.PAUSED
        run = work(resume_run(run=run, changes={"spend_cap": None}))
        assert (run.state, run.spend_cap) == (State.FINISHED, None)

    def test_of_a_connection_hold_for_all_its_runs(self, connection: Connection, model: Scripted) -> None:
        Connection.objects.filter(pk=connection.pk).update(spend_cap=1)
        run = work(start(connection))
        assert (run.state, len(model.asked)) == (State.PAUSED, 0)
        assert run.message.startswith("The connection’s spending limit")

    def test_wait_for_calls_in_flight(self, connection: Connection, model: Scripted) -> None:
        run = start(connection, spend_cap=10**10)
        JudgeRun.objects.filter(pk=run.pk).update(reserved=10**10 - 1)
        work(run)
        assert (run.state, len(model.asked)) == (State.RUNNING, 0)
        assert run.batches.filter(waits=1, state="open").count() == 1

    def test_cannot_be_set_below_what_is_spent(self, connection: Connection, model: Scripted) -> None:
        run = work(start(connection))
        with pytest.raises(control.CapTooLow):
            start(connection, spend_cap=run.spent - 1)
        assert start(connection, spend_cap=run.spent).spend_cap == run.spent

    @pytest.mark.parametrize("price", ["input_price", "output_price"])
    def test_need_prices(self, connection: Connection, price: str) -> None:
        Connection.objects.filter(pk=connection.pk).update(**{price: 0})
        with pytest.raises(control.CapNeedsPrices):
            start(connection, spend_cap=PRICE)
        assert not JudgeRun.objects.exists()
        assert start(connection).spend_cap is None

    def test_of_a_connection_need_its_prices(self, connection: Connection) -> None:
        Connection.objects.filter(pk=connection.pk).update(output_price=0, spend_cap=PRICE)
        with pytest.raises(control.CapNeedsPrices):
            start(connection)

    def test_pause_a_run_whose_prices_are_taken_away(self, connection: Connection, model: Scripted) -> None:
        run = start(connection, spend_cap=10**12)
        Connection.objects.filter(pk=connection.pk).update(output_price=0)
        assert (work(run).state, run.message, model.asked) == (State.PAUSED, spending.CAP_WITHOUT_PRICES, [])

    def test_hold_by_the_prices_of_the_moment(self, connection: Connection, model: Scripted) -> None:
        run = start(connection)
        dearer = Connection.objects.filter(pk=connection.pk)

        def raise_the_price(request: CompletionRequest) -> Completion:
            dearer.update(input_price=1000 * PRICE, output_price=1000 * PRICE)
            return reply("correct")

        model.answer = raise_the_price
        work(run)
        first, second = run.calls.order_by("pk").values_list("reserved", flat=True)[:2]
        assert second > 500 * first


class TestLostCalls:
    def test_are_charged_at_their_bound_when_the_lease_has_ended(
        self, connection: Connection, model: Scripted, settings: Settings
    ) -> None:
        run = start(connection)
        claim = claim_batch(run_id=run.pk, at=now())
        assert claim is not None
        call = spending.claim_call(
            ticket=spending.Ticket(run.pk, connection.pk, claim.candidate_ids[0], claim.owner),
            request=spending.Request(cache_key="k", repeat=0, most_input_tokens=5, most_output_tokens=2),
            at=now(),
        )
        assert spending.charge_lost_calls(at=now()) == 0
        later = now() + timedelta(seconds=settings.ASSAY_RUN_LEASE_SECONDS + 1)
        assert spending.charge_lost_calls(at=later) == 1
        assert (
            spending.charge_call(call=call, completion=reply("correct"), most_output_tokens=2, at=later)
            is False
        )
        run.refresh_from_db()
        assert (run.spent, run.reserved) == (7 * PRICE, 0)
        assert Call.objects.get().error.startswith("The worker stopped")


class TestCallsInFlightOfAStoppedRun:
    @pytest.fixture
    def run(self, connection: Connection) -> JudgeRun:
        return start(connection, sample_size=1)

    @pytest.fixture
    def call(self, run: JudgeRun, connection: Connection, model: Scripted) -> Call:
        """The one that its worker would have made, reserved and not answered yet."""
        with pytest.raises(KeyboardInterrupt):
            self._break_off(run, model)
        call = run.calls.get()
        Call.objects.filter(pk=call.pk).update(state="reserved", settled_at=None, cost=0, error="")
        Call.objects.filter(pk=call.pk).update(is_counted=True)
        for purse in (JudgeRun.objects.filter(pk=run.pk), Connection.objects.filter(pk=connection.pk)):
            purse.update(spent=0, reserved=call.reserved)
        call.refresh_from_db()
        model.answer = lambda request: reply("correct")
        model.asked.clear()
        return call

    def _break_off(self, run: JudgeRun, model: Scripted) -> None:
        def break_off(request: CompletionRequest) -> Completion:
            raise KeyboardInterrupt

        model.answer = break_off
        work_on_run(run_id=run.pk, batches=1)

    def test_are_settled_when_their_replies_come(self, run: JudgeRun, call: Call) -> None:
        cancel_run(run=run)
        sweep_runs(at=now())
        assert spending.charge_call(call=call, completion=reply("correct"), most_output_tokens=9, at=now())
        run.refresh_from_db()
        assert (run.state, run.spent, run.reserved) == (State.CANCELLED, 110 * PRICE, 0)

    def test_are_waited_for_by_a_new_start(
        self, run: JudgeRun, call: Call, connection: Connection, model: Scripted
    ) -> None:
        cancel_run(run=run)
        work(start(connection, sample_size=1))
        RunBatch.objects.update(not_before=None)
        work(run)
        assert (run.state, run.calls.count(), model.asked) == (State.RUNNING, 1, [])
        spending.charge_call(call=call, completion=reply("correct"), most_output_tokens=9, at=now())
        RunBatch.objects.update(not_before=None)
        assert work(run).state == State.SAMPLED
        assert (run.spent, model.asked) == (110 * PRICE, [])

    def test_are_lost_when_none_can_come_any_more(
        self, run: JudgeRun, call: Call, connection: Connection, settings: Settings
    ) -> None:
        cancel_run(run=run)
        wait = timedelta(seconds=connection.timeout_seconds + settings.ASSAY_RUN_LEASE_SECONDS)
        assert spending.charge_lost_calls(at=call.created_at + wait - timedelta(seconds=1)) == 0
        assert spending.charge_lost_calls(at=call.created_at + wait) == 1
        run.refresh_from_db()
        assert (run.spent, run.reserved) == (call.reserved, 0)


class TestSamples:
    def test_end_with_what_the_rest_will_take(self, connection: Connection, model: Scripted) -> None:
        run = work(start(connection, sample_size=2, sample_seed=1))
        assert (run.state, run.verdicts.count()) == (State.SAMPLED, 2)
        rest = get_progress(run=run, at=now()).rest
        assert rest is not None
        assert (rest.answers, rest.cost, rest.input_tokens) == (3, 3 * 110 * PRICE, 300)
        run = work(continue_run(run=run))
        assert (run.state, run.verdicts.count(), len(model.asked)) == (State.FINISHED, 5, 5)
        with pytest.raises(control.NothingLeft):
            continue_run(run=run)

    def test_foresee_time_from_what_was_judged_since_the_run_went_on(
        self, connection: Connection, model: Scripted
    ) -> None:
        run = work(start(connection, sample_size=2, sample_seed=1))
        assert run.finished_at is not None
        went_on = run.finished_at - timedelta(seconds=10)
        JudgeRun.objects.filter(pk=run.pk).update(started_at=went_on)
        before, after = run.verdicts.order_by("pk")
        Verdict.objects.filter(pk=before.pk).update(judged_at=went_on - timedelta(hours=1))
        Verdict.objects.filter(pk=after.pk).update(judged_at=run.finished_at)
        run.refresh_from_db()
        rest = get_progress(run=run, at=now()).rest
        assert rest is not None
        assert (rest.answers, rest.seconds) == (3, 30)

    def test_foresee_what_is_charged_without_a_count_of_tokens(
        self, connection: Connection, model: Scripted
    ) -> None:
        model.answer = lambda request: reply("correct", input_tokens=0, output_tokens=0)
        run = work(start(connection, sample_size=2))
        rest = get_progress(run=run, at=now()).rest
        assert rest is not None
        assert rest.cost == pytest.approx(run.spent * 3 / 2, abs=1)
        assert rest.cost > 0

    def test_that_were_paused_at_their_end_foresee_the_cost(
        self, connection: Connection, model: Scripted
    ) -> None:
        run = start(connection, sample_size=2)
        asked = iter(range(2))

        def pause_at_last(request: CompletionRequest) -> Completion:
            if next(asked) == 1:
                pause_run(run=run)
            return reply("correct")

        model.answer = pause_at_last
        assert work(run).state == State.PAUSED
        run = resume_run(run=run)
        rest = get_progress(run=run, at=now()).rest
        assert (run.state, rest and rest.cost, rest and rest.seconds) == (
            State.SAMPLED,
            3 * 110 * PRICE,
            None,
        )

    def test_repeated_do_not_grow(self, connection: Connection, model: Scripted) -> None:
        work(start(connection, sample_size=2))
        run = work(start(connection, sample_size=2))
        assert run.verdicts.count() == 2
        assert work(start(connection, sample_size=3)).verdicts.count() == 3
        assert work(start(connection)).verdicts.count() == 5

    def test_that_cover_everything_are_finished(self, connection: Connection, model: Scripted) -> None:
        assert work(start(connection, sample_size=5)).state == State.FINISHED


class TestEstimates:
    def test_measure_prompts_and_ask_nobody(self, connection: Connection, model: Scripted) -> None:
        estimate = estimate_run(
            project=connection.project,
            judge_key="llm",
            options={"repeats": 2},
            connection_id=connection.public_id,
        )
        assert (estimate.answers, estimate.calls, model.asked) == (5, 10, [])
        assert 0 < estimate.cost < estimate.most_cost
        assert not JudgeRun.objects.exists()

    def test_bound_what_is_spent(self, connection: Connection, model: Scripted) -> None:
        fields = {"judge_key": "llm", "options": {}, "connection_id": connection.public_id}
        most = estimate_run(project=connection.project, **fields).most_cost
        model.answer = lambda request: reply("correct", input_tokens=0)
        assert work(start(connection)).spent == most

    def test_of_judges_without_a_model_cost_nothing(self, study: Project) -> None:
        estimate = estimate_run(project=study, judge_key="exact_match", options={})
        assert (estimate.answers, estimate.most_cost, estimate.seconds) == (5, 0, None)


class TestSignatures:
    def test_name_model_host_and_prompt(self, connection: Connection) -> None:
        run = start(connection)
        for part in ("|model:tiny|", "|host:127.0.0.1:9|", "|endpoint:chat|", "|parameters:{}|"):
            assert part in run.signature
        assert "|prompt_hash:" in run.signature

    def test_need_a_connection_of_the_project(self, connection: Connection) -> None:
        for public_id in ("", "nowhere"):
            with pytest.raises(planning.ConnectionNeeded):
                start_run(project=connection.project, judge_key="llm", options={}, connection_id=public_id)

    def test_take_no_connection_where_no_model_is_asked(self, connection: Connection) -> None:
        with pytest.raises(planning.ConnectionNeeded):
            start_run(
                project=connection.project,
                judge_key="exact_match",
                options={},
                connection_id=connection.public_id,
            )


class TestPause:
    def test_lets_nobody_begin_anything(self, connection: Connection, model: Scripted) -> None:
        run = pause_run(run=start(connection))
        assert (work(run).state, model.asked) == (State.PAUSED, [])
        with pytest.raises(control.RunIsOver):
            pause_run(run=run)

    def test_ends_with_a_new_start_and_all_waiting_with_it(
        self, connection: Connection, model: Scripted
    ) -> None:
        run = start(connection)
        later = now() + timedelta(hours=1)
        run.batches.update(refusals=rules.MAX_REFUSALS, not_before=later)
        pause_run(run=run)
        assert work(start(connection)).state == State.FINISHED

    def test_can_be_cancelled(self, connection: Connection) -> None:
        run = cancel_run(run=pause_run(run=start(connection)))
        assert (run.state, run.batches.count()) == (State.CANCELLED, 0)

    def test_is_kept_by_what_extends_the_run(self, study: Project) -> None:
        run = pause_run(run=start_run(project=study, judge_key="exact_match", options={}))
        add_answer(Question.objects.get(text="when was it"), "1967")
        extend_runs(project_id=study.pk)
        run.refresh_from_db()
        assert run.state == State.PAUSED
        assert work(resume_run(run=run)).verdicts.count() == 6

"""Say what a run would cost before it is started."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from annotation.accounts.models import User
from annotation.projects.models import Project
from judges import registry
from judges.connections.models import Connection
from judges.connections.rules.money import cost_of
from judges.methods.llm.client import Completion, CompletionRequest
from judges.prompts.services import Prepared
from judges.runs.models import JudgeRun
from judges.runs.rules import (
    UNLIMITED,
    Scope,
    draw_sample,
    expected_seconds,
    likely_tokens,
    most_input_tokens,
)
from judges.runs.selectors import judge_inputs, unplanned_candidates, usual_reply
from judges.runs.services.planning import Plan, make_plan, settle_scope, take_scope

# Prompts of so many answers, drawn at random, stand for all.
MEASURED = 40


class Estimate(NamedTuple):
    """What a run is expected to take. Costs in pico-USD; `most_cost` is a bound, `cost` a guess."""

    answers: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost: int
    most_cost: int
    seconds: float | None


class _Measure:
    """A client that asks nobody and weighs what it was to ask."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.calls = self.tokens = self.most_cost = self.longest_reply = 0

    def complete(self, request: CompletionRequest) -> Completion:
        texts = [message.content for message in request.messages]
        self.calls += 1
        self.tokens += likely_tokens(texts)
        self.longest_reply = max(self.longest_reply, request.max_tokens)
        self.most_cost += cost_of(
            input_tokens=most_input_tokens(texts=texts, schema=request.response_schema),
            output_tokens=request.max_tokens,
            input_price=self.connection.input_price,
            output_price=self.connection.output_price,
        )
        return Completion(text="", finish_reason="stop")


def estimate_run(
    *,
    project: Project,
    judge_key: str,
    options: Mapping[str, Any],
    connection_id: str = "",
    sample_size: int | None = None,
    scope: Scope = UNLIMITED,
    by: User | None = None,
) -> Estimate:
    """Return what a run started so would take; raises what `make_plan` raises.

    Prompts are measured, replies are taken to be as long as the connection's were so far. What is free
    because an equal request was paid for already is not taken off.
    """
    plan = make_plan(
        project=project, judge_key=judge_key, options=options, connection_id=connection_id, by=by
    )
    run = _run_of(project, plan)
    take_scope(run, settle_scope(project=project, entry=plan.entry, scope=scope))
    ids = unplanned_candidates(run)
    answers = len(ids) if sample_size is None else min(sample_size, len(ids))
    if plan.connection is None or plan.prepared is None or not answers:
        return Estimate(answers, 0, 0, 0, 0, 0, None)
    measured = draw_sample(ids, size=MEASURED, seed=0)
    measure = _measure(run, plan.prepared, plan.connection, measured)
    return _estimate(plan.connection, measure, answers=answers, measured=len(measured))


def _run_of(project: Project, plan: Plan) -> JudgeRun:
    known = project.judge_runs.filter(signature_hash=registry.hash_signature(plan.signature)).first()
    return known or JudgeRun(
        project=project,
        judge_key=plan.entry.key,
        options=plan.options,
        gold_version=plan.gold_version,
        connection=plan.connection,
    )


def _measure(run: JudgeRun, prepared: Prepared, connection: Connection, candidate_ids: list[int]) -> _Measure:
    measure = _Measure(connection)
    judge = registry.make_judge(
        registry.get_entry(run.judge_key),
        prepared.options,
        client=measure,
        template=prepared.template,
        examples=prepared.examples,
        endpoint=connection.endpoint,
    )
    for item in judge_inputs(run, candidate_ids).values():
        judge.judge([item])
    return measure


def _estimate(connection: Connection, measure: _Measure, *, answers: int, measured: int) -> Estimate:
    share = answers / measured
    usual = usual_reply(connection)
    calls = round(measure.calls * share)
    input_tokens = round(measure.tokens * share)
    output_tokens = round(calls * min(usual.output_tokens, measure.longest_reply))
    return Estimate(
        answers=answers,
        calls=calls,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        cost=input_tokens * connection.input_price + output_tokens * connection.output_price,
        most_cost=round(measure.most_cost * share),
        seconds=expected_seconds(
            calls=calls,
            seconds_a_call=usual.seconds,
            at_once=connection.parallel_calls,
            calls_a_minute=connection.requests_per_minute,
        ),
    )

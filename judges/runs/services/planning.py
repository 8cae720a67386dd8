"""Which answers a run takes, by which juries, and at what cost."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from annotation.accounts.models import User
from annotation.gold.selectors.ledger import ORIGINAL_VERSION, gold_version
from annotation.projects.models import Project
from common.errors import Conflict, Invalid
from common.identifiers import hash_signature
from common.web.starting import installation_of
from judges import registry
from judges.connections.models import Connection
from judges.connections.rules.calls import cost_of
from judges.connections.selectors import describe_connection
from judges.methods.learned.memory import DecidedAnswer, hash_decided
from judges.methods.llm.client import Completion, CompletionRequest
from judges.prompts.services import Prepared, prepare_llm
from judges.protocol import OptionDescription, UnusableOption
from judges.runs.models import JudgeRun
from judges.runs.rules import (
    UNLIMITED,
    Scope,
    draw_sample,
    expected_seconds,
    likely_tokens,
    most_input_tokens,
)
from judges.runs.selectors.progress import usual_reply
from judges.runs.selectors.work import (
    JURY,
    find_members,
    find_readers_of_people,
    has_sample,
    judge_inputs,
    jury_options,
    named_beside,
    named_members,
    read_corpus,
    read_decided,
    unplanned_candidates,
)

AMENDED = "amended"
SMALLEST_JURY = 2
HASH_LENGTH = 16


class UnusableMembers(Invalid):
    """A jury's members are too few, named twice, or no runs of the project."""


class UnusableBeside(Invalid):
    """The run that a learned judge is to hear is none of the project, or was told what people decided."""


class MemberUnfinished(Conflict):
    """A run that is to be heard has not judged everything yet."""


class JuryPlan(NamedTuple):
    """What a run is once it is known who sits on the jury."""

    options: dict[str, Any]
    gold_version: str
    stated: registry.Stated


def describe_jury(*, project: Project, options: Mapping[str, Any]) -> JuryPlan:
    """Return what a jury with these options is; raises `UnusableMembers`, `MemberUnfinished`.

    The signature names the members by the beginnings of their own signatures' hashes. A jury reads no gold
    list: where all its members went by one amended list that is its own, else it is the original one.
    """
    members = _find_members(project, named_members(options))
    versions = {member.gold_version for member in members}
    is_amended = len(versions) == 1 and all(version.startswith(AMENDED) for version in versions)
    version = versions.pop() if is_amended else ORIGINAL_VERSION
    return JuryPlan(
        options={**options, "gold": AMENDED if is_amended else ORIGINAL_VERSION},
        gold_version=version,
        stated=registry.state_judge(
            JURY,
            jury_options(options),
            members=",".join(member.signature_hash[:HASH_LENGTH] for member in members),
            gold=version,
        ),
    )


def _find_members(project: Project, named: list[str]) -> list[JudgeRun]:
    if len(named) < SMALLEST_JURY or len(set(named)) < len(named):
        raise _unusable(f"Name at least {SMALLEST_JURY} different runs, separated by commas.")
    found = find_members(project=project, public_ids=named)
    missing = [member for member in named if member not in found]
    if missing:
        raise _unusable(f"This project has no run {', '.join(f'“{member}”' for member in missing)}.")
    members = [found[member] for member in named]
    for member in members:
        _require_finished(member, "members", "A jury can use only finished runs.")
    return members


def _unusable(message: str) -> UnusableMembers:
    return UnusableMembers(message, details={"fields": {"members": [message]}})


def _require_finished(run: JudgeRun, option: str, message: str) -> None:
    if run.state != JudgeRun.State.FINISHED:
        raise MemberUnfinished(
            f"The run “{run.public_id}” has not finished ({run.state}). {message}",
            details={"fields": {option: [f"The run “{run.public_id}” has not finished ({run.state})."]}},
        )


GOLD_OPTION = OptionDescription(
    name="gold",
    type="str",
    default="original",
    choices=("original", "amended"),
    help="Which gold answers to use: those of the imported files, or the list as amended by people.",
)


class UnknownJudgeKey(Invalid):
    """There is no judge of this key that could be started."""

    code = "unknown_judge"


class BadJudgeOption(Invalid):
    """An option the judge does not have, or a value it cannot take; details name it."""


class ConnectionNeeded(Invalid):
    """The judge asks a model, and no connection of the project was named; or it asks none."""


class EmptyScope(Invalid):
    """The project has no such data set or system that a run could be limited to."""


class JudgeNotInstalled(Conflict):
    """What the judge needs is not installed."""


class Plan(NamedTuple):
    """What a run is started with; `prepared` where it asks a model."""

    entry: registry.JudgeEntry
    options: dict[str, Any]
    gold_version: str
    connection: Connection | None
    prepared: Prepared | None
    stated: registry.Stated

    @property
    def signature(self) -> str:
        """Return what makes its verdicts in one line."""
        return registry.sign(self.stated)


def make_plan(
    *,
    project: Project,
    judge_key: str,
    options: Mapping[str, Any],
    connection_id: str = "",
    by: User | None = None,
) -> Plan:
    """Return what a run would be; `by` is who starts it, None for the operator.

    Raises `UnknownJudgeKey`, `BadJudgeOption`, `ConnectionNeeded`, `JudgeNotInstalled`, and what
    `prepare_llm` and `describe_jury` raise, and `UnusableBeside` and `MemberUnfinished`.
    """
    entry = _startable_entry(judge_key)
    connection = find_connection(project, entry, connection_id)
    gold, own = _checked_options(entry, options)
    prepared = prepare_llm(project=project, options=own, by=by) if connection else None
    own = prepared.options if prepared else own
    version = gold_version(project, gold == "amended")
    context = {
        **(describe_connection(connection) if connection else {}),
        **(prepared.context if prepared else {}),
        "gold": version,
        **_corpus_context(project, entry, own, gold_version=version),
        **_decided_context(project, entry, own, gold_version=version),
    }
    plan = Plan(
        entry=entry,
        options={**own, GOLD_OPTION.name: gold},
        gold_version=version,
        connection=connection,
        prepared=prepared,
        stated=registry.state_judge(judge_key, registry.make_options(entry, own), **context),
    )
    if entry.needs is registry.Needs.MEMBERS:
        return plan._replace(**describe_jury(project=project, options=plan.options)._asdict())
    return plan


def complete_scope(*, project: Project, entry: registry.JudgeEntry, scope: Scope) -> Scope:
    """Return a scope in which nothing is left open; raises `EmptyScope`.

    Left open, a judge that costs time or money takes what people judge where that is a part of the answers:
    nothing else of it can be compared with people. Lexical judges cost nothing and take all.
    """
    if scope.dataset and not project.questions.filter(dataset=scope.dataset).exists():
        raise _empty("dataset", f"The data set “{scope.dataset}” has no questions in this project.")
    if scope.system and not project.systems.filter(public_id=scope.system).exists():
        raise _empty("system", f"The system “{scope.system}” does not exist in this project.")
    if scope.only_judged is not None:
        return scope
    return scope._replace(only_judged=not entry.is_lexical and has_sample(project_id=project.pk))


def _empty(field: str, message: str) -> EmptyScope:
    return EmptyScope(message, details={"fields": {field: [message]}})


def scope_fields(scope: Scope) -> dict[str, Any]:
    """Return a settled scope as fields of a run."""
    return {
        "only_judged": bool(scope.only_judged),
        "only_dataset": scope.dataset,
        "only_system": scope.system,
    }


def take_scope(run: JudgeRun, scope: Scope) -> bool:
    """Let a run take a settled scope, and say whether it changed; not stored.

    A run that judged every answer keeps taking every answer: its verdicts on what comes are counted on.
    """
    fields = scope_fields(scope)
    is_whole = run.state == JudgeRun.State.FINISHED and not (
        run.only_judged or run.only_dataset or run.only_system
    )
    if is_whole or all(getattr(run, name) == value for name, value in fields.items()):
        return False
    for name, value in fields.items():
        setattr(run, name, value)
    return True


def _checked_options(entry: registry.JudgeEntry, options: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return the choice of gold, and all of the judge's own options; raises `BadJudgeOption`."""
    gold = options.get(GOLD_OPTION.name, GOLD_OPTION.default)
    try:
        if gold not in (GOLD_OPTION.choices or ()):
            raise UnusableOption(GOLD_OPTION.name, "use “original” or “amended”")
        made = registry.make_options(entry, own_options(options))
    except UnusableOption as error:
        raise BadJudgeOption(str(error), details={"fields": {error.option: [error.reason]}}) from None
    return gold, {described.name: getattr(made, described.name) for described in registry.options_of(entry)}


def _corpus_context(
    project: Project, entry: registry.JudgeEntry, options: Mapping[str, Any], *, gold_version: str
) -> dict[str, str]:
    corpus = corpus_of(project, entry, options, gold_version=gold_version)
    return {} if corpus is None else {"corpus": hash_corpus(corpus)}


def corpus_of(
    project: Project, entry: registry.JudgeEntry, options: Mapping[str, Any], *, gold_version: str
) -> tuple[str, ...] | None:
    """Return the study's gold answers where the judge's options ask for them, else None."""
    if not (entry.corpus_option and options[entry.corpus_option]):
        return None
    return read_corpus(project, is_amended=gold_version != ORIGINAL_VERSION)


def hash_corpus(corpus: tuple[str, ...]) -> str:
    """Return what the signature says of the gold answers that a judge was made with."""
    return hashlib.sha256(json.dumps(corpus).encode()).hexdigest()[:16]


def _decided_context(
    project: Project, entry: registry.JudgeEntry, options: Mapping[str, Any], *, gold_version: str
) -> dict[str, str]:
    """Return what makes the verdicts of a judge that is told what people decided.

    The run beside it is named by the beginning of its signature's hash, as a jury's members are.
    """
    decided = decided_for(project, entry, options, gold_version=gold_version)
    if decided is None:
        return {}
    named = named_beside(options)
    beside = {"beside": _find_beside(project, named).signature_hash[:HASH_LENGTH]} if named else {}
    return {"decisions": hash_decided(decided), **beside}


def _find_beside(project: Project, named: str) -> JudgeRun:
    found = find_members(project=project, public_ids=[named]).get(named)
    if found is None:
        raise _unusable_beside(f"The run “{named}” does not exist in this project.")
    # It would bring each answer's own decision in by the back door.
    if named in find_readers_of_people(project=project):
        raise _unusable_beside(f"“{named}” has used people’s decisions. Choose a run that has not.")
    _require_finished(found, "beside", "Choose a finished run.")
    return found


def _unusable_beside(message: str) -> UnusableBeside:
    return UnusableBeside(message, details={"fields": {"beside": [message]}})


def decided_for(
    project: Project, entry: registry.JudgeEntry, options: Mapping[str, Any], *, gold_version: str
) -> tuple[DecidedAnswer, ...] | None:
    """Return the answers that people decided where the judge is told of them, else None."""
    if entry.needs is not registry.Needs.DECISIONS:
        return None
    return read_decided(project, gold_version=gold_version, beside=named_beside(options))


def own_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the judge's own options, without the choice of gold."""
    return {name: value for name, value in options.items() if name != GOLD_OPTION.name}


def _startable_entry(key: str) -> registry.JudgeEntry:
    entry = registry.JUDGES.get(key)
    if entry is None or not entry.is_startable:
        known = ", ".join(each.key for each in registry.JUDGES.values() if each.is_startable)
        raise UnknownJudgeKey(f"“{key}” is not a judge that you can start. Use one of: {known}.")
    if not registry.is_available(entry):
        raise JudgeNotInstalled(
            f"“{key}” needs packages that are not installed. On the server, run: "
            f"{installation_of_judge(entry)}"
        )
    return entry


def installation_of_judge(entry: registry.JudgeEntry) -> str:
    """Return the command that installs what a judge needs besides Assay; empty where it needs nothing."""
    if entry.extra:
        return installation_of(entry.extra)
    return f"pip install {' '.join(entry.requires)}" if entry.requires else ""


def find_connection(project: Project, entry: registry.JudgeEntry, public_id: str) -> Connection | None:
    """Return the connection that a run names, None where no model is asked; raises `ConnectionNeeded`."""
    if entry.needs != registry.Needs.CONNECTION:
        if public_id:
            raise ConnectionNeeded(f"“{entry.key}” uses no model. Remove the connection.")
        return None
    found = project.connections.filter(public_id=public_id, archived_at=None).first()
    if found is None:
        raise ConnectionNeeded(
            f"“{entry.key}” uses a model. Choose one of this project’s connections.",
            details={"fields": {"connection": ["Choose one of this project’s connections."]}},
        )
    return found


# Prompts of so many answers, drawn at random, stand for all.
MEASURED = 40


@dataclass(frozen=True)
class Estimate:
    """The expected cost and time of a run.

    `most_cost`: what the run can cost at most. `seconds`: null if unknown.
    """

    answers: int
    calls: int
    input_tokens: int
    output_tokens: int
    # In pico-USD, as the most.
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
    take_scope(run, complete_scope(project=project, entry=plan.entry, scope=scope))
    ids = unplanned_candidates(run)
    answers = len(ids) if sample_size is None else min(sample_size, len(ids))
    if plan.connection is None or plan.prepared is None or not answers:
        return Estimate(answers, 0, 0, 0, 0, 0, None)
    measured = draw_sample(ids, size=MEASURED, seed=0)
    measure = _measure(run, plan.prepared, plan.connection, measured)
    return _estimate(plan.connection, measure, answers=answers, measured=len(measured))


def _run_of(project: Project, plan: Plan) -> JudgeRun:
    known = project.judge_runs.filter(signature_hash=hash_signature(plan.signature)).first()
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

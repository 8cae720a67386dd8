"""Say what a run is before there is one: judge, options, gold list, connection, and its signature."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from annotation.accounts.models import User
from annotation.gold.selectors import ORIGINAL_VERSION, gold_version
from annotation.projects.models import Project
from common.errors import Conflict, Invalid
from judges import registry
from judges.connections.models import Connection
from judges.connections.selectors import describe_connection
from judges.prompts.services import Prepared, prepare_llm
from judges.protocol import OptionDescription, UnusableOption
from judges.runs.models import JudgeRun
from judges.runs.rules import Scope
from judges.runs.selectors import has_sample, read_corpus
from judges.runs.services.juries import seat_jury

GOLD_OPTION = OptionDescription(
    name="gold",
    type="str",
    default="original",
    choices=("original", "amended"),
    help="Judge against the gold answers of the files, or against the list as people amended it.",
)


class UnknownJudgeKey(Invalid):
    """There is no judge of this key that could be started."""

    code = "unknown_judge"


class BadJudgeOption(Invalid):
    """An option the judge does not have, or a value it cannot take; details name it."""

    code = "bad_judge_option"


class ConnectionNeeded(Invalid):
    """The judge asks a model, and no connection of the project was named; or it asks none."""

    code = "connection_needed"


class EmptyScope(Invalid):
    """The project has no such data set or system that a run could be limited to."""

    code = "empty_scope"


class JudgeNotInstalled(Conflict):
    """What the judge needs is not installed."""

    code = "judge_not_installed"


class Plan(NamedTuple):
    """What a run is started with; `prepared` where it asks a model."""

    entry: registry.JudgeEntry
    options: dict[str, Any]
    gold_version: str
    connection: Connection | None
    prepared: Prepared | None
    signature: str


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
    `prepare_llm` and `seat_jury` raise.
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
    }
    plan = Plan(
        entry=entry,
        options={**own, GOLD_OPTION.name: gold},
        gold_version=version,
        connection=connection,
        prepared=prepared,
        signature=registry.make_signature(judge_key, registry.make_options(entry, own), **context),
    )
    if entry.needs is registry.Needs.MEMBERS:
        return plan._replace(**seat_jury(project=project, options=plan.options)._asdict())
    return plan


def settle_scope(*, project: Project, entry: registry.JudgeEntry, scope: Scope) -> Scope:
    """Return a scope in which nothing is left open; raises `EmptyScope`.

    Left open, a judge that costs time or money takes what people judge where that is a part of the answers:
    nothing else of it can be compared with people. Lexical judges cost nothing and take all.
    """
    if scope.dataset and not project.questions.filter(dataset=scope.dataset).exists():
        raise _empty("dataset", f"No question of this project is of the data set “{scope.dataset}”.")
    if scope.system and not project.systems.filter(public_id=scope.system).exists():
        raise _empty("system", f"This project has no system “{scope.system}”.")
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
            raise UnusableOption(GOLD_OPTION.name, "it is original or amended")
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


def own_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the judge's own options, without the choice of gold."""
    return {name: value for name, value in options.items() if name != GOLD_OPTION.name}


def _startable_entry(key: str) -> registry.JudgeEntry:
    entry = registry.JUDGES.get(key)
    if entry is None or not entry.is_startable:
        known = ", ".join(each.key for each in registry.JUDGES.values() if each.is_startable)
        raise UnknownJudgeKey(f"“{key}” is no judge that can be started. There are: {known}.")
    if not registry.is_available(entry):
        raise JudgeNotInstalled(f"“{key}” needs more to be installed: make {entry.extra}")
    return entry


def find_connection(project: Project, entry: registry.JudgeEntry, public_id: str) -> Connection | None:
    """Return the connection that a run names, None where no model is asked; raises `ConnectionNeeded`."""
    if entry.needs != registry.Needs.CONNECTION:
        if public_id:
            raise ConnectionNeeded(f"“{entry.key}” asks no model, so it takes no connection.")
        return None
    found = project.connections.filter(public_id=public_id, archived_at=None).first()
    if found is None:
        raise ConnectionNeeded(
            f"“{entry.key}” asks a model: name a connection of this project.",
            details={"fields": {"connection": ["name a connection of this project"]}},
        )
    return found

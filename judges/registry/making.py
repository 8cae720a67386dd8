"""Find a judge in the table, and make it with its options; only this loads the judge."""

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from judges.protocol import Judge, OptionDescription, describe_options, parse_options
from judges.registry.entries import JudgeEntry
from judges.registry.table import JUDGES, PROPOSERS

RECORDED_PREFIX = "recorded:"


class UnknownJudge(LookupError):
    """No judge of this key is registered."""


def get_entry(key: str) -> JudgeEntry:
    """Return the row for a key; `recorded:bem` is a `recorded` judge. Raises `UnknownJudge`."""
    found = JUDGES.get("recorded" if key.startswith(RECORDED_PREFIX) else key) or PROPOSERS.get(key)
    if found is None:
        raise UnknownJudge(key)
    return found


def display_name(key: str) -> str:
    """Return what people call the judge of a run."""
    if key.startswith(RECORDED_PREFIX):
        return f"{key.removeprefix(RECORDED_PREFIX)} (recorded)"
    return get_entry(key).name


def is_available(entry: JudgeEntry) -> bool:
    """Say whether everything the judge needs is installed, without importing it."""
    return all(find_spec(module) is not None for module in entry.requires)


def options_of(entry: JudgeEntry) -> list[OptionDescription]:
    """Describe the judge's options for a form."""
    return describe_options(_judge_class(entry).Options)


def make_options(entry: JudgeEntry, given: Mapping[str, Any]) -> Any:
    """Return the judge's frozen options; raises `UnusableOption`."""
    return parse_options(_judge_class(entry).Options, given)


def make_judge(entry: JudgeEntry, given: Mapping[str, Any], **resources: Any) -> Judge:
    """Load the judge and set its options; raises `UnusableOption`.

    resources: what it needs besides (`entry.needs`), by the names of its constructor.
    """
    judge: Judge = _judge_class(entry)(make_options(entry, given), **resources)
    return judge


def _judge_class(entry: JudgeEntry) -> Any:
    module, name = entry.factory.split(":")
    return getattr(import_module(module), name)

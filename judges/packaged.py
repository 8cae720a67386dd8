"""Judges that other installed packages declare, by an entry point each; a broken one is told, not fatal."""

import dataclasses
import re
from collections import Counter
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, NamedTuple

from judges.protocol import JudgeEntry, Needs, describe_options, parse_options

GROUP = "assay.judges"
# Between package and judge in a key: ours have none, so none can take the place of another.
SEPARATOR = "."
LONGEST_KEY = 100
# What a signature names besides options.
RESERVED = frozenset({"judge", "gold", "corpus", "package", "revision"})
KEY = re.compile(r"[a-z][a-z0-9_]*")


class BrokenPackage(NamedTuple):
    """An entry point that gives no judge: what it is called, its package with version, and why."""

    entry_point: str
    package: str
    reason: str


class PackagedJudges(NamedTuple):
    """What installed packages declare."""

    entries: list[JudgeEntry]
    broken: list[BrokenPackage]


class _Unusable(Exception):
    """A declared judge that cannot be one."""


def find_packaged_judges() -> PackagedJudges:
    """Load what packages declare as judges, in order of their keys.

    A key is the package's name and the judge's, `example_judge.all_words`.
    """
    found = PackagedJudges([], [])
    for point in sorted(entry_points(group=GROUP), key=lambda each: (_package_of(each), each.name)):
        try:
            found.entries.append(_load(point))
        except KeyboardInterrupt:
            raise
        # Whatever else somebody else's package does, everything else goes on.
        except BaseException as error:
            reason = str(error) if isinstance(error, _Unusable) else f"{type(error).__name__}: {error}"
            found.broken.append(BrokenPackage(f"{point.name} = {point.value}", _package_of(point), reason))
    return _without_doubles(found)


def _package_of(point: EntryPoint) -> str:
    return f"{point.dist.name} {point.dist.version}" if point.dist else "a package without a name"


def _without_doubles(found: PackagedJudges) -> PackagedJudges:
    counts = Counter(entry.key for entry in found.entries)
    doubled = [entry for entry in found.entries if counts[entry.key] > 1]
    broken = [BrokenPackage(entry.key, entry.package, "another judge has the same key") for entry in doubled]
    kept = [entry for entry in found.entries if counts[entry.key] == 1]
    return PackagedJudges(kept, [*found.broken, *broken])


def _load(point: EntryPoint) -> JudgeEntry:
    entry = point.load()
    if not isinstance(entry, JudgeEntry):
        raise _Unusable(f"it is a {type(entry).__name__}, not a JudgeEntry of assay.judges")
    _check_entry(entry)
    _check_class(_class_of(entry.factory))
    name = re.sub(r"[-_.]+", "_", point.dist.name if point.dist else "").lower()
    key = f"{name}{SEPARATOR}{entry.key}"
    if len(key) > LONGEST_KEY:
        raise _Unusable(f"its key {key} is longer than {LONGEST_KEY} characters")
    return entry._replace(key=key, package=_package_of(point))


def _check_entry(entry: JudgeEntry) -> None:
    if not KEY.fullmatch(entry.key):
        raise _Unusable(
            f"its key {entry.key!r} has characters other than lowercase letters, digits, and underscores"
        )
    if not (entry.name and entry.summary and entry.source):
        raise _Unusable("its name, summary, or source is missing")
    if isinstance(entry.revision, bool) or not isinstance(entry.revision, int) or entry.revision < 1:
        raise _Unusable("its revision is not a whole number of at least 1")
    if not 1 <= entry.batch_size <= JudgeEntry._field_defaults["batch_size"]:
        raise _Unusable("its batch_size is not between 1 and 1,000")
    if entry.needs is not Needs.NOTHING or entry.corpus_option or not entry.is_startable:
        raise _Unusable("only Assay’s own judges can set needs, corpus_option, and is_startable")
    if entry.is_lexical or entry.is_automatic or entry.explains:
        raise _Unusable("only Assay’s own judges can set is_lexical, is_automatic, and explains")


def _class_of(factory: str) -> Any:
    module, _, name = factory.partition(":")
    return getattr(import_module(module), name)


def _check_class(judge_class: Any) -> None:
    options_class: type[Any] = judge_class.Options
    is_described = dataclasses.is_dataclass(options_class)
    if not (is_described and callable(getattr(judge_class, "judge", None))):
        raise _Unusable("its class needs a method `judge` and `Options`, a frozen dataclass")
    names = {described.name for described in describe_options(options_class)}
    if names & RESERVED:
        raise _Unusable(f"an option cannot be named {', '.join(sorted(names & RESERVED))}")
    options = parse_options(options_class, {})
    # A signature is made of them, so they must not change, and two that are equal must be so.
    hash(options)
    judge_class(options)

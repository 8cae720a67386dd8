"""Seat a jury: find its members, and say in its signature who they are."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from annotation.gold.selectors import ORIGINAL_VERSION
from annotation.projects.models import Project
from common.errors import Conflict, Invalid
from judges import registry
from judges.runs.models import JudgeRun
from judges.runs.selectors.juries import (
    JURY,
    find_members,
    jury_options,
    named_members,
)

AMENDED = "amended"
SMALLEST_JURY = 2
HASH_LENGTH = 16


class UnusableMembers(Invalid):
    """A jury's members are too few, named twice, or no runs of the project."""

    code = "unusable_members"


class MemberUnfinished(Conflict):
    """A member of the jury has not judged everything yet."""

    code = "member_unfinished"


class Seating(NamedTuple):
    """What a run is once it is known who sits on the jury."""

    options: dict[str, Any]
    gold_version: str
    signature: str


def seat_jury(*, project: Project, options: Mapping[str, Any]) -> Seating:
    """Return what a jury with these options is; raises `UnusableMembers`, `MemberUnfinished`.

    The signature names the members by the beginnings of their own signatures' hashes. A jury reads no gold
    list: where all its members went by one amended list that is its own, else it is the original one.
    """
    members = _find_members(project, named_members(options))
    versions = {member.gold_version for member in members}
    is_amended = len(versions) == 1 and all(version.startswith(AMENDED) for version in versions)
    version = versions.pop() if is_amended else ORIGINAL_VERSION
    return Seating(
        options={**options, "gold": AMENDED if is_amended else ORIGINAL_VERSION},
        gold_version=version,
        signature=registry.make_signature(
            JURY,
            jury_options(options),
            members=",".join(member.signature_hash[:HASH_LENGTH] for member in members),
            gold=version,
        ),
    )


def _find_members(project: Project, named: list[str]) -> list[JudgeRun]:
    if len(named) < SMALLEST_JURY or len(set(named)) < len(named):
        raise _unusable(f"Name at least {SMALLEST_JURY} different runs, parted by commas.")
    found = find_members(project=project, public_ids=named)
    missing = [member for member in named if member not in found]
    if missing:
        raise _unusable(f"This project has no run {', '.join(f'“{member}”' for member in missing)}.")
    members = [found[member] for member in named]
    _require_finished(members)
    return members


def _unusable(message: str) -> UnusableMembers:
    return UnusableMembers(message, details={"fields": {"members": [message]}})


def _require_finished(members: list[JudgeRun]) -> None:
    for member in members:
        if member.state != JudgeRun.State.FINISHED:
            raise MemberUnfinished(
                f"“{member.public_id}” is {member.state}. A jury hears runs that are finished.",
                details={"fields": {"members": [f"{member.public_id} is {member.state}."]}},
            )

"""Read what the members of a jury said, and where the jury has not heard their last word."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from annotation.projects.models import Project
from common.identifiers import tell_apart
from judges import registry
from judges.methods.jury import JuryOptions, members_of
from judges.runs.models import JudgeRun, Verdict

JURY = "jury"


class MemberVerdicts(NamedTuple):
    """What the members said of an answer, in their order (None where one did not), and all their flags."""

    accepted: tuple[bool | None, ...]
    flags: tuple[str, ...]


def is_jury(run: JudgeRun) -> bool:
    """Say whether a run reads other runs' verdicts."""
    return registry.get_entry(run.judge_key).needs is registry.Needs.MEMBERS


def jury_options(options: Mapping[str, Any]) -> JuryOptions:
    """Return the options of a jury, without the choice of gold."""
    own = {name: options[name] for name in ("members", "rule") if name in options}
    made: JuryOptions = registry.make_options(registry.get_entry(JURY), own)
    return made


def named_members(options: Mapping[str, Any]) -> list[str]:
    """Return the public ids of the members that a jury's options name, in their order."""
    return members_of(jury_options(options))


def find_members(*, project: Project, public_ids: Iterable[str]) -> dict[str, JudgeRun]:
    """Return the project's runs of these public ids that give verdicts."""
    runs = project.judge_runs.filter(purpose=JudgeRun.Purpose.VERDICTS, public_id__in=list(public_ids))
    return {run.public_id: run for run in runs}


def member_names(project: Project, runs: Iterable[JudgeRun]) -> dict[int, list[str]]:
    """Return by jury what people call its members, in their order; of equal names each has its run's id."""
    seats = {run.pk: named_members(run.options) for run in runs if is_jury(run)}
    if not seats:
        return {}
    found = find_members(project=project, public_ids=chain.from_iterable(seats.values()))
    names = {member: registry.display_name(run.judge_key) for member, run in found.items()}
    return {
        pk: tell_apart((names.get(member, member), member) for member in seat) for pk, seat in seats.items()
    }


def member_verdicts(run: JudgeRun, candidate_ids: Iterable[int]) -> dict[int, MemberVerdicts]:
    """Return what the members said of each answer."""
    members = named_members(run.options)
    ids = list(candidate_ids)
    said: dict[tuple[int, str], tuple[bool | None, str]] = {
        (candidate_id, member): (accepted, flags)
        for candidate_id, member, accepted, flags in Verdict.objects.filter(
            run__project=run.project_id, run__public_id__in=members, candidate__in=ids
        ).values_list("candidate_id", "run__public_id", "accepted", "flags")
    }
    return {pk: _together([said.get((pk, member), (None, "")) for member in members]) for pk in ids}


def _together(said: Sequence[tuple[bool | None, str]]) -> MemberVerdicts:
    flags = dict.fromkeys(flag for _, flags in said for flag in flags.split(",") if flag)
    return MemberVerdicts(tuple(accepted for accepted, _ in said), tuple(flags))


def verdicts_before_members(run: JudgeRun) -> QuerySet[Verdict]:
    """Return a jury's verdicts that are older than a verdict of one of its members on the same answer.

    A verdict bears the time at which its judge read the answer, so one stored later may look older.
    """
    is_newer = Q(judged_at__gt=OuterRef("judged_at")) | Q(pk__gt=OuterRef("pk"))
    of_members = Verdict.objects.filter(
        is_newer,
        run__project=run.project_id,
        run__public_id__in=named_members(run.options),
        candidate=OuterRef("candidate"),
    )
    return Verdict.objects.filter(Exists(of_members), run=run)


def is_jury_stale(run: JudgeRun) -> bool:
    """Say whether a jury has to be started again: a member judged something since, or is gone."""
    if not is_jury(run):
        return False
    members = named_members(run.options)
    found = find_members(project=run.project, public_ids=members)
    return len(found) < len(members) or verdicts_before_members(run).exists()

"""Check and save what a lead wants machines to settle."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.utils.crypto import salted_hmac

from annotation.accounts.models import User
from annotation.projects.models import Project
from common.clock import now
from common.errors import Invalid
from judges.prejudging.models import PrejudgingPolicy
from judges.prejudging.rules import DEFAULT_AUDIT_SHARE, Rule, UnusablePolicy, read_rules, require_share
from judges.prejudging.selectors import get_policy, list_runs

SEED_SALT = "judges.prejudging.seed"


class PolicyRefused(Invalid):
    """The policy names no run of the project, or cannot be read."""

    code = "unusable_policy"


class CheckedPolicy(NamedTuple):
    """A policy that can be applied."""

    rules: tuple[Rule, ...]
    audit_share: float
    seed: int


def make_policy(
    *,
    project: Project,
    rules: Sequence[Mapping[str, Any]] | None = None,
    audit_share: float | None = None,
    seed: int | None = None,
) -> CheckedPolicy:
    """Return a policy with what is not given taken from the saved one, else from the defaults.

    A rule names runs by their ids, or by a judge's key where the project has one run of that judge. Raises
    `PolicyRefused`.
    """
    saved = get_policy(project=project)
    if rules is None:
        rules = saved.rules if saved else []
    if audit_share is None:
        audit_share = saved.audit_share if saved else DEFAULT_AUDIT_SHARE
    if seed is None:
        seed = saved.seed if saved else _first_seed(project)
    try:
        checked = tuple(_with_run_ids(project, read_rules(rules)))
        return CheckedPolicy(rules=checked, audit_share=require_share(audit_share), seed=seed)
    except UnusablePolicy as error:
        raise PolicyRefused(error.message, details={"fields": {error.field: [error.message]}}) from None


def _first_seed(project: Project) -> int:
    """Return the seed of a project that has saved none.

    It is the same each time, so that a preview shows what applying then does, and comes of the secret key, so
    that raters cannot work out which answers are audited.
    """
    digest = salted_hmac(SEED_SALT, f"{project.pk} {project.created_at.isoformat()}", algorithm="sha256")
    return int.from_bytes(digest.digest()[:4]) >> 1


def _with_run_ids(project: Project, rules: Sequence[Rule]) -> list[Rule]:
    runs = list_runs(project=project)
    by_key: dict[str, list[str]] = {}
    for run in runs:
        by_key.setdefault(run.judge, []).append(run.id)
    named = {run.id: [run.id] for run in runs} | by_key
    return [rule._replace(runs=tuple(_run_id(run, named) for run in rule.runs)) for rule in rules]


def _run_id(named: str, known: Mapping[str, list[str]]) -> str:
    found = known.get(named, [])
    if len(found) == 1:
        return found[0]
    if found:
        raise UnusablePolicy("rules", f"There are {len(found)} runs of “{named}”. Name one by its id.")
    raise UnusablePolicy("rules", f"This project has no run “{named}”.")


def save_policy(
    *, project: Project, policy: CheckedPolicy, by: User | None = None, at: datetime | None = None
) -> PrejudgingPolicy:
    """Keep a policy as the project's own; nothing is settled until it is applied."""
    saved, _ = PrejudgingPolicy.objects.update_or_create(
        project=project,
        defaults={
            "rules": [rule.to_json() for rule in policy.rules],
            "audit_share": policy.audit_share,
            "seed": policy.seed,
            "saved_by": by,
            "saved_at": at or now(),
        },
    )
    return saved

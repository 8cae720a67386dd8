"""Read a project's policy, the runs its rules may name, and its applications."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Count, Max, Q

from annotation.projects.models import Project
from common.errors import NotFound
from common.identifiers import tell_apart
from judges.prejudging.models import PolicyApplication, PrejudgingPolicy
from judges.prejudging.rules import Rule, content_hash, describe_rule, seed_of_application
from judges.registry import display_name
from judges.runs.models import JudgeRun

State = PolicyApplication.State


class ApplicationNotFound(NotFound):
    """The project has no such application of a policy."""

    code = "application_not_found"


@dataclass(frozen=True)
class ChoosableRun:
    """A run that a rule may name; `judged` counts verdicts that settle anything: scored, without flags."""

    id: str
    judge: str
    name: str
    signature: str
    state: str
    judged: int


class RuleCounts(NamedTuple):
    """How many answers a rule decided, and how many it drew for raters."""

    decided: int
    drawn: int


class ApplicationCounts(NamedTuple):
    """An application's answers by the number of the rule, and how many were undone, of these draws."""

    rules: dict[int, RuleCounts]
    undone: int
    undone_draws: int


def get_policy(*, project: Project) -> PrejudgingPolicy | None:
    """Return the project's saved policy, or None where nobody saved one."""
    return PrejudgingPolicy.objects.filter(project=project).first()


def list_runs(*, project: Project) -> list[ChoosableRun]:
    """Return the project's runs, oldest first; where two have one name, their signatures tell them apart."""
    usable = Count("verdicts", filter=Q(verdicts__accepted__isnull=False, verdicts__flags=""))
    rows = (
        project.judge_runs.filter(purpose=JudgeRun.Purpose.VERDICTS)
        .annotate(judged=usable)
        .order_by("created_at", "pk")
    )
    fields = ("public_id", "judge_key", "signature", "state", "judged")
    return [
        ChoosableRun(public_id, key, display_name(key), signature, state, judged)
        for public_id, key, signature, state, judged in rows.values_list(*fields)
    ]


def spell_rules(*, project: Project, rules: Iterable[Rule]) -> list[dict[str, Any]]:
    """Return rules as they are kept with an application: in words, and with their runs' signatures."""
    runs = {run.id: run for run in list_runs(project=project)}
    names = dict(zip(runs, tell_apart((run.name, run.id) for run in runs.values()), strict=True))
    return [
        {
            **rule.to_json(),
            "text": describe_rule(rule, names=names),
            "signatures": [runs[run].signature if run in runs else "" for run in rule.runs],
        }
        for rule in rules
    ]


def labels_of(project: Project) -> dict[bool, str]:
    """Return the protocol's labels for correct (True) and incorrect: the first worth full or no credit."""
    assert project.protocol is not None
    protocol = project.protocol.rules
    accepted = next(label.key for label in protocol.labels if label.key in protocol.accepted_keys)
    rejected = next(label.key for label in protocol.labels if label.key in protocol.rejected_keys)
    return {True: accepted, False: rejected}


def list_applications(*, project: Project) -> list[PolicyApplication]:
    """Return the project's applications, newest first, those undone included."""
    rows = PolicyApplication.objects.filter(project=project).select_related("applied_by", "undone_by")
    return list(rows.order_by("-number"))


def get_application(*, project: Project, public_id: str) -> PolicyApplication:
    """Return one application; raises `ApplicationNotFound`."""
    found = PolicyApplication.objects.filter(project=project, public_id=public_id).first()
    if found is None:
        raise ApplicationNotFound("This project has no such application of a policy.")
    return found


def find_applications(*, project: Project, public_id: str = "") -> list[PolicyApplication]:
    """Return the application named, else all in force, oldest first.

    Raises `ApplicationNotFound` for one that is named and not there.
    """
    if public_id:
        return [get_application(project=project, public_id=public_id)]
    in_force = PolicyApplication.objects.filter(project=project).exclude(state=State.UNDONE)
    return list(in_force.order_by("number"))


def find_same(
    *, project: Project, rules: Sequence[Rule], audit_share: float, seed: int
) -> PolicyApplication | None:
    """Return the application in force that a policy goes on with: with its rules, share and seed.

    Not one of which anything was undone: its draw has passed those answers over, and would do so again.
    """
    in_force = PolicyApplication.objects.filter(project=project).exclude(state=State.UNDONE)
    for application in in_force.order_by("-number"):
        own = seed_of_application(seed=seed, number=application.number)
        is_same = application.content_hash == content_hash(rules=rules, audit_share=audit_share, seed=own)
        if is_same and not application.answers.filter(undone_at__isnull=False).exists():
            return application
    return None


def last_number(*, project: Project) -> int:
    """Return the number of the newest application, 0 before the first."""
    rows = PolicyApplication.objects.filter(project=project).aggregate(last=Max("number"))
    return rows["last"] or 0


def seed_to_come(*, project: Project, rules: Sequence[Rule], audit_share: float, seed: int) -> int:
    """Return the seed by which a policy would draw if it were applied now."""
    same = find_same(project=project, rules=rules, audit_share=audit_share, seed=seed)
    return same.seed if same else seed_of_application(seed=seed, number=last_number(project=project) + 1)


class RuleInForce(NamedTuple):
    """A rule of one application or, if alike, of several; places: their ids, and its number in each."""

    number: int
    text: str
    places: frozenset[tuple[int, int]]


def list_rules(*, applications: Iterable[PolicyApplication]) -> list[RuleInForce]:
    """Return the rules of applications, oldest first; of the same runs and condition they are one rule."""
    found: dict[tuple[object, ...], tuple[str, set[tuple[int, int]]]] = {}
    for application in sorted(applications, key=lambda each: each.number):
        for number, rule in enumerate(application.rules, start=1):
            _, places = found.setdefault((*rule["runs"], rule["condition"]), (rule["text"], set()))
            places.add((application.pk, number))
    return [
        RuleInForce(number, text, frozenset(places))
        for number, (text, places) in enumerate(found.values(), start=1)
    ]


def count_answers(*, application: PolicyApplication) -> ApplicationCounts:
    """Return how many answers each rule of an application speaks for now."""
    rows = application.answers.values_list("rule_number", "is_audited").annotate(
        standing=Count("pk", filter=Q(undone_at=None)), undone=Count("pk", filter=Q(undone_at__isnull=False))
    )
    standing: Counter[tuple[int, bool]] = Counter()
    undone: Counter[bool] = Counter()
    for number, is_audited, still, gone in rows.order_by():
        standing[number, is_audited] = still
        undone[is_audited] += gone
    numbers = range(1, len(application.rules) + 1)
    rules = {number: RuleCounts(standing[number, False], standing[number, True]) for number in numbers}
    return ApplicationCounts(rules=rules, undone=undone.total(), undone_draws=undone[True])

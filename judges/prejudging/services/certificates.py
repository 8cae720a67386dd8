"""Draw answers for people alone, and certify by them what a rule may settle."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from time import monotonic
from typing import Any

from django.db import transaction

from analysis.prejudging.risk_control import certify, explain, risk_curve
from annotation.accounts.models import User
from annotation.assignments.services.work_plans import put_first, set_first_only
from annotation.items.models import Candidate, System
from annotation.projects.models import Project
from annotation.projects.services.upkeep import ask_upkeep, do_upkeep
from common.clock import now
from common.errors import Conflict, Invalid, NotFound
from judges.prejudging.events import CalibrationChanged
from judges.prejudging.models import CalibrationAnswer, CalibrationSample, Certificate, PolicyApplication
from judges.prejudging.rules.audit import SEEDS
from judges.prejudging.rules.certificates import content_hash, draw, spend
from judges.prejudging.rules.policies import LEAST_SURE, Rule
from judges.prejudging.selectors.certificates import (
    Evidence,
    current_sample,
    describe_sample,
    read_lapses,
    weigh,
)
from judges.prejudging.selectors.policies import settleable, spell_certified, spell_rules
from judges.prejudging.services.policies import AT_WORK, State, make_policy, note_lapse
from judges.prejudging.services.seeds import secret_number

SEED_SALT = "judges.prejudging.calibration"
# Whether scores have drifted is read from all verdicts, and a study at work changes all the time.
SECONDS_BETWEEN = 600
_looked_at = -float(SECONDS_BETWEEN)


class NothingToDraw(Invalid):
    """No answer is open that machines might settle."""


class PolicyAtWork(Conflict):
    """A policy is being applied or undone: which answers are open changes under the draw."""


class NoSample(NotFound):
    """No calibration sample stands."""


class SampleNotJudged(Conflict):
    """People have not decided all answers of the sample yet."""


class NoSuchPlace(Invalid):
    """The policy has no rule of this number."""


def draw_sample(
    *,
    project: Project,
    size: int,
    by: User | None = None,
    seed: int | None = None,
    holds_others: bool = False,
    at: datetime | None = None,
) -> CalibrationSample:
    """Draw answers at random, each open one as probably as any other, that people alone will judge.

    Raters are handed them first, unmarked, and none of the rest of their questions with them. holds_others:
    they get no other answers until a policy is applied (`hold_others`). One that stands already is closed.
    Raises `NothingToDraw`, `PolicyAtWork`.
    """
    sample = _draw_sample(project, size=size, by=by, seed=seed, holds_others=holds_others, at=at or now())
    do_upkeep(project_id=project.pk)
    return sample


@transaction.atomic
def _draw_sample(
    project: Project,
    *,
    size: int,
    by: User | None,
    seed: int | None,
    holds_others: bool,
    at: datetime,
) -> CalibrationSample:
    # The project's row is the lock under which policies are applied, too.
    Project.objects.locked(project.pk)
    _require_at_rest(project)
    candidates = list(settleable(project_id=project.pk).values_list("pk", flat=True))
    if not candidates:
        raise NothingToDraw("Judges could settle none of the open answers, so there is nothing to sample.")
    CalibrationSample.objects.filter(project=project, closed_at=None).update(closed_at=at, closed_by=by)
    number = CalibrationSample.objects.filter(project=project).count() + 1
    chosen = draw(candidates=candidates, size=size, seed=_seed(project, number) if seed is None else seed)
    sample = CalibrationSample.objects.create(
        project=project,
        number=number,
        seed=_seed(project, number) if seed is None else seed,
        population=len(candidates),
        probability=len(chosen) / len(candidates),
        newest_answer=max(Candidate.objects.filter(project=project).values_list("pk", flat=True)),
        systems=list(
            System.objects.filter(project=project).order_by("pk").values_list("public_id", flat=True)
        ),
        drawn_by=by,
        drawn_at=at,
    )
    CalibrationAnswer.objects.bulk_create(
        CalibrationAnswer(sample=sample, candidate_id=candidate) for candidate in chosen
    )
    set_first_only(project_id=project.pk, hands_out_first_only=holds_others)
    ask_upkeep(CalibrationChanged(project_id=project.pk))
    return sample


def hold_others(*, project: Project, holds_others: bool) -> None:
    """Hand raters the sample that stands and nothing else, or everything again.

    What they would judge meanwhile a policy may settle without them. It ends by itself when a policy is
    applied or the sample is closed. Raters are not told: they find nothing to judge. Raises `NoSample`.
    """
    with transaction.atomic():
        Project.objects.locked(project.pk)
        if not CalibrationSample.objects.filter(project=project, closed_at=None).exists():
            raise NoSample(
                "No calibration sample is in progress, so annotators cannot be limited to a sample."
            )
        set_first_only(project_id=project.pk, hands_out_first_only=holds_others)


def put_sample_first(*, project_id: int) -> None:
    """Let raters be handed the answers of the sample that stands before all others; safe to repeat."""
    standing = CalibrationAnswer.objects.filter(sample__project=project_id, sample__closed_at=None)
    put_first(project_id=project_id, candidate_ids=set(standing.values_list("candidate_id", flat=True)))


def _require_at_rest(project: Project) -> None:
    busy = PolicyApplication.objects.filter(project=project, state__in=(*AT_WORK, State.UNDOING))
    if busy.exists():
        raise PolicyAtWork(
            "A policy is being applied or undone. Wait until this has finished, then create the sample."
        )


def _seed(project: Project, number: int) -> int:
    return secret_number(project=project, salt=SEED_SALT, sample=number) % SEEDS


def drop_sample(*, project: Project, by: User, at: datetime | None = None) -> None:
    """Give the sample up that stands: machines may settle what people have not decided of it.

    Its answers go first no more, and what was certified by it stays. Raises `NoSample`.
    """
    standing = CalibrationSample.objects.filter(project=project, closed_at=None)
    with transaction.atomic():
        # Before the sample's row, as wherever both are taken.
        Project.objects.locked(project.pk)
        if not standing.update(closed_at=at or now(), closed_by=by):
            raise NoSample("This project has no calibration sample to close.")
        set_first_only(project_id=project.pk, hands_out_first_only=False)
        ask_upkeep(CalibrationChanged(project_id=project.pk))
    do_upkeep(project_id=project.pk)


def note_lapses(*, project: Project, at: datetime | None = None) -> None:
    """Write down which certificates hold no longer, why and since when; what was noted before stays."""
    lapses = read_lapses(project=project)
    for row in Certificate.objects.filter(pk__in=lapses, lapse="").order_by("pk"):
        note_lapse(certificate=row, lapse=lapses[row.pk], at=at or now())


def sweep_lapses() -> None:
    """Look in every project whether its certificates hold, if this process has not done so for a while."""
    global _looked_at
    if monotonic() - _looked_at < SECONDS_BETWEEN:
        return
    _looked_at = monotonic()
    holding = Certificate.objects.filter(refusal="", lapse="")
    for project in Project.objects.filter(calibration_samples__certificates__in=holding).distinct():
        note_lapses(project=project)


def certify_rule(
    *,
    project: Project,
    rules: Sequence[Mapping[str, Any]],
    number: int,
    alpha: float,
    delta: float,
    by: User | None = None,
    at: datetime | None = None,
) -> Certificate:
    """Find what the rule of this number, from 1, may settle with at most α wrong, by the sample that stands.

    A rule with a threshold is certified by its judges' scores, whatever the threshold; one without by their
    verdicts. Those before it take their answers away first. Every try on a sample counts, see `spend`; the
    same again is the same certificate. Raises `PolicyRefused`, `NoSuchPlace`, `NoSample`, `SampleNotJudged`.
    """
    before, rule = _rule_at(project, rules, number)
    sample = current_sample(project=project)
    if sample is None:
        raise NoSample("Create a calibration sample first, and let people judge it.")
    progress = describe_sample(sample)
    if progress.open:
        raise SampleNotJudged(
            f"People have not decided {progress.open} of the {progress.drawn} calibration answers yet. "
            "Certify when all are decided, because the last ones may be the hardest."
        )
    evidence = weigh(sample=sample, rule=rule, before=before)
    return _keep(sample, rule, before, evidence, alpha=alpha, delta=delta, by=by, at=at or now())


def _rule_at(
    project: Project, rules: Sequence[Mapping[str, Any]], number: int
) -> tuple[tuple[Rule, ...], Rule]:
    if not 1 <= number <= len(rules):
        raise NoSuchPlace(f"The policy has no rule {number}.")
    # What it carried before is of no account, nor its threshold: the same rule is certified once.
    asked = {**rules[number - 1], "certificate": ""}
    *before, rule = make_policy(project=project, rules=[*rules[: number - 1], asked]).rules
    return tuple(before), rule if rule.threshold is None else rule._replace(threshold=LEAST_SURE)


@transaction.atomic
def _keep(
    sample: CalibrationSample,
    rule: Rule,
    before: tuple[Rule, ...],
    evidence: Evidence,
    *,
    alpha: float,
    delta: float,
    by: User | None,
    at: datetime,
) -> Certificate:
    # The sample's row is the lock under which its tries are counted.
    CalibrationSample.objects.select_for_update().get(pk=sample.pk)
    ahead = [each.to_json() for each in before]
    spelled = spell_rules(project=sample.project, rules=[*before, rule])
    signatures = {
        run: signature
        for each in spelled
        for run, signature in zip(each["runs"], each["signatures"], strict=True)
    }
    content = content_hash(
        rule=rule.to_json(),
        before=ahead,
        signatures=signatures,
        alpha=alpha,
        delta=delta,
        labels_hash=evidence.labels_hash,
    )
    same = Certificate.objects.filter(sample=sample, content_hash=content).first()
    if same is not None:
        return same
    number = Certificate.objects.filter(sample=sample).count() + 1
    spent = spend(delta=delta, number=number)
    found = certify(
        confidence=evidence.confidence,
        wrong=evidence.wrong,
        alpha=alpha,
        delta=spent,
        everything=evidence.everything,
    )
    # The judge's silence settles nothing, so shares are of all answers, whether it speaks or not.
    spoken = len(evidence.everything) / evidence.total if evidence.total else 0.0
    curve = risk_curve(
        confidence=evidence.confidence, wrong=evidence.wrong, delta=spent, everything=evidence.everything
    )
    return Certificate.objects.create(
        sample=sample,
        number=number,
        rule=rule.to_json(),
        before=ahead,
        by_score=rule.threshold is not None,
        text=spell_certified(project=sample.project, rule=rule, threshold=found.threshold),
        signatures=signatures,
        alpha=alpha,
        delta=delta,
        spent=spent,
        threshold=found.threshold,
        refusal=found.why or "",
        words=explain(found, spoken_share=spoken),
        labels=evidence.labels,
        settled_labels=found.point.labels if found.point else 0,
        errors=found.point.errors if found.point else 0,
        upper=found.point.upper if found.point else None,
        settled_share=found.settled_share * spoken,
        needed=found.needed,
        curve=[
            [point.threshold, point.settled_share * spoken, point.labels, point.errors, point.upper]
            for point in curve
        ],
        labels_hash=evidence.labels_hash,
        content_hash=content,
        made_by=by,
        made_at=at,
    )

"""Read calibration samples, what they prove of a rule, and which certificates have lapsed."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import reduce
from typing import NamedTuple

import numpy as np
from django.db.models import Exists, OuterRef, Q, QuerySet

from analysis.arrays import Flags, Floats
from analysis.prejudging.drift import has_drifted
from analysis.prejudging.risk_control import certified_words
from annotation.adjudication.models import Decision
from annotation.adjudication.selectors.queue import waiting_answers
from annotation.assignments.models import Assignment
from annotation.items.models import Candidate, System
from annotation.projects.models import Project
from annotation.projects.rules import Area
from annotation.projects.selectors import kept
from common.database.rows import batched
from judges.prejudging.models import CalibrationSample, Certificate, PolicyApplication, PrejudgedAnswer
from judges.prejudging.rules.audit import AuditCounts, measure_audit
from judges.prejudging.rules.certificates import LAPSE_WORDS, Lapse, Proof, hash_of
from judges.prejudging.rules.policies import Rule, hear, read_rules, say
from judges.prejudging.selectors.audit import count_answers
from judges.prejudging.selectors.policies import (
    SaidVerdict,
    as_said,
    decided_by_people,
    differs,
    labels_of,
    people_labels,
    read_said,
    settleable,
)
from judges.registry import READS_PEOPLE, caution_of, get_entry
from judges.runs.models import JudgeRun

QUESTIONS_AT_ONCE = 500
# Lies outside the scores there are, so that answers without one are a kind of their own.
NO_SCORE = -1.0


@dataclass(frozen=True)
class SampleProgress:
    """The current calibration sample, and how much of it people have decided.

    `drawn`: the number of sampled answers. `open`: how many of these are undecided. `waiting`: how many open
    answers wait in the queue for a decision, not for an annotator. `gone`: the number of answers that people
    will not decide, because the answers were removed from the project, excluded from all scores, or settled
    as equal to a gold answer. `probability`: the probability, from 0 to 1, with which each of the
    `population` open answers was sampled. `holds_others`: whether annotators get no other answers until a
    policy is applied.
    """

    id: str
    number: int
    drawn: int
    decided: int
    open: int
    waiting: int
    gone: int
    population: int
    probability: float
    holds_others: bool
    drawn_by: str
    drawn_at: datetime


@dataclass(frozen=True)
class CurvePoint:
    """The result of settling all answers with at least a given confidence.

    `threshold`: this confidence. `errors`: how many of the `labels` would be settled incorrectly. `upper`:
    the upper bound of the error rate.
    """

    threshold: float
    settled_share: float
    labels: int
    errors: int
    upper: float


@dataclass(frozen=True)
class CertificateLine:
    """A certificate, granted or refused.

    `spent`: the part of δ used by this attempt. `lapse`: why it is no longer valid; empty while it is valid.
    `lapsed_at`: when it became invalid; null while it is valid, or if that is not recorded yet. `labels`: the
    number of labeled answers in the sample, not counting those that an earlier rule covers. `settled_share`:
    of all answers not covered by an earlier rule, the share that this rule may settle; 0 if refused.
    `caution`: what to know about the origin of its judges’ weights; may be empty.
    """

    id: str
    number: int
    sample: int
    text: str
    runs: list[str]
    condition: str
    by_score: bool
    alpha: float
    delta: float
    spent: float
    threshold: float | None
    words: str
    lapse: str
    lapsed_at: datetime | None
    labels: int
    settled_labels: int
    errors: int
    upper: float | None
    settled_share: float
    needed: int
    curve: list[CurvePoint]
    caution: str
    made_by: str
    made_at: datetime


@dataclass(frozen=True)
class CalibrationState:
    """The current calibration sample, all certificates, newest first, and how many answers could be sampled
    now."""

    sample: SampleProgress | None
    drawable: int
    certificates: list[CertificateLine]


def current_sample(*, project: Project) -> CalibrationSample | None:
    """Return the calibration sample that stands, None where none does."""
    rows = CalibrationSample.objects.filter(project=project, closed_at=None).select_related("drawn_by")
    return rows.first()


def read_calibration(*, project: Project) -> CalibrationState:
    """Return the sample that stands and what was certified so far."""
    sample = current_sample(project=project)
    lapses = read_lapses(project)
    rows = Certificate.objects.filter(sample__project=project).select_related("sample", "made_by")
    return CalibrationState(
        sample=describe_sample(sample) if sample else None,
        drawable=settleable(project_id=project.pk).count(),
        certificates=[describe_certificate(row, lapses.get(row.pk)) for row in rows.order_by("-pk")],
    )


def describe_sample(sample: CalibrationSample) -> SampleProgress:
    """Return a sample with how far people are."""
    drawn = Candidate.objects.filter(calibrations__sample=sample).count()
    decided = _count_decided(sample)
    left = _still_open(sample)
    still_open = left.count()
    in_queue = waiting_answers(sample.project).values("pk")
    return SampleProgress(
        id=sample.public_id,
        number=sample.number,
        drawn=drawn,
        decided=decided,
        open=still_open,
        waiting=left.filter(pk__in=in_queue).count() if still_open else 0,
        gone=drawn - decided - still_open,
        population=sample.population,
        probability=sample.probability,
        holds_others=_holds_others(sample),
        drawn_by=sample.drawn_by.name if sample.drawn_by else "",
        drawn_at=sample.drawn_at,
    )


@kept(Area.ITEMS, Area.WORK)
def count_calibrated(project: Project) -> int:
    """Return how many answers people decided of a sample that is finished and no policy was applied after."""
    sample = current_sample(project=project)
    if sample is None or _still_open(sample).exists():
        return 0
    is_used = project.policy_applications.filter(applied_at__gte=sample.drawn_at).exists()
    return 0 if is_used else _count_decided(sample)


def _still_open(sample: CalibrationSample) -> QuerySet[Candidate]:
    states = (Candidate.State.OPEN, Candidate.State.DISPUTED)
    return Candidate.objects.filter(calibrations__sample=sample, state__in=states)


def _count_decided(sample: CalibrationSample) -> int:
    by_people = decided_by_people(project=sample.project).values("pk")
    return Candidate.objects.filter(calibrations__sample=sample, pk__in=by_people).count()


def _holds_others(sample: CalibrationSample) -> bool:
    # Read anew: whoever asks may have read the project before this was changed.
    waiting = Project.objects.filter(pk=sample.project_id, hands_out_first_only=True)
    return sample.closed_at is None and waiting.exists()


def describe_certificate(row: Certificate, lapse: Lapse | None) -> CertificateLine:
    """Return a certificate as it is told, and whether it holds."""
    return CertificateLine(
        id=row.public_id,
        number=row.number,
        sample=row.sample.number,
        text=row.text,
        runs=row.rule["runs"],
        condition=row.rule["condition"],
        by_score=row.by_score,
        alpha=row.alpha,
        delta=row.delta,
        spent=row.spent,
        threshold=row.threshold,
        # In words that earlier versions kept, the share is of the answers with a verdict, not of all.
        words=row.words if row.threshold is None else _granted_words(row),
        lapse=LAPSE_WORDS[lapse] if lapse else "",
        lapsed_at=row.lapsed_at,
        labels=row.labels,
        settled_labels=row.settled_labels,
        errors=row.errors,
        upper=row.upper,
        settled_share=row.settled_share,
        needed=row.needed,
        curve=[CurvePoint(*point) for point in row.curve],
        caution=_caution_of(row, lapse),
        made_by=row.made_by.name if row.made_by else "",
        made_at=row.made_at,
    )


def _granted_words(row: Certificate) -> str:
    return certified_words(settled_share=row.settled_share, alpha=row.alpha, delta=_risk_of_all(row))


def _risk_of_all(row: Certificate) -> float:
    """Return the risk of all attempts on the sample: together they have at most the largest chosen."""
    return max(row.sample.certificates.values_list("delta", flat=True))


HOLDS_HERE = (
    "The certificate still holds for this study, because it is based on what people decided on a random "
    "sample of this study’s own answers. It does not carry over to other questions."
)


def _caution_of(row: Certificate, lapse: Lapse | None) -> str:
    """Return what has to be known of the judges, and that the certificate holds in spite of it.

    What a judge learned before the draw cannot depend on which answers were drawn. A judge that reads the
    study's decisions has read the sample's, so nothing more is said of it.
    """
    caution = caution_of(row.signatures.values())
    is_given = row.threshold is not None and lapse is None
    readers = tuple(f"judge:{key}|" for key in READS_PEOPLE)
    has_read = any(signature.startswith(readers) for signature in row.signatures.values())
    return f"{caution} {HOLDS_HERE}" if caution and is_given and not has_read else caution


class Evidence(NamedTuple):
    """What a sample says of a rule: of each labelled answer it speaks for, how sure, and whether wrongly.

    labels: of the whole sample without those that rules before it settle. everything: how sure the rule is of
    all answers that it speaks for, of `total` for which no rule before it speaks. labels_hash: what people
    decided of the sample.
    """

    confidence: Floats
    wrong: Flags
    labels: int
    everything: Floats
    total: int
    labels_hash: str


def weigh(*, sample: CalibrationSample, rule: Rule, before: Sequence[Rule]) -> Evidence:
    """Return what a sample and all answers that it stands for say of a rule at its place.

    rule: its threshold is not looked at, but that it has one.
    """
    project = sample.project
    machine, labels = labels_of(project), sample_labels(sample)
    confidence, wrong, everything = list[float](), list[bool](), list[float]()
    counted, total = 0, 0
    for pk, said in _heard(project, [*before, rule], population(sample)):
        known = as_said(said)
        if any(say(each, **known) is not None for each in before):
            continue
        heard = hear(rule, **known)
        total += 1
        counted += pk in labels
        if heard is None:
            continue
        everything.append(heard.confidence)
        if pk in labels:
            confidence.append(heard.confidence)
            wrong.append(differs(project, machine[heard.is_accepted], labels[pk]))
    return Evidence(
        np.array(confidence), np.array(wrong, dtype=bool), counted, np.array(everything), total, _hash(labels)
    )


def sample_labels(sample: CalibrationSample) -> dict[int, str]:
    """Return what people decided of a sample's answers."""
    own = set(sample.answers.values_list("candidate_id", flat=True))
    return {pk: label for pk, label in people_labels(project=sample.project).items() if pk in own}


def labels_hash(sample: CalibrationSample) -> str:
    """Return the hash by which a certificate knows whether people still say the same of its sample."""
    return _hash(sample_labels(sample))


def _hash(labels: Mapping[int, str]) -> str:
    return hash_of(sorted(labels.items()))


def population(sample: CalibrationSample) -> QuerySet[Candidate]:
    """Return the answers that a sample stands for today.

    What machines may settle, what rules in force speak for since it was drawn, and the sample itself. What
    people judged besides is none of it: nobody drew that.
    """
    ruled = PrejudgedAnswer.objects.filter(
        application__project=sample.project, undone_at=None, settled_at__gte=sample.drawn_at
    )
    free = settleable(project_id=sample.project_id)
    return Candidate.objects.filter(
        Q(pk__in=free.values("pk"))
        | Q(pk__in=ruled.values("candidate"))
        | Q(pk__in=sample.answers.values("candidate"))
    )


def drawable_then(sample: CalibrationSample) -> QuerySet[Candidate]:
    """Return the answers that a sample was drawn of, whoever has judged them since, and what came later.

    Raters judge what no rule is sure of: without those, what is left is of another kind than the sample.
    """
    sheets = Assignment.objects.filter(candidate=OuterRef("pk"))
    decisions = Decision.objects.filter(candidate=OuterRef("pk"))
    before = Q(Exists(sheets.filter(sheet__handed_out_at__lt=sample.drawn_at))) | Q(
        Exists(decisions.filter(decided_at__lt=sample.drawn_at))
    )
    since = Candidate.objects.filter(Exists(sheets) | Exists(decisions), project=sample.project_id)
    judged = since.filter(is_judgeable=True, question__in_sample=True).exclude(before)
    return Candidate.objects.filter(Q(pk__in=population(sample).values("pk")) | Q(pk__in=judged.values("pk")))


def _heard(
    project: Project, rules: Sequence[Rule], answers: QuerySet[Candidate]
) -> Iterable[tuple[int, dict[str, SaidVerdict]]]:
    questions = answers.order_by("question_id").values_list("question_id", flat=True).distinct()
    for chunk in batched(list(questions), QUESTIONS_AT_ONCE):
        said = read_said(project=project, rules=rules, question_ids=chunk)
        ids = answers.filter(question__in=chunk).order_by("pk").values_list("pk", flat=True)
        yield from ((pk, said[pk]) for pk in ids)


@kept()
def read_lapses(project: Project) -> Mapping[int, Lapse]:
    """Return why certificates that were given hold no longer, by their keys; those that hold lack."""
    given = Certificate.objects.filter(sample__project=project, refusal="").select_related("sample")
    found = {row.pk: find_lapse(project=project, certificate=row) for row in given.order_by("pk")}
    return {pk: lapse for pk, lapse in found.items() if lapse is not None}


def read_proofs(*, project: Project, applications: Iterable[PolicyApplication]) -> tuple[Proof, ...]:
    """Return what the certificates rest on that rules of these applications carry, oldest first."""
    carried = {rule.get("certificate") for each in applications for rule in each.rules} - {None, ""}
    if not carried:
        return ()
    lapses = read_lapses(project=project)
    rows = Certificate.objects.filter(sample__project=project, public_id__in=carried).order_by("pk")
    return tuple(
        Proof(
            text=row.text,
            drawn=row.sample.answers.count(),
            population=row.sample.population,
            settled=row.settled_labels,
            errors=row.errors,
            alpha=row.alpha,
            delta=_risk_of_all(row),
            spent=row.spent,
            number=row.number,
            tries=row.sample.certificates.count(),
            lapse=LAPSE_WORDS[lapses[row.pk]] if row.pk in lapses else "",
        )
        for row in rows.select_related("sample")
    )


def find_lapse(*, project: Project, certificate: Certificate) -> Lapse | None:
    """Return why a certificate holds no longer, or None while it holds; what costs most to see comes last.

    One that has lapsed stays lapsed for the reason that was noted first.
    """
    if certificate.lapse:
        return Lapse(certificate.lapse)
    sample = certificate.sample
    run_lapse = _lapse_of_runs(project, certificate.signatures)
    if run_lapse is not None:
        return run_lapse
    systems = System.objects.filter(project=project).exclude(public_id__in=sample.systems)
    if systems.exists():
        return Lapse.NEW_SYSTEMS
    if labels_hash(sample) != certificate.labels_hash:
        return Lapse.LABELS_CHANGED
    if _is_contradicted(project, certificate):
        return Lapse.AUDIT_CONTRADICTS
    return Lapse.DRIFT if _drifts(project, certificate) else None


def _lapse_of_runs(project: Project, signatures: Mapping[str, str]) -> Lapse | None:
    rows = JudgeRun.objects.filter(project=project, public_id__in=signatures).order_by("pk")
    runs = {run.public_id: run for run in rows}
    if runs.keys() != signatures.keys():
        return Lapse.RUN_GONE
    is_new = any(runs[run].signature != signature for run, signature in signatures.items())
    return Lapse.NEW_VERSION if is_new or any(map(_is_outdated, runs.values())) else None


def _is_outdated(run: JudgeRun) -> bool:
    """Whether the judge would say something else today: its revision was raised since the run began."""
    revision = dict(run.stated).get("revision")
    return revision is not None and revision != str(get_entry(run.judge_key).revision)


def _is_contradicted(project: Project, certificate: Certificate) -> bool:
    """Whether all audits of rules that carry it prove more errors than it allows, at any look."""
    applications = PolicyApplication.objects.filter(project=project).order_by("pk")
    places = [
        (application.pk, number)
        for application in applications
        for number, rule in enumerate(application.rules, start=1)
        if rule.get("certificate") == certificate.public_id
    ]
    if not places:
        return False
    counts = count_answers(project, list(applications))
    share = measure_audit(reduce(AuditCounts.plus, (counts[place] for place in places), AuditCounts())).share
    return share.low is not None and share.low > certificate.alpha


def _drifts(project: Project, certificate: Certificate) -> bool:
    sample = certificate.sample
    (rule,) = read_rules([certificate.rule])
    before = read_rules(certificate.before)
    own = set(sample.answers.values_list("candidate_id", flat=True))
    scores: dict[int, float] = {}
    for pk, said in _heard(project, [*before, rule], drawable_then(sample)):
        known = as_said(said)
        if not any(say(each, **known) is not None for each in before):
            scores[pk] = _as_number(rule, said)
    return has_drifted(
        sample=np.array([score for pk, score in scores.items() if pk in own]),
        now=np.array(list(scores.values())),
        fresh=np.array([score for pk, score in scores.items() if pk > sample.newest_answer]),
    )


def _as_number(rule: Rule, said: Mapping[str, SaidVerdict]) -> float:
    """Return where on the judge's scale an answer lies: from surely incorrect to surely correct."""
    heard = hear(rule, **as_said(said))
    if heard is None:
        return NO_SCORE
    return heard.confidence if heard.is_accepted else 1.0 - heard.confidence

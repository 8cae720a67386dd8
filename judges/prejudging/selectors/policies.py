"""Read policies and their applications, and what a policy would settle now."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple

from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet

from annotation.adjudication.models import Decision
from annotation.adjudication.rules import GOLD_EQUAL_RULE
from annotation.adjudication.selectors.dossier import free_for_machines
from annotation.items.models import Candidate
from annotation.judgments.selectors import improper_questions
from annotation.projects.models import Project
from common.errors import NotFound
from common.identifiers import tell_apart
from judges.prejudging.models import (
    CalibrationAnswer,
    PolicyApplication,
    PrejudgedAnswer,
    PrejudgingPolicy,
)
from judges.prejudging.rules.audit import seed_of_application
from judges.prejudging.rules.policies import (
    CONDITION_NAMES,
    DEFAULT_AUDIT_SHARE,
    MEANINGS,
    Condition,
    Finding,
    Meaning,
    Rule,
    content_hash,
    describe_rule,
    find_rule,
    read_rules,
)
from judges.registry import display_name, get_entry
from judges.runs.models import JudgeRun, Verdict

State = PolicyApplication.State


class ApplicationNotFound(NotFound):
    """The project has no such application of a policy."""


class Sureness(StrEnum):
    """What a run says besides verdicts: nothing, scores from 0 to 1, or how probable correct is."""

    NONE = "none"
    SCORE = "score"
    PROBABILITY = "probability"


@dataclass(frozen=True)
class ChoosableRun:
    """A run that a rule may use.

    `judged`: the number of verdicts that can settle answers, which are those that are scored and have no
    flags. `sureness`: what a threshold is compared with, which is either scores from 0 to 1 or the
    probability that the answer is correct; if "none", a rule uses only the verdicts.
    """

    id: str
    judge: str
    name: str
    signature: str
    state: str
    judged: int
    sureness: Sureness


@dataclass(frozen=True)
class PolicyRule:
    """A saved rule.

    `threshold`: the minimum confidence of its runs; null if only the verdicts count. `certificate`: the ID of
    its certificate, or empty. `meaning`: the decision that follows. `text`: the rule in words.
    """

    runs: list[str]
    condition: Condition
    threshold: float | None
    certificate: str
    meaning: Meaning
    text: str


@dataclass(frozen=True)
class PolicyCondition:
    """A condition that a rule’s verdicts can be required to meet, and the decision that follows."""

    key: Condition
    name: str
    meaning: Meaning


@dataclass(frozen=True)
class AppliedRule:
    """A rule of an application.

    `decided`, `drawn`: the numbers of answers that it settled and sampled for the audit, not counting undone
    ones.
    """

    number: int
    text: str
    meaning: Meaning
    signatures: list[str]
    decided: int
    drawn: int


@dataclass(frozen=True)
class AppliedPolicy:
    """An application of the policy.

    `undone`: answers returned to annotators. `undone_draws`: how many of these had been sampled for the
    audit.
    """

    id: str
    number: int
    state: State
    rules: list[AppliedRule]
    audit_share: float
    seed: int
    decided: int
    drawn: int
    undone: int
    undone_draws: int
    applied_by: str
    applied_at: datetime
    finished_at: datetime | None
    undone_by: str
    undo_reason: str
    undone_at: datetime | None


@dataclass(frozen=True)
class Policy:
    """The saved policy with the options for changing it, and all applications, newest first.

    `seed`, `saved_at`: null if no policy was saved. `conditions`, `runs`: those that a rule can use.
    """

    rules: list[PolicyRule]
    audit_share: float
    seed: int | None
    saved_by: str
    saved_at: datetime | None
    conditions: list[PolicyCondition]
    runs: list[ChoosableRun]
    applications: list[AppliedPolicy]


CONDITIONS = [PolicyCondition(key, name, MEANINGS[key]) for key, name in CONDITION_NAMES.items()]


def get_policy(*, project: Project) -> PrejudgingPolicy | None:
    """Return the project's saved policy, or None where nobody saved one."""
    return PrejudgingPolicy.objects.filter(project=project).first()


def read_policy(*, project: Project) -> Policy:
    """Return what a project settles by: its saved rules, and what was applied so far."""
    policy = get_policy(project=project)
    rules = read_rules(policy.rules) if policy else ()
    spelled = spell_rules(project=project, rules=rules)
    return Policy(
        rules=[
            PolicyRule(
                list(rule.runs), rule.condition, rule.threshold, rule.certificate, rule.meaning, words["text"]
            )
            for rule, words in zip(rules, spelled, strict=True)
        ],
        audit_share=policy.audit_share if policy else DEFAULT_AUDIT_SHARE,
        seed=policy.seed if policy else None,
        saved_by=policy.saved_by.name if policy and policy.saved_by else "",
        saved_at=policy.saved_at if policy else None,
        conditions=CONDITIONS,
        runs=list_runs(project=project),
        applications=[
            describe_application(each)
            for each in _applications(project).select_related("applied_by", "undone_by")
        ],
    )


def list_runs(*, project: Project) -> list[ChoosableRun]:
    """Return the project's runs, oldest first; where two have one name, their signatures tell them apart."""
    usable = Q(verdicts__accepted__isnull=False, verdicts__flags="")
    within = Q(verdicts__score__gte=0.0, verdicts__score__lte=1.0)
    rows = (
        project.judge_runs.filter(purpose=JudgeRun.Purpose.VERDICTS)
        .annotate(
            judged=Count("verdicts", filter=usable),
            scored=Count("verdicts", filter=usable & Q(verdicts__score__isnull=False)),
            within=Count("verdicts", filter=usable & within),
        )
        .order_by("created_at", "pk")
    )
    fields = ("public_id", "judge_key", "signature", "state", "judged", "scored", "within")
    return [
        ChoosableRun(
            public_id, key, display_name(key), signature, state, judged, _sureness(key, scored, within)
        )
        for public_id, key, signature, state, judged, scored, within in rows.values_list(*fields)
    ]


def _sureness(key: str, scored: int, within: int) -> Sureness:
    """A score outside 0 to 1 has another unit: nobody knows where in it a judge is sure."""
    if not scored or within < scored:
        return Sureness.NONE
    return Sureness.PROBABILITY if get_entry(key).states_probability else Sureness.SCORE


def spell_rules(*, project: Project, rules: Iterable[Rule]) -> list[dict[str, Any]]:
    """Return rules as they are kept with an application: in words, and with their runs' signatures."""
    runs = {run.id: run for run in list_runs(project=project)}
    names, probable = _spoken_names(runs)
    return [
        {
            **rule.to_json(),
            "text": describe_rule(rule, names=names, probable=probable),
            "signatures": [runs[run].signature if run in runs else "" for run in rule.runs],
        }
        for rule in rules
    ]


def spell_certified(*, project: Project, rule: Rule, threshold: float | None) -> str:
    """Return in words what a certificate speaks of: the rule with the threshold found, None where none was.

    A rule by verdicts has no threshold, found or not.
    """
    names, probable = _spoken_names({run.id: run for run in list_runs(project=project)})
    if rule.threshold is None:
        return describe_rule(rule, names=names, probable=probable)
    found = rule if threshold is None else rule._replace(threshold=threshold)
    return describe_rule(found, names=names, probable=probable, is_threshold_open=threshold is None)


def _spoken_names(runs: Mapping[str, ChoosableRun]) -> tuple[dict[str, str], set[str]]:
    """Return the runs' names, and which of them state probabilities."""
    names = dict(zip(runs, tell_apart((run.name, run.id) for run in runs.values()), strict=True))
    return names, {run.id for run in runs.values() if run.sureness is Sureness.PROBABILITY}


def labels_of(project: Project) -> dict[bool, str]:
    """Return the protocol's labels for correct (True) and incorrect: the first worth full or no credit."""
    assert project.protocol is not None
    protocol = project.protocol.rules
    accepted = next(label.key for label in protocol.labels if label.key in protocol.accepted_keys)
    rejected = next(label.key for label in protocol.labels if label.key in protocol.rejected_keys)
    return {True: accepted, False: rejected}


def differs(project: Project, machine: str, people: str) -> bool:
    """Whether people's label is worth something else: "possibly correct" is neither correct nor incorrect."""
    assert project.protocol is not None
    protocol = project.protocol.rules
    return protocol.credit(machine) is not protocol.credit(people)


def decided_by_people(*, project: Project) -> QuerySet[Candidate]:
    """Return the answers that people decided, without the questions that raters took out of every score."""
    rows = Candidate.objects.filter(pk__in=_by_people(project).values("candidate"), is_judgeable=True)
    return rows.exclude(question__in=improper_questions(project))


def people_labels(*, project: Project) -> dict[int, str]:
    """Return what people decided of `decided_by_people`, by answer."""
    rows = _by_people(project).filter(candidate__in=decided_by_people(project=project))
    return dict(rows.values_list("candidate_id", "label"))


def _by_people(project: Project) -> QuerySet[Decision]:
    """What programs had a part in is none of it, nor what counts because it equals a gold answer."""
    rows = Decision.objects.in_force().filter(candidate__project=project)
    return rows.without_programs().exclude(rule=GOLD_EQUAL_RULE)


def list_applications(*, project: Project) -> list[PolicyApplication]:
    """Return the project's applications, newest first, those undone included."""
    return list(_applications(project))


def _applications(project: Project) -> QuerySet[PolicyApplication]:
    return PolicyApplication.objects.filter(project=project).order_by("-number")


def get_application(*, project: Project, public_id: str) -> PolicyApplication:
    """Return one application; raises `ApplicationNotFound`."""
    found = PolicyApplication.objects.filter(project=project, public_id=public_id).first()
    if found is None:
        raise ApplicationNotFound("This project has no such applied policy.")
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
    """Return the rules of applications, oldest first; alike in runs, condition and threshold they are one."""
    found: dict[tuple[object, ...], tuple[str, set[tuple[int, int]]]] = {}
    for application in sorted(applications, key=lambda each: each.number):
        for number, rule in enumerate(application.rules, start=1):
            _, places = found.setdefault(
                (*rule["runs"], rule["condition"], rule.get("threshold")), (rule["text"], set())
            )
            places.add((application.pk, number))
    return [
        RuleInForce(number, text, frozenset(places))
        for number, (text, places) in enumerate(found.values(), start=1)
    ]


def describe_application(application: PolicyApplication) -> AppliedPolicy:
    """Return an application with how many answers each of its rules speaks for now."""
    rows = application.answers.values_list("rule_number", "is_audited").annotate(
        standing=Count("pk", filter=Q(undone_at=None)), undone=Count("pk", filter=Q(undone_at__isnull=False))
    )
    standing: Counter[tuple[int, bool]] = Counter()
    undone: Counter[bool] = Counter()
    for number, is_audited, still, gone in rows.order_by():
        standing[number, is_audited] = still
        undone[is_audited] += gone
    rules = [
        AppliedRule(
            number=number,
            text=spelled["text"],
            meaning=rule.meaning,
            signatures=spelled["signatures"],
            decided=standing[number, False],
            drawn=standing[number, True],
        )
        for number, (rule, spelled) in enumerate(
            zip(read_rules(application.rules), application.rules, strict=True), start=1
        )
    ]
    return AppliedPolicy(
        id=application.public_id,
        number=application.number,
        state=State(application.state),
        rules=rules,
        audit_share=application.audit_share,
        seed=application.seed,
        decided=sum(rule.decided for rule in rules),
        drawn=sum(rule.drawn for rule in rules),
        undone=undone.total(),
        undone_draws=undone[True],
        applied_by=application.applied_by.name if application.applied_by else "",
        applied_at=application.applied_at,
        finished_at=application.finished_at,
        undone_by=application.undone_by.name if application.undone_by else "",
        undo_reason=application.undo_reason,
        undone_at=application.undone_at,
    )


class SaidVerdict(NamedTuple):
    """A verdict on an answer, by the public id of its run."""

    id: int
    run: str
    accepted: bool
    score: float | None


class FoundAnswer(NamedTuple):
    """An open answer that a rule settles; `name` says what it is, alike in every copy of the study."""

    candidate_id: int
    question_id: int
    name: str
    finding: Finding
    verdicts: tuple[SaidVerdict, ...]


def settleable(*, project_id: int) -> QuerySet[Candidate]:
    """Return the answers that a machine may settle and for which no rule in force speaks already.

    None of a calibration sample that stands: people alone judge those.
    """
    spoken_for = PrejudgedAnswer.objects.filter(candidate=OuterRef("pk"), undone_at=None)
    for_people = CalibrationAnswer.objects.filter(candidate=OuterRef("pk"), sample__closed_at=None)
    return free_for_machines(project_id=project_id).exclude(Exists(spoken_for)).exclude(Exists(for_people))


def open_question_ids(*, project_id: int) -> list[int]:
    """Return the questions that hold an answer a machine may settle, in the order in which all lock them."""
    rows = settleable(project_id=project_id).order_by("question_id").values_list("question_id", flat=True)
    return list(rows.distinct())


def find_answers(
    *, project: Project, rules: Sequence[Rule], question_ids: Iterable[int]
) -> list[FoundAnswer]:
    """Return the answers of these questions that a rule settles, each with its first rule's verdicts."""
    return apply_rules(
        project=project,
        rules=rules,
        answers=settleable(project_id=project.pk),
        question_ids=question_ids,
    )


def apply_rules(
    *, project: Project, rules: Sequence[Rule], answers: QuerySet[Candidate], question_ids: Iterable[int]
) -> list[FoundAnswer]:
    """Return those of these answers, to these questions, for which a rule speaks, whoever may settle them.

    A verdict with a flag settles nothing: a person should look at it first.
    """
    ids = list(question_ids)
    rows = answers.filter(question__in=ids).order_by("pk")
    fields = ("pk", "question_id", "question__key_hash", "group", "pool_hash", "duplicate")
    said = read_said(project=project, rules=rules, question_ids=ids)
    found = []
    for pk, question_id, *what in rows.values_list(*fields):
        finding = find_rule(rules=rules, **as_said(said[pk]))
        if finding is None:
            continue
        behind = tuple(said[pk][run] for run in rules[finding.rule - 1].runs if run in said[pk])
        found.append(FoundAnswer(pk, question_id, " ".join(map(str, what)), finding, behind))
    return found


def as_said(said: Mapping[str, SaidVerdict]) -> dict[str, Any]:
    """Return what the runs said of an answer as rules take it."""
    return {
        "verdicts": {run: each.accepted for run, each in said.items()},
        "scores": {run: each.score for run, each in said.items()},
    }


def read_said(
    *, project: Project, rules: Sequence[Rule], question_ids: Sequence[int]
) -> Mapping[int, dict[str, SaidVerdict]]:
    """Return what the runs of rules say of the answers to these questions, by answer and run."""
    said: dict[int, dict[str, SaidVerdict]] = defaultdict(dict)
    rows = Verdict.objects.filter(
        run__project=project,
        run__public_id__in={run for rule in rules for run in rule.runs},
        candidate__question__in=question_ids,
        accepted__isnull=False,
        flags="",
    ).order_by("pk")
    fields = ("candidate_id", "pk", "run__public_id", "accepted", "score")
    for candidate_id, pk, run, accepted, score in rows.values_list(*fields):
        said[candidate_id][run] = SaidVerdict(pk, run, bool(accepted), score)
    return said


@dataclass(frozen=True)
class RuleVerdict:
    """A verdict behind a settled answer, as it was when the rule used it."""

    judge: str
    accepted: bool
    score: float | None


def read_judge_names(project: Project) -> dict[str, str]:
    """Return how the project's runs are called, by public id."""
    return _names(JudgeRun.objects.filter(project=project))


def name_runs(*, project_id: int, public_ids: Collection[str]) -> dict[str, str]:
    """Return how these runs of a project are called, by public id; those that are gone lack."""
    return _names(JudgeRun.objects.filter(project=project_id, public_id__in=list(public_ids)))


def _names(runs: QuerySet[JudgeRun]) -> dict[str, str]:
    rows = runs.order_by("pk").values_list("public_id", "judge_key")
    return {public_id: display_name(key) for public_id, key in rows}

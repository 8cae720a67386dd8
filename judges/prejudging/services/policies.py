"""Save policies; settle what one leaves to machines, by chunks under the questions’ locks; undo it."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import QuerySet

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.services.settling import Ruling, decide_together, withdraw_together
from annotation.assignments.services.slots import lock_due_questions
from annotation.assignments.services.work_plans import set_first_only
from annotation.items.models import Candidate
from annotation.items.services.samples import close_unsampled_answers
from annotation.projects.models import Project
from common.clock import now
from common.database.rows import in_chunks
from common.errors import Conflict, Invalid
from common.tasks import enqueue_on_commit
from judges.prejudging.models import (
    Certificate,
    PolicyApplication,
    PrejudgedAnswer,
    PrejudgedVerdict,
    PrejudgingPolicy,
)
from judges.prejudging.rules.audit import is_drawn, seed_of_application
from judges.prejudging.rules.certificates import LAPSE_WORDS, Lapse
from judges.prejudging.rules.policies import (
    DEFAULT_AUDIT_SHARE,
    Rule,
    UnusablePolicy,
    content_hash,
    read_rules,
    require_share,
)
from judges.prejudging.selectors.certificates import find_lapse
from judges.prejudging.selectors.policies import (
    ChoosableRun,
    FoundAnswer,
    Sureness,
    find_answers,
    find_same,
    get_policy,
    labels_of,
    last_number,
    list_runs,
    open_question_ids,
    spell_rules,
)
from judges.prejudging.services.seeds import secret_number

SEED_SALT = "judges.prejudging.seed"
SEED_BITS = 31
WORK_TASK = "judges.prejudging.work"
INLINE_QUESTIONS = 200
State = PolicyApplication.State
AT_WORK = (State.QUEUED, State.RUNNING)


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

    It is the same each time, so that a preview shows what applying then does.
    """
    return secret_number(project=project, salt=SEED_SALT) >> (64 - SEED_BITS)


def _with_run_ids(project: Project, rules: Sequence[Rule]) -> list[Rule]:
    runs = {run.id: run for run in list_runs(project=project)}
    by_key: dict[str, list[str]] = {}
    for run in runs.values():
        by_key.setdefault(run.judge, []).append(run.id)
    named = {run: [run] for run in runs} | by_key
    found = [rule._replace(runs=tuple(_run_id(run, named) for run in rule.runs)) for rule in rules]
    for place, rule in enumerate(found, start=1):
        if rule.certificate:
            found[place - 1] = _certified(project, place, rule, before=found[: place - 1])
            continue
        if rule.threshold is not None:
            _require_sure(place, [runs[run] for run in rule.runs])
    return found


def _certified(project: Project, place: int, rule: Rule, *, before: Sequence[Rule]) -> Rule:
    """Return a rule with its certificate’s threshold; raises `UnusablePolicy` where that is of another."""
    row = Certificate.objects.filter(sample__project=project, public_id=rule.certificate).first()
    if row is None:
        raise UnusablePolicy(
            "rules", f"Rule {place}: the certificate “{rule.certificate}” does not exist in this project."
        )
    if row.threshold is None:
        raise UnusablePolicy("rules", f"Rule {place}: its certificate was refused.")
    if row.rule["runs"] != list(rule.runs) or row.rule["condition"] != rule.condition:
        raise UnusablePolicy("rules", f"Rule {place} has changed since it was certified. Certify it again.")
    if row.before != [each.to_json() for each in before]:
        raise UnusablePolicy(
            "rules", f"The rules before rule {place} have changed since it was certified. Certify it again."
        )
    return rule._replace(threshold=row.threshold if row.by_score else None)


def _require_sure(place: int, runs: Sequence[ChoosableRun]) -> None:
    """Refuse a threshold for a judge that never says how sure it is; one that has not judged yet may."""
    for run in runs:
        if run.judged and run.sureness is Sureness.NONE:
            raise UnusablePolicy(
                "rules",
                f"Rule {place}: {run.name} does not report its confidence. Remove the minimum confidence.",
            )


def _run_id(named: str, known: Mapping[str, list[str]]) -> str:
    found = known.get(named, [])
    if len(found) == 1:
        return found[0]
    if found:
        raise UnusablePolicy("rules", f"“{named}” has {len(found)} runs. Choose one by its ID.")
    raise UnusablePolicy("rules", f"The run “{named}” does not exist in this project.")


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


class NoRules(Invalid):
    """A policy without rules settles nothing."""


class CertificateLapsed(Conflict):
    """A rule carries a certificate that holds no longer."""


class CertificateUnaudited(Invalid):
    """A rule carries a certificate, and no answer would be drawn that could contradict it."""


class PolicyChanged(Conflict):
    """Somebody saved another policy meanwhile."""


def apply_policy(
    *, project: Project, by: User | None = None, at: datetime | None = None
) -> PolicyApplication:
    """Ask for the saved policy to be applied to every answer that nobody has voted on or holds.

    The same policy applied again is the same application, and takes what is new, unless something of it
    was undone: what is given back is drawn anew, by the seed of a new application. Raises `NoRules`,
    `PolicyRefused`, `CertificateLapsed`, `CertificateUnaudited`, `PolicyChanged`.
    """
    policy = make_policy(project=project)
    if not policy.rules:
        raise NoRules("Save a rule first. Without a rule, nothing is settled.")
    # Looking whether certificates hold takes too long to keep others from writing meanwhile.
    _require_certificates(project, policy, at=at or now())
    return _queue(project, policy, by=by, at=at)


def note_lapse(*, certificate: Certificate, lapse: Lapse, at: datetime) -> None:
    """Write down that a certificate holds no longer; the first reason that was noted stays."""
    Certificate.objects.filter(pk=certificate.pk, lapse="").update(lapse=lapse, lapsed_at=at)


def _require_certificates(project: Project, policy: CheckedPolicy, *, at: datetime) -> None:
    carried = {
        rule.certificate: number for number, rule in enumerate(policy.rules, start=1) if rule.certificate
    }
    if carried and not policy.audit_share:
        raise CertificateUnaudited(
            "A rule with a certificate needs an audit that can contradict it. Enter an audit share above 0."
        )
    for row in Certificate.objects.filter(sample__project=project, public_id__in=carried).order_by("pk"):
        lapse = find_lapse(project=project, certificate=row)
        if lapse is not None:
            note_lapse(certificate=row, lapse=lapse, at=at)
            raise CertificateLapsed(
                f"The certificate of rule {carried[row.public_id]} has lapsed. {LAPSE_WORDS[lapse]} "
                "Certify the rule again, or apply it without a certificate."
            )


@transaction.atomic
def _queue(
    project: Project, policy: CheckedPolicy, *, by: User | None, at: datetime | None
) -> PolicyApplication:
    # The project's row is the lock under which applications are numbered.
    Project.objects.locked(project.pk)
    if make_policy(project=project) != policy:
        raise PolicyChanged("Somebody saved another policy in the meantime. Review it, then apply it.")
    same = find_same(project=project, **policy._asdict())
    application = (
        PolicyApplication.objects.select_for_update().get(pk=same.pk)
        if same
        else _make_application(project, policy, by=by, at=at or now())
    )
    if application.state != State.UNDOING:
        application.state = State.QUEUED
        application.save()
    # What raters were to wait for is decided: what the rules leave is theirs.
    set_first_only(project_id=project.pk, hands_out_first_only=False)
    enqueue_on_commit(WORK_TASK, application.pk)
    return application


def _make_application(
    project: Project, policy: CheckedPolicy, *, by: User | None, at: datetime
) -> PolicyApplication:
    number = last_number(project=project) + 1
    seed = seed_of_application(seed=policy.seed, number=number)
    return PolicyApplication(
        project=project,
        number=number,
        rules=spell_rules(project=project, rules=policy.rules),
        audit_share=policy.audit_share,
        seed=seed,
        content_hash=content_hash(rules=policy.rules, audit_share=policy.audit_share, seed=seed),
        applied_by=by,
        applied_at=at,
    )


def work_on_application(*, application_id: int) -> None:
    """Do what an application waits for: settle, or take back. Safe to repeat, and to do twice at once."""
    work_on_undoing(application_id=application_id)
    # Where it is applied again meanwhile it is queued again, and not done when this ends.
    PolicyApplication.objects.filter(pk=application_id, state=State.QUEUED).update(state=State.RUNNING)
    application = PolicyApplication.objects.select_related("project__protocol").get(pk=application_id)
    if application.state != State.RUNNING:
        return
    rules = read_rules(application.rules)
    ids = open_question_ids(project_id=application.project_id)
    for chunk in in_chunks(ids):
        if not _settle_chunk(application, rules, chunk, at=now()):
            return
    PolicyApplication.objects.filter(pk=application_id, state=State.RUNNING).update(
        state=State.DONE, finished_at=now()
    )


@transaction.atomic
def _settle_chunk(
    application: PolicyApplication, rules: tuple[Rule, ...], question_ids: Iterable[int], *, at: datetime
) -> bool:
    """Settle the answers of some questions; False where the application is no longer at work.

    The application's row is locked before the questions: whoever undoes it waits for this chunk, and takes
    it back with the others.
    """
    is_at_work = PolicyApplication.objects.select_for_update().filter(pk=application.pk, state__in=AT_WORK)
    if is_at_work.first() is None:
        return False
    locked = lock_due_questions(question_ids=question_ids, waits=True)
    # Read under the locks: nobody can be handed these answers now, nor vote on them.
    found = find_answers(project=application.project, rules=rules, question_ids=locked)
    _store(application, found, at=at)
    return True


def _store(application: PolicyApplication, found: list[FoundAnswer], *, at: datetime) -> None:
    drawn = {
        answer.candidate_id
        for answer in found
        if is_drawn(seed=application.seed, name=answer.name, share=application.audit_share)
    }
    labels = labels_of(application.project)
    decisions = decide_together(
        project_id=application.project_id,
        rulings={
            answer.candidate_id: _ruling(application, answer, labels[answer.finding.is_accepted])
            for answer in found
            if answer.candidate_id not in drawn
        },
        at=at,
    )
    spoken_for = [answer for answer in found if answer.candidate_id in drawn | decisions.keys()]
    rows = PrejudgedAnswer.objects.bulk_create(
        _row(application, answer, labels, decisions.get(answer.candidate_id), at) for answer in spoken_for
    )
    PrejudgedVerdict.objects.bulk_create(
        PrejudgedVerdict(
            answer=row,
            verdict_id=verdict.id,
            run_public_id=verdict.run,
            accepted=verdict.accepted,
            score=verdict.score,
        )
        for row, answer in zip(rows, spoken_for, strict=True)
        for verdict in answer.verdicts
    )


def _ruling(application: PolicyApplication, answer: FoundAnswer, label: str) -> Ruling:
    number = answer.finding.rule
    return Ruling(
        label=label,
        rule=f"prejudging {application.number}, rule {number}",
        reason=application.rules[number - 1]["text"],
    )


def _row(
    application: PolicyApplication,
    answer: FoundAnswer,
    labels: dict[bool, str],
    decision: Decision | None,
    at: datetime,
) -> PrejudgedAnswer:
    return PrejudgedAnswer(
        application=application,
        candidate_id=answer.candidate_id,
        rule_number=answer.finding.rule,
        label=labels[answer.finding.is_accepted],
        is_audited=decision is None,
        audit_probability=application.audit_share,
        decision=decision,
        settled_at=at,
    )


def work_if_small(*, application_id: int) -> None:
    """Do at once what takes a moment; what takes longer is left to the worker, who was rung for."""
    application = PolicyApplication.objects.get(pk=application_id)
    waiting = [
        *open_question_ids(project_id=application.project_id)[: INLINE_QUESTIONS + 1],
        *application.answers.filter(undone_at=None).values_list("pk", flat=True)[: INLINE_QUESTIONS + 1],
    ]
    if len(waiting) <= INLINE_QUESTIONS:
        work_on_application(application_id=application_id)


def sweep_applications() -> int:
    """Ring for every application that waits or was left lying, and return how many there are."""
    waiting = PolicyApplication.objects.filter(state__in=(*AT_WORK, State.UNDOING)).order_by("pk")
    ids = list(waiting.values_list("pk", flat=True))
    for application_id in ids:
        enqueue_on_commit(WORK_TASK, application_id)
    return len(ids)


class NotToBeUndone(Conflict):
    """The application was undone before, or is being undone, or is not yet through."""


class NoSuchRule(Invalid):
    """The application has no rule of this number."""


@transaction.atomic
def undo_application(
    *,
    application: PolicyApplication,
    by: User,
    reason: str,
    rule: int | None = None,
    at: datetime | None = None,
) -> PolicyApplication:
    """Ask for everything an application settled to be taken back, or only what one rule did.

    Its decisions are withdrawn by further rows and the answers go back to raters; answers drawn for the
    audit are then like any other. What a person has decided anew stays. Raises `NotToBeUndone`,
    `NoSuchRule`.
    """
    if rule is not None and not 1 <= rule <= len(application.rules):
        raise NoSuchRule(f"Choose a rule from 1 to {len(application.rules)}.")
    application = PolicyApplication.objects.select_for_update().get(pk=application.pk)
    if application.state in (State.UNDOING, State.UNDONE):
        raise NotToBeUndone("This was already undone or is being undone.")
    if rule is not None and application.state != State.DONE:
        raise NotToBeUndone(
            "The policy is still being applied. Wait until this has finished, or undo the whole policy."
        )
    application.state = State.UNDOING
    application.undoing_rule = rule
    application.undone_by = by
    application.undo_reason = reason.strip()
    application.undone_at = at or now()
    application.save()
    enqueue_on_commit(WORK_TASK, application.pk)
    return application


def work_on_undoing(*, application_id: int) -> None:
    """Take back what an application that is being undone still holds; safe to repeat."""
    application = (
        PolicyApplication.objects.select_related("project__protocol", "undone_by")
        .filter(pk=application_id, state=State.UNDOING)
        .first()
    )
    if application is None:
        return
    held = _held(application)
    ids = list(
        held.order_by("candidate__question_id").values_list("candidate__question_id", flat=True).distinct()
    )
    for chunk in in_chunks(ids):
        _take_back_chunk(application, chunk, at=now())
    # Answers of questions that left the sample meanwhile are not to be judged.
    close_unsampled_answers(project=application.project)
    _finish(application)


def _held(application: PolicyApplication) -> QuerySet[PrejudgedAnswer]:
    held = PrejudgedAnswer.objects.filter(application=application, undone_at=None)
    rule = application.undoing_rule
    return held if rule is None else held.filter(rule_number=rule)


@transaction.atomic
def _take_back_chunk(application: PolicyApplication, question_ids: Sequence[int], *, at: datetime) -> None:
    assert application.undone_by is not None
    locked = lock_due_questions(question_ids=question_ids, waits=True)
    # By key: joined to its questions, SQLite goes through all of the application's answers each time.
    ids = list(Candidate.objects.filter(question__in=locked).order_by("pk").values_list("pk", flat=True))
    rows = _held(application).filter(candidate__in=ids).order_by("pk")
    held = dict(rows.values_list("pk", "decision_id"))
    withdraw_together(
        project=application.project,
        decision_ids=[decision for decision in held.values() if decision is not None],
        by=application.undone_by,
        reason=application.undo_reason,
        at=at,
    )
    PrejudgedAnswer.objects.filter(pk__in=list(held)).update(undone_at=at)


@transaction.atomic
def _finish(application: PolicyApplication) -> None:
    undoing = PolicyApplication.objects.select_for_update().filter(pk=application.pk, state=State.UNDOING)
    if undoing.first() is None or _held(application).exists():
        return
    is_left = PrejudgedAnswer.objects.filter(application=application, undone_at=None).exists()
    by_one_rule = application.undoing_rule is not None and is_left
    undoing.update(state=State.DONE if by_one_rule else State.UNDONE, undoing_rule=None)

"""Settle what a policy leaves to machines: chunk by chunk, under the locks of the questions."""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.adjudication.services import Ruling, decide_together
from annotation.assignments.services import lock_due_questions
from annotation.projects.models import Project
from common.clock import now
from common.database.chunks import in_chunks
from common.errors import Invalid
from common.tasks import enqueue_on_commit
from judges.prejudging.models import PolicyApplication, PrejudgedAnswer, PrejudgedVerdict
from judges.prejudging.rules import Rule, content_hash, is_drawn, read_rules, seed_of_application
from judges.prejudging.selectors import (
    FoundAnswer,
    find_answers,
    find_same,
    labels_of,
    last_number,
    open_question_ids,
    spell_rules,
)
from judges.prejudging.services.policies import CheckedPolicy, make_policy
from judges.prejudging.services.undoing import work_on_undoing

WORK_TASK = "judges.prejudging.work"
INLINE_QUESTIONS = 200
State = PolicyApplication.State
AT_WORK = (State.QUEUED, State.RUNNING)


class NoRules(Invalid):
    """A policy without rules settles nothing."""

    code = "no_rules"


@transaction.atomic
def apply_policy(
    *, project: Project, by: User | None = None, at: datetime | None = None
) -> PolicyApplication:
    """Ask for the saved policy to be applied to every answer that nobody has voted on or holds.

    The same policy applied again is the same application, and takes what is new, unless something of it
    was undone: what is given back is drawn anew, by the seed of a new application. Raises `NoRules`,
    `PolicyRefused`.
    """
    # The project's row is the lock under which applications are numbered.
    Project.objects.select_for_update().get(pk=project.pk)
    policy = make_policy(project=project)
    if not policy.rules:
        raise NoRules("Save a rule first: without one nothing is settled.")
    same = find_same(project=project, **policy._asdict())
    application = (
        PolicyApplication.objects.select_for_update().get(pk=same.pk)
        if same
        else _make_application(project, policy, by=by, at=at or now())
    )
    if application.state != State.UNDOING:
        application.state = State.QUEUED
        application.save()
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

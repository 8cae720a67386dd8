"""Raters at their browsers while a policy settles answers under their hands, again and again.

Run by `tests.faults.arena` as a process of its own, through `tests.faults.launch`.
"""

import os
import random
import traceback
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.synchronize import Semaphore
from unittest.mock import patch

from django.db import connections
from django.db.models import QuerySet

from annotation.adjudication.services import settling
from annotation.items.models import Candidate
from annotation.projects.models import Project
from common.clock import now
from judges.prejudging.models import PolicyApplication
from judges.prejudging.selectors import policies
from judges.prejudging.services.policies import (
    apply_policy,
    make_policy,
    save_policy,
    undo_application,
    work_on_application,
)
from judges.runs.models import JudgeRun, Verdict
from tests.faults.clients import Client, _fork, _work, seed

ACCEPTED_SHARE = 0.7
AUDIT_SHARE = 0.2
ROUNDS = 6
# All that raters may treat while the policy comes round: half of the work of the smallest load.
SHEETS_A_ROUND = 3
NO_END = 100_000


def prejudge(
    *, folder: str, questions: int, answers: int, raters: int, processes: int, is_broken: bool = False
) -> None:
    """Let raters judge in several processes while another one applies a policy, undoes it, and applies it.

    Verdicts come in share by share, each spread over the study, and raters get a ration of sheets with each,
    so that the policy meets them at work however quick they are.
    """
    seed(questions=questions, answers=answers, raters=raters, is_broken=is_broken)
    run = _policy(Project.objects.get(slug="arena"))
    rations = get_context("fork").Semaphore(0)
    names = [(rater, f"client{rater}-0") for rater in range(raters)]
    connections.close_all()
    children = [
        _fork(names[number::processes], folder=folder, is_broken=False, rations=rations)
        for number in range(processes)
    ]
    children.append(_fork_policy(run.pk, rations=rations, is_broken=is_broken))
    codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    if any(codes):
        raise SystemExit(f"processes ended with {codes}")
    for rater in range(0 if is_broken else raters):
        _work(Client(name=f"client-last{rater}", rater=rater, folder=folder, is_calm=True))


def _policy(project: Project) -> JudgeRun:
    run = JudgeRun.objects.create(
        project=project, judge_key="exact_match", signature="s", signature_hash="s", created_at=now()
    )
    rules = [{"runs": [run.public_id], "condition": "any_accepts"}]
    policy = make_policy(project=project, rules=rules, audit_share=AUDIT_SHARE, seed=1)
    save_policy(project=project, policy=policy)
    return run


def _fork_policy(run_id: int, *, rations: Semaphore, is_broken: bool) -> int:
    child = os.fork()
    if child:
        return child
    try:
        if is_broken:
            _drop_guards()
        try:
            _settle(JudgeRun.objects.select_related("project__created_by").get(pk=run_id), rations=rations)
        finally:
            _give(rations, NO_END)
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def _give(rations: Semaphore, sheets: int) -> None:
    for _ in range(sheets):
        rations.release()


def _settle(run: JudgeRun, *, rations: Semaphore) -> None:
    chance = random.Random(1)
    ids = list(run.project.questions.order_by("-position").values_list("pk", flat=True))
    for place in range(ROUNDS):
        candidates = Candidate.objects.filter(question__in=ids[place::ROUNDS]).order_by("pk")
        Verdict.objects.bulk_create(
            Verdict(run=run, candidate=candidate, accepted=chance.random() < ACCEPTED_SHARE, judged_at=now())
            for candidate in candidates
        )
        _give(rations, SHEETS_A_ROUND)
        application = apply_policy(project=run.project)
        work_on_application(application_id=application.pk)
        if place == ROUNDS // 2:
            _undo(application)


def _undo(application: PolicyApplication) -> None:
    undo_application(application=application, by=application.project.created_by, reason="Try again.")
    work_on_application(application_id=application.pk)


def _drop_guards() -> None:
    """Settle whatever is undecided, whoever holds it or has judged it."""

    def undecided(*, project_id: int) -> QuerySet[Candidate]:
        return Candidate.objects.filter(project=project_id, state=Candidate.State.OPEN)

    for module in (settling, policies):
        patch.object(module, "free_for_machines", undecided).start()


COMMANDS: dict[str, Callable[..., None]] = {"prejudge": prejudge}

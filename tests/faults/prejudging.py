"""Raters at their browsers while a policy settles answers under their hands, again and again.

Run by `tests.faults.arena` as a process of its own, through `tests.faults.launch`.
"""

import os
import random
import traceback
from collections.abc import Callable
from unittest.mock import patch

from django.db import connections
from django.db.models import QuerySet

from annotation.adjudication.services import machines
from annotation.items.models import Candidate
from annotation.projects.models import Project
from common.clock import now
from judges.prejudging.models import PolicyApplication
from judges.prejudging.selectors import findings
from judges.prejudging.services import (
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


def prejudge(
    *, folder: str, questions: int, answers: int, raters: int, processes: int, is_broken: bool = False
) -> None:
    """Let raters judge in several processes while another one applies a policy, undoes it, and applies it.

    Verdicts come in share by share, each spread over the study, so that the policy meets the raters.
    """
    seed(questions=questions, answers=answers, raters=raters, is_broken=is_broken)
    run = _policy(Project.objects.get(slug="arena"))
    names = [(rater, f"client{rater}-0") for rater in range(raters)]
    connections.close_all()
    children = [
        _fork(names[number::processes], folder=folder, is_broken=False) for number in range(processes)
    ]
    children.append(_fork_policy(run.pk, is_broken=is_broken))
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


def _fork_policy(run_id: int, *, is_broken: bool) -> int:
    child = os.fork()
    if child:
        return child
    try:
        if is_broken:
            _drop_guards()
        _settle(JudgeRun.objects.select_related("project__created_by").get(pk=run_id))
    except BaseException:
        traceback.print_exc()
        os._exit(1)
    os._exit(0)


def _settle(run: JudgeRun) -> None:
    chance = random.Random(1)
    ids = list(run.project.questions.order_by("-position").values_list("pk", flat=True))
    for place in range(ROUNDS):
        candidates = Candidate.objects.filter(question__in=ids[place::ROUNDS]).order_by("pk")
        Verdict.objects.bulk_create(
            Verdict(run=run, candidate=candidate, accepted=chance.random() < ACCEPTED_SHARE, judged_at=now())
            for candidate in candidates
        )
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

    for module in (machines, findings):
        patch.object(module, "free_for_machines", undecided).start()


COMMANDS: dict[str, Callable[..., None]] = {"prejudge": prejudge}

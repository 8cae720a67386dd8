"""A study with open answers, two judges that have spoken, and the policy that reads them."""

from collections.abc import Mapping
from typing import Any

import pytest

from annotation.adjudication.services.deciding import decide_answer
from annotation.items.models import Candidate
from annotation.projects.models import Project
from common.clock import now
from judges.prejudging.models import PolicyApplication
from judges.prejudging.services.policies import apply_policy, make_policy, save_policy, work_on_application
from judges.runs.models import JudgeRun, Verdict
from tests.annotation.adjudication.factories import make_answers

CORRECT, INCORRECT = "correct", "incorrect"
ANSWERS = {
    "capital of france": ["Paris", "Lyon", "paris, france"],
    "largest ocean": ["Pacific", "Atlantic"],
}


@pytest.fixture(autouse=True)
def rung(monkeypatch: pytest.MonkeyPatch) -> list[tuple[object, ...]]:
    """The doorbells that were rung, instead of a broker."""
    rings: list[tuple[object, ...]] = []
    monkeypatch.setattr("common.tasks._ring", lambda *ring: rings.append(ring))
    return rings


@pytest.fixture
def study(project: Project) -> Project:
    for question, texts in ANSWERS.items():
        make_answers(project=project, question=question, gold=[texts[0]], texts=texts)
    return project


def make_run(project: Project, key: str, verdicts: Mapping[str, bool | None], **fields: Any) -> JudgeRun:
    """Let a judge have spoken of answers, by their text."""
    run = JudgeRun.objects.create(
        project=project,
        judge_key=key,
        signature=f"judge:{key}",
        signature_hash=f"{key} {project.pk}",
        state=JudgeRun.State.FINISHED,
        created_at=now(),
    )
    for text, accepted in verdicts.items():
        add_verdict(run, text, accepted, **fields)
    return run


def add_verdict(run: JudgeRun, text: str, accepted: bool | None, **fields: Any) -> Verdict:
    return Verdict.objects.create(
        run=run,
        candidate=answer(run.project, text),
        accepted=accepted,
        unscored_reason="" if accepted is not None else "abstained",
        judged_at=now(),
        **fields,
    )


@pytest.fixture
def exact(study: Project) -> JudgeRun:
    said = {"Paris": True, "Lyon": False, "paris, france": False, "Pacific": True, "Atlantic": False}
    return make_run(study, "exact_match", said)


@pytest.fixture
def bem(study: Project) -> JudgeRun:
    said = {"Paris": True, "Lyon": False, "paris, france": True, "Pacific": None, "Atlantic": True}
    return make_run(study, "recorded:bem", said)


@pytest.fixture
def sure(study: Project) -> JudgeRun:
    """A judge that says how probably each answer is correct; it is not sure of “paris, france”."""
    run = make_run(study, "recorded:sure", {})
    for text, score in {"Paris": 0.99, "Lyon": 0.05, "paris, france": 0.7, "Pacific": 0.9}.items():
        add_verdict(run, text, score >= 0.5, score=score)
    add_verdict(run, "Atlantic", False)
    return run


def answer(project: Project, text: str) -> Candidate:
    return Candidate.objects.get(project=project, text=text)


def decide(project: Project, **labels: str) -> None:
    """Let the lead decide answers by their text."""
    assert project.created_by is not None
    for text, label in labels.items():
        decide_answer(
            project=project,
            candidate_id=answer(project, text).public_id,
            by=project.created_by,
            label=label,
            reason="Looked it up.",
        )


def states(project: Project) -> dict[str, str]:
    return dict(Candidate.objects.filter(project=project).values_list("text", "state"))


def apply(project: Project, *rules: tuple[str, list[str]], share: float = 0.0) -> PolicyApplication:
    """Save rules, each a condition with its runs, and apply them here and now."""
    given = [{"condition": condition, "runs": runs} for condition, runs in rules]
    policy = make_policy(project=project, rules=given or None, audit_share=share, seed=7)
    save_policy(project=project, policy=policy)
    application = apply_policy(project=project, by=project.created_by)
    work_on_application(application_id=application.pk)
    application.refresh_from_db()
    return application

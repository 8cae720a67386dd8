"""Two systems that answered three questions, people who decide, and judges that have spoken."""

from collections.abc import Callable, Mapping

import pytest

from annotation.accounts.models import User
from annotation.adjudication.services.deciding import decide_answer
from annotation.items.models import Candidate, Prediction, Question, System
from annotation.judgments.models import CheckAnswer
from annotation.projects.models import Membership, Project
from common.clock import now
from judges.runs.models import JudgeRun, Verdict
from tests.annotation.adjudication.factories import make_answers, make_import, vote

Decider = Callable[[str, str], None]

QUESTIONS: Mapping[str, tuple[str, ...]] = {
    "capital of france": ("Paris",),
    "largest ocean": ("Pacific",),
    "who wrote hamlet": ("Shakespeare",),
}
# By exact match Alpha has one right, Beta two.
ANSWERS: Mapping[str, tuple[str, ...]] = {
    "Alpha": ("the city of Paris", "Pacific", "William S."),
    "Beta": ("Paris", "Pacific", "Marlowe"),
}


@pytest.fixture
def study(project: Project) -> Project:
    for position, (question, gold) in enumerate(QUESTIONS.items()):
        texts = list(dict.fromkeys(answers[position] for answers in ANSWERS.values()))
        make_answers(project=project, question=question, gold=gold, texts=texts)
    for name in ANSWERS:
        make_system(project, name)
    return project


def make_system(project: Project, name: str) -> System:
    """Make a system whose answers stand in `ANSWERS`, to the questions there are."""
    data_import = make_import(project=project)
    system = System.objects.create(project=project, data_import=data_import, name=name.lower(), label=name)
    for question in Question.objects.filter(project=project).order_by("position"):
        text = ANSWERS[name][question.position]
        candidate = Candidate.objects.get(question=question, text=text)
        Prediction.objects.create(
            system=system, question=question, candidate=candidate, data_import=data_import, text=text
        )
    return system


@pytest.fixture
def decide(study: Project, lead: User) -> Decider:
    """Decide an answer, by its text, as the lead."""

    def decide_text(text: str, label: str) -> None:
        candidate = Candidate.objects.get(project=study, text=text)
        decide_answer(
            project=study, candidate_id=candidate.public_id, by=lead, label=label, reason="looked it up"
        )

    return decide_text


@pytest.fixture
def all_decided(decide: Decider) -> None:
    """Everything but Marlowe is right, so people turn the order of exact match around."""
    for text in ("the city of Paris", "Paris", "Pacific", "William S."):
        decide(text, "correct")
    decide("Marlowe", "incorrect")


def find_improper(study: Project, *, by: Membership) -> None:
    """Let a rater find the question about Paris improper, by a check that takes it out of every score."""
    sheet = vote(rater=by, labels={"Paris": "correct", "the city of Paris": "correct"})
    assert study.protocol is not None
    study.protocol.spec["question_checks"] = [{"key": "gold_improper", "text": "?", "skips_answers": True}]
    study.protocol.save()
    CheckAnswer.objects.update_or_create(
        sheet=sheet,
        question=sheet.question,
        rater=by,
        check_key="gold_improper",
        defaults={"answer": True, "answered_at": now()},
    )


def make_run(
    project: Project,
    judge_key: str,
    verdicts: Mapping[str, float | None],
    *,
    gold_version: str = "original",
) -> JudgeRun:
    """Make a finished run that gave each answer, by its text, a score; accepted from 0.5, None unscored."""
    run = JudgeRun.objects.create(
        project=project,
        judge_key=judge_key,
        gold_version=gold_version,
        stated=[["judge", judge_key], ["gold", gold_version]],
        signature=f"{judge_key}|gold:{gold_version}",
        signature_hash=f"{judge_key}|{gold_version}",
        state=JudgeRun.State.FINISHED,
        created_at=now(),
    )
    candidates = {candidate.text: candidate for candidate in Candidate.objects.filter(project=project)}
    Verdict.objects.bulk_create(
        Verdict(
            run=run,
            candidate=candidates[text],
            accepted=None if score is None else score >= 0.5,
            score=score,
            unscored_reason="" if score is not None else "abstained",
            judged_at=now(),
        )
        for text, score in verdicts.items()
    )
    return run


EXACT = {"the city of Paris": 0.0, "Paris": 1.0, "Pacific": 1.0, "William S.": 0.0, "Marlowe": 0.0}
F1 = {"the city of Paris": 0.5, "Paris": 1.0, "Pacific": 1.0, "William S.": 0.0, "Marlowe": 0.0}


@pytest.fixture
def exact_match(study: Project) -> JudgeRun:
    return make_run(study, "exact_match", EXACT)


@pytest.fixture
def token_f1(study: Project) -> JudgeRun:
    return make_run(study, "token_f1", F1)

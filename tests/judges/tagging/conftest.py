"""A decided study with two systems and an exact match that has spoken."""

from collections.abc import Callable
from typing import Any

import pytest

from annotation.adjudication.services.deciding import decide_answer
from annotation.items.models import Candidate
from annotation.projects.models import Membership, Project
from judges.runs.models import JudgeRun
from judges.tagging.models import TaggedItem, TaggingRound
from judges.tagging.rules.rounds import Filter
from judges.tagging.services import start_round
from tests.annotation.adjudication.factories import make_answers
from tests.judges.comparison.conftest import ANSWERS, QUESTIONS, make_run, make_system

# Exact match, which errs on the first and on "William S.".
SAID = {"the city of Paris": 0.0, "Paris": 1.0, "Pacific": 1.0, "William S.": 0.0, "Marlowe": 0.0}

EVERYTHING = Filter()
Starter = Callable[..., TaggingRound]


def fill_study(project: Project) -> None:
    """Give a project the systems' answers, decided."""
    for position, (question, gold) in enumerate(QUESTIONS.items()):
        texts = list(dict.fromkeys(answers[position] for answers in ANSWERS.values()))
        make_answers(project=project, question=question, gold=gold, texts=texts)
    for name in ANSWERS:
        make_system(project, name)
    for text in SAID:
        decide(project, text, "incorrect" if text == "Marlowe" else "correct")


@pytest.fixture
def study(project: Project) -> Project:
    fill_study(project)
    return project


def decide(project: Project, text: str, label: str) -> None:
    candidate = Candidate.objects.get(project=project, text=text)
    decide_answer(
        project=project, candidate_id=candidate.public_id, by=project.created_by, label=label, reason="seen"
    )


@pytest.fixture
def exact(study: Project) -> JudgeRun:
    return make_run(study, "exact_match", SAID)


@pytest.fixture
def member(study: Project) -> Membership:
    """The lead, as a member."""
    return study.members.get(user=study.created_by)


@pytest.fixture
def start(study: Project) -> Starter:
    """Draw a round about everything, by default."""

    def start_with(set_key: str = "kamalloo", wanted: Filter = EVERYTHING, **fields: Any) -> TaggingRound:
        given: dict[str, Any] = {"name": "", "size": None, "seed": 1, **fields}
        return start_round(project=study, by=study.created_by, set_key=set_key, wanted=wanted, **given)

    return start_with


def item_of(tagging_round: TaggingRound, text: str) -> TaggedItem:
    return TaggedItem.objects.select_related("round__tag_set", "round__run", "question__project").get(
        round=tagging_round, candidate__text=text
    )


def texts_of(tagging_round: TaggingRound) -> set[str]:
    return set(tagging_round.items.values_list("candidate__text", flat=True))

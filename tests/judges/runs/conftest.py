"""Projects with answers to judge, and judges that fail on purpose."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from annotation.items.models import Candidate, DataImport, GoldAnswer, Question
from annotation.items.rules import key_of_question, pool_hash, text_hash
from annotation.projects.models import Project
from common.clock import now
from judges import registry
from judges.protocol import JudgeFailed, JudgeInput, Verdict


def add_question(
    project: Project, text: str, *, golds: Sequence[str], answers: Sequence[str], regex: bool = False
) -> list[Candidate]:
    """Add a question with its gold answers and answers to judge."""
    data_import = project.imports.first() or make_import(project)
    key = key_of_question(text=text)
    question = Question.objects.create(
        project=project,
        data_import=data_import,
        key=key,
        key_hash=text_hash(key),
        text=text,
        position=project.questions.count(),
    )
    kind = GoldAnswer.Kind.REGEX if regex else GoldAnswer.Kind.STRING
    GoldAnswer.objects.bulk_create(
        GoldAnswer(question=question, data_import=data_import, text=gold, position=position, kind=kind)
        for position, gold in enumerate(golds)
    )
    rows = [
        _answer(question, text, duplicate=answers[:place].count(text)) for place, text in enumerate(answers)
    ]
    return Candidate.objects.bulk_create(rows)


def add_answer(question: Question, text: str) -> Candidate:
    """Add one more answer to a question."""
    answer = _answer(question, text)
    answer.save()
    return answer


def _answer(question: Question, text: str, *, duplicate: int = 0) -> Candidate:
    return Candidate(
        question=question,
        project=question.project,
        data_import=question.data_import,
        text=text,
        pool_hash=pool_hash(text, pooling="exact"),
        duplicate=duplicate,
    )


def make_import(project: Project) -> DataImport:
    """Add an import that was not applied yet."""
    return DataImport.objects.create(project=project, created_by=project.created_by, created_at=now())


@pytest.fixture
def study(project: Project) -> Project:
    """Two questions, five answers: three equal a gold answer."""
    add_question(
        project,
        "who sang help",
        golds=["The Beatles", "Fab Four"],
        answers=["beatles", "Queen", "The Fab Four!"],
    )
    add_question(project, "when was it", golds=["1965", "August 1965"], answers=["1965", "1966"])
    return project


@dataclass(frozen=True)
class NoOptions:
    """None."""


class StubbornJudge:
    """A judge that does what the test says."""

    Options = NoOptions
    behave: Callable[[Sequence[JudgeInput]], list[Verdict]]

    def __init__(self, options: NoOptions) -> None:
        self.options = options

    def judge(self, batch: Sequence[JudgeInput]) -> list[Verdict]:
        return type(self).behave(batch)


@pytest.fixture
def stubborn(monkeypatch: pytest.MonkeyPatch) -> type[StubbornJudge]:
    """A registered judge that fails for good until it is told otherwise."""

    def fail(batch: Sequence[JudgeInput]) -> list[Verdict]:
        raise JudgeFailed("the model is missing", retryable=False)

    entry = registry.JUDGES["exact_match"]._replace(
        key="stubborn",
        name="Stubborn",
        factory=f"{__name__}:StubbornJudge",
        is_lexical=False,
        is_automatic=False,
    )
    monkeypatch.setitem(registry.JUDGES, "stubborn", entry)
    monkeypatch.setattr(StubbornJudge, "behave", staticmethod(fail), raising=False)
    return StubbornJudge


def accept_all(batch: Sequence[JudgeInput]) -> list[Verdict]:
    return [Verdict(accepted=True) for _ in batch]


def run_fields(run: Any) -> tuple[Any, ...]:
    return (run.pk, run.state, run.signature, run.started_at, run.finished_at, run.batches.count())

"""Questions with answers that wait for raters, and raters who vote."""

from collections.abc import Callable

import pytest

from annotation.items.models import Candidate
from annotation.projects.models import Membership, Project
from tests.annotation.adjudication.factories import make_answers, vote

Voter = Callable[..., None]


@pytest.fixture
def answers(project: Project) -> list[Candidate]:
    """One question with the gold answer "Paris" and three answers to it."""
    return make_answers(
        project=project,
        question="capital of france",
        gold=["Paris"],
        texts=["Paris", "Lyon", "paris, france"],
    )


@pytest.fixture
def votes(annotators: list[Membership]) -> Voter:
    """Let an annotator, by number, hand in the next sheet with labels by answer text."""

    def cast(number: int, **labels: str | None) -> None:
        vote(rater=annotators[number - 1], labels=labels)

    return cast

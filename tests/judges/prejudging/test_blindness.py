"""A rater cannot tell an audited answer from one that no rule speaks for (promise P6)."""

from collections.abc import Iterator

import pytest
from django.utils import timezone

from annotation.items.models import Candidate
from annotation.projects.models import Membership, Project
from judges.prejudging.models import PrejudgedAnswer
from judges.runs.models import JudgeRun, Verdict
from tests.annotation.adjudication.factories import make_answers
from tests.conftest import draw_by
from tests.factories import read_what_is_new
from tests.judges.prejudging.conftest import apply, make_run
from tests.routes import rolled_back
from tests.test_blindness import days_work
from tests.world import World

QUESTIONS = 6
EVERYTHING = ("any_accepts", ["exact_match"])


@pytest.fixture(autouse=True)
def same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = timezone.now()
    monkeypatch.setattr("common.clock.timezone.now", lambda: moment)


@pytest.fixture
def exact(project: Project) -> JudgeRun:
    """Of each question's four answers the judge accepts three."""
    said = {}
    for number in range(QUESTIONS):
        texts = [f"answer {number} {letter}" for letter in "abcd"]
        make_answers(project=project, question=f"question {number}", texts=texts)
        said.update({text: not text.endswith("d") for text in texts})
    return make_run(project, "exact_match", said)


@pytest.fixture
def worlds(exact: JudgeRun, annotators: list[Membership]) -> World:
    return World(project=exact.project, cast={"annotator": read_what_is_new(annotators[0])}, ids={})


def told(world: World, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    draw_by("a day's work", monkeypatch)
    with rolled_back():
        return list(days_work(world))


def shown(world: World, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    words = b"".join(told(world, monkeypatch)).decode()
    return (text for text in Candidate.objects.values_list("text", flat=True) if text in words)


class TestAuditedAnswers:
    def test_look_as_if_no_policy_had_ever_been(self, worlds: World, monkeypatch: pytest.MonkeyPatch) -> None:
        before = told(worlds, monkeypatch)
        apply(worlds.project, EVERYTHING, share=1.0)
        assert PrejudgedAnswer.objects.filter(is_audited=True).count() == 3 * QUESTIONS
        assert told(worlds, monkeypatch) == before

    def test_look_like_answers_that_no_rule_speaks_for(
        self, worlds: World, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The same answers are settled in two worlds; what one audits, the judge of the other rejects."""
        with rolled_back():
            apply(worlds.project, EVERYTHING, share=0.4)
            audited = PrejudgedAnswer.objects.filter(is_audited=True)
            drawn = list(audited.values_list("candidate", flat=True))
            assert 0 < len(drawn) < 3 * QUESTIONS
            with_audit = told(worlds, monkeypatch)
        Verdict.objects.filter(candidate__in=drawn).update(accepted=False)
        apply(worlds.project, EVERYTHING, share=0.0)
        assert not PrejudgedAnswer.objects.filter(is_audited=True).exists()
        assert told(worlds, monkeypatch) == with_audit

    def test_are_shown_and_settled_ones_are_not(self, worlds: World, monkeypatch: pytest.MonkeyPatch) -> None:
        apply(worlds.project, EVERYTHING, share=0.4)
        settled = PrejudgedAnswer.objects.filter(is_audited=False).values_list("candidate__text", flat=True)
        everything = set(Candidate.objects.values_list("text", flat=True))
        assert set(shown(worlds, monkeypatch)) == everything - set(settled)

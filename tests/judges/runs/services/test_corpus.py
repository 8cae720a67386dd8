"""Judges that weigh words by the gold answers of the study: made with them, and held to them."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from annotation.items.models import GoldAnswer
from annotation.projects.models import Project
from judges import registry
from judges.protocol import JudgeInput, Verdict, option
from judges.runs.models import JudgeRun
from tests.judges.runs.conftest import add_question
from tests.judges.runs.services.conftest import start, work


@dataclass(frozen=True)
class WeighingOptions:
    idf: bool = option(False, help="Weigh.")


class WeighingJudge:
    """Says how many gold answers it was made with."""

    Options = WeighingOptions

    def __init__(self, options: WeighingOptions, *, corpus: Sequence[str] | None = None) -> None:
        self.corpus = corpus

    def judge(self, batch: Sequence[JudgeInput]) -> list[Verdict]:
        size = None if self.corpus is None else float(len(self.corpus))
        return [Verdict(accepted=True, score=size) for _ in batch]


@pytest.fixture(autouse=True)
def weighing(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = registry.JUDGES["exact_match"]._replace(
        key="weighing",
        factory=f"{__name__}:WeighingJudge",
        is_lexical=False,
        is_automatic=False,
        corpus_option="idf",
    )
    monkeypatch.setitem(registry.JUDGES, "weighing", entry)


@pytest.fixture
def rivers(project: Project) -> Project:
    add_question(project, "which river", golds=["Danube", "the Danube"], answers=["Danube", "Rhine"])
    add_question(project, "which year", golds=["1962"], answers=["1962"])
    add_question(project, "which day", golds=["(Mon|Tues)day"], answers=["Monday"], regex=True)
    return project


def _scores(run: JudgeRun) -> set[float | None]:
    return set(run.verdicts.exclude(accepted=None).values_list("score", flat=True))


class TestCorpus:
    def test_is_every_gold_answer_but_patterns(self, rivers: Project) -> None:
        assert _scores(work(start(rivers, "weighing", idf=True))) == {3.0}

    def test_is_nothing_where_the_option_is_off(self, rivers: Project) -> None:
        run = work(start(rivers, "weighing"))
        assert _scores(run) == {None}
        assert "corpus" not in run.signature

    def test_is_in_the_signature(self, rivers: Project) -> None:
        one = start(rivers, "weighing", idf=True)
        assert "|corpus:" in one.signature
        assert start(rivers, "weighing", idf=True) == one
        add_question(rivers, "which city", golds=["Vienna"], answers=["Graz"])
        assert start(rivers, "weighing", idf=True) != one

    def test_that_moves_meanwhile_stops_the_run(self, rivers: Project) -> None:
        run = start(rivers, "weighing", idf=True)
        GoldAnswer.objects.filter(text="1962").update(text="1963")
        work(run)
        assert run.state == JudgeRun.State.PAUSED
        assert "start the judge again" in run.message
        assert not run.verdicts.exists()

"""How often a judge changes its mind, and whether it favors systems of its own family."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.stats import t

from analysis.intervals import Why
from annotation.accounts.models import User
from annotation.items.models import System
from annotation.projects.models import Project
from judges.comparison.rules.judge_board.cautions import (
    JudgedPredictions,
    family_of,
    measure_preference,
    measure_repeats,
)
from judges.comparison.selectors.judge_board.cautions import read_cautions
from judges.runs.models import JudgeRun
from tests.judges.comparison.conftest import make_run

Client = Callable[[User], Any]


class TestFamilyOf:
    @pytest.mark.parametrize(
        ("text", "family"),
        [
            ("recorded:gpt-4", "GPT"),
            ("text-davinci-003", "GPT"),
            ("InstructGPT (zero-shot)", "GPT"),
            ("ChatGPT", "GPT"),
            ("New Bing", "GPT"),
            ("claude-3-5-sonnet", "Claude"),
            ("google/gemini-1.5-pro", "Gemini"),
            ("meta-llama/Llama-3-8B", "Llama"),
            ("Mixtral-8x7B", "Mistral"),
            ("FiD-KD", ""),
            ("bombarded with facts", ""),
            ("", ""),
        ],
    )
    def test_reads_names(self, text: str, family: str) -> None:
        assert family_of([text]) == family


class TestMeasureRepeats:
    def test_counts_answers_that_two_runs_judge_otherwise(self) -> None:
        first = np.array([1, 1, 0, 0, -1, 1], dtype=np.int8)
        second = np.array([1, 0, 0, 1, 1, -2], dtype=np.int8)
        found = measure_repeats(
            ["a", "b"], name="J", verdicts=[first, second], questions=np.arange(6), weights=np.ones(6)
        )
        assert (found.answers, found.flipped) == (4, 2)
        share = found.figures["flipped_share"]
        assert share.value == 0.5
        assert share.low is not None
        assert share.high is not None
        assert 0 < share.low < 0.5 < share.high < 1

    def test_answers_that_stand_for_others_weigh_so_much(self) -> None:
        first, second = (np.array(said, dtype=np.int8) for said in ([1, 1, 0, 0, -1], [1, 0, 0, 1, 1]))
        weights = np.array([1.0, 1.0, 1.0, 3.0, 9.0])
        found = measure_repeats(
            ["a", "b"], name="J", verdicts=[first, second], questions=np.arange(5), weights=weights
        )
        assert (found.answers, found.flipped) == (4, 2)
        assert found.figures["flipped_share"].value == pytest.approx(4 / 6)

    def test_a_third_run_adds_flips_and_shared_answers(self) -> None:
        runs = [np.array(said, dtype=np.int8) for said in ([1, 0], [1, -1], [0, 0])]
        found = measure_repeats(
            ["a", "b", "c"], name="J", verdicts=runs, questions=np.arange(2), weights=np.ones(2)
        )
        assert (found.answers, found.flipped) == (2, 1)

    def test_nothing_shared_has_a_reason(self) -> None:
        runs = [np.array([1, -2], dtype=np.int8), np.array([-2, 1], dtype=np.int8)]
        found = measure_repeats(
            ["a", "b"], name="J", verdicts=runs, questions=np.arange(2), weights=np.ones(2)
        )
        assert found.figures["flipped_share"].why is Why.NOTHING_SAMPLED


class TestMeasurePreference:
    def rows(self, *, size: int = 300) -> JudgedPredictions:
        """Draw predictions of 100 questions; the judge accepts more of what people reject of its own kin."""
        generator = np.random.default_rng(8)
        own = generator.random(size) < 0.4
        correct = generator.random(size) < 0.6
        accepted = np.where(correct, generator.random(size) < 0.9, generator.random(size) < 0.1 + 0.4 * own)
        questions = generator.integers(0, 100, size)
        return JudgedPredictions(accepted.astype(bool), correct, own, questions, np.ones(size))

    def test_equals_means_and_a_plain_loop_over_questions(self) -> None:
        rows = self.rows()
        excess = rows.accepted.astype(float) - rows.correct
        found = measure_preference(rows)
        assert found["other_lenience"].value == pytest.approx(excess[~rows.is_own].mean())
        difference = found["self_preference"]
        expected = excess[rows.is_own].mean() - excess[~rows.is_own].mean()
        assert difference.value == pytest.approx(expected)
        assert difference.low is not None
        assert difference.high is not None
        reach = t.ppf(0.975, len(np.unique(rows.questions)) - 1)
        assert (difference.high - difference.low) / 2 / reach == pytest.approx(measure_error(rows))
        assert difference.low > 0

    def test_without_others_there_is_no_difference(self) -> None:
        rows = self.rows()._replace(is_own=np.ones(300, dtype=bool))
        found = measure_preference(rows)
        assert found["own_lenience"].value is not None
        assert found["self_preference"].why is Why.NOT_BOTH

    def test_without_rows_there_is_nothing(self) -> None:
        empty = np.zeros(0, dtype=bool)
        nothing = JudgedPredictions(empty, empty, empty, np.zeros(0, dtype=np.int64), np.zeros(0))
        assert measure_preference(nothing)["self_preference"].value is None


def measure_error(rows: JudgedPredictions) -> float:
    """The delta method for a difference of two ratios, question by question, in a plain loop."""
    excess = rows.accepted.astype(float) - rows.correct
    size = {own: (rows.is_own == own).sum() for own in (True, False)}
    mean = {own: excess[rows.is_own == own].mean() for own in (True, False)}
    total = 0.0
    names = np.unique(rows.questions)
    for question in names:
        moved = 0.0
        for own, sign in ((True, 1), (False, -1)):
            here = (rows.questions == question) & (rows.is_own == own)
            moved += sign * (excess[here] - mean[own]).sum() / size[own]
        total += moved**2
    return float(np.sqrt(total * len(names) / (len(names) - 1)))


def state(run: JudgeRun, **stated: str) -> None:
    run.stated = [[name, value] for name, value in stated.items()]
    run.signature = "|".join(map(":".join, stated.items()))
    run.signature_hash = run.signature
    run.save()


@pytest.fixture
def asked_twice(study: Project, all_decided: None) -> Project:
    said = {"Paris": 1.0, "the city of Paris": 0.0, "Pacific": 1.0, "William S.": 1.0, "Marlowe": 0.0}
    first = make_run(study, "llm", said)
    state(first, judge="llm", model="gpt-4o", seed="0")
    second = make_run(study, "llm", said | {"Marlowe": 1.0})
    state(second, judge="llm", model="gpt-4o", seed="1")
    other = make_run(study, "llm", said)
    state(other, judge="llm", model="gpt-4o", temperature="1.0", seed="0")
    return Project.objects.get(pk=study.pk)


class TestReadCautions:
    def test_finds_runs_that_differ_by_their_seed_alone(self, asked_twice: Project) -> None:
        (found,) = read_cautions(project=asked_twice).repeats
        assert (len(found.runs), found.answers, found.flipped) == (2, 5, 1)

    def test_warns_where_a_system_is_of_the_judges_family(self, asked_twice: Project) -> None:
        assert read_cautions(project=asked_twice).families == []
        System.objects.filter(name="beta").update(description={"model": "text-davinci-003"})
        found = read_cautions(project=asked_twice).families
        assert [(each.family, each.systems) for each in found] == [("GPT", ["Beta"])] * 3
        # Beta's Marlowe, which people reject, is accepted once.
        assert [each.figures["own_lenience"].value for each in found] == pytest.approx([0, 1 / 3, 0])
        assert [each.figures["other_lenience"].value for each in found] == pytest.approx([-1 / 3] * 3)

    def test_the_api_gives_both(self, asked_twice: Project, lead: User, client_of: Client) -> None:
        body = client_of(lead).get("/api/projects/small/judge-board/cautions").json()
        assert len(body["repeats"]) == 1
        assert body["families"] == []
        assert body["signature"].startswith("repeats and families of judges")

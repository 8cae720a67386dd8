"""Judges beside each other, the answers on which they differ, and prompts side by side."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from analysis.intervals import Why
from annotation.accounts.models import User
from annotation.items.models import Candidate
from annotation.projects.models import Project
from common.clock import now
from judges.answers.selectors.filters import Wanted, find_answers
from judges.comparison.rules.judge_board.pairs import pair_judges
from judges.comparison.selectors.judge_board.pairs import read_judge_pairs, read_strategies
from judges.connections.models import Connection
from judges.runs.models import JudgeRun
from tests.judges.comparison.conftest import make_run

Client = Callable[[User], Any]
VERDICTS = st.lists(st.tuples(*[st.integers(-2, 1)] * 2), min_size=2, max_size=30)


def pair(rows: list[tuple[int, int]]) -> Any:
    one, other = np.array(rows, dtype=np.int8).reshape(-1, 2).T
    return pair_judges(
        {"a": one, "b": other},
        shared=np.ones(len(rows), dtype=bool),
        questions=np.arange(len(rows)),
        question_count=len(rows),
    )


def are_figures_of(row: Any, other: Any) -> bool:
    """Say whether all figures of a row, with their intervals, are those of another."""
    return all(figure == other["figures"][name] for name, figure in row["figures"].items())


class TestPairJudges:
    def test_by_hand(self) -> None:
        (found,) = pair([(1, 1), (1, 0), (0, 0), (1, 0), (-1, 1), (0, -2)])
        assert (found.first, found.second) == ("a", "b")
        assert (found.answers, found.first_only, found.second_only) == (4, 2, 0)
        # Equal on 2 of 4; by chance (3 · 1 + 1 · 3) / 16.
        assert found.figures["cohen_kappa"].value == pytest.approx((0.5 - 0.375) / 0.625)
        agreement = found.figures["agreement"]
        assert agreement.low <= agreement.value == 0.5 <= agreement.high

    @given(VERDICTS)
    def test_equals_scikit_learn_either_way_round(self, rows: list[tuple[int, int]]) -> None:
        both = np.array([row for row in rows if min(row) >= 0]).reshape(-1, 2)
        found, turned = pair(rows), pair([(other, one) for one, other in rows])
        assert len(found) == len(turned) == (len(both) > 0)
        for one, other in zip(found, turned, strict=True):
            kappa = one.figures["cohen_kappa"].value
            assert kappa is None or kappa == pytest.approx(other.figures["cohen_kappa"].value)
            assert kappa is None or kappa == pytest.approx(cohen_kappa_score(*both.T))
            assert one.first_only == other.second_only

    def test_one_question_has_no_interval(self) -> None:
        (found,) = pair_judges(
            {"a": np.array([1, 0], dtype=np.int8), "b": np.array([1, 1], dtype=np.int8)},
            shared=np.ones(2, dtype=bool), questions=np.array([0, 0]), question_count=1,
        )  # fmt: skip
        assert {each.why for each in found.figures.values()} == {Why.TOO_FEW_QUESTIONS}


def texts(project: Project, **wanted: str) -> set[str]:
    ids = find_answers(project=project, wanted=Wanted(**wanted)).ids
    return set(Candidate.objects.filter(pk__in=ids).values_list("text", flat=True))


class TestReadJudgePairs:
    def test_people_and_runs_on_what_both_judged(
        self, study: Project, decide: Any, exact_match: JudgeRun
    ) -> None:
        decide("the city of Paris", "correct")
        decide("Paris", "correct")
        other = make_run(study, "bem", {"the city of Paris": 0.9, "William S.": 0.8, "Marlowe": None})
        found = read_judge_pairs(project=study)
        assert [judge.id for judge in found.judges] == ["people", exact_match.public_id, other.public_id]
        assert found.judges[0].name == "People"
        counts = {
            (pair.first, pair.second): (pair.answers, pair.first_only, pair.second_only)
            for pair in found.pairs
        }
        assert counts == {
            ("people", exact_match.public_id): (2, 1, 0),
            ("people", other.public_id): (1, 0, 0),
            (exact_match.public_id, other.public_id): (2, 0, 2),
        }

    def test_the_answers_behind_a_count_are_found(
        self, study: Project, decide: Any, exact_match: JudgeRun
    ) -> None:
        decide("the city of Paris", "correct")
        decide("Marlowe", "incorrect")
        other = make_run(study, "bem", {"the city of Paris": 0.9, "William S.": 0.8, "Marlowe": None})
        exact = exact_match.public_id
        assert texts(study, accepted_by=other.public_id, rejected_by=exact) == {
            "the city of Paris",
            "William S.",
        }
        assert texts(study, accepted_by="people", rejected_by=exact) == {"the city of Paris"}
        assert texts(study, unscored_by=other.public_id) == {"Marlowe"}
        assert texts(study, accepted_by="nobody") == texts(study, unscored_by="nobody") == set()

    def test_an_answer_outside_the_sample_is_in_no_count_and_no_list(
        self, study: Project, exact_match: JudgeRun
    ) -> None:
        other = make_run(study, "bem", {"the city of Paris": 0.9, "William S.": 0.8})
        Candidate.objects.get(text="William S.").question.__class__.objects.filter(position=2).update(
            in_sample=False
        )
        (pair,) = (each for each in read_judge_pairs(project=study).pairs)
        assert pair.second_only == 1
        wanted = {"accepted_by": other.public_id, "rejected_by": exact_match.public_id}
        assert texts(study, **wanted) == {"the city of Paris"}

    def test_the_view_gives_the_square(
        self, client_of: Client, lead: User, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        body = client_of(lead).get("/api/projects/small/judge-board/pairs").json()
        assert body["judges"][0] == {"id": "people", "name": "People"}
        (only,) = body["pairs"]
        assert (only["answers"], only["first_only"], only["second_only"]) == (5, 2, 0)
        assert only["figures"]["agreement"]["value"] == pytest.approx(0.6)

    def test_another_run_or_sample_is_another_signature(
        self, client_of: Client, lead: User, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        def signed() -> str:
            return str(client_of(lead).get("/api/projects/small/judge-board/pairs").json()["signature"])

        found = [signed()]
        make_run(study, "bem", {"Paris": 0.8})
        found.append(signed())
        Project.objects.filter(pk=study.pk).update(sample_method="seed", sample_options={"seed": 3})
        found.append(signed())
        assert len(set(found)) == 3
        assert "|people:decisions|" in found[0]

    def test_an_empty_study_has_no_pairs(self, client_of: Client, lead: User, project: Project) -> None:
        body = client_of(lead).get("/api/projects/small/judge-board/pairs").json()
        assert (body["judges"], body["pairs"]) == ([], [])


class TestReadStrategies:
    @pytest.fixture
    def asked(self, study: Project, all_decided: None, lead: User) -> Project:
        """One model asked by two prompts."""
        connection = Connection.objects.create(
            project=study, name="one", base_url="http://127.0.0.1/v1", model="some-model",
            created_by=lead, created_at=now(),
        )  # fmt: skip
        said: dict[str, dict[str, float | None]] = {
            "original": {"Paris": 1.0, "the city of Paris": 0.0, "Pacific": 1.0, "Marlowe": 0.0},
            "chain": {"Paris": 1.0, "the city of Paris": 1.0, "Pacific": 1.0, "Marlowe": None},
        }
        for place, (prompt, verdicts) in enumerate(said.items()):
            run = make_run(study, "llm", verdicts, gold_version=f"original{'+' * place}")
            JudgeRun.objects.filter(pk=run.pk).update(connection=connection, options={"prompt": prompt})
        return study

    def test_by_prompt_and_system(self, asked: Project) -> None:
        first, second = read_strategies(project=asked)
        assert (first.model, first.prompt, second.prompt) == ("some-model", "original", "chain")
        assert tuple(first.systems[0].counts.values()) == (2, 1, 0, 1, 1)
        assert [(each.key, *each.counts.values()) for each in second.systems[1:]] == [
            ("alpha", 2, 0, 0, 0, 1),
            ("beta", 2, 0, 0, 0, 1),
        ]

    def test_the_difference_is_over_answers_both_scored(self, asked: Project) -> None:
        first, second = read_strategies(project=asked)
        assert first.difference.value is None
        assert (second.shared, second.difference.value) == pytest.approx((3, 1 / 3))

    def test_other_judges_are_no_prompts(
        self, client_of: Client, lead: User, asked: Project, exact_match: JudgeRun
    ) -> None:
        body = client_of(lead).get("/api/projects/small/judge-board/strategies").json()
        assert [row["prompt"] for row in body] == ["original", "chain"]
        assert [each["name"] for each in body[0]["systems"]] == ["", "Alpha", "Beta"]
        assert body[0]["difference"]["why"] == Why.THE_FIRST

    def test_intervals_are_those_of_the_board_and_of_the_parts(
        self, client_of: Client, lead: User, asked: Project, exact_match: JudgeRun
    ) -> None:
        client = client_of(lead)
        first, second = client.get("/api/projects/small/judge-board/strategies?intervals=true").json()
        assert [each["key"] for each in first["systems"]] == ["", "alpha", "beta"]
        board = client.get("/api/projects/small/judge-board?intervals=true").json()
        (own,) = (row for row in board if row["key"] == "llm")
        assert are_figures_of(first["systems"][0], own)
        url = f"/api/projects/small/judge-board/{second['run']}/parts?intervals=true"
        parts = client.get(url).json()["parts"]
        assert all(map(are_figures_of, second["systems"][1:], parts))
        accuracy = second["systems"][1]["figures"]["accuracy_all"]
        assert accuracy["low"] < 2 / 3 < accuracy["high"]

    def test_without_such_runs_there_are_none(
        self, client_of: Client, lead: User, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        assert client_of(lead).get("/api/projects/small/judge-board/strategies?intervals=true").json() == []

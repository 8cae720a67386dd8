"""Judges two by two: by how much they differ in agreeing with people, and whether that can be told."""

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy.stats import t
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

from annotation.accounts.models import User
from annotation.adjudication.services.deciding import decide_answer
from annotation.items.models import Candidate, Prediction, System
from annotation.projects.models import Project
from judges.comparison.rules.boards import ComparedPair
from judges.comparison.selectors.judge_board.pairs import read_judge_differences
from judges.prejudging.services.policies import apply_policy, make_policy, save_policy, work_on_application
from judges.runs.models import JudgeRun
from tests.annotation.adjudication.factories import make_answers, make_import
from tests.factories import make_project
from tests.judges.comparison.conftest import make_run

Client = Callable[[User], Any]
QUESTIONS, ANSWERS = 12, 2
JUDGES: Mapping[str, float] = {"exact_match": 0.55, "containment": 0.8, "bem": 0.9}


@pytest.fixture
def judged(lead: User) -> Project:
    """Twelve questions of two systems, of which people accept the first; three judges that err by seed."""
    project = make_project(lead=lead, slug="judged")
    texts = [f"{place} of {number}" for number in range(QUESTIONS) for place in ("right", "wrong")]
    data_import = make_import(project=project)
    systems = {
        name: System.objects.create(project=project, data_import=data_import, name=name, label=name)
        for name in ("right", "wrong")
    }
    for number in range(QUESTIONS):
        own = texts[2 * number : 2 * number + 2]
        make_answers(project=project, question=f"question {number}", gold=["gold"], texts=own)
    for candidate in Candidate.objects.filter(project=project).order_by("pk"):
        label = "correct" if candidate.text.startswith("right") else "incorrect"
        decide_answer(
            project=project, candidate_id=candidate.public_id, by=lead, label=label, reason="looked"
        )
        give(candidate, systems[candidate.text.split()[0]])
    generator = np.random.default_rng(4)
    for judge, skill in JUDGES.items():
        says = {text: float(text.startswith("right") == (generator.random() < skill)) for text in texts}
        # One that could not judge the last answer.
        make_run(project, judge, says | ({texts[-1]: None} if judge == "bem" else {}))
    return Project.objects.get(pk=project.pk)


def give(candidate: Candidate, system: System) -> None:
    """Let a system have given an answer."""
    Prediction.objects.create(
        system=system,
        question=candidate.question,
        candidate=candidate,
        data_import=system.data_import,
        text=candidate.text,
    )


def rights_of(project: Project) -> dict[str, np.ndarray[Any, np.dtype[np.float64]]]:
    """Return of each run, by public id, whether it says what people say, by answer; NaN = unscored."""
    found = {}
    for run in JudgeRun.objects.filter(project=project).order_by("pk"):
        rows = run.verdicts.order_by("candidate__pk").values_list("accepted", "candidate__text")
        found[run.public_id] = np.array(
            [np.nan if said is None else float(said == text.startswith("right")) for said, text in rows]
        )
    return found


def by_pair(project: Project) -> dict[tuple[str, str], ComparedPair]:
    return {(pair.first, pair.second): pair for pair in read_judge_differences(project=project).pairs}


class TestReadJudgeDifferences:
    def test_every_two_judges_as_worked_out_beside_it(self, judged: Project) -> None:
        rights, found = rights_of(judged), by_pair(judged)
        assert set(found) == set(combinations(rights, 2))
        plain = []
        for (first, second), pair in found.items():
            both = ~np.isnan(rights[first] - rights[second])
            own, other = rights[first][both], rights[second][both]
            table = [[np.sum((own == one) & (other == two)) for two in (1, 0)] for one in (1, 0)]
            assert (pair.first_only, pair.second_only) == (table[0][1], table[1][0])
            assert pair.mcnemar_p == pytest.approx(min(1.0, mcnemar(table, exact=True).pvalue))
            assert pair.rows == both.sum()
            assert pair.difference.value == pytest.approx(own.mean() - other.mean())
            # The variance of a ratio of sums over questions, and Student's t.
            questions = np.repeat(np.arange(QUESTIONS), ANSWERS)[both]
            leads = np.bincount(questions, own - other) - np.bincount(questions) * (own - other).mean()
            error = np.sqrt((leads**2).sum() * QUESTIONS / (QUESTIONS - 1)) / both.sum()
            reach = t.ppf(0.975, QUESTIONS - 1) * error
            center = own.mean() - other.mean()
            assert pair.difference.interval == pytest.approx((center - reach, center + reach))
            plain.append(swapped(np.bincount(questions, own - other).astype(int)))
        adjusted = multipletests(plain, method="holm")[1]
        assert [pair.p_value for pair in found.values()] == pytest.approx(list(adjusted))
        assert [pair.is_distinguishable for pair in found.values()] == [p < 0.05 for p in adjusted]
        assert {pair.is_distinguishable for pair in found.values()} == {True, False}

    def test_a_judge_is_never_held_against_what_it_settled(self, lead: User, judged: Project) -> None:
        make_answers(project=judged, question="one more", gold=["gold"], texts=["right at last"])
        candidate = Candidate.objects.get(project=judged, text="right at last")
        give(candidate, System.objects.filter(project=judged)[0])
        runs = {run.judge_key: run for run in JudgeRun.objects.filter(project=judged)}
        for judge, accepted in (("containment", True), ("exact_match", False)):
            like = runs[judge].verdicts.first()
            assert like is not None
            like.pk, like.candidate, like.accepted = None, candidate, accepted
            like.save()
        before = {pair: found.rows for pair, found in by_pair(judged).items()}
        rules = [{"runs": [runs["containment"].public_id], "condition": "any_accepts"}]
        save_policy(project=judged, policy=make_policy(project=judged, rules=rules, audit_share=0.0))
        work_on_application(application_id=apply_policy(project=judged).pk)
        candidate.refresh_from_db()
        assert candidate.decisions.get(is_current=True).source == "prejudged"
        assert {pair: found.rows for pair, found in by_pair(judged).items()} == before

    def test_without_a_shared_answer_it_is_said_in_words(self, study: Project, all_decided: None) -> None:
        make_run(study, "exact_match", {"Paris": 1.0})
        make_run(study, "bem", {"Marlowe": 0.0})
        (pair,) = by_pair(study).values()
        assert pair.p_value is None
        assert not pair.is_distinguishable


def swapped(leads: np.ndarray[Any, np.dtype[np.int64]]) -> float:
    """Return the share of all ways to turn questions around that leave the sum as far from 0, or farther."""
    signs = 1 - 2 * ((np.arange(2 ** len(leads))[:, np.newaxis] >> np.arange(len(leads))) & 1)
    return float((np.abs(signs @ leads) >= abs(leads.sum())).mean())


class TestView:
    def test_gives_names_and_pairs(
        self, client_of: Client, lead: User, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        other = make_run(study, "bem", {"the city of Paris": 0.9, "William S.": 0.8, "Marlowe": None})
        body = client_of(lead).get("/api/projects/small/judge-board/differences").json()
        assert [judge["id"] for judge in body["judges"]] == [exact_match.public_id, other.public_id]
        (pair,) = body["pairs"]
        assert (pair["rows"], pair["first_only"], pair["second_only"]) == (2, 0, 2)
        assert pair["difference"]["value"] == -1.0
        assert pair["p_value"] == pair["mcnemar_p"] == 0.5
        assert pair["difference"]["low"] is None
        assert pair["difference"]["why"]
        assert "|people:" not in body["signature"]
        assert "|correction:holm|" in body["signature"]

    def test_one_judge_has_nobody_to_be_tested_against(
        self, client_of: Client, lead: User, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        assert client_of(lead).get("/api/projects/small/judge-board/differences").json()["pairs"] == []

"""Several studies beside each other."""

import numpy as np
import pytest

from analysis.intervals import Undefined, Why
from annotation.accounts.models import User
from annotation.adjudication.services.deciding import decide_answer
from annotation.items.models import Candidate
from annotation.projects.models import Membership, Project
from judges.comparison.rules.across import differences, identity_of, measure_distance, name_evaluators
from judges.comparison.rules.leaderboard.references import Reference, Subject
from judges.comparison.rules.study import RunFacts
from judges.comparison.selectors.across import read_across
from judges.comparison.services import add_reference, remove_reference
from judges.runs.models import JudgeRun
from tests.annotation.adjudication.factories import make_answers
from tests.conftest import ClientOf
from tests.factories import make_member, make_project
from tests.judges.comparison.conftest import ANSWERS, EXACT, QUESTIONS, make_run, make_system

NAN = np.nan
PUBLISHED = Reference(Subject.SYSTEM, "GPT-3", "exact_match", 0.24, 100, "", "Si et al.", "")
PUBLISHED_BODY = {"value": 0.24, "n": 100, "about": "", "dataset": "", "source": "Si et al."}
ADDRESS = "/api/comparison"


def read(signature: str) -> tuple[tuple[str, str], ...]:
    parts = (part.partition(":") for part in signature.split("|"))
    return tuple((name, value) for name, _, value in parts)


def identity(signature: str) -> str:
    return identity_of(facts(1, signature))


def facts(number: int, signature: str, *, name: str = "Exact match") -> RunFacts:
    return RunFacts(number, f"run{number}", "exact_match", name, "original", signature, read(signature))


class TestIdentityOf:
    def test_leaves_out_whose_files_and_whose_gold(self) -> None:
        assert identity("judge:recorded:bem|parser:probability|files:b755|revision:2") == (
            "judge:recorded:bem|parser:probability|revision:2"
        )
        assert identity("judge:x|gold:amended-72804|revision:1") == "judge:x|gold:amended|revision:1"
        assert identity("judge:x|gold:original") == "judge:x|gold:original"

    def test_other_options_are_another_judge(self) -> None:
        columns = name_evaluators(
            [
                facts(1, "judge:x|threshold:0.5"),
                facts(2, "judge:x|threshold:0.7"),
                facts(1, "judge:x|threshold:0.5"),
            ]
        )
        assert [column.name for column in columns.values()] == [
            "Exact match, threshold 0.5",
            "Exact match, threshold 0.7",
        ]
        assert len({column.key for column in columns.values()}) == 2


class TestDifferences:
    def test_are_over_questions_that_both_judged(self) -> None:
        judge = np.array([[1.0, 0.0, 1.0], [NAN, NAN, 1.0]])
        people = np.array([[1.0, 1.0, NAN], [1.0, 0.0, NAN]])
        first, second = differences(judge, people)
        assert first == -0.5
        assert isinstance(second, Undefined)


class TestMeasureDistance:
    def test_is_the_mean_over_all_systems_of_all_studies(self) -> None:
        first = (np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([[1.0, 1.0], [1.0, 0.0]]))
        second = (np.array([[0.0, 0.0, 0.0, 0.0]]), np.array([[1.0, 0.0, 0.0, 0.0]]))
        distance = measure_distance([first, second])
        # Half a point below and half a point above do not cancel out.
        assert distance.mean == pytest.approx((0.5 + 0.5 + 0.25) / 3)
        assert distance.systems == 3

    def test_equals_adding_up_system_by_system(self) -> None:
        generator = np.random.default_rng(7)
        studies = []
        gaps = []
        for systems, questions in ((3, 40), (2, 25)):
            judge, people = generator.integers(0, 2, (2, systems, questions)).astype(float)
            judge[generator.random(judge.shape) < 0.2] = NAN
            studies.append((judge, people))
            for one, other in zip(judge.tolist(), people.tolist(), strict=True):
                both = [(a, b) for a, b in zip(one, other, strict=True) if a == a and b == b]
                gaps.append(abs(sum(a for a, _ in both) - sum(b for _, b in both)) / len(both))
        assert measure_distance(studies).mean == pytest.approx(sum(gaps) / len(gaps))

    def test_nothing_in_common_is_said_in_words(self) -> None:
        assert isinstance(measure_distance([]).mean, Undefined)
        assert isinstance(measure_distance([(np.array([[NAN]]), np.array([[1.0]]))]).mean, Undefined)


@pytest.fixture
def other(lead: User, study: Project) -> Project:
    """The same questions and systems in another project, where people find everything right."""
    project = make_project(lead=lead, name="Other study", slug="other")
    for position, (question, gold) in enumerate(QUESTIONS.items()):
        texts = list(dict.fromkeys(answers[position] for answers in ANSWERS.values()))
        make_answers(project=project, question=question, gold=gold, texts=texts)
    for name in ANSWERS:
        make_system(project, name)
    for candidate in Candidate.objects.filter(project=project):
        decide_answer(
            project=project, candidate_id=candidate.public_id, by=lead, label="correct", reason="why not"
        )
    make_run(project, "exact_match", EXACT)
    return project


class TestReadAcross:
    def test_puts_the_same_judge_of_two_studies_into_one_column(
        self, study: Project, other: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        across = read_across(projects=[study, other])
        (judge,) = across.evaluators
        assert (judge.key, judge.projects, judge.systems) == ("exact_match", 2, 4)
        apart = [row.scores["exact_match"].difference.value for row in across.rows]
        # Alpha has 1 of 3 right by exact match and 3 by people, Beta 2 and 2; in the other study 3 and 3.
        assert apart == pytest.approx([-2 / 3, 0, -2 / 3, -1 / 3])
        assert judge.distance.value == pytest.approx(5 / 12)
        assert [(row.project, row.label) for row in across.rows] == [
            ("small", "Alpha"),
            ("small", "Beta"),
            ("other", "Alpha"),
            ("other", "Beta"),
        ]

    def test_a_study_without_decisions_has_scores_and_no_distance(
        self, study: Project, exact_match: JudgeRun
    ) -> None:
        across = read_across(projects=[study])
        assert not across.projects[0].has_people
        assert (across.projects[0].judged_questions, across.projects[0].n_questions) == (0, 3)
        assert across.rows[0].people is None
        assert across.rows[0].scores["exact_match"].difference.why is Why.NOTHING_DECIDED_HERE
        assert across.evaluators[0].distance.why is Why.NOTHING_BESIDE_PEOPLE

    def test_a_run_that_is_not_through_is_left_out(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        JudgeRun.objects.filter(pk=exact_match.pk).update(state=JudgeRun.State.PAUSED)
        assert read_across(projects=[study]).evaluators == []


class TestComparisonView:
    def test_shows_the_lead_both_projects(
        self, study: Project, other: Project, all_decided: None, exact_match: JudgeRun, lead: User
    ) -> None:
        body = ClientOf(lead).get(ADDRESS, {"projects": "small,other,small"}).json()
        assert [project["slug"] for project in body["projects"]] == ["small", "other"]
        assert body["evaluators"][0]["distance"]["value"] == pytest.approx(5 / 12)
        assert body["rows"][0]["scores"]["exact_match"]["correct"] == 1
        assert body["rows"][0]["people"]["correct"] == 3

    def test_published_numbers_stand_under_the_evaluator_they_fit(
        self, study: Project, other: Project, all_decided: None, exact_match: JudgeRun, lead: User
    ) -> None:
        # The second run of exact match is another judge here, and the other study's only one.
        JudgeRun.objects.filter(project=other).update(stated=[["judge", "exact_match"], ["case", "kept"]])
        for project, measure in (
            (study, "exact_match"),
            (other, "exact_match"),
            (other, "human"),
            (other, "x"),
        ):
            add_reference(project=project, by=lead, reference=PUBLISHED._replace(measure=measure))
        removed = add_reference(project=study, by=lead, reference=PUBLISHED._replace(name="gone"))
        remove_reference(project=study, public_id=removed.public_id, by=lead)
        add_reference(project=study, by=lead, reference=PUBLISHED._replace(subject=Subject.JUDGE))
        body = ClientOf(lead).get(ADDRESS, {"projects": "small,other"}).json()
        first, second = (evaluator["key"] for evaluator in body["evaluators"])
        assert [(each["project"], each["measure"], each["name"]) for each in body["published"]] == [
            ("small", first, "GPT-3"),
            ("other", second, "GPT-3"),
            ("other", "human", "GPT-3"),
        ]
        assert body["published"][0] | PUBLISHED_BODY == body["published"][0]
        assert all(row["system"] != "GPT-3" for row in body["rows"])

    def test_one_project_that_is_not_theirs_hides_all(
        self, study: Project, other: Project, outsider: User
    ) -> None:
        Membership.objects.create(
            project=study, user=outsider, role="adjudicator", pseudonym="R-X", joined_at=study.created_at
        )
        assert ClientOf(outsider).get(ADDRESS, {"projects": "small"}).status_code == 200
        reply = ClientOf(outsider).get(ADDRESS, {"projects": "small,other"})
        unknown = ClientOf(outsider).get(ADDRESS, {"projects": "small,no-such"})
        assert reply.status_code == unknown.status_code == 404
        assert reply.content == unknown.content

    def test_annotators_see_no_scores(self, study: Project, all_decided: None) -> None:
        rater = make_member(project=study, username="rater")
        reply = ClientOf(rater.user).get(ADDRESS, {"projects": "small"})
        assert reply.status_code == 403
        assert reply.json()["error"]["code"] == "wrong_role"

    @pytest.mark.parametrize("projects", ["", ",", ",".join(f"p{number}" for number in range(21))])
    def test_asks_for_one_to_twenty(self, lead: User, projects: str) -> None:
        assert ClientOf(lead).get(ADDRESS, {"projects": projects}).status_code == 400

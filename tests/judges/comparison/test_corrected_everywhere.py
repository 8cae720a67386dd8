"""Compare and the overview by the leaderboard's corrected column: after a random sample, after a policy."""

import pytest

from analysis.intervals import Why
from annotation.items.services.samples import set_sample
from annotation.projects.models import Project
from judges.comparison.rules.study import CORRECTED, SETTLED, Filter, Scope
from judges.comparison.selectors.across import read_across
from judges.comparison.selectors.leaderboard.corrected import read_corrected
from judges.comparison.selectors.leaderboard.standings import read_leaderboard
from judges.comparison.selectors.overview import read_overview
from judges.prejudging.models import PrejudgedAnswer
from tests.judges.comparison.conftest import make_run
from tests.judges.comparison.judge_board.test_audited import make_prejudged
from tests.judges.comparison.leaderboard.test_sampled import Made, decide_sample, make_study


@pytest.fixture
def sampled(project: Project) -> Made:
    made = make_study(project)
    set_sample(project=project, method="seed", size=80, seed=5)
    decide_sample(made)
    return made


class TestSampled:
    def test_compared_scores_are_those_of_the_leaderboard(self, sampled: Made) -> None:
        project = Project.objects.get(pk=sampled.project.pk)
        board = read_leaderboard(project=project, wanted=Filter(scope=Scope.ENTIRE))
        found = read_across(projects=[project])
        (about,) = found.projects
        assert (about.scope, about.is_estimated, about.n_questions) == (Scope.ENTIRE, True, 240)
        assert "scope:entire" in found.signature
        people = [row.scores[CORRECTED] for row in board.rows]
        assert [row.people for row in found.rows] == people
        for place, row in enumerate(found.rows):
            own = row.scores["containment"].difference.value
            corrected = people[place]
            assert corrected is not None
            assert own == pytest.approx(sampled.judged[place].mean() - corrected.value)

    def test_the_headline_is_the_gain_of_the_corrected_column(self, sampled: Made) -> None:
        make_exact(sampled.project, right=30)
        project = Project.objects.get(pk=sampled.project.pk)
        movement = read_overview(project=project).movement
        assert movement is not None
        assert (movement.column, movement.scope) == (CORRECTED, Scope.ENTIRE)
        board = read_leaderboard(project=project, wanted=Filter(scope=Scope.ENTIRE), compared="exact_match")
        (cell,) = [row.scores[CORRECTED] for row in board.rows if row.system == movement.system]
        assert cell is not None
        assert cell.gain is not None
        assert cell.gain.value == pytest.approx(movement.largest_gain)


def make_exact(project: Project, *, right: int) -> None:
    texts = list(project.candidates.order_by("pk").values_list("text", flat=True))
    make_run(project, "exact_match", {text: float(number < right) for number, text in enumerate(texts)})


class TestPrejudged:
    def test_the_headline_is_corrected_by_the_audit(self, db: None) -> None:
        project = make_prejudged()
        make_exact(project, right=10)
        project = Project.objects.get(pk=project.pk)
        movement = read_overview(project=project).movement
        (row,) = read_leaderboard(project=project).rows
        corrected, exact = row.scores[CORRECTED], row.scores["exact_match"]
        assert movement is not None
        assert corrected is not None
        assert exact is not None
        assert movement.column == CORRECTED
        assert movement.largest_gain == pytest.approx(corrected.value - exact.value)
        assert read_across(projects=[project]).rows[0].people == corrected

    @pytest.mark.parametrize("is_audited", [True, False])
    def test_no_score_is_corrected_while_people_have_answers_to_decide(
        self, db: None, is_audited: bool
    ) -> None:
        project = make_prejudged()
        drawn = PrejudgedAnswer.objects.filter(is_audited=True).values("candidate")
        (candidate, *_) = (
            project.candidates.filter(pk__in=drawn)
            if is_audited
            else project.candidates.exclude(pk__in=PrejudgedAnswer.objects.values("candidate"))
        )
        candidate.decisions.filter(is_current=True).update(is_current=False)
        project = Project.objects.get(pk=project.pk)
        (row,) = read_leaderboard(project=project).rows
        assert row.scores[CORRECTED] is None
        assert read_overview(project=project).movement is None
        assert read_across(projects=[project]).rows[0].people is None
        (row_beside,) = read_corrected(project=project, wanted=Filter()).rows
        assert row_beside.people.why is Why.SAMPLE_OPEN

    def test_an_unaudited_study_has_no_headline(self, db: None) -> None:
        project = make_prejudged()
        make_exact(project, right=10)
        PrejudgedAnswer.objects.filter(is_audited=False).update(audit_probability=0)
        unaudited = Project.objects.get(pk=project.pk)
        assert read_leaderboard(project=unaudited).rows[0].scores[SETTLED] is not None
        assert read_overview(project=unaudited).movement is None
        assert read_across(projects=[unaudited]).rows[0].people is None

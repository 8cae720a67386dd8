"""What people accept of the answers that exact match rejects."""

import numpy as np
import pytest
from scipy.stats import binomtest

from annotation.adjudication.models import Decision
from annotation.items.models import Candidate, Prediction, System
from annotation.projects.models import Project
from judges.comparison.rules.boards import BoardRow
from judges.comparison.rules.leaderboard.standings import Rejected, measure_beyond
from judges.comparison.rules.study import Filter
from judges.comparison.selectors.leaderboard.standings import read_beyond
from tests.factories import make_figure
from tests.judges.comparison.conftest import Decider
from tests.judges.conftest import read_page


def measure(rejected: Rejected) -> BoardRow:
    return measure_beyond(rejected, has_possible=True, key="all", name="All")


def counts(row: BoardRow) -> tuple[int, int, int, int]:
    rejected, decided, definite, possible = row.counts.values()
    return rejected, decided, definite, possible


class TestMeasureBeyond:
    def test_shares_are_of_what_was_decided(self) -> None:
        # Ten answers to five questions; two undecided, two definitely and one possibly right.
        rejected = Rejected(
            np.arange(10) // 2, np.array([-1, 2, 0, 0, 1, 0, 2, 0, -1, 0], dtype=np.int8), np.ones(10)
        )
        found = measure(rejected)
        assert counts(found) == (10, 8, 2, 1)
        assert {name: share.value for name, share in found.figures.items()} == {
            "definitely": 0.25,
            "possibly": 0.125,
            "either": 0.375,
        }
        for share in found.figures.values():
            assert share.value is not None
            assert share.low is not None
            assert share.high is not None
            assert share.low <= share.value <= share.high

    def test_without_labels_between_right_and_wrong_one_share_says_all(self) -> None:
        rejected = Rejected(np.arange(2), np.array([2, 0], dtype=np.int8), np.ones(2))
        found = measure_beyond(rejected, has_possible=False, key="all", name="All")
        assert {name: share.value for name, share in found.figures.items()} == {"accepted": 0.5}

    def test_where_none_is_accepted_the_interval_is_the_exact_one(self) -> None:
        found = measure(Rejected(np.arange(20), np.zeros(20, dtype=np.int8), np.ones(20)))
        exact = binomtest(0, 20).proportion_ci(method="exact")
        assert found.figures["definitely"].interval == pytest.approx((exact.low, exact.high))

    def test_before_decisions_there_is_no_share(self) -> None:
        found = measure(Rejected(np.arange(3), np.full(3, -1, dtype=np.int8), np.ones(3)))
        assert counts(found) == (3, 0, 0, 0)
        assert found.figures["definitely"].value is None


class TestReadBeyond:
    def test_answers_of_each_system_and_of_all(self, study: Project, all_decided: None) -> None:
        found = read_beyond(project=study, wanted=Filter())
        # Exact match rejects "the city of Paris" and "William S." of Alpha, and Marlowe of Beta.
        assert [(row.name, counts(row)) for row in found.systems] == [
            ("Alpha", (2, 2, 2, 0)),
            ("Beta", (1, 1, 0, 0)),
        ]
        assert counts(found.predictions) == counts(found.answers) == (3, 3, 2, 0)
        assert not found.has_possible

    def test_an_answer_of_two_systems_counts_once_among_different_ones(
        self, study: Project, all_decided: None
    ) -> None:
        marlowe = Candidate.objects.get(project=study, text="Marlowe")
        Prediction.objects.filter(text="William S.").update(text="Marlowe", candidate=marlowe)
        found = read_beyond(project=study, wanted=Filter())
        assert counts(found.predictions) == (3, 3, 1, 0)
        # Nobody gives "William S." any more, and it stays an answer that people judged.
        assert counts(found.answers) == (3, 3, 2, 0)

    def test_chosen_systems_leave_others_answers_out(self, study: Project, all_decided: None) -> None:
        System.objects.filter(project=study, name="beta").update(description={"size_bytes": 5})
        Prediction.objects.filter(text="William S.").delete()
        found = read_beyond(project=study, wanted=Filter(largest_bytes=10))
        assert [row.name for row in found.systems] == ["Beta"]
        assert counts(found.predictions) == counts(found.answers) == (1, 1, 0, 0)

    def test_what_verdicts_settled_is_no_word_of_people(self, study: Project, decide: Decider) -> None:
        decide("William S.", "correct")
        decide("Marlowe", "incorrect")
        Decision.objects.filter(candidate__text="William S.").update(source="prejudged")
        assert counts(read_beyond(project=study, wanted=Filter()).answers) == (3, 1, 0, 0)

    def test_gold_of_a_predictions_own_file_is_what_it_is_matched_with(
        self, study: Project, all_decided: None
    ) -> None:
        Prediction.objects.filter(text="Marlowe").update(golds=["Marlowe"])
        found = read_beyond(project=study, wanted=Filter())
        assert [counts(row)[0] for row in found.systems] == [2, 0]

    def test_an_empty_project_has_nothing(self, project: Project) -> None:
        found = read_beyond(project=project, wanted=Filter())
        assert (found.systems, counts(found.answers)) == ([], (0, 0, 0, 0))


class TestView:
    def test_says_counts_shares_and_what_made_them(self, study: Project, all_decided: None) -> None:
        page = read_page(study, "leaderboard/beyond")
        assert page["signature"].startswith("human|answers:decided by people|rejected:exact_match")
        (alpha, _) = page["systems"]
        counts = {"rejected": 2, "decided": 2, "definite": 2, "possible": 0}
        assert (alpha["key"], alpha["counts"]) == ("alpha", counts)
        assert alpha["figures"]["accepted"]["value"] == 1.0
        assert page["answers"]["figures"]["accepted"]["value"] == pytest.approx(2 / 3)

    def test_a_share_of_nothing_says_why(self, study: Project) -> None:
        page = read_page(study, "leaderboard/beyond")
        figure = page["answers"]["figures"]["accepted"]
        assert figure == make_figure(None, why="nothing_sampled")

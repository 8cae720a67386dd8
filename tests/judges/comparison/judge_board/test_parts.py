"""A judge beside people, part by part."""

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import pytest

from analysis.arrays import Integers
from analysis.classification import Confusion, code_rows, count_confusion
from analysis.intervals import Figure, Interval, Scale, Undefined, Why
from annotation.accounts.models import User
from annotation.items.models import Question, System
from annotation.projects.models import Membership, Project
from judges.comparison.rules.judge_board.beside_people import bound_figures, count_cells, stand_beside
from judges.comparison.rules.judge_board.parts import Heard, PartBy, Rows, bound_parts
from judges.comparison.rules.study import Codes
from judges.comparison.selectors.judge_board.parts import read_parts
from judges.runs.models import JudgeRun
from tests.analysis.ratios import lies_as_redone
from tests.annotation.adjudication.factories import vote
from tests.judges.comparison.conftest import Decider, make_run

Client = Callable[[User], Any]


def parts(project: Project, run: JudgeRun, by: PartBy) -> dict[str, tuple[int, ...]]:
    found = read_parts(project=project, run=run.public_id, by=by)
    return {part.name: tuple(part.counts.values()) for part in found.parts}


def _plain(figure: Figure) -> float | Why | None:
    return figure.value if figure.why is None else figure.why


class TestReadParts:
    def test_by_system_an_answer_counts_for_each_that_gave_it(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        assert parts(study, exact_match, PartBy.SYSTEM) == {"Alpha": (1, 2, 0, 0, 0), "Beta": (2, 0, 0, 1, 0)}

    def test_two_systems_of_one_label_stay_two(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        System.objects.filter(project=study).update(label="Reader")
        assert parts(study, exact_match, PartBy.SYSTEM) == {
            "Reader (alpha)": (1, 2, 0, 0, 0),
            "Reader (beta)": (2, 0, 0, 1, 0),
        }

    def test_by_length_and_by_type_each_answer_counts_once(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        assert parts(study, exact_match, PartBy.ANSWER_LENGTH) == {
            "1 word": (2, 0, 0, 1, 0),
            "2 to 5 words": (0, 2, 0, 0, 0),
        }
        assert parts(study, exact_match, PartBy.QUESTION_TYPE) == {
            "no question word": (2, 1, 0, 0, 0),
            "who": (0, 1, 0, 1, 0),
        }

    def test_data_sets_and_tags_are_the_questions(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        assert parts(study, exact_match, PartBy.TAG) == parts(study, exact_match, PartBy.DATASET) == {}
        Question.objects.filter(project=study, position=0).update(dataset="nq", tags=["places", "easy"])
        Question.objects.filter(project=study, position=1).update(tags=["places"])
        assert parts(study, exact_match, PartBy.DATASET) == {"nq": (1, 1, 0, 0, 0)}
        assert parts(study, exact_match, PartBy.TAG) == {"easy": (1, 1, 0, 0, 0), "places": (2, 1, 0, 0, 0)}

    def test_an_answer_without_a_verdict_is_unscored_and_counts_against_the_judge(
        self, study: Project, all_decided: None
    ) -> None:
        run = make_run(study, "containment", {"Paris": 1.0, "Marlowe": None})
        who, other = sorted(
            read_parts(project=study, run=run.public_id, by=PartBy.QUESTION_TYPE).parts,
            key=lambda part: part.name != "who",
        )
        assert tuple(who.counts.values()) == (0, 0, 0, 0, 2)
        assert other.figures["accuracy_all"].value == pytest.approx(1 / 3)


class TestErrorAsAMultiple:
    @pytest.fixture
    def voted(self, study: Project, annotators: list[Membership], decide: Decider) -> Project:
        """Two raters differ on Alpha's answer to the first question, and agree on Beta's."""
        for rater, label in zip(annotators, ("correct", "incorrect"), strict=False):
            vote(rater=rater, labels={"Paris": "correct", "the city of Paris": label})
        for text in ("the city of Paris", "Pacific", "William S."):
            decide(text, "correct")
        decide("Marlowe", "incorrect")
        return Project.objects.get(pk=study.pk)

    def test_it_is_measured_by_raters_on_the_answers_of_the_same_part(
        self, voted: Project, exact_match: JudgeRun
    ) -> None:
        found = read_parts(project=voted, run=exact_match.public_id, by=PartBy.SYSTEM)
        multiples = {part.name: _plain(part.figures["error_multiple"]) for part in found.parts}
        # Exact match errs on two of Alpha's three answers, raters on the one that both judged.
        assert multiples == {"Alpha": pytest.approx(2 / 3), "Beta": Why.HUMAN_NEVER_ERRS}

    def test_by_length_as_well(self, voted: Project, exact_match: JudgeRun) -> None:
        found = read_parts(project=voted, run=exact_match.public_id, by=PartBy.ANSWER_LENGTH)
        multiples = {part.name: _plain(part.figures["error_multiple"]) for part in found.parts}
        assert multiples == {"1 word": Why.HUMAN_NEVER_ERRS, "2 to 5 words": pytest.approx(1.0)}

    def test_without_raters_to_compare_there_is_none(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        found = read_parts(project=study, run=exact_match.public_id, by=PartBy.SYSTEM)
        assert {part.figures["error_multiple"] for part in found.parts} == {Figure(None, why=Why.NO_HUMAN)}

    def test_its_interval_is_that_of_both_errors_over_the_parts_questions(self) -> None:
        questions = np.repeat(np.arange(40), 5)
        truth = np.random.default_rng(1).random(200) < 0.6
        verdicts = {3: np.random.default_rng(3).integers(-1, 2, 200).astype(np.int8)}
        rows = Rows(truth, np.ones(200, dtype=bool), questions, np.ones(200))
        heard = Heard(questions, np.random.default_rng(4).integers(0, 4, 200), np.ones(200))
        parts = {"all": np.arange(200), "alone": np.arange(100)}
        found = bound_parts(rows, verdicts=verdicts, parts=parts, heard={"all": heard})[3]
        counts = {
            "judge": count_cells(
                codes=code_rows(correct=truth, accepted=verdicts[3] == 1, scored=verdicts[3] >= 0),
                questions=questions,
                question_count=40,
            ),
            "human": count_cells(codes=heard.codes, questions=questions, question_count=40),
        }
        board = bound_figures(counts, people=frozenset({"human"}), pooled="human")
        assert isinstance(found["all"]["error_multiple"], Interval)
        assert found["all"]["error_multiple"] == board["judge"]["error_multiple"]
        assert found["alone"]["error_multiple"] == Undefined(Why.NO_HUMAN)


class TestBoundParts:
    questions = np.repeat(np.arange(40), 5)
    truth = np.random.default_rng(1).random(200) < 0.6
    counted = np.random.default_rng(2).random(200) < 0.9
    rows = Rows(truth, counted, questions, np.ones(len(truth)))
    verdicts: ClassVar[dict[int, Codes]] = {
        judge: np.random.default_rng(judge).integers(-1, 2, 200).astype(np.int8) for judge in (3, 4)
    }
    parts: ClassVar[dict[str, Integers]] = {"even": np.arange(0, 200, 2), "first": np.arange(60)}

    def drawn(self, judge: int, part: str) -> list[Confusion]:
        """Draw the questions again one by one, and count a part's rows anew each time."""
        own = np.intersect1d(self.parts[part], np.flatnonzero(self.counted))
        names = np.unique(self.questions[own])
        drawn = names[np.random.default_rng(5).integers(0, len(names), size=(1_000, len(names)))]
        found = []
        for draw in drawn:
            rows = np.concatenate([own[self.questions[own] == question] for question in draw])
            verdict = self.verdicts[judge][rows]
            found.append(
                count_confusion(correct=self.truth[rows], accepted=verdict == 1, scored=verdict >= 0)
            )
        return found

    @pytest.mark.parametrize(("judge", "part"), [(3, "even"), (4, "first")])
    def test_every_figure_lies_where_counting_each_resample_anew_puts_it(self, judge: int, part: str) -> None:
        found = bound_parts(self.rows, verdicts=self.verdicts, parts=self.parts)[judge][part]
        besides = [stand_beside(counts).figures for counts in self.drawn(judge, part)]
        for name in ("accuracy_all", "coverage", "precision", "recall", "f1", "macro_f1", "cohen_kappa"):
            values = [figures[name] for figures in besides]
            scale = Scale.COEFFICIENT if name == "cohen_kappa" else Scale.SHARE
            clusters = len(np.unique(self.questions[self.parts[part]]))
            value = stand_beside(self.whole(judge, part)).figures[name]
            assert lies_as_redone(found[name], value=value, values=values, clusters=clusters, scale=scale), (
                name
            )

    def whole(self, judge: int, part: str) -> Confusion:
        own = np.intersect1d(self.parts[part], np.flatnonzero(self.counted))
        verdict = self.verdicts[judge][own]
        return count_confusion(correct=self.truth[own], accepted=verdict == 1, scored=verdict >= 0)

    def test_a_part_of_one_question_has_none(self) -> None:
        parts = {"one": np.arange(5), "all": np.arange(200)}
        found = bound_parts(self.rows, verdicts=self.verdicts, parts=parts)[3]
        assert found["one"]["f1"] == Undefined(Why.TOO_FEW_QUESTIONS)
        assert isinstance(found["all"]["f1"], Interval)

    def test_what_is_undefined_in_the_part_has_none(self) -> None:
        nobody = self.rows._replace(truth=np.zeros(200, dtype=bool))
        found = bound_parts(nobody, verdicts=self.verdicts, parts=self.parts)[3]["even"]
        assert found["recall"] == Undefined(Why.TOO_FEW_QUESTIONS)
        assert isinstance(found["accuracy_all"], Interval)

    def test_nothing_decided_has_no_parts(self) -> None:
        nothing = self.rows._replace(counted=np.zeros(200, dtype=bool))
        assert bound_parts(nothing, verdicts=self.verdicts, parts=self.parts) == {3: {}, 4: {}}


class TestView:
    def test_tells_counts_shares_and_why_there_is_none(
        self, client_of: Client, lead: User, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        url = f"/api/projects/small/judge-board/{exact_match.public_id}/parts"
        alpha, _ = client_of(lead).get(url).json()["parts"]
        assert (alpha["name"], alpha["counts"]["tp"], alpha["counts"]["fn"]) == ("Alpha", 1, 2)
        assert alpha["figures"]["accuracy_all"]["value"] == pytest.approx(1 / 3)

    def test_tells_what_a_judge_would_report_of_a_part_and_its_four_shares(
        self, client_of: Client, lead: User, study: Project, all_decided: None
    ) -> None:
        run = make_run(study, "containment", {"the city of Paris": 0.0, "Pacific": 1.0, "Marlowe": 1.0})
        url = f"/api/projects/small/judge-board/{run.public_id}/parts"
        alpha, beta = client_of(lead).get(url).json()["parts"]
        shares = ("accepted_share", "correct_share", "bias", "tp_share", "fn_share", "fp_share", "tn_share")
        third = pytest.approx(1 / 3)
        # Alpha: one rejected, one accepted, one not judged, all right; Beta: one each, Marlowe wrong.
        assert [alpha["figures"][name]["value"] for name in shares] == [
            0.5,
            1.0,
            -0.5,
            third,
            third,
            0.0,
            0.0,
        ]
        assert [beta["figures"][name]["value"] for name in shares] == [1.0, 0.5, 0.5, third, 0.0, third, 0.0]
        silent = make_run(study, "token_f1", {"Paris": None})
        (_, beta) = client_of(lead).get(url.replace(run.public_id, silent.public_id)).json()["parts"]
        figures = beta["figures"]
        assert (figures["bias"]["value"], figures["tp_share"]["value"]) == (None, 0.0)
        assert figures["bias"]["why"] == Why.NO_SCORED

    def test_every_figure_of_a_part_has_an_interval_or_a_reason(
        self, client_of: Client, lead: User, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        url = f"/api/projects/small/judge-board/{exact_match.public_id}/parts"
        points, _ = client_of(lead).get(url).json()["parts"]
        bounded, _ = client_of(lead).get(f"{url}?intervals=true").json()["parts"]
        assert points.keys() == bounded.keys()
        for name, figure in bounded["figures"].items():
            assert figure["value"] == points["figures"][name]["value"]
            assert (figure["low"] is None) == (figure["why"] is not None), name

    def test_intervals_come_where_asked_for_and_say_why_there_is_none(
        self, client_of: Client, lead: User, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        url = f"/api/projects/small/judge-board/{exact_match.public_id}/parts?by=question_type"
        other, who = client_of(lead).get(f"{url}&intervals=true").json()["parts"]
        assert (other["name"], who["name"]) == ("no question word", "who")
        figure = other["figures"]["accuracy_all"]
        assert figure["low"] <= 2 / 3 <= figure["high"]
        lacking = who["figures"]["accuracy_all"]
        assert (lacking["low"], lacking["why"]) == (None, Why.TOO_FEW_QUESTIONS)
        assert figure["why"] is None
        plain, _ = client_of(lead).get(url).json()["parts"]
        assert plain["figures"]["accuracy_all"] == {**figure, "low": None, "high": None}

    def test_an_unknown_run_or_part_is_refused(self, client_of: Client, lead: User, study: Project) -> None:
        url = "/api/projects/small/judge-board/x/parts"
        assert client_of(lead).get(url).status_code == 404
        assert client_of(lead).get(f"{url}?by=moon").status_code == 400

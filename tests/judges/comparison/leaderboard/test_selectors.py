"""The leaderboard, read from rows."""

from collections.abc import Callable
from typing import Any

import pytest

from analysis.intervals import Undefined, Why
from annotation.adjudication.models import Decision
from annotation.items.models import Candidate, Prediction, Question
from annotation.projects.models import Membership, Project
from annotation.projects.services.making import create_project
from common.clock import now
from judges.comparison.rules.leaderboard.standings import Leaderboard
from judges.comparison.rules.study import Filter, Scope
from judges.comparison.selectors.judge_board.judges import read_judge_board
from judges.comparison.selectors.leaderboard.standings import read_leaderboard
from judges.comparison.selectors.overview import read_overview
from judges.prejudging.models import PrejudgedAnswer
from judges.prejudging.services.policies import apply_policy, make_policy, save_policy, work_on_application
from judges.runs.models import JudgeRun
from tests.judges.comparison.conftest import EXACT, find_improper, make_run

Decider = Callable[[str, str], None]


def read(project: Project, scope: Scope = Scope.SAMPLE) -> Leaderboard:
    return read_leaderboard(project=Project.objects.get(pk=project.pk), wanted=Filter(scope=scope))


def counts(board: Leaderboard, key: str) -> dict[str, tuple[int | None, int] | None]:
    return {row.label: (score.correct, score.n) if (score := row.scores[key]) else None for row in board.rows}


class TestReadLeaderboard:
    def test_a_judge_counts_the_answers_it_accepts(self, study: Project, exact_match: JudgeRun) -> None:
        assert counts(read(study), "exact_match") == {"Alpha": (1, 3), "Beta": (2, 3)}

    def test_token_f1_is_the_mean_score(self, study: Project, token_f1: JudgeRun) -> None:
        scores = [row.scores["token_f1"] for row in read(study).rows]
        assert [score.value for score in scores if score] == pytest.approx([0.5, 2 / 3])

    def test_a_run_that_has_seen_only_a_part_comes_last_and_says_so(
        self, study: Project, exact_match: JudgeRun, token_f1: JudgeRun
    ) -> None:
        JudgeRun.objects.filter(pk=exact_match.pk).update(state=JudgeRun.State.SAMPLED)
        assert [column.name for column in read(study).columns] == [
            "Token F1",
            "Exact match, 5 answers so far",
        ]

    def test_before_any_decision_people_have_no_column(self, study: Project, exact_match: JudgeRun) -> None:
        assert [column.key for column in read(study).columns] == ["exact_match"]

    def test_an_unjudged_answer_counts_by_exact_match(self, study: Project, decide: Decider) -> None:
        decide("the city of Paris", "correct")
        board = read(study)
        assert counts(board, "human") == {"Alpha": (2, 3), "Beta": (2, 3)}
        assert counts(board, "human_decided") == {"Alpha": (1, 1), "Beta": None}
        assert [row.range for row in board.rows] == [[1 / 3, 1.0], [0.0, 1.0]]

    def test_decided_answers_rank_the_systems(self, study: Project, all_decided: None) -> None:
        board = read(study)
        assert counts(board, "human") == {"Alpha": (3, 3), "Beta": (2, 3)}
        assert [score and score.rank.value for score in (row.scores["human"] for row in board.rows)] == [1, 2]
        assert board.all_decided

    def test_people_turn_the_order_around(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        assert read(study).kendall["exact_match"] == pytest.approx(-1.0)

    def test_a_rejected_gold_answer_counts_no_more(self, study: Project, decide: Decider) -> None:
        decide("Pacific", "incorrect")
        assert counts(read(study), "human") == {"Alpha": (0, 3), "Beta": (1, 3)}

    def test_a_recorded_judge_is_scored_by_the_gold_list_it_would_amend(self, study: Project) -> None:
        # It rejects the gold answer "Paris" and says nothing of "Pacific", which stays gold.
        make_run(
            study,
            "recorded:bem",
            {"Paris": 0.1, "William S.": 0.9, "Marlowe": None},
            gold_version="as-recorded",
        )
        assert counts(read(study), "recorded:bem") == {"Alpha": (2, 3), "Beta": (1, 3)}

    def test_an_unscored_verdict_is_no_wrong_answer(self, study: Project) -> None:
        make_run(study, "containment", {**EXACT, "Marlowe": None})
        assert counts(read(study), "containment") == {"Alpha": (1, 3), "Beta": (2, 2)}

    def test_a_run_that_is_not_through_gives_no_rank(self, study: Project) -> None:
        make_run(study, "exact_match", {"Paris": 1.0, "Pacific": 1.0})
        scores = [row.scores["exact_match"] for row in read(study).rows]
        assert [score.rank.value for score in scores if score] == [None, None]

    def test_another_projects_runs_do_not_show(self, study: Project, lead: Any) -> None:
        other = create_project(lead=lead, name="Other", preset="openqa-eval")
        make_run(other, "exact_match", {})
        assert read(study).columns == []

    def test_an_improper_question_leaves_every_score(
        self, study: Project, exact_match: JudgeRun, annotators: list[Membership]
    ) -> None:
        find_improper(study, by=annotators[0])
        board = read(study)
        assert board.n_questions == 2
        assert counts(board, "exact_match") == {"Alpha": (1, 2), "Beta": (1, 2)}
        overview = read_overview(project=Project.objects.get(pk=study.pk))
        assert (overview.questions, overview.left_out) == (2, 1)

    def test_the_number_of_queries_does_not_grow_with_the_data(
        self, study: Project, all_decided: None, exact_match: JudgeRun, django_assert_max_num_queries: Any
    ) -> None:
        fresh = Project.objects.select_related("protocol").get(pk=study.pk)
        with django_assert_max_num_queries(34):
            read_leaderboard(project=fresh)


class TestScopes:
    @pytest.fixture
    def sampled(self, study: Project, exact_match: JudgeRun) -> Project:
        """Only the first question is judged, and Beta answered nothing else."""
        Question.objects.filter(position__gt=0).update(in_sample=False)
        Prediction.objects.filter(system__name="beta", question__position__gt=0).delete()
        return study

    def test_the_sample_holds_judged_questions_only(self, sampled: Project) -> None:
        assert counts(read(sampled), "exact_match") == {"Alpha": (0, 1), "Beta": (1, 1)}

    def test_the_entire_data_hold_all_and_systems_that_went_beyond_the_sample(self, sampled: Project) -> None:
        board = read(sampled, Scope.ENTIRE)
        assert board.n_questions == 3
        assert counts(board, "exact_match") == {"Alpha": (1, 3)}

    def test_recorded_verdicts_say_nothing_of_the_entire_data(self, sampled: Project) -> None:
        make_run(sampled, "recorded:bem", {"Paris": 1.0}, gold_version="as-recorded")
        assert "recorded:bem" not in {column.key for column in read(sampled, Scope.ENTIRE).columns}

    def test_what_nobody_judged_is_not_decided(self, sampled: Project, decide: Decider) -> None:
        decide("Paris", "correct")
        decide("the city of Paris", "correct")
        assert read(sampled).all_decided
        board = read(sampled, Scope.ENTIRE)
        assert not board.all_decided
        assert board.rows[0].range == [1 / 3, 1.0]

    def test_an_answer_that_nobody_will_be_asked_about_holds_up_no_rank(
        self, study: Project, all_decided: None
    ) -> None:
        candidate = Candidate.objects.get(text="Marlowe")
        candidate.decisions.all().delete()
        Candidate.objects.filter(pk=candidate.pk).update(is_judgeable=False, state="unasked")
        assert read(study).all_decided

    def test_questions_that_nobody_will_judge_are_not_counted_as_judged(
        self, study: Project, exact_match: JudgeRun, decide: Decider
    ) -> None:
        decide("Paris", "correct")
        decide("the city of Paris", "correct")
        Candidate.objects.exclude(question__position=0).update(is_judgeable=False, state="unasked")
        board = read(study)
        assert (board.all_decided, board.judged_questions, board.n_questions) == (True, 1, 3)
        movement = read_overview(project=Project.objects.get(pk=study.pk)).movement
        assert movement is not None
        assert (movement.judged_questions, movement.n_questions) == (1, 3)

    def test_questions_outside_the_scores_are_not_counted_as_judged(
        self, study: Project, decide: Decider
    ) -> None:
        decide("Paris", "correct")
        Question.objects.filter(position=0).update(in_sample=False)
        assert read(study).judged_questions == 0
        assert read(study, Scope.ENTIRE).judged_questions == 1


class TestPrejudgedAnswers:
    @pytest.fixture
    def audited(self, study: Project, exact_match: JudgeRun) -> Project:
        """Exact match's verdicts settle all answers but Pacific, which was drawn with probability 1/2."""
        project = Project.objects.get(pk=study.pk)
        both = [
            {"runs": ["exact_match"], "condition": "any_accepts"},
            {"runs": ["exact_match"], "condition": "any_rejects"},
        ]
        save_policy(project=project, policy=make_policy(project=project, rules=both, audit_share=0.0))
        work_on_application(application_id=apply_policy(project=project).pk)
        pacific = PrejudgedAnswer.objects.get(candidate__text="Pacific")
        decision = pacific.decision
        PrejudgedAnswer.objects.update(audit_probability=0.5)
        PrejudgedAnswer.objects.filter(pk=pacific.pk).update(is_audited=True, decision=None)
        assert decision is not None
        decision.delete()
        Candidate.objects.filter(text="Pacific").update(state="open", wanted=2)
        return project

    def test_count_for_no_people_before_people_judge(self, audited: Project) -> None:
        board = read(audited)
        names = {column.key: (column.kind.value, column.name) for column in board.columns}
        assert names["settled"] == ("mixed", "As settled, by people and judges")
        assert names["human"] == ("mixed", "As settled; exact match for the rest")
        assert names["corrected"] == ("human", "Corrected by the audit")
        assert "human_decided" not in names
        assert counts(board, "corrected") == {"Alpha": None, "Beta": None}
        assert counts(board, "settled") == {"Alpha": (0, 2), "Beta": (1, 2)}
        assert (board.judged_questions, board.programs_share) == (0, 4 / 6)

    def test_are_corrected_by_what_people_say_of_those_drawn(
        self, audited: Project, decide: Decider, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("judges.comparison.rules.audit.SMALLEST_AUDIT", 1)
        # Of two answers that exact match accepts the one seen is wrong: so both are held to be.
        decide("Pacific", "incorrect")
        board = read(audited)
        assert counts(board, "human_decided") == {"Alpha": (0, 1), "Beta": (0, 1)}
        assert "Answers that people decided" in {column.name for column in board.columns}
        assert counts(board, "settled") == {"Alpha": (0, 3), "Beta": (1, 3)}
        assert board.judged_questions == 1
        # Nobody has seen an answer that exact match rejects.
        assert counts(board, "corrected") == {"Alpha": None, "Beta": None}
        PrejudgedAnswer.objects.exclude(candidate__text__in=("Pacific", "Paris")).update(undone_at=now())
        Decision.objects.filter(candidate__text__in=("the city of Paris", "William S.", "Marlowe")).update(
            source="adjudicated"
        )
        scores = {row.label: row.scores["corrected"] for row in read(audited).rows}
        assert [(score.value, score.correct, score.n) for score in scores.values() if score] == [
            (0.0, None, 3),
            (0.0, None, 3),
        ]

    def test_no_judge_is_ranked_beside_a_column_with_its_own_verdicts(
        self, audited: Project, decide: Decider
    ) -> None:
        decide("Pacific", "correct")
        assert read(audited).all_decided
        assert read(audited).kendall["exact_match"] == Undefined(Why.NOT_AUDITED)

    def test_have_no_people_in_their_ranks(self, audited: Project, decide: Decider) -> None:
        decide("Pacific", "correct")
        assert all(
            score.rank.value is None for row in read(audited).rows if (score := row.scores["human_decided"])
        )

    def test_count_for_systems_and_say_nothing_of_the_judges_that_settled_them(
        self, study: Project, exact_match: JudgeRun
    ) -> None:
        study = Project.objects.get(pk=study.pk)
        rules = [{"runs": ["exact_match"], "condition": "any_accepts"}]
        save_policy(project=study, policy=make_policy(project=study, rules=rules, audit_share=0.0))
        work_on_application(application_id=apply_policy(project=study).pk)
        board = read(study)
        assert counts(board, "settled") == {"Alpha": (1, 1), "Beta": (2, 2)}
        assert counts(board, "corrected") == {"Alpha": None, "Beta": None}
        of_people = [column.signature for column in board.columns if column.kind == "human"]
        assert all("|prejudged:" in signature for signature in of_people)
        assert not any(signature.endswith("|prejudged:counted") for signature in of_people)
        assert read_judge_board(project=study) == []

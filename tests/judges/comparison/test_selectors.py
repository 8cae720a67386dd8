"""Leaderboard, judges against people and the report, read from rows."""

from collections.abc import Callable
from typing import Any

import pytest

from analysis.agreement import MissingVotes
from annotation.items.models import Candidate, Prediction, Question
from annotation.judgments.models import CheckAnswer
from annotation.judgments.services import record_surplus
from annotation.projects.models import Membership, Project
from annotation.projects.services import create_project, set_protocol
from common.clock import now
from judges.comparison.rules import Leaderboard, Scope
from judges.comparison.selectors import build_report, read_judge_rows, read_leaderboard, read_overview
from judges.prejudging.services import apply_policy, make_policy, save_policy, work_on_application
from judges.runs.models import JudgeRun, Verdict
from tests.annotation.adjudication.factories import vote
from tests.judges.comparison.conftest import EXACT, make_run

Decider = Callable[[str, str], None]


def read(project: Project, scope: Scope = Scope.SAMPLE) -> Leaderboard:
    return read_leaderboard(project=Project.objects.get(pk=project.pk), scope=scope)


def counts(board: Leaderboard, key: str) -> dict[str, tuple[int | None, int] | None]:
    return {
        row.system.label: (score.correct, score.n) if (score := row.scores[key]) else None
        for row in board.rows
    }


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
            "Exact match, part of the answers",
        ]

    def test_before_any_decision_people_have_no_column(self, study: Project, exact_match: JudgeRun) -> None:
        assert [column.key for column in read(study).columns] == ["exact_match"]

    def test_an_unjudged_answer_counts_by_exact_match(self, study: Project, decide: Decider) -> None:
        decide("the city of Paris", "correct")
        board = read(study)
        assert counts(board, "human") == {"Alpha": (2, 3), "Beta": (2, 3)}
        assert counts(board, "human_decided") == {"Alpha": (1, 1), "Beta": None}
        assert [row.range for row in board.rows] == [(1 / 3, 1.0), (0.0, 1.0)]

    def test_decided_answers_rank_the_systems(self, study: Project, all_decided: None) -> None:
        board = read(study)
        assert counts(board, "human") == {"Alpha": (3, 3), "Beta": (2, 3)}
        assert [row.scores["human"] and row.scores["human"].rank for row in board.rows] == [1, 2]
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
        assert [score.rank for score in scores if score] == [None, None]

    def test_another_projects_runs_do_not_show(self, study: Project, lead: Any) -> None:
        other = create_project(lead=lead, name="Other", preset="openqa-eval")
        make_run(other, "exact_match", {})
        assert read(study).columns == []

    def test_an_improper_question_leaves_every_score(
        self, study: Project, exact_match: JudgeRun, annotators: list[Membership]
    ) -> None:
        sheet = vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "correct"})
        assert study.protocol is not None
        study.protocol.spec["question_checks"] = [
            {"key": "gold_improper", "text": "?", "skips_answers": True}
        ]
        study.protocol.save()
        CheckAnswer.objects.update_or_create(
            sheet=sheet,
            question=sheet.question,
            rater=annotators[0],
            check_key="gold_improper",
            defaults={"answer": True, "answered_at": now()},
        )
        board = read(study)
        assert board.n_questions == 2
        assert counts(board, "exact_match") == {"Alpha": (1, 2), "Beta": (1, 2)}
        overview = read_overview(project=Project.objects.get(pk=study.pk))
        assert (overview.questions, overview.left_out) == (2, 1)

    def test_the_number_of_queries_does_not_grow_with_the_data(
        self, study: Project, all_decided: None, exact_match: JudgeRun, django_assert_max_num_queries: Any
    ) -> None:
        fresh = Project.objects.select_related("protocol").get(pk=study.pk)
        with django_assert_max_num_queries(33):
            read_leaderboard(project=fresh, scope=Scope.SAMPLE)


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
        assert board.rows[0].range == (1 / 3, 1.0)

    def test_an_answer_that_nobody_will_be_asked_about_holds_up_no_rank(
        self, study: Project, all_decided: None
    ) -> None:
        candidate = Candidate.objects.get(text="Marlowe")
        candidate.decisions.all().delete()
        Candidate.objects.filter(pk=candidate.pk).update(is_judgeable=False, state="unasked")
        assert read(study).all_decided


class TestReadJudgeRows:
    def test_counts_errors_on_decided_answers(
        self, study: Project, all_decided: None, exact_match: JudgeRun
    ) -> None:
        (row,) = read_judge_rows(project=study)
        assert tuple(row.beside.confusion) == (2, 2, 0, 1, 0)
        assert (row.accepted_share, row.correct_share) == (0.4, 0.8)

    def test_a_missing_verdict_is_unscored_and_no_rejection(self, study: Project, all_decided: None) -> None:
        run = make_run(study, "recorded:gpt-4", EXACT, gold_version="as-recorded")
        Verdict.objects.filter(run=run, candidate__text="Marlowe").delete()
        Verdict.objects.filter(run=run, candidate__text="Paris").update(
            accepted=None, unscored_reason="abstained"
        )
        (row,) = read_judge_rows(project=study)
        assert tuple(row.beside.confusion) == (1, 2, 0, 0, 2)
        assert row.beside.quality.coverage == pytest.approx(0.6)

    def test_an_undecided_answer_does_not_count(
        self, study: Project, exact_match: JudgeRun, decide: Decider
    ) -> None:
        decide("Paris", "correct")
        (row,) = read_judge_rows(project=study)
        assert tuple(row.beside.confusion) == (1, 0, 0, 0, 0)

    def test_without_decisions_there_is_nothing_to_compare(
        self, study: Project, exact_match: JudgeRun
    ) -> None:
        assert read_judge_rows(project=study) == []


class TestPeopleAsJudges:
    @pytest.fixture
    def voted(self, study: Project, annotators: list[Membership]) -> Project:
        """Two raters differ on one of the two answers to the first question."""
        for rater, label in zip(annotators, ("correct", "incorrect"), strict=False):
            vote(rater=rater, labels={"Paris": "correct", "the city of Paris": label})
        return Project.objects.get(pk=study.pk)

    def test_raters_are_compared_with_each_other_pooled_and_one_by_one(self, voted: Project) -> None:
        rows = read_judge_rows(project=voted)
        assert [row.column.name for row in rows] == [
            "Another human",
            "Another human, rater A",
            "Another human, rater B",
        ]
        assert tuple(rows[0].beside.confusion) == (2, 1, 1, 0, 0)
        assert sorted(tuple(row.beside.confusion) for row in rows[1:]) == [(1, 0, 1, 0, 0), (1, 1, 0, 0, 0)]
        assert rows[0].column.signature == "judge:another_human|revision:1"
        assert rows[1].column.signature == "judge:another_human|rater:A|revision:1"
        assert {row.run for row in rows} == {""}

    def test_nobody_is_named(self, voted: Project) -> None:
        report = build_report(project=voted, rules=[MissingVotes.DROP])
        words = str(report["judges"])
        for member in voted.members.select_related("user"):
            assert member.user.name not in words
            assert member.pseudonym not in words

    def test_a_tie_break_is_no_part_of_it(self, voted: Project, annotators: list[Membership]) -> None:
        before = [tuple(row.beside.confusion) for row in read_judge_rows(project=voted)]
        vote(rater=annotators[2], labels={"the city of Paris": "correct"})
        assert [tuple(row.beside.confusion) for row in read_judge_rows(project=voted)] == before

    def test_a_lone_vote_is_unscored(self, voted: Project, annotators: list[Membership]) -> None:
        vote(rater=annotators[0], labels={"Pacific": "correct"})
        Candidate.objects.filter(project=voted, text="Pacific").update(state=Candidate.State.DECIDED)
        assert read_judge_rows(project=voted)[0].beside.confusion.unscored == 1

    def test_a_vote_whose_fellow_is_still_to_come_is_left_out(
        self, voted: Project, annotators: list[Membership]
    ) -> None:
        vote(rater=annotators[0], labels={"Pacific": "correct"})
        assert read_judge_rows(project=voted)[0].beside.confusion.unscored == 0

    def test_a_second_pass_is_compared_with_the_first(
        self, study: Project, annotators: list[Membership]
    ) -> None:
        study = Project.objects.get(pk=study.pk)
        spec = {**study.protocol.spec, "raters_per_answer": 1, "decision_rule": "only_rater"}
        set_protocol(project=study, spec=spec)
        Candidate.objects.filter(project=study).update(wanted=1)
        sheet = vote(rater=annotators[0], labels={"Paris": "correct", "the city of Paris": "incorrect"})
        assert read_judge_rows(project=Project.objects.get(pk=study.pk)) == []
        rater = Membership.objects.select_related("project__protocol").get(pk=annotators[1].pk)
        answers = Candidate.objects.filter(question=sheet.question)
        record_surplus(
            rater=rater,
            question=sheet.question,
            labels=dict.fromkeys(answers.values_list("pk", flat=True), "correct"),
        )
        pooled, alone = read_judge_rows(project=Project.objects.get(pk=study.pk))
        assert tuple(pooled.beside.confusion) == tuple(alone.beside.confusion) == (1, 0, 1, 0, 0)

    def test_prejudged_answers_say_nothing_of_the_judges_that_settled_them(
        self, study: Project, exact_match: JudgeRun
    ) -> None:
        study = Project.objects.get(pk=study.pk)
        rules = [{"runs": ["exact_match"], "condition": "any_accepts"}]
        save_policy(project=study, policy=make_policy(project=study, rules=rules, audit_share=0.0))
        work_on_application(application_id=apply_policy(project=study).pk)
        assert counts(read(study), "human_decided") == {"Alpha": (1, 1), "Beta": (2, 2)}
        people = [column.signature for column in read(study).columns if column.kind == "human"]
        assert all(signature.endswith("|prejudged:counted") for signature in people)
        assert read_judge_rows(project=study) == []


class TestBuildReport:
    def test_has_the_documented_shape(
        self, study: Project, all_decided: None, exact_match: JudgeRun, token_f1: JudgeRun
    ) -> None:
        project = Project.objects.get(pk=study.pk)
        report = build_report(project=project, rules=list(MissingVotes))
        assert [entry["missing_votes"] for entry in report["agreement"]] == [
            "own-category",
            "drop",
            "as-incorrect",
            "as-correct",
        ]
        alpha = report["systems"][0]
        assert (alpha["name"], alpha["label"], alpha["n"]) == ("alpha", "Alpha", 3)
        assert alpha["scores"]["exact_match"]["correct"] == 1
        assert alpha["scores"]["token_f1"]["mean"] == pytest.approx(0.5)
        assert alpha["scores"]["human"]["correct"] == 3
        judge = report["judges"][0]
        assert judge["key"] == "exact_match"
        assert (judge["tp"], judge["fn"], judge["fp"], judge["tn"], judge["unscored"]) == (2, 2, 0, 1, 0)
        assert judge["kendall_tau_b"] == pytest.approx(-1.0)
        assert report["entire"][0]["n"] == 3

    def test_an_empty_project_is_reported_in_words(self, project: Project) -> None:
        report = build_report(project=project, rules=[MissingVotes.DROP])
        assert report["systems"] == report["entire"] == report["judges"] == []
        assert report["agreement"][0]["words"]["fleiss_kappa"]

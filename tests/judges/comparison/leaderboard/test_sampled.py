"""Scores of all answers, estimated from what people decided of a random sample and a judge's word on all."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from analysis.arrays import Flags, Floats
from analysis.intervals import Why, estimated_share_interval
from annotation.accounts.models import User
from annotation.adjudication.models import Decision
from annotation.items.models import Candidate, Prediction, Question, System
from annotation.items.services.samples import Stratum, draw_strata, set_sample
from annotation.projects.models import Membership, Project
from common.clock import now
from judges.comparison.rules.study import Filter, Scope
from judges.comparison.selectors.leaderboard.corrected import CorrectedBoard, read_corrected, read_plan
from judges.comparison.selectors.leaderboard.standings import best_scope, read_leaderboard, read_pairs
from judges.comparison.selectors.report import build_report
from judges.release.selectors import read_methods
from judges.runs.models import JudgeRun, Verdict
from tests.annotation.adjudication.factories import make_import
from tests.judges.comparison.conftest import make_run

SIZE = 240
SAMPLE = 80
ENTIRE = Filter(scope=Scope.ENTIRE)
Client = Callable[[User], Any]


class Made(NamedTuple):
    """A study; right, judged: systems × questions, what people would say, and what the judge does."""

    project: Project
    right: Flags
    judged: Flags


def make_study(project: Project, *, systems: int = 2) -> Made:
    """Make systems whose answers differ from each other's, and a judge that errs on one answer in six."""
    generator = np.random.default_rng(8)
    right = generator.random((systems, SIZE)) < np.array([0.8, 0.6, 0.5])[:systems, np.newaxis]
    judged = right ^ (generator.random(right.shape) < 1 / 6)
    data_import = make_import(project=project)
    questions = Question.objects.bulk_create(
        Question(
            project=project,
            data_import=data_import,
            key=f"q{n}",
            external_id=f"q{n}",
            key_hash=f"{n:064d}",
            text=f"q{n}",
            position=n,
        )
        for n in range(SIZE)
    )
    for place in range(systems):
        system = System.objects.create(
            project=project, data_import=data_import, name=f"s{place}", label=f"S{place}"
        )
        answers = Candidate.objects.bulk_create(
            Candidate(
                question=question,
                project=project,
                data_import=data_import,
                text=f"{place} {question.text}",
                pool_hash=f"{place * SIZE + n:064d}",
                position=place,
                state=Candidate.State.OPEN,
                wanted=2,
            )
            for n, question in enumerate(questions)
        )
        Prediction.objects.bulk_create(
            Prediction(
                system=system, question=each.question, candidate=each, data_import=data_import, text=each.text
            )
            for each in answers
        )
    return Made(project, right, judged)


def judge_all(made: Made) -> JudgeRun:
    """Let the judge judge every answer; runs that began by themselves go."""
    JudgeRun.objects.all().delete()
    run = make_run(made.project, "containment", {})
    Verdict.objects.bulk_create(
        Verdict(
            run=run,
            candidate=each,
            accepted=bool(made.judged[each.position, each.question.position]),
            judged_at=now(),
        )
        for each in Candidate.objects.filter(project=made.project).select_related("question").order_by("pk")
    )
    return run


def decide_sample(made: Made, *, but: int = 0) -> None:
    """Let people decide every answer of the sample, but for so many."""
    rows = Candidate.objects.filter(project=made.project, question__in_sample=True, decisions=None)
    for candidate in rows.select_related("question").order_by("pk")[: rows.count() - but]:
        right = made.right[candidate.position, candidate.question.position]
        Decision.objects.create(
            candidate=candidate,
            number=1,
            label="correct" if right else "incorrect",
            source="unanimous",
            decided_at=now(),
        )
    Candidate.objects.filter(project=made.project, decisions__isnull=False).update(state="decided")
    if not JudgeRun.objects.filter(signature="containment|gold:original").exists():
        judge_all(made)


def drawn(made: Made) -> Flags:
    places = Question.objects.filter(project=made.project, sample_probability__isnull=False)
    flags = np.zeros(SIZE, dtype=bool)
    flags[list(places.values_list("position", flat=True))] = True
    return flags


def read(made: Made, wanted: Filter = ENTIRE) -> CorrectedBoard:
    return read_corrected(project=Project.objects.get(pk=made.project.pk), wanted=wanted)


def estimate(
    right: Floats, judged: Floats, seen: Flags, strata: Floats, tuning: float
) -> tuple[float, float]:
    """Return the stratified difference estimate and the variance that sampling leaves, by the formulas.

    Särndal, Swensson and Wretman 1992, 6.3: the mean of predictions, and of errors over strata.
    """
    value, variance = float(np.mean(tuning * judged)), 0.0
    for stratum in np.unique(strata):
        own = strata == stratum
        errors = (right - tuning * judged)[own & seen]
        weight, n, size = own.mean(), len(errors), own.sum()
        value += weight * errors.mean()
        variance += weight**2 * errors.var(ddof=1) * (1 / n - 1 / size)
    return value, variance


@pytest.fixture
def made(project: Project) -> Made:
    made = make_study(project)
    set_sample(project=project, method="seed", size=SAMPLE, seed=5)
    return made


class TestBeside:
    def test_people_alone_are_the_plain_estimate_of_the_sample(self, made: Made) -> None:
        decide_sample(made)
        seen, board = drawn(made), read(made)
        for place, row in enumerate(board.rows):
            value, variance = estimate(
                made.right[place] * 1.0, made.judged[place] * 1.0, seen, np.zeros(SIZE), 0.0
            )
            assert (row.n, row.labels) == (SIZE, SAMPLE)
            assert row.people.value == pytest.approx(value)
            bounds = estimated_share_interval(share=value, total=SIZE, variance=variance)
            assert row.people.interval == pytest.approx(tuple(bounds), abs=0.004)

    def test_the_judge_alone_counts_its_verdicts_on_all(self, made: Made) -> None:
        decide_sample(made)
        for place, row in enumerate(read(made).rows):
            assert row.scores["containment"].judge.value == pytest.approx(made.judged[place].mean())

    def test_before_people_judge_one_that_states_probabilities_is_offered(self, made: Made) -> None:
        judge_all(made)
        assert read(made).offered == "containment"
        sure = make_run(made.project, "bem", {})
        Verdict.objects.bulk_create(
            Verdict(run=sure, candidate=each, accepted=True, score=0.9, judged_at=now())
            for each in Candidate.objects.filter(project=made.project).order_by("pk")
        )
        assert (read(made).chosen, read(made).offered) == ("", "bem")

    def test_what_a_judge_left_out_is_unknown_where_nobody_labelled_any_of_it(self, made: Made) -> None:
        decide_sample(made)
        unseen = Candidate.objects.filter(question__in_sample=False, position=1)
        Verdict.objects.filter(candidate__in=unseen).update(accepted=None, unscored_reason="abstained")
        for row, is_known in zip(read(made).rows, (True, False), strict=True):
            corrected = row.scores["containment"].corrected
            assert (corrected.value is not None) is is_known
            assert row.people.value is not None
        assert corrected.why is Why.NOTHING_SAMPLED

    def test_both_are_the_difference_estimate_and_surer(self, project: Project) -> None:
        made = make_study(project, systems=1)
        set_sample(project=project, method="seed", size=SAMPLE, seed=5)
        decide_sample(made)
        seen, right, judged = drawn(made), made.right[0] * 1.0, made.judged[0] * 1.0
        # PPI++ (Angelopoulos et al. 2023), eq. 6, where what is labelled is part of all.
        covariance = np.cov(right[seen], judged[seen])
        tuning = covariance[0, 1] / covariance[1, 1]
        value, variance = estimate(right, judged, seen, np.zeros(SIZE), tuning)
        (row,) = read(made).rows
        found = row.scores["containment"].corrected
        assert found.value == pytest.approx(value, abs=0.002)
        bounds = estimated_share_interval(share=value, total=SIZE, variance=variance)
        assert found.interval == pytest.approx(tuple(bounds), abs=0.01)
        plain, corrected = (each.interval or (0, 0) for each in (row.people, found))
        assert corrected[1] - corrected[0] < plain[1] - plain[0]
        # The variance is half, so 1/m − 1/240 is half of 1/80 − 1/240: 120 labels of the 240.
        assert row.scores["containment"].worth == pytest.approx(120, rel=0.05)

    def test_parts_drawn_with_different_probabilities_weigh_by_them(self, project: Project) -> None:
        made = make_study(project, systems=1)
        ids = list(Question.objects.order_by("position").values_list("pk", flat=True))
        parts = [Stratum(ids[:60], 45), Stratum(ids[60:], 35)]
        draw_strata(project=project, strata=parts, seed=2, options={})
        decide_sample(made)
        strata = 1.0 * (np.arange(SIZE) >= 60)
        value, _ = estimate(made.right[0] * 1.0, made.judged[0] * 1.0, drawn(made), strata, 0.0)
        (row,) = read(made).rows
        assert row.people.value == pytest.approx(value)
        assert row.people.value != pytest.approx(made.right[0][drawn(made)].mean(), abs=1e-4)

    def test_a_judge_that_knows_nothing_costs_nothing(self, made: Made) -> None:
        generator = np.random.default_rng(1)
        made = made._replace(judged=generator.random(made.right.shape) < 0.5)
        decide_sample(made)
        for row in read(made).rows:
            worth = row.scores["containment"].worth
            assert worth is not None
            assert worth > 0.9 * row.labels

    def test_no_judge_is_worth_more_labels_than_there_are_answers(self, made: Made) -> None:
        made = made._replace(judged=made.right)
        decide_sample(made)
        for row in read(made).rows:
            worth = row.scores["containment"].worth
            assert worth is not None
            assert 2 * SAMPLE < worth <= SIZE


class TestWhichLabelsCount:
    def test_not_before_all_that_was_drawn_is_decided(self, made: Made) -> None:
        decide_sample(made, but=1)
        reasons = [row.people.why for row in read(made).rows]
        assert sorted(map(str, reasons)) == ["None", "sample_open"] or set(reasons) == {Why.SAMPLE_OPEN}
        assert Why.SAMPLE_OPEN in reasons

    def test_not_those_of_questions_that_somebody_chose(self, made: Made) -> None:
        set_sample(project=made.project, method="questions", questions=[f"q{n}" for n in range(SAMPLE)])
        decide_sample(made)
        assert {row.people.why for row in read(made).rows} == {Why.SAMPLE_CHOSEN}
        assert read(made).chosen == ""

    def test_not_those_that_came_into_the_sample_besides(self, made: Made) -> None:
        decide_sample(made)
        before = [row.people.value for row in read(made).rows]
        extra = Question.objects.filter(in_sample=False).order_by("pk")[:20]
        Question.objects.filter(pk__in=list(extra.values_list("pk", flat=True))).update(in_sample=True)
        decide_sample(made)
        rows = read(made).rows
        assert [row.labels for row in rows] == [SAMPLE] * 2
        assert [row.people.value for row in rows] == before

    def test_few_labels_tell_nothing(self, project: Project) -> None:
        made = make_study(project)
        set_sample(project=project, method="seed", size=29, seed=5)
        decide_sample(made)
        assert {row.people.why for row in read(made).rows} == {Why.FEW_LABELS}

    def test_no_judge_speaks_for_all_that_has_not_judged_all(self, made: Made) -> None:
        decide_sample(made)
        Verdict.objects.filter(candidate__question__position=7).delete()
        board = read(made)
        assert [judge.why for judge in board.judges] == [Why.NOT_ALL_JUDGED]
        assert board.rows[0].scores == {}

    def test_no_judge_speaks_that_has_read_amended_gold(self, made: Made) -> None:
        decide_sample(made)
        JudgeRun.objects.update(gold_version="amended:1")
        assert [judge.why for judge in read(made).judges] == [Why.READS_PEOPLE]

    def test_no_judge_speaks_that_was_told_what_people_decided(self, made: Made) -> None:
        decide_sample(made)
        JudgeRun.objects.update(judge_key="learned_memory")
        assert [judge.why for judge in read(made).judges] == [Why.READS_PEOPLE]


class TestLeaderboard:
    def test_all_questions_are_scored_by_default_once_a_sample_tells_of_them(self, made: Made) -> None:
        assert best_scope(project=made.project) is Scope.SAMPLE
        decide_sample(made)
        assert best_scope(project=made.project) is Scope.ENTIRE

    def test_ranks_and_order_go_by_the_corrected_column(self, made: Made) -> None:
        decide_sample(made)
        board = read_leaderboard(project=made.project, wanted=ENTIRE, intervals=True)
        assert board.is_estimated
        names = {column.key: column.name for column in board.columns}
        assert names["corrected"] == "Corrected, Containment and people"
        ranks = [score.rank.value for row in board.rows if (score := row.scores["corrected"])]
        assert ranks == [1, 2]
        beside = {row.system: row.scores["containment"].corrected for row in read(made).rows}
        for row in board.rows:
            score = row.scores["corrected"]
            assert score is not None
            assert score.value == pytest.approx(beside[row.system].value)
            assert (score.low, score.high) == pytest.approx(beside[row.system].interval)
        assert board.kendall["containment"] == 1.0

    def test_pairs_are_compared_by_what_both_say_of_each_question(self, made: Made) -> None:
        decide_sample(made)
        (pair,) = read_pairs(project=made.project, wanted=ENTIRE, column="corrected").pairs
        scores = [row.scores["containment"].corrected.value or 0 for row in read(made).rows]
        assert pair.difference.value == pytest.approx(scores[0] - scores[1])
        assert pair.difference.low is not None
        assert 0 < pair.difference.low < scores[0] - scores[1]

    def test_the_signature_names_what_the_column_rests_on(self, made: Made) -> None:
        decide_sample(made)
        board = read(made)
        assert f"labels:{2 * SAMPLE}" in board.signature
        JudgeRun.objects.update(signature="another")
        assert read(made).signature != board.signature


class TestWhatLeaves:
    def test_the_methods_paragraph_says_how_scores_of_all_are_estimated(self, made: Made) -> None:
        judge_all(made)
        assert "no score over all questions" not in read_methods(project=made.project).text
        decide_sample(made)
        text = read_methods(project=Project.objects.get(pk=made.project.pk)).text
        assert (
            "The judged questions were sampled at random, with a fixed seed, each with a "
            "recorded probability." in text
        )
        assert "Scores of 2 systems over all questions (Containment and people)" in text
        assert f"and those verdicts on {2 * SAMPLE} judged answers, with power" in text

    def test_the_report_has_all_three_of_every_system(self, made: Made) -> None:
        decide_sample(made)
        found = build_report(project=Project.objects.get(pk=made.project.pk), rules=[])["corrected"]
        board = read(made)
        assert (found["chosen"], found["signature"]) == ("containment", board.signature)
        for row, told in zip(board.rows, found["systems"], strict=True):
            judge = told["judges"]["containment"]
            assert (told["n"], told["labels"]) == (SIZE, SAMPLE)
            assert told["people_only"]["value"] == row.people.value
            assert judge["judge_only"]["high"] == row.scores["containment"].judge.high
            assert judge["corrected"]["low"] == row.scores["containment"].corrected.low


ADDRESS = "/api/projects/small/leaderboard/corrected"


class TestReply:
    def test_leads_and_adjudicators_may_read_it(
        self,
        made: Made,
        adjudicator: Membership,
        annotators: list[Membership],
        outsider: User,
        client_of: Client,
    ) -> None:
        decide_sample(made)
        reply = client_of(made.project.created_by).get(ADDRESS).json()
        assert reply["chosen"] == reply["offered"] == "containment"
        assert [row["labels"] for row in reply["rows"]] == [SAMPLE] * 2
        assert client_of(adjudicator.user).get(ADDRESS).status_code == 200
        assert client_of(annotators[0].user).get(ADDRESS).status_code == 403
        assert client_of(outsider).get(ADDRESS).status_code == 404


PLAN = "/api/projects/small/leaderboard/plan"


class TestPlan:
    @pytest.fixture
    def fresh(self, project: Project) -> Made:
        """Nobody has judged anything; the judge says how sure it is, and is right as often."""
        made = make_study(project)
        judge_all(made)
        generator = np.random.default_rng(4)
        run = JudgeRun.objects.get()
        JudgeRun.objects.filter(pk=run.pk).update(judge_key="bem")
        for verdict in Verdict.objects.filter(run=run).order_by("pk"):
            sure = generator.choice([0.5, 0.8, 0.99])
            Verdict.objects.filter(pk=verdict.pk).update(score=sure if verdict.accepted else 1 - sure)
        return made

    def test_a_judge_that_knows_how_sure_it_is_spares_labels(self, fresh: Made) -> None:
        plan = read_plan(project=fresh.project, points=8).plan
        assert plan.why is None
        assert plan.reached <= 8
        assert plan.questions < plan.plain
        # What a plan by the judge's own word may still take is counted, too.
        assert 0 < plan.saving < 1 - plan.questions / plan.plain
        assert plan.answers == 2 * plan.questions

    def test_bare_verdicts_promise_nothing_before_people_have_checked_any(self, made: Made) -> None:
        judge_all(made)
        plan = read_plan(project=made.project, points=8).plan
        assert plan.saving == pytest.approx(0, abs=0.05)
        assert not plan.is_better

    def test_what_the_study_is_too_small_for_is_said(self, fresh: Made) -> None:
        assert read_plan(project=fresh.project, points=1).plan.why is Why.TOO_FEW_TO_PLAN

    def test_without_a_judge_there_is_no_plan(self, project: Project) -> None:
        make_study(project)
        assert read_plan(project=project, points=2).plan.why is Why.NO_JUDGE_OF_ALL

    def test_the_button_hands_out_exactly_that_sample(self, fresh: Made, client_of: Client) -> None:
        lead = client_of(fresh.project.created_by)
        plan = lead.get(PLAN, {"points": 8}).json()
        drawn = lead.post(PLAN, {"points": 8}, format="json").json()
        assert drawn == {"questions": SIZE, "sampled": plan["questions"]}
        rows = Question.objects.filter(in_sample=True)
        assert rows.count() == plan["questions"]
        assert not rows.filter(sample_probability=None).exists()
        assert len(set(rows.values_list("sample_probability", flat=True))) > 1
        assert Candidate.objects.filter(state="open").count() == plan["answers"]
        project = Project.objects.get(pk=fresh.project.pk)
        assert project.sample_method == "strata"
        again = lead.get(PLAN, {"points": 8}).json()
        assert again["already"] >= plan["questions"]

    def test_it_starts_from_how_sure_the_leaderboard_is(self, made: Made) -> None:
        assert read_plan(project=made.project, points=2).plan.now is None
        decide_sample(made)
        project = Project.objects.get(pk=made.project.pk)
        scores = [row.scores["corrected"] for row in read_leaderboard(project=project, wanted=ENTIRE).rows]
        halves = [(each.high - each.low) / 2 for each in scores if each and each.high and each.low]
        plan = read_plan(project=project, points=2).plan
        assert plan.now == pytest.approx(100 * max(halves))
        assert not plan.has_prejudged

    def test_is_for_leads(
        self, fresh: Made, adjudicator: Membership, annotators: list[Membership], client_of: Client
    ) -> None:
        for member in (adjudicator, annotators[0]):
            client = client_of(member.user)
            assert client.get(PLAN).status_code == 403
            assert client.post(PLAN, {}, format="json").status_code == 403

"""What is said of raters, on plain values."""

from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from scipy.stats import t

from analysis.intervals import Why
from analysis.raters import agreement
from annotation.quality.rules.estimates import Estimates, estimate_raters
from annotation.quality.rules.figures import FEWEST, Tally, share
from annotation.quality.rules.measuring import measure_raters
from annotation.quality.rules.reports import RaterReport
from annotation.quality.rules.signs import longest_run, measure_drift, measure_run
from annotation.quality.rules.votes import NONE, Ballots, Rater, lay_out
from common.figures import WHY
from tests.annotation.quality.plain import START, Decided, Vote, ballots_of, votes_in

LABELS = ("correct", "incorrect")


def rater(number: int, **changes: Any) -> Rater:
    usual = Rater(number, f"id-{number}", f"R-{number}", f"Annotator {number}", "active")
    return usual._replace(**changes)


def vote(candidate: int, by: int, label: str, **changes: Any) -> Vote:
    usual = Vote(candidate, candidate // 2, by, label, by, START + timedelta(minutes=candidate), 0)
    return usual._replace(**changes)


def ballots(table: list[str], *, decisions: dict[int, Decided] | None = None, **changes: Any) -> Ballots:
    """Votes by answer: one letter a rater, c = correct, i = incorrect, a dot = no vote."""
    words = {"c": "correct", "i": "incorrect"}
    votes = [
        vote(candidate, place + 1, words[letter])
        for candidate, row in enumerate(table)
        for place, letter in enumerate(row)
        if letter != "."
    ]
    width = max((len(row) for row in table), default=0)
    raters = [rater(number) for number in range(1, width + 1)]
    return ballots_of(raters, votes, decisions or {}, LABELS)._replace(**changes)


def draw_team(generator: np.random.Generator, *, raters: int = 6, answers: int = 120) -> list[str]:
    """Draw votes of honest raters, two answers a question, questions hard or easy for all."""
    questions = answers // 2
    right = np.repeat(generator.random(questions) < 0.5, 2) ^ (generator.random(answers) < 0.2)
    accuracy = np.repeat(generator.choice([0.7, 0.97], questions), 2)
    says = right[:, np.newaxis] ^ (generator.random((answers, raters)) > accuracy[:, np.newaxis])
    return ["".join("c" if each else "i" for each in row) for row in says]


def without(given: Ballots) -> dict[tuple[int, int], str]:
    """What each decided vote's answer comes to without that vote, by answer and rater."""
    work = lay_out(given)
    labels = (*given.labels, *given.further_labels)
    return {
        (vote.candidate, vote.rater): labels[label]
        for vote, label in zip(votes_in(given._replace(votes=work.votes)), work.without, strict=True)
        if label != NONE
    }


def estimates(given: Ballots) -> list[Estimates]:
    return estimate_raters(given, lay_out(given))


def report_on(number: int, **options: Any) -> RaterReport:
    return measure_raters(ballots(**options))[number - 1]


class TestShare:
    def test_eight_of_nine_comes_with_what_that_may_mean(self) -> None:
        figure = share([True] * 8 + [False], questions=range(9), nothing="Nothing yet.")
        assert figure.words == "8 of 9, 48–99%"
        assert figure.value == pytest.approx(8 / 9)

    def test_few_cases_are_told_in_words_alone(self) -> None:
        figure = share(
            [True] * 3 + [False] * (FEWEST - 4), questions=range(FEWEST - 1), nothing="Nothing yet."
        )
        assert figure.value is None
        assert figure.low is None
        assert figure.words == "3 of 7, too few to give a percentage."

    def test_no_cases_say_what_lacks(self) -> None:
        assert share([], questions=[], nothing="Nothing yet.").words == "Nothing yet."


def by_votes(label: str, *, answers: int = 1) -> dict[int, Decided]:
    return dict.fromkeys(range(answers), Decided(label, by_votes=True))


class TestLabelsWithout:
    def test_the_own_vote_has_no_say(self) -> None:
        decisions = by_votes("correct")
        for table in (["icc"], ["ccc"]):
            assert without(ballots(table, decisions=decisions))[0, 1] == "correct"

    def test_where_the_others_are_level_the_vote_decided_and_is_left_out(self) -> None:
        assert without(ballots(["cic"], decisions=by_votes("correct"))) == {(0, 2): "correct"}

    def test_an_answer_that_is_not_decided_says_nothing_yet(self) -> None:
        assert without(ballots(["ci"])) == {}

    def test_a_persons_decision_stands_whatever_the_votes(self) -> None:
        decisions = {0: Decided("incorrect", by_votes=False)}
        assert set(without(ballots(["ccc"], decisions=decisions)).values()) == {"incorrect"}

    def test_a_single_vote_is_not_compared_with_itself(self) -> None:
        assert without(ballots(["c"], decisions={0: Decided("correct", by_votes=True)})) == {}


class TestAgreementWithDecisions:
    def test_the_own_vote_flatters_and_both_are_told(self) -> None:
        table = ["cc."] * 8 + ["cic"] * 2
        report = report_on(1, table=table, decisions=by_votes("correct", answers=10))
        assert report.with_decisions.tally == Tally(10, 10)
        assert report.without_own.tally == Tally(8, 8)

    def test_who_only_breaks_ties_is_compared_with_nobody(self) -> None:
        report = report_on(3, table=["cic"] * 10, decisions=by_votes("correct", answers=10))
        assert report.without_own.words == "None of these answers was decided without this annotator’s vote."

    def test_the_confusion_counts_what_it_came_to_by_what_was_said(self) -> None:
        decisions = {0: Decided("correct", by_votes=True), 1: Decided("incorrect", by_votes=True)}
        decisions |= {2: decisions[1], 3: decisions[0]}
        report = report_on(1, table=["ccc", "cii", "iii", "icc"], decisions=decisions)
        assert report.confusion == [[1, 1], [1, 1]]

    def test_differences_come_with_the_latest_first(self) -> None:
        report = report_on(1, table=["cii", "ccc", "icc"], decisions=by_votes("any", answers=3))
        assert [(each.candidate, each.label, each.without) for each in report.differences] == [
            (2, "incorrect", "correct"),
            (0, "correct", "incorrect"),
        ]

    def test_somebody_without_votes_has_words_alone(self) -> None:
        report = report_on(2, table=["c.", "c."])
        assert report.judged == 0
        assert report.last_at is None
        assert report.signs == []
        figures = [report.with_decisions, report.without_own, report.kappa, report.dawid_skene]
        assert all(figure.value is None and figure.words for figure in figures)

    def test_a_project_without_raters_has_no_rows(self) -> None:
        assert measure_raters(ballots_of([], [], {}, ())) == []


class TestEstimates:
    def test_a_kappa_is_the_mean_over_the_pairs_by_what_they_share(self) -> None:
        # With the second: 8 shared, all equal, κ = 1. With the third: 8 shared, as many as chance, κ = 0.
        table = ["ccc", "cci", "iic", "iii"] * 2
        first = estimates(ballots(table))[0]
        assert first.kappa.value == pytest.approx(0.5)
        # Every question is like every other: none moves it.
        assert (first.kappa.low, first.kappa.words) == (None, WHY[Why.NEVER_VARIES])
        other = estimates(ballots([*table, "cic", "ccc"]))[0].kappa
        assert other.low is not None
        assert other.low <= (other.value or 0) <= (other.high or 0)

    def test_tie_breaks_have_no_part_in_kappa(self) -> None:
        given = ballots(["cc.", "ii."] * 6 + ["cic"] * 10)
        votes = given.votes._replace(breaks_tie=given.votes.raters == 2)
        *_, last = estimates(given._replace(votes=votes))
        assert last.kappa.words == WHY[Why.NO_SHARED_VOTES]

    def test_few_shared_answers_give_words(self) -> None:
        first = estimates(ballots(["cc", "ii"]))[0]
        assert first.kappa.words == WHY[Why.FEW_SHARED]

    def test_one_label_throughout_has_no_kappa(self) -> None:
        assert estimates(ballots(["cc"] * 9))[0].kappa.words == WHY[Why.ONE_LABEL_SHARED]

    def test_many_pairs_have_a_kappa_without_an_interval(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(agreement, "MOST_PAIRS", 0)
        kappa = estimates(ballots(["cc", "ii"] * 5))[0].kappa
        assert (kappa.value, kappa.low) == (1.0, None)
        assert kappa.words == WHY[Why.TOO_MANY_PAIRS]

    def test_two_raters_cannot_be_told_apart(self) -> None:
        first = estimates(ballots(["cc", "ci"] * 20))[0]
        assert first.dawid_skene.words == first.one_coin.words == WHY[Why.FEW_RATERS]

    def test_who_guesses_among_the_careful_is_found(self) -> None:
        guesses = np.random.default_rng(4).choice(["c", "i"], 60)
        table = [f"{truth * 3}{guess}" for truth, guess in zip("ci" * 30, guesses, strict=True)]
        *careful, guesser = estimates(ballots(table))
        for figures in (guesser.dawid_skene, guesser.one_coin):
            assert figures.value is not None
            assert figures.value < 0.65
            assert figures.high is None
            assert figures.words == WHY[Why.MODEL_BASED]
        assert all((each.dawid_skene.value or 0) > 0.95 for each in careful)

    def test_who_shares_few_answers_has_words(self) -> None:
        last = estimates(ballots(["ccc."] * 20 + ["iiii"] * 3))[-1]
        assert last.dawid_skene.words == WHY[Why.FEW_SHARED]


class TestSigns:
    def test_the_longest_run_is_the_first_of_the_longest(self) -> None:
        assert longest_run(np.array([0, 1, 1, 0, 0])) == (1, 2)
        assert longest_run(np.array([], dtype=np.int64)) == (NONE, 0)

    def test_a_run_stands_out_beside_the_same_votes_shuffled(self) -> None:
        clicked = measure_run(np.repeat([0, 1], 20), questions=np.arange(40), labels=LABELS)
        mixed = measure_run(np.tile([0, 1], 20), questions=np.arange(40), labels=LABELS)
        assert clicked is not None
        assert mixed is not None
        assert (clicked.label, clicked.longest) == ("correct", 20)
        assert clicked.p_value < 0.001
        assert clicked.usual < clicked.high < 20
        assert (mixed.longest, mixed.p_value) == (1, 1.0)

    def test_one_label_throughout_is_no_odd_run(self) -> None:
        # Shuffled it is the same; that it is always the first label is told elsewhere.
        run = measure_run(np.zeros(20, dtype=np.int64), questions=np.arange(20), labels=LABELS)
        assert run is not None
        assert run.p_value == 1.0

    def test_few_votes_have_no_run(self) -> None:
        few = np.zeros(FEWEST - 1, dtype=np.int64)
        assert measure_run(few, questions=few, labels=LABELS) is None

    def test_answers_to_one_question_stand_together_in_every_order(self) -> None:
        # Two runs of twenty, each of one question: there is no other order.
        run = measure_run(np.repeat([0, 1], 20), questions=np.repeat([0, 1], 20), labels=LABELS)
        assert run is not None
        assert run.p_value == 1.0

    def test_votes_of_a_file_have_no_order(self) -> None:
        given = ballots(["cc", "ii"] * 20)
        given = given._replace(raters=[each._replace(has_order=False) for each in given.raters])
        report = measure_raters(given)[0]
        assert (report.run, report.periods, report.drift.p_value) == (None, [], None)
        assert "in which order" in report.drift.first.words

    def test_always_the_first_label_is_told_beside_the_others(self) -> None:
        report = report_on(1, table=["cc", "ci"] * 20)
        assert report.first_label.own.tally == Tally(40, 40)
        assert report.first_label.others.tally == Tally(20, 40)
        assert "first_label" in report.signs

    def test_fast_is_a_third_of_what_is_usual(self) -> None:
        given = ballots(["ccc", "iii"] * 10)
        timed = given.votes._replace(seconds=np.array([2.0, 9.0, 10.0])[given.votes.raters])
        fast, usual, _ = measure_raters(given._replace(votes=timed))
        assert (fast.pace.median_seconds, fast.pace.usual_seconds) == (2.0, 9.0)
        assert fast.pace.fast.tally == Tally(20, 20)
        assert "fast" in fast.signs
        assert usual.pace.fast.tally == Tally(0, 20)
        assert "fast" not in usual.signs

    def test_a_tenth_of_a_second_is_fast_whatever_is_usual(self) -> None:
        given = ballots(["ccc", "iii"] * 10)
        timed = given.votes._replace(seconds=np.full(len(given.votes.raters), 0.1))
        assert all("fast" in report.signs for report in measure_raters(given._replace(votes=timed)))

    def test_honest_raters_have_a_sign_in_a_twentieth_of_teams(self) -> None:
        # Six raters; questions are hard or easy as a whole. Uncorrected, somebody was marked in half of them.
        marked = 0
        for seed in range(20):
            generator = np.random.default_rng(seed)
            marked += any(report.signs for report in measure_raters(ballots(draw_team(generator))))
        assert marked <= 4

    def test_nobody_is_fast_where_nothing_was_timed(self) -> None:
        report = report_on(1, table=["cc"] * 20)
        assert report.pace.median_seconds is None
        assert report.pace.fast.words == "No time was measured."


class TestDrift:
    def test_a_fall_from_all_to_half_stands_out(self) -> None:
        drift = measure_drift(np.array([True] * 20 + [True, False] * 10), questions=np.arange(40))
        assert (drift.first.tally, drift.last.tally) == (Tally(20, 20), Tally(10, 20))
        # Half a point by an error of (40 / 39 · .25 / 20) ** .5: t = 4.416 of 39 degrees of freedom.
        assert drift.p_value == pytest.approx(2 * t.sf(4.4159, 39), rel=1e-3)

    def test_the_same_in_both_halves_does_not(self) -> None:
        drift = measure_drift(np.array([True, False] * 20), questions=np.arange(40))
        assert drift.p_value == pytest.approx(1.0)

    def test_few_votes_have_no_test(self) -> None:
        assert (
            measure_drift(np.ones(2 * FEWEST - 2, dtype=bool), questions=np.arange(2 * FEWEST - 2)).p_value
            is None
        )

    def test_periods_part_the_work_in_order(self) -> None:
        table = ["cc"] * 50 + ["ci"] * 50
        report = report_on(1, table=table, decisions=by_votes("any", answers=100))
        shares = [period.agreement.tally for period in report.periods]
        assert shares == [Tally(25, 25), Tally(25, 25), Tally(0, 25), Tally(0, 25)]
        assert report.periods[0].ends_at < report.periods[1].begins_at

    def test_little_work_has_no_periods(self) -> None:
        report = report_on(1, table=["cc"] * 40, decisions=by_votes("any", answers=40))
        assert (report.without_own.tally, report.periods) == (Tally(40, 40), [])

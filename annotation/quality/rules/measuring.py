"""Measure every rater of a project."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from annotation.quality.rules.estimates import NO_REPEATS, Estimates, estimate_raters, estimate_self_kappa
from annotation.quality.rules.figures import share, tally_of
from annotation.quality.rules.reports import Difference, Period, RaterReport
from annotation.quality.rules.signs import (
    NO_ORDER,
    NOTHING_TO_COMPARE,
    Drift,
    FirstLabel,
    Pace,
    Run,
    agreements,
    is_fast,
    measure_drift,
    measure_first_label,
    measure_pace,
    measure_run,
    usual_seconds,
)
from annotation.quality.rules.votes import (
    Ballots,
    ByVote,
    Rater,
    Vote,
    by_candidate,
    by_rater,
    labels_without,
)

# A period must hold enough votes for a share, and a chart more than one period.
SMALLEST_PERIOD = 25
MOST_PERIODS = 10

NOTHING_DECIDED = "None of these answers is decided yet."
NO_KNOWN_ANSWERS = "No answer with a known label was among them."


class Surroundings(NamedTuple):
    """What a rater is measured against."""

    ballots: Ballots
    without: ByVote
    votes_on: Mapping[int, Sequence[Vote]]
    usual_seconds: float | None


def measure_raters(ballots: Ballots) -> list[RaterReport]:
    """Return a report on each rater, in the order given."""
    votes, votes_on = by_rater(ballots.votes), by_candidate(ballots.votes)
    around = Surroundings(ballots, labels_without(ballots, votes_on), votes_on, usual_seconds(votes))
    return [
        _report(rater, votes.get(rater.id, []), estimates, around)
        for rater, estimates in zip(ballots.raters, estimate_raters(ballots, votes_on), strict=True)
    ]


def _report(rater: Rater, votes: list[Vote], estimates: Estimates, around: Surroundings) -> RaterReport:
    ballots = around.ballots
    compared = agreements(votes, without=around.without)
    agreed = [is_equal for _, is_equal in compared]
    decided = [
        (vote, ballots.decisions[vote.candidate]) for vote in votes if vote.candidate in ballots.decisions
    ]
    pace = measure_pace(votes, usual=around.usual_seconds)
    run = measure_run([vote.label for vote in votes]) if rater.has_order else None
    first_label = measure_first_label(votes, first=next(iter(ballots.labels), ""), others_on=around.votes_on)
    drift = measure_drift(agreed) if rater.has_order else NO_ORDER
    return RaterReport(
        rater=rater,
        judged=len(votes),
        last_at=votes[-1].at if votes else None,
        pace=pace,
        with_decisions=share(
            tally_of(vote.label == decision.label for vote, decision in decided), nothing=NOTHING_DECIDED
        ),
        without_own=share(tally_of(agreed), nothing=NOTHING_TO_COMPARE),
        kappa=estimates.kappa,
        dawid_skene=estimates.dawid_skene,
        one_coin=estimates.one_coin,
        self_agreement=share(tally_of(again.is_same for again in rater.repeats), nothing=NO_REPEATS),
        self_kappa=estimate_self_kappa(rater.repeats, labels=ballots.labels),
        known_answers=share(tally_of(vote.is_right for vote in rater.known), nothing=NO_KNOWN_ANSWERS),
        run=run,
        first_label=first_label,
        drift=drift,
        signs=_signs(pace=pace, run=run, first_label=first_label, drift=drift),
        labels=ballots.labels,
        confusion=_confusion(votes, around.without, ballots.labels),
        periods=_periods(compared) if rater.has_order else [],
        differences=_differences(compared, around.without),
        known_misses=[vote for vote in reversed(rater.known) if not vote.is_right],
    )


def _signs(*, pace: Pace, run: Run | None, first_label: FirstLabel, drift: Drift) -> list[str]:
    """Return which signs stand out; each has innocent reasons, too."""
    signs = {
        "fast": is_fast(pace),
        "run": run is not None and run.stands_out,
        "first_label": first_label.stands_out,
        "drift": drift.stands_out,
    }
    return [sign for sign, stands_out in signs.items() if stands_out]


def _confusion(votes: Sequence[Vote], without: ByVote, labels: tuple[str, ...]) -> list[list[int]]:
    number_of = {label: number for number, label in enumerate(labels)}
    counts = [[0] * len(labels) for _ in labels]
    for vote in votes:
        label = without.get((vote.candidate, vote.rater))
        if label in number_of:
            counts[number_of[label]][number_of[vote.label]] += 1
    return counts


def _periods(compared: Sequence[tuple[Vote, bool]]) -> list[Period]:
    """Part a rater's work into stretches of equally many votes, in order; none where it is too little."""
    count = min(MOST_PERIODS, len(compared) // SMALLEST_PERIOD)
    ends = [len(compared) * number // count for number in range(count + 1)] if count > 1 else []
    parts = [compared[start:end] for start, end in pairwise(ends)]
    return [
        Period(
            part[0][0].at,
            part[-1][0].at,
            share(tally_of(is_equal for _, is_equal in part), nothing=NOTHING_TO_COMPARE),
        )
        for part in parts
    ]


def _differences(compared: Sequence[tuple[Vote, bool]], without: ByVote) -> list[Difference]:
    """Return the answers on which a rater differs, the latest first."""
    return [
        Difference(vote.candidate, vote.label, without[vote.candidate, vote.rater], vote.at)
        for vote, is_equal in reversed(compared)
        if not is_equal
    ]

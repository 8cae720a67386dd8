"""Measure every rater of a project."""

from itertools import pairwise

import numpy as np

from analysis.intervals import Why
from annotation.quality.rules.estimates import Estimates, estimate_raters, estimate_self_kappa
from annotation.quality.rules.figures import share
from annotation.quality.rules.reports import Differing, Period, RaterReport, Sign
from annotation.quality.rules.signs import (
    NO_ORDER,
    NOTHING_TO_COMPARE,
    Found,
    Pace,
    is_fast,
    mark_signs,
    measure_drift,
    measure_first_label,
    measure_pace,
    measure_run,
    usual_seconds,
)
from annotation.quality.rules.votes import NONE, Ballots, Rater, Work, lay_out, moment, pick_work
from common.figures import WHY

# A period must hold enough votes for a share, and a chart more than one period.
SMALLEST_PERIOD = 25
MOST_PERIODS = 10
# Of those on which a rater differs the page lists the latest.
MOST_DIFFERENCES = 50

NOTHING_DECIDED = "None of these answers is decided yet."
NO_KNOWN_ANSWERS = "None of these answers has a known label."


def measure_raters(ballots: Ballots) -> list[RaterReport]:
    """Return a report on each rater, in the order given."""
    work = lay_out(ballots)
    works = [pick_work(work, work.votes.raters == place) for place in range(len(ballots.raters))]
    usual = usual_seconds([each.votes.seconds for each in works])
    estimates = estimate_raters(ballots, work)
    found = [_find_signs(ballots, *each) for each in zip(ballots.raters, works, strict=True)]
    return [
        _report(ballots, rater, own, figures, signs, usual=usual)
        for rater, own, figures, signs in zip(
            ballots.raters, works, estimates, mark_signs(found), strict=True
        )
    ]


def _find_signs(ballots: Ballots, rater: Rater, work: Work) -> Found:
    votes, compared = work.votes, pick_work(work, work.without != NONE)
    agreed = compared.votes.labels == compared.without
    return Found(
        run=measure_run(votes.labels, questions=votes.questions, labels=ballots.labels)
        if rater.has_order
        else None,
        first_label=measure_first_label(work),
        drift=measure_drift(agreed, questions=compared.votes.questions) if rater.has_order else NO_ORDER,
    )


def _report(
    ballots: Ballots, rater: Rater, work: Work, estimates: Estimates, found: Found, *, usual: float | None
) -> RaterReport:
    """Report on one rater, whose work this is."""
    votes, decided = work.votes, work.decided != NONE
    compared = pick_work(work, work.without != NONE)
    agreed = compared.votes.labels == compared.without
    pace = measure_pace(votes.seconds, usual=usual, questions=votes.questions)
    return RaterReport(
        member=rater.id,
        id=rater.public_id,
        pseudonym=rater.pseudonym,
        name=rater.name,
        state=rater.state,
        skipped=rater.skipped,
        judged=len(votes.labels),
        last_at=moment(votes.moments[-1]) if len(votes.moments) else None,
        pace=pace,
        with_decisions=share(
            (votes.labels == work.decided)[decided],
            questions=votes.questions[decided],
            nothing=NOTHING_DECIDED,
        ),
        without_own=share(agreed, questions=compared.votes.questions, nothing=NOTHING_TO_COMPARE),
        **estimates._asdict(),
        self_agreement=share(
            [again.is_same for again in rater.repeats],
            questions=[again.question for again in rater.repeats],
            nothing=WHY[Why.NO_REPEATS],
        ),
        self_kappa=estimate_self_kappa(rater.repeats, labels=ballots.labels),
        known_answers=share(
            [vote.is_right for vote in rater.known],
            questions=[vote.candidate for vote in rater.known],
            nothing=NO_KNOWN_ANSWERS,
        ),
        **found._asdict(),
        signs=_signs(pace, found),
        labels=ballots.labels,
        confusion=_confusion(compared, label_count=len(ballots.labels)),
        periods=_periods(compared) if rater.has_order else [],
        difference_count=len(agreed) - int(agreed.sum()),
        differences=_differences(compared, (*ballots.labels, *ballots.further_labels)),
        known_misses=[vote for vote in reversed(rater.known) if not vote.is_right],
    )


def _signs(pace: Pace, found: Found) -> list[Sign]:
    """Return which signs stand out; each has innocent reasons, too."""
    signs: dict[Sign, bool] = {
        "fast": is_fast(pace),
        "run": found.run is not None and found.run.stands_out,
        "first_label": found.first_label.stands_out,
        "drift": found.drift.stands_out,
    }
    return [sign for sign, stands_out in signs.items() if stands_out]


def _confusion(compared: Work, *, label_count: int) -> list[list[int]]:
    """Count what answers came to by what was given; a label of decisions alone has no row."""
    votes = compared.votes.labels[compared.without < label_count]
    without = compared.without[compared.without < label_count]
    counts = np.bincount(without * label_count + votes, minlength=label_count**2)
    table: list[list[int]] = counts.reshape(label_count, label_count).tolist()
    return table


def _periods(compared: Work) -> list[Period]:
    """Part a rater's work into stretches of equally many votes, in order; none where it is too little."""
    total = len(compared.without)
    count = min(MOST_PERIODS, total // SMALLEST_PERIOD)
    ends = [total * number // count for number in range(count + 1)] if count > 1 else []
    agreed, moments = compared.votes.labels == compared.without, compared.votes.moments
    return [
        Period(
            moment(moments[start]),
            moment(moments[end - 1]),
            share(
                agreed[start:end],
                questions=compared.votes.questions[start:end],
                nothing=NOTHING_TO_COMPARE,
            ),
        )
        for start, end in pairwise(ends)
    ]


def _differences(compared: Work, labels: tuple[str, ...]) -> list[Differing]:
    """Return the latest answers on which a rater differs, the very latest first."""
    differs = np.flatnonzero(compared.votes.labels != compared.without)
    latest = pick_work(compared, differs[::-1][:MOST_DIFFERENCES])
    votes = latest.votes
    columns = (votes.candidates, votes.labels, latest.without, votes.moments)
    return [
        Differing(candidate, labels[given], labels[without], moment(at))
        for candidate, given, without, at in zip(*(column.tolist() for column in columns), strict=True)
    ]

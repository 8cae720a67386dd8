"""Figures made of arrays, beside the same figures made vote by vote."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.raters.agreement import NOT_RATED
from annotation.quality.rules import measuring
from annotation.quality.rules.estimates import Estimates, _share
from annotation.quality.rules.figures import Figure
from annotation.quality.rules.measuring import MOST_DIFFERENCES
from annotation.quality.rules.reports import RaterReport
from annotation.quality.rules.signs import longest_run
from annotation.quality.rules.votes import Rater, lay_out
from tests.annotation.quality.plain import (
    START,
    Decided,
    Plain,
    Vote,
    ballots_of,
    by_candidate,
    by_rater,
    describe,
)

LABELS = ("correct", "possibly", "incorrect")
# The third is there, and nobody need have voted; the last is known of decisions alone.
DECIDED = (*LABELS, "older")
RATERS = [
    Rater(number, f"id-{number}", f"R-{number}", f"Annotator {number}", "active") for number in range(1, 5)
]
NO_ESTIMATES = Estimates(*[Figure(None, None, None, "Not asked.")] * 3)


def one_vote(candidate: int, **said: Any) -> Vote:
    return Vote(candidate=candidate, question=candidate // 2, **said)


# Surplus votes hold no slot; several votes of one rater, or in one slot, or at one moment, may happen.
votes = st.lists(
    st.builds(
        one_vote,
        candidate=st.integers(0, 5),
        rater=st.sampled_from([rater.id for rater in RATERS]),
        label=st.sampled_from(LABELS),
        slot=st.integers(0, 3),
        at=st.integers(0, 3).map(lambda number: START + timedelta(microseconds=number)),
        position=st.integers(0, 2),
        seconds=st.none() | st.sampled_from([0.5, 2.0, 2.5, 9.0]),
        breaks_tie=st.booleans(),
    ),
    max_size=40,
)
decisions = st.dictionaries(
    st.integers(0, 7), st.builds(Decided, label=st.sampled_from(DECIDED), by_votes=st.booleans())
)


def draw_many(seed: int) -> tuple[list[Vote], dict[int, Decided]]:
    """Enough for periods: most answers with three votes, some missing, tied or surplus."""
    draw = np.random.default_rng(seed)
    given = [
        one_vote(
            candidate,
            rater=int(rater),
            label=LABELS[min(int(draw.geometric(0.6)) - 1, 2)],
            slot=slot if draw.random() < 0.9 else 0,
            at=START + timedelta(minutes=int(draw.integers(0, 600))),
            position=candidate % 2,
            seconds=float(draw.integers(1, 40)) if draw.random() < 0.7 else None,
            breaks_tie=slot == 3,
        )
        for candidate in range(500)
        for slot, rater in enumerate(draw.permutation(4)[: draw.integers(0, 5)] + 1, start=1)
    ]
    decided = {
        candidate: Decided(DECIDED[draw.integers(0, 4)], by_votes=bool(draw.random() < 0.8))
        for candidate in range(500)
        if draw.random() < 0.8
    }
    return given, decided


def as_plain(report: RaterReport, given: Sequence[Vote]) -> Plain:
    """Say the same of a report; the run is None of few votes, so it is found again."""
    own = by_rater(given).get(report.member, [])
    label, longest = longest_run(np.array([LABELS.index(vote.label) for vote in own], dtype=np.int64))
    if report.run is not None:
        assert (report.run.label, report.run.longest) == (LABELS[label], longest)
    return Plain(
        judged=report.judged,
        last_at=report.last_at,
        median_seconds=report.pace.median_seconds,
        usual_seconds=report.pace.usual_seconds,
        fast=tally(report.pace.fast),
        with_decisions=tally(report.with_decisions),
        without_own=tally(report.without_own),
        longest_run=(LABELS[label] if longest else "", longest),
        own_first=tally(report.first_label.own),
        others_first=tally(report.first_label.others),
        halves=(tally(report.drift.first), tally(report.drift.last)),
        confusion=report.confusion,
        periods=[(period.begins_at, period.ends_at, tally(period.agreement)) for period in report.periods],
        differences=[tuple(difference) for difference in report.differences],
    )


def tally(figure: Any) -> Any:
    assert figure.tally is not None
    return figure.tally


def check(given: Sequence[Vote], decided: Mapping[int, Decided]) -> list[Plain]:
    expected = describe(RATERS, given, decided, LABELS)
    # Drawn from, not counted, so they have tests of their own.
    with patch.object(measuring, "estimate_raters", return_value=[NO_ESTIMATES] * len(RATERS)):
        reports = measuring.measure_raters(ballots_of(RATERS, given, decided, LABELS))
    for report, plain in zip(reports, expected, strict=True):
        assert report.difference_count == len(plain.differences)
        assert as_plain(report, given) == plain._replace(differences=plain.differences[:MOST_DIFFERENCES])
    return expected


class TestMeasureRaters:
    @given(votes=votes, decisions=decisions)
    def test_says_of_few_votes_what_counting_them_says(
        self, votes: list[Vote], decisions: dict[int, Decided]
    ) -> None:
        check(votes, decisions)

    @pytest.mark.parametrize("seed", range(5))
    def test_says_of_many_votes_what_counting_them_says(self, seed: int) -> None:
        expected = check(*draw_many(seed))
        # What the many are for.
        assert any(plain.periods for plain in expected)


class TestShare:
    @given(votes=votes)
    def test_puts_the_votes_on_an_answer_side_by_side(self, votes: list[Vote]) -> None:
        ballots = ballots_of(RATERS, votes, {}, LABELS)
        shared = _share(ballots, lay_out(ballots))
        rows = [
            [
                (LABELS[label], RATERS[rater].id)
                for label, rater in zip(*row, strict=True)
                if label != NOT_RATED
            ]
            for row in zip(shared.votes.tolist(), shared.raters.tolist(), strict=True)
        ]
        groups = {candidate: own for candidate, own in by_candidate(votes).items() if len(own) >= 2}
        assert rows == [[(vote.label, vote.rater) for vote in groups[each]] for each in sorted(groups)]
        assert shared.questions.tolist() == [each // 2 for each in sorted(groups)]

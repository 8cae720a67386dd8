"""Scores of all answers from labels of a random sample of them and a judge's verdicts on all."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from analysis.arrays import Flags, Floats, Integers
from analysis.intervals import Figure, Why, divide, estimated_share_interval, wilson_interval
from analysis.prejudging.corrected import PRIOR_ROWS, PRIOR_ROWS_OF_AUDIT, Corrected, correct
from analysis.prejudging.planning import FEWEST_LABELS
from judges.comparison.rules.study import (
    ACCEPTED,
    UNDECIDED,
    UNSCORED,
    Decided,
    Items,
    Said,
    Scores,
    Selection,
    Unit,
    probabilities_of,
)


class Labels(NamedTuple):
    """What people said of answers that chance chose, a value a prediction.

    people: 1 right, 0 wrong, NaN = not among them. probability: with which people were to see the answer, 0
    where they could not. strata: the part it was drawn in. is_open: drawn, and not decided yet. is_random:
    chance chose what people judge; false where somebody chose the questions. prior_rows: see `correct`.
    """

    people: Floats
    probability: Floats
    strata: Integers
    is_open: Flags
    is_random: bool
    prior_rows: float = PRIOR_ROWS


def labels_of(items: Items, *, decided: Decided, selection: Selection) -> Labels:
    """Return the labels that may be used of what is counted.

    Only what people decided of answers that chance brought to them: of a question that was drawn, and of an
    answer that a rule of pre-judging spoke for only if the audit drew it, too. An answer that could not be
    drawn counts where people decided it, for itself alone. Where nothing but the judged sample is counted,
    every question of it is certain.
    """
    questions, predictions = items.questions, items.predictions
    question, candidate = predictions.question, predictions.candidate
    is_sample_only = bool(questions.in_sample[selection.questions].all())
    drawable = (questions.stratum >= 0) & (not is_sample_only)
    said = decided.said_by_people[candidate]
    is_ruled = decided.ruled[candidate] != UNDECIDED
    is_met = np.where(drawable, questions.is_drawn, questions.in_sample)[question]
    may_count = is_met & (said != UNDECIDED) & (~is_ruled | decided.is_drawn[candidate])
    of_question = np.where(drawable, questions.probability, 1.0 * questions.in_sample)[question]
    # Strata and prior rows as the leaderboard's audit has them, so that one study has one score: judges tell
    # apart what rules accept and reject. Which rule speaks for an answer is known of sampled questions alone.
    strata = is_ruled if is_sample_only else 1 + np.where(drawable, questions.stratum, -1)[question]
    is_asked = items.candidates.is_judgeable[candidate]
    return Labels(
        people=np.where(may_count, said == ACCEPTED, np.nan),
        probability=of_question * np.where(is_ruled & is_met, decided.probability[candidate], 1.0),
        strata=strata.astype(np.int64),
        is_open=is_met & is_asked & decided.is_open[candidate],
        is_random=is_sample_only or bool((questions.is_drawn & selection.questions).any()),
        prior_rows=PRIOR_ROWS_OF_AUDIT if is_sample_only and decided.has_ruled else PRIOR_ROWS,
    )


class Sampled(NamedTuple):
    """Labels, and what a judge predicts of every answer: 0 to 1, NaN where it abstains."""

    labels: Labels
    predictions: Floats

    @property
    def is_paired(self) -> bool:
        """Whether systems can be compared question by question: the same questions were drawn of all."""
        return True

    def correct(self, *, systems: Integers, counted: Flags, size: int) -> Corrected:
        """Estimate what is counted, system by system; a system with a reason against it is unknown."""
        found = self.estimate(systems=systems, counted=counted, size=size)
        reasons = why_unknown(self.labels, systems=systems, counted=counted, size=size)
        is_lost = np.array([reason is not None for reason in reasons], dtype=bool)
        values, expected = np.full((2, len(systems)), np.nan)
        values[counted], expected[counted] = found.values, found.expected
        values[is_lost[systems]] = expected[is_lost[systems]] = np.nan
        return found._replace(values=values, expected=expected)

    def estimate(self, *, systems: Integers, counted: Flags, size: int) -> Corrected:
        """Estimate what is counted, a value a counted row."""
        labels = self.labels
        return correct(
            labels=labels.people[counted],
            predictions=self.predictions[counted],
            probability=labels.probability[counted],
            groups=systems[counted],
            group_count=size,
            strata=labels.strata[counted],
            prior_rows=labels.prior_rows,
        )


def why_unknown(labels: Labels, *, systems: Integers, counted: Flags, size: int) -> list[Why | None]:
    """Say of every system why these labels tell no score of it; None where they do.

    Answers that are decided first are the easy ones, on which raters agree, so those of a sample count once
    all of it is decided.
    """
    has_open, is_beyond = (
        np.bincount(systems[counted & which], minlength=size) > 0
        for which in (labels.is_open, labels.probability <= 0)
    )
    is_label = counted & ~np.isnan(labels.people)
    seen = np.bincount(systems[is_label], minlength=size)
    rows = np.bincount(systems[counted], minlength=size)
    return [
        Why.SAMPLE_CHOSEN
        if not labels.is_random
        else Why.NOTHING_DECIDED
        if not seen[place]
        else Why.NOT_DRAWN
        if is_beyond[place]
        else Why.SAMPLE_OPEN
        if has_open[place]
        else Why.FEW_LABELS
        if seen[place] < min(FEWEST_LABELS, rows[place])
        else None
        for place in range(size)
    ]


def predict(scores: Scores, said: Said, *, items: Items, states_probability: bool) -> Floats:
    """Return what a judge predicts of every prediction: how probably it is right, or else its verdict."""
    if states_probability:
        probability = probabilities_of(said, items.predictions.candidate)
        if probability is not None:
            return np.where(np.isnan(scores.values), np.nan, probability)
    return verdicts_of(scores, said, items=items)


def verdicts_of(scores: Scores, said: Said, *, items: Items) -> Floats:
    """Return a judge's verdicts, 1 or 0, NaN where it gave none; of F1 those by its threshold."""
    if scores.column.unit is not Unit.F1:
        return scores.values
    verdict = said.verdict[items.predictions.candidate]
    return np.where(verdict > UNSCORED, verdict, np.nan).astype(np.float64)


@dataclass(frozen=True)
class CorrectedScore:
    """A system’s score by one judge: the judge’s score, and that score corrected with people’s labels.

    `worth`: how many random labels without a judge would give the same precision, at most the number of
    answers; null if there is no corrected score.
    """

    judge: Figure
    corrected: Figure
    worth: int | None


@dataclass(frozen=True)
class CorrectedRow:
    """A system with `n` answers.

    `labels`: the number of these that people labeled. `people`: its score from these labels alone. `scores`:
    by the judge’s key.
    """

    system: str
    label: str
    n: int
    labels: int
    people: Figure
    scores: dict[str, CorrectedScore]


@dataclass(frozen=True)
class CorrectingJudge:
    """A judge whose verdicts may represent answers that people did not label.

    `why`: why they cannot, or null if they can.
    """

    key: str
    name: str
    signature: str
    why: Why | None


class Alone(NamedTuple):
    """A judge's own word on every prediction, and what it predicts."""

    verdicts: Floats
    predictions: Floats


def lay_beside(
    items: Items, *, labels: Labels, counted: Flags, judges: Mapping[str, Alone]
) -> list[CorrectedRow]:
    """Return every system with counted predictions by people alone, and by each judge alone and corrected."""
    systems, size = items.predictions.system, len(items.systems)
    rows: Integers = np.bincount(systems[counted], minlength=size)
    reasons = why_unknown(labels, systems=systems, counted=counted, size=size)
    nobody = np.zeros(len(systems))

    def estimate(predictions: Floats) -> tuple[list[Figure], Corrected]:
        found = Sampled(labels, predictions).estimate(systems=systems, counted=counted, size=size)
        # Of a system with answers of a kind that nobody labelled, such as a judge left out, nothing is known.
        total = np.bincount(systems[counted], weights=found.values, minlength=size)
        means = divide(total.astype(np.float64), rows.astype(np.float64))
        return [
            Figure(None, why=reason or (Why.NOTHING_SAMPLED if n else Why.NOTHING_COUNTED))
            if reason or not n or np.isnan(mean)
            else _bound(mean, int(n), float(variance))
            for reason, n, mean, variance in zip(
                reasons, rows.tolist(), means.tolist(), found.variance.tolist(), strict=True
            )
        ], found

    people, plain = estimate(nobody)
    by_judge = {key: (judge, *estimate(judge.predictions)) for key, judge in judges.items()}
    seen = np.bincount(systems[counted & ~np.isnan(labels.people)], minlength=size)
    return [
        CorrectedRow(
            system=items.systems[place].name,
            label=items.systems[place].label,
            n=int(rows[place]),
            labels=int(seen[place]),
            people=people[place],
            scores={
                key: CorrectedScore(
                    judge=_alone(judge.verdicts[counted & (systems == place)]),
                    corrected=figures[place],
                    worth=None
                    if figures[place].value is None
                    else _worth(
                        int(seen[place]),
                        total=int(rows[place]),
                        plain=plain.variance[place],
                        corrected=found.variance[place],
                    ),
                )
                for key, (judge, figures, found) in by_judge.items()
            },
        )
        for place in np.flatnonzero(rows).tolist()
    ]


def _bound(mean: float, n: int, variance: float) -> Figure:
    # A sum of corrections may lie a little outside of what a share can be.
    share = min(1.0, max(0.0, mean))
    return Figure.of(share, estimated_share_interval(share=share, total=n, variance=variance))


def _alone(verdicts: Floats) -> Figure:
    said = verdicts[~np.isnan(verdicts)]
    if not len(said):
        return Figure(None, why=Why.NOTHING_COUNTED)
    right = int(said.sum())
    return Figure.of(right / len(said), wilson_interval(successes=right, total=len(said)))


def _worth(labels: int, *, total: int, plain: float, corrected: float) -> int | None:
    """Return how many of the answers people would have to label for the variance of the corrected score.

    What sampling leaves of a variance falls as 1/n − 1/N and is nothing once all N answers are labelled
    (Cochran 1977, Sampling Techniques, 2.6).
    """
    if corrected <= 0:
        return None
    if plain <= 0:
        return labels
    left = (1 / labels - 1 / total) * corrected / plain
    return round(1 / (left + 1 / total))


def surest(
    judges: Mapping[str, Floats], *, labels: Labels, systems: Integers, counted: Flags, size: int
) -> str:
    """Return the key of the judge by which all systems' scores together are surest; the first of equals.

    judges: by key, what each predicts.
    """
    known = np.array(
        [reason is None for reason in why_unknown(labels, systems=systems, counted=counted, size=size)]
    )

    def variance(predictions: Floats) -> float:
        found = Sampled(labels, predictions).estimate(systems=systems, counted=counted, size=size)
        return float(found.variance[known].sum())

    return min(judges, key=lambda key: variance(judges[key]))
